#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The table of docs/testing.md about planted errors, from tests/mutants/results.csv, with a sentence
# on the totals in front.
#
#   tests/mutants/table.sh
set -eu
cd "$(dirname "$0")/../.."
# shellcheck disable=SC2012 # names of letters and hyphens
patches=$(ls tests/mutants/*.patch | wc -l)
awk -F, -v "patches=$patches" '
  NR > 1 {
    n++
    found += $3 != "survived" && $3 != "equivalent"
    equivalent += $3 == "equivalent"
    survived += $3 == "survived"
    asked += $2 == "transform" && $5 != "unknown"
    alone += $2 == "transform" && $5 == "yes"
    row[n] = sprintf("| `%s` | %s | %s | %d | %s |", $1, $2,
                     $3 ~ /^(survived|equivalent)$/ ? $3 : "`" $3 "`", $4, $5)
  }
  END {
    printf "%d of %d planted errors have been run: the suite finds %d, %d survived, %d are equivalent. ",
           n, patches, found, survived, equivalent
    if (asked)
      printf "Of %d in transforms the checker alone finds %d.\n", asked, alone
    else
      printf "What the checker alone finds is not known yet.\n"
    print "\n| Planted error | Class | Found by | Seconds | Checker alone |"
    print "| --- | --- | --- | ---: | --- |"
    for (i = 1; i <= n; i++) print row[i]
  }' tests/mutants/results.csv | tools/insert_table.sh mutants
