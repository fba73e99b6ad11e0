#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One case under TF-SANDY whose empty blocks go to their own frontier, as CSV; subgroups of 32 lanes.
#
#   sandy_programs.sh BUILD CASE.amber NAME >COUNTS.csv
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$(dirname "$0")/bare_case.sh" "$1" "$2" "$work/bare"
echo "program,issued,expect_failed"
"$1/bin/spv-emu" --csv --policy=tf-sandy --sandy-empty=frontier "$work/bare/case.amber" |
  awk -F , -v name="$3" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR > 1 && $at["status"] == "ok" { print name "," $at["issued"] "," $at["expect_failed"] }'
