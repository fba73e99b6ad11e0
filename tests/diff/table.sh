#!/bin/sh
# The table of docs/testing.md about differential tests, from tests/diff/log.csv.
#
#   tests/diff/table.sh
set -eu
cd "$(dirname "$0")/../.."
awk -F, '
  BEGIN { print "| Date | Commit | Seeds | Programs | Runs on devices | All agree | Ours differ | A driver differs | of these known | Refused |"
          print "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |" }
  NR > 1 {
    print "| " $1 " | " $2 " | " $3 " | " $4 " | " $5 " | " $6 " | " $7 " | " $8 " | " $10 + 0 " | " $9 " |"
    for (i = 4; i <= 10; i++) sum[i] += $i
  }
  END {
    printf "| all | | |"
    for (i = 4; i <= 8; i++) printf " %d |", sum[i]
    print " " sum[10] " | " sum[9] " |"
  }' tests/diff/log.csv | tools/insert_table.sh differential
