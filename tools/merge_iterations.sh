#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints a table of docs/merge-iterations.md: issues of the corpus under pdom and structured after structurize, as quotients
# of these after merge-iterations,structurize: where it seems to pay, where it pays on the paths of the same input, and
# wherever it can be done; of the programs in which one of them differs from structurize.
#
#   tools/merge_iterations.sh [BUILD] | tools/insert_table.sh iterations docs/merge-iterations.md
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# issues LIST: "PDOM STRUCTURED" of the case after the list; nothing if a run does not end well
issues() {
  cp -r "$work/input" "$work/after"
  for module in "$work/input"/*.spv; do
    "$build/bin/spvreconv" --no-validate "$module" --transform="$1" -o "$work/after/$(basename "$module")" 2>/dev/null || true
  done
  "$build/bin/spv-emu" --policy=pdom,structured --subgroup-size=32 --csv "$work/after/case.amber" 2>/dev/null |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
      $at["status"] == "ok" { line = line " " $at["issued"]; n++ }
      END { if (n == 2) print line }'
  rm -r "$work/after"
}

echo '| Program | pdom: seems to pay | profile | all | structured: seems to pay | profile | all |'
echo '| --- | ---: | ---: | ---: | ---: | ---: | ---: |'
for case in shaders/*/*.amber; do
  rm -rf "$work/input"
  tools/experiments/bare_case.sh "$build" "$case" "$work/input" >"$work/out" 2>&1 || continue
  "$build/bin/spv-emu" --policy=tf-stack --profile="$work/paths.json" "$work/input/case.amber" >/dev/null 2>&1 || continue
  before=$(issues structurize)
  all=$(issues merge-iterations:all,structurize)
  [ "$before" != "$all" ] || continue
  echo "$(basename "$(dirname "$case")")/$(basename "$case" .amber)" "$before" \
    "$(issues merge-iterations,structurize)" \
    "$(issues "merge-iterations:profile:$work/paths.json,structurize")" "$all"
done | awk 'NF == 9 {
    printf "| %s |", $1
    for (policy = 2; policy <= 3; policy++)
      for (list = 1; list <= 3; list++) {
        q = $(policy + 2 * list) / $policy
        sum[policy, list] += log(q)
        printf " %.3f |", q
      }
    print ""
    n++
  }
  END {
    printf "| geometric mean of these %d |", n
    for (policy = 2; n && policy <= 3; policy++)
      for (list = 1; list <= 3; list++)
        printf " %.3f |", exp(sum[policy, list] / n)
    print ""
  }'
