#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes the figures on planted errors, all from tests/mutants/results.csv: the table of docs/planted-errors.md, with a
# sentence on the totals in front.
#
#   tests/mutants/table.sh [--check]    --check: writes nothing, and fails if the page is not what it would write
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=docs/planted-errors.md
cp $page "$work/page.md"

awk -F, '
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
    printf "Of %d planted errors that have been run the suite finds %d, %d survived, %d equivalent. ",
           n, found, survived, equivalent
    if (asked)
      printf "Of %d in transforms the checker alone finds %d.\n", asked, alone
    else
      printf "What the checker alone finds is not known yet.\n"
    print "\n| Planted error | Class | Found by | Seconds | Checker alone |"
    print "| --- | --- | --- | ---: | --- |"
    for (i = 1; i <= n; i++) print row[i]
  }' tests/mutants/results.csv | tools/insert_table.sh mutants "$work/page.md"

if [ "${1-}" != --check ]; then
  cmp -s "$work/page.md" $page || cp "$work/page.md" $page
elif ! diff $page "$work/page.md"; then
  echo "table: < is in $page, > is what results.csv gives; tests/mutants/table.sh writes it" >&2
  exit 1
fi
