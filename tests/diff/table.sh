#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes the table of differential tests in docs/testing.md, from tests/diff/log.csv: a row for each
# date and commit with consecutive seeds of one kind of programs.
#
#   tests/diff/table.sh
set -eu
cd "$(dirname "$0")/../.."
awk -F, '
  function row(k) {
    printf "| %s | %s | %s |", date, commit, seeds
    for (k = 4; k <= 8; k++) printf " %d |", sum[k]
    printf " %d | %d |\n", sum[10], sum[9]
    split("", sum)
  }
  BEGIN { print "| Date | Commit | Seeds | Programs | Runs on devices | All agree | Ours differ | A driver differs | of these known | Refused |"
          print "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |" }
  NR > 1 {
    split($3, seed, "-")
    kind = number = seed[1]
    sub(/[0-9]+$/, "", kind) # "fragment ", or nothing
    sub(/^.* /, "", number)
    if (NR > 2 && ($1 != date || $2 != commit || kind != last_kind || number != last + 1)) row()
    last_kind = kind
    if (!(4 in sum)) first = seed[1]
    date = $1; commit = $2; last = seed[2]
    seeds = first "-" last
    for (i = 4; i <= 10; i++) { sum[i] += $i; all[i] += $i }
  }
  END {
    row()
    date = "all"; commit = seeds = ""
    for (i = 4; i <= 10; i++) sum[i] = all[i]
    row()
  }' tests/diff/log.csv | tools/insert_table.sh differential
