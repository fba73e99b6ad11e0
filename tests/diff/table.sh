#!/bin/sh
# The table of docs/testing.md about differential tests, from tests/diff/log.csv.
#
#   tests/diff/table.sh
set -eu
cd "$(dirname "$0")/../.."
awk -F, '
  BEGIN { print "| Date | Commit | Seeds | Programs | Runs on devices | All agree | Ours differ | A driver differs | Refused |"
          print "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |" }
  NR > 1 {
    print "| " $1 " | " $2 " | " $3 " | " $4 " | " $5 " | " $6 " | " $7 " | " $8 " | " $9 " |"
    for (i = 4; i <= 9; i++) sum[i] += $i
  }
  END {
    printf "| all | | |"
    for (i = 4; i <= 9; i++) printf " %d |", sum[i]
    print ""
  }' tests/diff/log.csv | tools/insert_table.sh differential
