#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures what structurize adds:
#
#   added.sh BUILD [OPTION...] [FOLDER]
#
# For each family of random modules (gen_cases), and for the graphs (.json) below FOLDER: block issues under the policy
# `structured` after structurize, relative to those under `maximal` before, minus 1: over all modules together, and
# the mean of the modules; and the code, instructions after relative to those before, minus 1, over all. Then, for each
# graph in shapes.txt: instructions before, after structurize, and after LLVM's structurizer (opt-15, or of the version
# LLVM; without it the column is empty), phis not counted; a copied block is its branch. OPTIONs (--name=value) are
# options of spv-emu and spvreconv. FAMILIES names the families, COUNT (20) is the number of modules of each, SEED (1)
# the first, TRANSFORM (structurize) what gives structure, such as structurize:40:issues. For several of these, with +
# between them, there are tables one after the other, each below a line "transform NAME". duel.sh compares in more detail.
# shellcheck source=tools/experiments/experiment.sh.inc
. "$(dirname "$0")/experiment.sh.inc"
# shellcheck source=tools/experiments/shape.sh.inc
. "$here/shape.sh.inc"
llvm_version=${LLVM:-15}
options='' folder='' transforms=$(echo "${TRANSFORM:-structurize}" | tr + ' ')
families=${FAMILIES:-structured breaks multiexit acyclic irreducible switch}
shift
for word; do
  case $word in
  --*) options="$options $word" ;;
  *) folder=$word ;;
  esac
done

# ---- random modules, and graphs ------------------------------------------------------------------

# issues CASE...: "CASE POLICY LIST BLOCK-ISSUES" of each that runs to its end
issues() {
  lists=strip-merges
  for transform in $transforms; do
    lists=$lists+strip-merges,$transform
  done
  # shellcheck disable=SC2086 # a word each
  "$bin/spv-emu" --json --max-issues=20000000 --policy=maximal,structured --transform="$lists" $options "$@" 2>/dev/null |
    jq -r '(.module | sub("\\.amber$"; "")) as $case | .results[] | select(.status == "ok") |
      "\($case) \(.policy) \(.transform) \([.blocks[].executions] | add)"'
}

# code MODULE...: "MODULE code LIST BEFORE AFTER", instructions
code() {
  for transform in $transforms; do
    # shellcheck disable=SC2086 # a word each
    "$bin/spvreconv" "--transform=strip-merges,$transform" --no-validate --json $options "$@" 2>/dev/null |
      jq -r --arg list "strip-merges,$transform" 'select(.functions) | "\(.input.file | sub("\\.spv$"; "")) code \($list) \(
        [.functions[].before.instructions] | add) \([.functions[].after.instructions] | add)"'
  done
}

# measured NAME: the modules in that folder, NAME.amber with NAME.spv
measured() {
  { issues "$work/$1"/*.amber && code "$work/$1"/*.spv; } >"$work/$1.measured"
}

# added NAME TRANSFORM: a row
added() {
  awk -v name="$1" -v list="strip-merges,$2" '
    $2 == "maximal" && $3 == "strip-merges" { before[$1] = $4 }
    $2 == "structured" && $3 == list { after[$1] = $4 }
    $2 == "code" && $3 == list { size[$1] = $4; grown[$1] = $5 }
    END {
      for (module in size)
        if (before[module] && after[module]) {
          n++
          befores += before[module]
          afters += after[module]
          mean += after[module] / before[module] - 1
          sizes += size[module]
          growns += grown[module]
        }
      if (n)
        printf "%-12s %4d %10d %10d %7.3f %7.3f %7.3f\n", name, n, befores, afters, afters / befores - 1, mean / n,
               growns / sizes - 1
    }' "$work/$1.measured"
}

for family in $families; do
  mkdir "$work/$family"
  "$bin/gen_cases" "${COUNT:-20}" "${SEED:-1}" "$work/$family" "$family" >/dev/null
  measured "$family"
done
if [ -n "$folder" ]; then
  families="$families graphs"
  mkdir "$work/graphs"
  for graph in "$folder"/*.json; do
    for kind in amber spv; do
      "$bin/spv-graph" "$graph" -o "$work/graphs/$(basename "$graph" .json).$kind" 2>/dev/null
    done
  done
  measured graphs
fi

# ---- small graphs, and LLVM ----------------------------------------------------------------------

# "NAME BEFORE LLVM" of each
mkdir "$work/shapes"
grep -v '^#' "$here/shapes.txt" | while read -r shape; do
  name=${shape%% *}
  echo "$shape" | shape_json >"$work/shape.json"
  "$bin/spv-graph" "$work/shape.json" -o "$work/shapes/$name.spvasm" 2>/dev/null
  llvm=''
  if command -v "opt-$llvm_version" >/dev/null; then
    # shellcheck disable=SC2119 # no linkage
    echo "$shape" | shape_llvm >"$work/shape.ll"
    llvm=$("opt-$llvm_version" -S "$(llvm_structurizer "$llvm_version")" "$work/shape.ll" |
      awk '/^  / && !/ = phi /' | wc -l)
  fi
  echo "$name $(echo "$shape" | awk '{ print NF - 1 }') $llvm"
done >"$work/shapes.measured"

# shapes TRANSFORM: their rows
shapes() {
  # shellcheck disable=SC2086 # a word each
  "$bin/spvreconv" "--transform=strip-merges,$1" --no-validate --json $options "$work/shapes"/*.spvasm |
    jq -r '"\(.input.file | sub(".*/"; "") | sub("\\.spvasm$"; "")) \(
      [.functions[].transform | .added_instructions + .duplicated_blocks] | add)"' |
    awk 'NR == FNR { added[$1] = $2; next }
      { printf "%-20s %6d %11d %5s\n", $1, $2, $2 + added[$1], $3 }' - "$work/shapes.measured"
}

# ---- the tables ----------------------------------------------------------------------------------

for transform in $transforms; do
  [ "$transforms" = "$transform" ] || echo "transform $transform"
  echo "family       cases     before      after     all    mean    code"
  for family in $families; do
    added "$family" "$transform"
  done
  echo
  echo "shape                before structurize  LLVM"
  shapes "$transform"
done
