#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One case under the variants of TF-SANDY, as CSV; subgroups of 32 lanes. `frontier`: --sandy-empty=frontier; `static`:
# --sandy-branch=static; `both`.
#
#   sandy_programs.sh BUILD CASE.amber NAME >COUNTS.csv
# shellcheck source=tools/experiments/experiment.sh.inc
. "$(dirname "$0")/experiment.sh.inc"
"$here/bare_case.sh" "$1" "$2" "$work/bare"

# variant PROGRAM VARIANT OPTION...: its row
variant() {
  program=$1 name=$2
  shift 2
  "$bin/spv-emu" --csv --policy=tf-sandy "$@" "$work/bare/case.amber" |
    awk -F , -v name="$program,$name" '
      NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
      NR > 1 && $at["status"] == "ok" { print name "," $at["issued"] "," $at["expect_failed"] }'
}
echo "program,variant,issued,expect_failed"
variant "$3" frontier --sandy-empty=frontier
variant "$3" static --sandy-branch=static
variant "$3" both --sandy-empty=frontier --sandy-branch=static
