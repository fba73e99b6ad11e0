#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The issues of one case after lists of transforms, under the policies that machines have, as CSV.
#
#   lists.sh BUILD CASE.amber NAME >LISTS.csv
#
# Each list runs after strip-merges, so that structured programs are structured again; `input` is the case as written.
# Under opt only the input runs; 'exact' says whether its figure is exact, or a lower bound, and 'at_most' is the cost of the
# best schedule that it found. A list that refuses the case has no rows; where a result is wrong, the script fails.
# shellcheck source=tools/experiments/experiment.sh.inc
. "$(dirname "$0")/experiment.sh.inc"
emu=$bin/spv-emu convert=$bin/spvreconv name=$3
"$here/bare_case.sh" "$1" "$2" "$work/input"

# A line adds a list.
LISTS='
structurize
structurize:20:issues
undispatch,structurize
merge-iterations,structurize
merge-iterations:profile,structurize
speculative,structurize
speculative:profile,structurize
share-calls,structurize
inline,share-calls,structurize
meld,structurize
best
best:profile'

POLICIES=pdom,structured,barrier

# States that opt may visit for each dispatch.
OPT_BUDGET=262144

# measure LIST POLICIES: the case in the folder LIST
measure() {
  "$emu" --csv --policy="$2" --opt-budget=$OPT_BUDGET "$work/$1/case.amber" 2>/dev/null >"$work/out" || true
  awk -F , -v name="$name" -v list="$1" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["status"] == "ok" && $at["message"] != "" { print name " after " list ": " $0 | "cat >&2"; wrong = 1 }
    $at["status"] == "ok" { print name "," list "," $at["policy"] "," $at["issued"] "," $at["exact"] "," $at["at_most"] }
    END { exit wrong }' "$work/out"
}

# transformed NAME LIST: the case with every module after the list, in the folder NAME; fails if one refuses it
transformed() {
  cp -r "$work/input" "$work/$1"
  for module in "$work/input"/*.spv; do
    "$convert" --no-validate "$module" --transform="strip-merges,$2" -o "$work/$1/$(basename "$module")" 2>/dev/null ||
      return 1
  done
}

echo "program,list,policy,issues,exact,at_most"
measure input $POLICIES,opt
"$emu" --policy=tf-stack --profile="$work/profile.json" "$work/input/case.amber" >/dev/null 2>&1 || true
for list in $LISTS; do
  folder=$(echo "$list" | tr , +)
  list=$(echo "$list" | sed "s|:profile|&:$work/profile.json|")
  ! transformed "$folder" "$list" || measure "$folder" $POLICIES
done
