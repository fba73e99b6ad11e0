#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks the documents: each relative link leads to a file, and each path in backticks that begins with a folder of
# the tree exists. Paths with a placeholder (capitals, * or …) are skipped. The files that tools/cppcheck.txt excepts
# must exist, too.
set -eu
cd "$(dirname "$0")/.."
missing=$(mktemp)
trap 'rm -f "$missing"' EXIT
find . -name '*.md' ! -path './build*' ! -path './.git/*' | sort | while read -r file; do
  folder=$(dirname "$file")
  {
    grep -oE '\]\([^)# ]+' "$file" | sed 's/^](//' | grep -v '^[a-z]*:' | sed "s|^|$folder/|" || true
    # shellcheck disable=SC2016 # backticks of Markdown
    grep -oE '`(passes|spv-emu|spv-graph|harness|tests|tools|cmake|docs|shaders|examples|packaging)/[^` ]+`' "$file" |
      tr -d '`' | grep -vE "[*…]|[A-Z]{3}" || true
  } | sort -u | while read -r path; do
    [ -e "$path" ] || echo "$file: $path: no such file"
  done
done >"$missing"
sed -n 's|^[a-zA-Z]*:\*/||p' tools/cppcheck.txt | while read -r path; do
  [ -e "$path" ] || echo "tools/cppcheck.txt: $path: no such file"
done >>"$missing"
cat "$missing"
[ ! -s "$missing" ]
