#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures what structurize adds:
#
#   added.sh BUILD [OPTION...] [FOLDER]
#
# For each family of random modules (gen_cases), and for the graphs (.json) below FOLDER: block issues under the policy
# `structured` after structurize, relative to those under `maximal` before, minus 1: over all modules together, and
# the mean of the modules; and the code, instructions after relative to those before, minus 1, over all. Then, for each graph in shapes.txt: instructions before, after structurize, and after LLVM's
# structurizer (opt-15; without it the column is empty), phis not counted; a copied block is its branch. OPTIONs (--name=value) are options of
# spv-emu and spvreconv. COUNT (20) is the number of modules of a family, SEED (1) the first, TRANSFORM (structurize) what
# gives structure, such as structurize:40:issues.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bin=$1/bin options='' folder='' transform=${TRANSFORM:-structurize}
shift
for word; do
  case $word in
  --*) options="$options $word" ;;
  *) folder=$word ;;
  esac
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# block_issues CASE POLICY TRANSFORM: prints them, or nothing if the case does not run to its end
block_issues() {
  # shellcheck disable=SC2086 # a word each
  "$bin/spv-emu" --json --max-issues=20000000 --policy="$2" --transform="$3" $options "$1" 2>/dev/null |
    jq -r '.results[0] | select(.status == "ok") | [.blocks[].executions] | add' || true
}

# code MODULE: prints the instructions before and after
code() {
  # shellcheck disable=SC2086 # a word each
  "$bin/spvreconv" "--transform=strip-merges,$transform" --no-validate --json $options "$1" |
    jq -r '"\([.functions[].before.instructions] | add) \([.functions[].after.instructions] | add)"'
}

# added NAME CASE...: a row
added() {
  name=$1
  shift
  for case; do
    echo "$(block_issues "$case" maximal strip-merges) $(block_issues "$case" structured "strip-merges,$transform")" \
      "$(code "${case%.amber}.spv")"
  done | awk -v name="$name" '
    NF == 4 { before += $1; after += $2; mean += $2 / $1 - 1; n++; size += $3; grown += $4 }
    END {
      if (n)
        printf "%-12s %4d %10d %10d %7.3f %7.3f %7.3f\n", name, n, before, after, after / before - 1, mean / n,
               grown / size - 1
    }'
}

echo "family       cases     before      after     all    mean    code"
for family in structured breaks multiexit acyclic irreducible switch; do
  mkdir "$work/$family"
  "$bin/gen_cases" "${COUNT:-20}" "${SEED:-1}" "$work/$family" "$family" >/dev/null
  added "$family" "$work/$family"/*.amber
done
if [ -n "$folder" ]; then
  mkdir "$work/graphs"
  for graph in "$folder"/*.json; do
    for kind in amber spv; do
      "$bin/spv-graph" "$graph" -o "$work/graphs/$(basename "$graph" .json).$kind" 2>/dev/null
    done
  done
  added graphs "$work/graphs"/*.amber
fi

# as_json, as_llvm: the graph of a line of shapes.txt
as_json() {
  awk '{
    printf "{\"name\":\"%s\",\"kernel\":\"%s\",\"entry\":0,\"blocks\":[", $1, $1
    for (i = 2; i <= NF; i++)
      printf "%s{\"id\":%d,\"succ\":[%s]}", (i > 2 ? "," : ""), i - 2, ($i == "-" ? "" : $i)
    print "]}"
  }'
}
as_llvm() {
  awk '{
    printf "define void @f(i32 %%s"
    for (i = 2; i <= NF; i++)
      printf ", i1 %%c%d", i - 2
    print ") {"
    for (i = 2; i <= NF; i++) {
      n = ($i == "-") ? 0 : split($i, to, ",")
      print "b" i - 2 ":"
      if (n == 0)
        print "  ret void"
      else if (n == 1)
        print "  br label %b" to[1]
      else if (n == 2)
        print "  br i1 %c" i - 2 ", label %b" to[1] ", label %b" to[2]
      else {
        printf "  switch i32 %%s, label %%b%d [", to[1]
        for (k = 2; k <= n; k++)
          printf " i32 %d, label %%b%d", k, to[k]
        print " ]"
      }
    }
    print "}"
  }'
}

echo
echo "shape                before structurize  LLVM"
grep -v '^#' "$here/shapes.txt" | while read -r shape; do
  name=${shape%% *}
  echo "$shape" | as_json >"$work/shape.json"
  "$bin/spv-graph" "$work/shape.json" -o "$work/shape.spvasm" 2>/dev/null
  # shellcheck disable=SC2086 # a word each
  added=$("$bin/spvreconv" "--transform=strip-merges,$transform" --no-validate --json $options "$work/shape.spvasm" |
    jq '[.functions[].transform | .added_instructions + .duplicated_blocks] | add')
  blocks=$(echo "$shape" | awk '{ print NF - 1 }')
  llvm=''
  if command -v opt-15 >/dev/null; then
    echo "$shape" | as_llvm >"$work/shape.ll"
    llvm=$(opt-15 -S '-passes=function(lowerswitch,fix-irreducible,unify-loop-exits,structurizecfg)' "$work/shape.ll" |
      awk '/^  / && !/ = phi /' | wc -l)
  fi
  printf '%-20s %6d %11d %5s\n' "$name" "$blocks" $((blocks + added)) "$llvm"
done
