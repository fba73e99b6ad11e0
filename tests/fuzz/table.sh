#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Updates the table of docs/testing.md: sums over tests/fuzz/log.csv by target.
#
#   tests/fuzz/table.sh
set -eu
cd "$(dirname "$0")/../.."
awk -F, '
  BEGIN { print "| Target | Engine | Runs | Hours | Inputs kept | Edges | Findings |"
          print "| --- | --- | ---: | ---: | ---: | ---: | ---: |" }
  NR > 1 {
    key = $3 " | " $4
    if (!(key in seconds)) order[++n] = key
    seconds[key] += $5; runs[key] += $6; found[key] += $9
    if ($7 > kept[key]) kept[key] = $7
    if ($8 > edges[key]) edges[key] = $8
  }
  END {
    for (i = 1; i <= n; i++) {
      k = order[i]
      printf "| %s | %d | %.2f | %d | %d | %d |\n", k, runs[k], seconds[k] / 3600, kept[k], edges[k], found[k]
    }
  }' tests/fuzz/log.csv | tools/insert_table.sh fuzz
