#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One case under the variants of TF-SANDY, as CSV; subgroups of 32 lanes. `frontier`: --sandy-empty=frontier; `static`:
# --sandy-branch=static; `both`.
#
#   sandy_programs.sh BUILD CASE.amber NAME >COUNTS.csv
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$(dirname "$0")/bare_case.sh" "$1" "$2" "$work/bare"

# variant BUILD PROGRAM VARIANT OPTION...: its row
variant() {
  bin=$1/bin program=$2 name=$3
  shift 3
  "$bin/spv-emu" --csv --policy=tf-sandy "$@" "$work/bare/case.amber" |
    awk -F , -v name="$program,$name" '
      NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
      NR > 1 && $at["status"] == "ok" { print name "," $at["issued"] "," $at["expect_failed"] }'
}
echo "program,variant,issued,expect_failed"
variant "$1" "$3" frontier --sandy-empty=frontier
variant "$1" "$3" static --sandy-branch=static
variant "$1" "$3" both --sandy-empty=frontier --sandy-branch=static
