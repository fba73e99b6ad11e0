#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes the figures on planted errors, all from tests/mutants/results.csv: the table of docs/testing.md, with a
# sentence on the totals in front, and the two numbers in README.md.
#
#   tests/mutants/table.sh [--check]    --check: writes nothing, and fails if they are not what it would write
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp docs/testing.md README.md "$work"

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
    printf "Of %d planted errors that have been run the suite finds %d, %d survived, %d are equivalent. ",
           n, found, survived, equivalent
    if (asked)
      printf "Of %d in transforms the checker alone finds %d.\n", asked, alone
    else
      printf "What the checker alone finds is not known yet.\n"
    print "\n| Planted error | Class | Found by | Seconds | Checker alone |"
    print "| --- | --- | --- | ---: | --- |"
    for (i = 1; i <= n; i++) print row[i]
  }' tests/mutants/results.csv | tools/insert_table.sh mutants "$work/testing.md"
found=$(sed -n 's/^Of \([0-9]*\) planted errors .* finds \([0-9]*\), .*/\2 of \1/p' "$work/testing.md")
sed -i "s/\(setup.sh mutants .*finds each\) ([0-9]* of [0-9]*)/\1 ($found)/" "$work/README.md"
grep -q "finds each ($found)" "$work/README.md" || {
  echo "table: README.md has no numbers of planted errors, '(N of N)' after 'which test finds each'" >&2
  exit 1
}

for page in docs/testing.md README.md; do
  if [ "${1-}" != --check ]; then
    cmp -s "$work/${page##*/}" "$page" || cp "$work/${page##*/}" "$page"
  elif ! diff "$page" "$work/${page##*/}"; then
    echo "table: < is in $page, > is what results.csv gives; tests/mutants/table.sh writes it" >&2
    exit 1
  fi
done
