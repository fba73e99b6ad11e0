#!/bin/sh
# The table of docs/testing.md, sums over tests/fuzz/log.csv by target, written in its place.
#
#   tests/fuzz/table.sh
set -eu
cd "$(dirname "$0")/../.."
table=$(mktemp)
trap 'rm -f "$table"' EXIT
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
  }' tests/fuzz/log.csv >"$table"
awk -v "table=$table" '
  /^<!-- fuzz table/ { print; print ""; while ((getline line < table) > 0) print line; print ""; skip = 1 }
  /^<!-- end -->/ { skip = 0 }
  !skip' docs/testing.md >"$table.new"
cat "$table.new" >docs/testing.md
rm "$table.new"
