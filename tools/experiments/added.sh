#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures what structurize adds:
#
#   added.sh BUILD [OPTION...] [FOLDER]
#
# For each family of random modules (gen_cases), and for the graphs (.json) below FOLDER: block issues under the policy
# `structured` after structurize, relative to those under `maximal` before, minus 1: over all modules together, and
# the mean of the modules; and the code, instructions after relative to those before, minus 1, over all. Then, for each graph in shapes.txt: instructions before, after structurize, and after LLVM's
# structurizer (opt-15, or of the version LLVM; without it the column is empty), phis not counted; a copied block is its branch. OPTIONs (--name=value) are options of
# spv-emu and spvreconv. COUNT (20) is the number of modules of a family, SEED (1) the first, TRANSFORM (structurize) what
# gives structure, such as structurize:40:issues. duel.sh compares in more detail.
# shellcheck source=tools/experiments/experiment.sh.inc
. "$(dirname "$0")/experiment.sh.inc"
# shellcheck source=tools/experiments/shape.sh.inc
. "$here/shape.sh.inc"
llvm_version=${LLVM:-15}
options='' folder='' transform=${TRANSFORM:-structurize}
shift
for word; do
  case $word in
  --*) options="$options $word" ;;
  *) folder=$word ;;
  esac
done

# block_issues CASE POLICY TRANSFORM: prints them, or nothing if the case does not run to its end
block_issues() {
  # shellcheck disable=SC2086 # a word each
  "$bin/spv-emu" --json --max-issues=20000000 --policy="$2" --transform="$3" $options "$1" 2>/dev/null |
    jq -r '.results[0] | select(.status == "ok") | [.blocks[].executions] | add' || true
}

# code MODULE: prints the instructions before and after
code() {
  # shellcheck disable=SC2086 # a word each
  "$bin/spvreconv" "--transform=strip-merges,$transform" --no-validate --json $options "$1" 2>/dev/null |
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

echo
echo "shape                before structurize  LLVM"
grep -v '^#' "$here/shapes.txt" | while read -r shape; do
  name=${shape%% *}
  echo "$shape" | shape_json >"$work/shape.json"
  "$bin/spv-graph" "$work/shape.json" -o "$work/shape.spvasm" 2>/dev/null
  # shellcheck disable=SC2086 # a word each
  added=$("$bin/spvreconv" "--transform=strip-merges,$transform" --no-validate --json $options "$work/shape.spvasm" |
    jq '[.functions[].transform | .added_instructions + .duplicated_blocks] | add')
  blocks=$(echo "$shape" | awk '{ print NF - 1 }')
  llvm=''
  if command -v "opt-$llvm_version" >/dev/null; then
    # shellcheck disable=SC2119 # no linkage
    echo "$shape" | shape_llvm >"$work/shape.ll"
    llvm=$("opt-$llvm_version" -S "$(llvm_structurizer "$llvm_version")" "$work/shape.ll" |
      awk '/^  / && !/ = phi /' | wc -l)
  fi
  printf '%-20s %6d %11d %5s\n' "$name" "$blocks" $((blocks + added)) "$llvm"
done
