#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks the documents: each relative link leads to a file, each link to a section leads to a heading or an <a id="…"> of its
# file, each path in backticks that begins with a folder of the tree exists, and docs/README.md, the index, names every
# page. Paths with a placeholder (capitals, * or …) are skipped. The files that tools/cppcheck.txt excepts must exist, too.
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
# anchors: "FILE#ANCHOR" for each heading and id of the files; then the links to sections that are not among them.
find . -name '*.md' ! -path './build*' ! -path './.git/*' | sort >"$missing.files"
# shellcheck disable=SC2016 # for awk
xargs awk '
  function folder(file) { sub(/[^\/]*$/, "", file); return file }
  # without "x/.."
  function plain(path) { gsub(/\/\.\//, "/", path); while (sub(/\/[^\/.][^\/]*\/\.\.\//, "/", path)); return path }
  FNR == 1 { code = 0 }
  /^```/ { code = !code }
  code || /^    / { next }
  /^#+ / {
    slug = tolower($0); sub(/^#+ /, "", slug)
    gsub(/\]\([^)]*\)/, "", slug); gsub(/[^a-z0-9 _à-öø-ÿ-]/, "", slug); gsub(/ /, "-", slug)
    has[FILENAME "#" slug] = 1
  }
  { for (rest = $0; match(rest, /<a id="[^"]*"/); rest = substr(rest, RSTART + RLENGTH))
      has[FILENAME "#" substr(rest, RSTART + 7, RLENGTH - 8)] = 1
    for (rest = $0; match(rest, /\]\([^) :]*#[^) ]*/); rest = substr(rest, RSTART + RLENGTH)) {
      link = substr(rest, RSTART + 2, RLENGTH - 2)
      if (link !~ /^#/ && link !~ /\.md#/) continue
      at[++n] = FILENAME; to[n] = link ~ /^#/ ? FILENAME link : plain(folder(FILENAME) link)
    } }
  END { for (i = 1; i <= n; i++) if (!(to[i] in has)) print at[i] ": " to[i] ": no such section" }' \
  <"$missing.files" >>"$missing"
rm -f "$missing.files"
for page in docs/*.md; do
  [ "$page" = docs/README.md ] || grep -qF "](${page#docs/})" docs/README.md || echo "docs/README.md: does not name $page"
done >>"$missing"
sed -n 's|^[a-zA-Z]*:\*/||p' tools/cppcheck.txt | while read -r path; do
  [ -e "$path" ] || echo "tools/cppcheck.txt: $path: no such file"
done >>"$missing"
cat "$missing"
[ ! -s "$missing" ]
