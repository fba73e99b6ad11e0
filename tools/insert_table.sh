#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Replaces the table NAME of docs/testing.md by standard input: from the line "<!-- NAME table …"
# to the line "<!-- end -->".
#
#   tools/insert_table.sh NAME
set -eu
cd "$(dirname "$0")/.."
table=$(mktemp)
trap 'rm -f "$table" "$table.new"' EXIT
cat >"$table"
awk -v "table=$table" -v "name=$1" '
  index($0, "<!-- " name " table") == 1 {
    print; print ""; while ((getline line < table) > 0) print line; print ""; skip = 1
  }
  /^<!-- end -->/ { skip = 0 }
  !skip' docs/testing.md >"$table.new"
cat "$table.new" >docs/testing.md
