#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs/bibliography.md has every paper that a page or a source cites as "NAME et al.", "NAME and NAME YEAR" or "NAME YEAR"
# (a comma may precede the year), and has no entry that nothing cites.
# Usage: citations.sh BUILD-DIRECTORY
set -eu
bibliography=docs/bibliography.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Names with the letters of Białas and Budimlić, too: \w is a letter of any alphabet in UTF-8.
export LC_ALL=C.UTF-8
git rev-parse --git-dir >/dev/null 2>&1 || {
  echo "skipped: git is missing, or this is not its work tree"
  exit 0
}
git ls-files -- 'passes/*.[ch]' 'spv-emu/*.[ch]' 'harness/*.[ch]' '*.def' '*.js' 'docs/*.md' README.md |
  grep -vx -e $bibliography -e 'docs/results.*' >"$work/files"
name="[A-Z][[:alpha:]']+"
xargs cat <"$work/files" | tr '\n' ' ' | sed 's/ \* / /g; s/  */ /g' |
  grep -oE "$name et al\.|$name(, $name)* and $name,? (in )?(19|20)[0-9]{2}\b|\($name,? (19|20)[0-9]{2}\)" |
  grep -oE "[A-Z][[:alpha:]']+" | sort -u >"$work/cited"
# Words that are no names, before a year.
grep -vxE 'January|February|March|April|May|June|July|August|September|October|November|December|Volta|Debian|CHAP' \
  "$work/cited" | while read -r cited; do
  grep -qw -- "$cited" $bibliography || echo "FAILED: $bibliography has no paper of $cited"
done >"$work/failed"

sed -n 's/^- <a id="\([a-z0-9]*\)"><\/a>.*/\1/p' $bibliography >"$work/keys"
[ "$(wc -l <"$work/keys")" -ge 50 ] || echo "FAILED: $bibliography has few entries" >>"$work/failed"
sort "$work/keys" | uniq -d | sed 's/^/FAILED: two entries /' >>"$work/failed"
while read -r key; do
  # The first author's surname: the last word before the first comma or "and".
  surname=$(sed -n "s/^- <a id=\"$key\"><\/a>//p" $bibliography | sed "s/,.*//; s/ and .*//; s/ et al.*//; s/.* //")
  xargs grep -lqw -- "$surname" <"$work/files" || echo "FAILED: nothing cites $key ($surname)"
done <"$work/keys" >>"$work/failed"
cat "$work/failed"
[ ! -s "$work/failed" ]
