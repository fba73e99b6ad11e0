#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints a table of docs/merge-iterations.md or docs/meld.md: issues of the corpus under pdom and structured after lists
# of transforms, as quotients of those after the list BASE; of the programs in which one of the lists differs from BASE.
#
#   tools/transform_table.sh [--optimize] BUILD BASE NAME=LIST...
#
# NAME: the head of a column. In a list, PROFILE is a profile of the case as written, on the same input. --optimize: the
# shaders go through spirv-opt -O first, as after a front end. A module that a transform refuses stays as it is; a case
# with a run that does not end well is left out.
set -eu
cd "$(dirname "$0")/.."
optimize=false
[ "$1" != --optimize ] || { optimize=true && shift; }
build=$1 base=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# issues LIST: "PDOM STRUCTURED" of the case after the list; nothing if a run does not end well
issues() {
  list=$(echo "$1" | sed "s|PROFILE|$work/paths.json|")
  cp -r "$work/input" "$work/after"
  for module in "$work/input"/*.spv; do
    "$build/bin/spvreconv" --no-validate "$module" --transform="$list" -o "$work/after/$(basename "$module")" 2>/dev/null || true
  done
  timeout 120 "$build/bin/spv-emu" --policy=pdom,structured --subgroup-size=32 --csv "$work/after/case.amber" 2>/dev/null |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
      $at["status"] == "ok" { line = line " " $at["issued"]; n++ }
      END { if (n == 2) print line }'
  rm -r "$work/after"
}

# input CASE: the case in the folder input, and its profile; fails if it does not run
input() {
  rm -rf "$work/input"
  tools/experiments/bare_case.sh "$build" "$1" "$work/input" >"$work/out" 2>&1 || return 1
  if $optimize; then
    for module in "$work/input"/*.spv; do
      ! spirv-opt -O "$module" -o "$work/opt.spv" 2>/dev/null || cp "$work/opt.spv" "$module"
    done
  fi
  "$build/bin/spv-emu" --policy=tf-stack --profile="$work/paths.json" "$work/input/case.amber" >/dev/null 2>&1
}

# head POLICY NAME=LIST...: the columns of a policy
head() {
  label="$1: "
  shift
  for column; do
    printf ' %s |' "$label${column%%=*}"
    label=
  done
}

printf '| Program |%s%s\n' "$(head pdom "$@")" "$(head structured "$@")"
printf '| --- |'
for _ in "$@" "$@"; do printf ' ---: |'; done
echo
for case in shaders/*/*.amber; do
  input "$case" || continue
  row="$(basename "$(dirname "$case")")/$(basename "$case" .amber) $(issues "$base")"
  for column; do
    row="$row $(issues "${column#*=}")"
  done
  echo "$row"
done | awk -v lists=$# 'NF == 3 + 2 * lists {
    differs = 0
    for (i = 4; i <= NF; i++)
      differs = differs || $i != $(2 + i % 2)
    measured++
    if (!differs)
      next
    printf "| %s |", $1
    for (policy = 2; policy <= 3; policy++)
      for (list = 1; list <= lists; list++) {
        q = $(policy + 2 * list) / $policy
        sum[policy, list] += log(q)
        printf " %.3f |", q
      }
    print ""
    n++
  }
  END {
    printf "| geometric mean of these %d; %d do not change |", n, measured - n
    for (policy = 2; n && policy <= 3; policy++)
      for (list = 1; list <= lists; list++)
        printf " %.3f |", exp(sum[policy, list] / n)
    print ""
  }'
