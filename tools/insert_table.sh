#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Replaces the table NAME of a page by standard input: from the line "<!-- NAME table …" to the line
# "<!-- end -->".
#
#   tools/insert_table.sh NAME [FILE]     (default: docs/testing.md)
set -eu
cd "$(dirname "$0")/.."
page=${2:-docs/testing.md}
grep -q "^<!-- $1 table" "$page" || {
  echo "insert_table: $page has no table $1" >&2
  exit 1
}
table=$(mktemp)
trap 'rm -f "$table" "$table.new"' EXIT
cat >"$table"
awk -v "table=$table" -v "name=$1" '
  index($0, "<!-- " name " table") == 1 {
    print; print ""; while ((getline line < table) > 0) print line; print ""; skip = 1
  }
  /^<!-- end -->/ { skip = 0 }
  !skip' "$page" >"$table.new"
cat "$table.new" >"$page"
