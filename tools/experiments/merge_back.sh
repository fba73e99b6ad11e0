#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What Wu et al. leave for future work, for one case: struct-copy, then its inverse, merge-copies, under TF-STACK; beside structurize,
# which has selectors like Cut, but copies nothing. CSV;
# subgroups of 32 lanes.
#
#   merge_back.sh BUILD CASE.amber NAME >COUNTS.csv
# shellcheck source=tools/experiments/experiment.sh.inc
. "$(dirname "$0")/experiment.sh.inc"
"$here/bare_case.sh" "$1" "$2" "$work/bare"
echo "program,transform,issued,status"
for transform in none strip-merges,structurize strip-merges,struct-copy:any strip-merges,struct-copy:any,merge-copies; do
  "$bin/spv-emu" --csv --policy=tf-stack --transform=$transform "$work/bare/case.amber" >"$work/out" 2>/dev/null || true
  awk -F , -v row="$3,$(echo $transform | tr , +)" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR > 1 { print row "," $at["issued"] "," $at["status"] }' "$work/out"
done
