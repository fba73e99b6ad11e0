#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each section, command and word of VkScript has a case in tests/harness/vkscript that uses it: those of the
# list below, which follows the public descriptions (README.md of VkRunner, vk_script.md of google/amber), and
# those of the parser's tables (spv-emu/script/vkscript). The table of docs/vkscript.md says which case.
#
#   sh tests/harness/vkscript_cases.sh [SPV_HARNESS]
#   sh tests/harness/vkscript_cases.sh --table | tools/insert_table.sh vkscript docs/vkscript.md
set -eu
export LC_ALL=C
parser=spv-emu/script/vkscript
cases=tests/harness/vkscript
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Forms of several words. A form is in a case if the words are in this order in one line of the section, from
# its first word on, with anything between them. N: a number; N%: one with a percent sign; $: the line's end.
cat >"$work/forms" <<'END'
require VK_KHR_storage_buffer_storage_class
require robustBufferAccess
test draw rect N
test draw rect ortho
test draw rect patch
test draw grid
test draw arrays
test draw arrays indexed
test draw arrays instanced
test compute N N N
test compute entrypoint
test vertex entrypoint
test tessellation control entrypoint
test tessellation evaluation entrypoint
test geometry entrypoint
test fragment entrypoint
test clear $
test clear color
test clear depth
test clear stencil
test patch parameter vertices
test ssbo N N
test ssbo N subdata
test ssbo layout std140
test ssbo layout std430
test ssbo layout row_major
test ssbo layout column_major
test ubo N N
test ubo N subdata
test ubo layout std140
test ubo layout std430
test ubo layout row_major
test ubo layout column_major
test push uint
test push layout
test uniform vec4
test uniform ubo
test probe rgb
test probe rgba
test probe rect rgb
test probe rect rgba
test probe all rgb
test probe all rgba
test relative probe rgb
test relative probe rgba
test relative probe rect rgb
test relative probe rect rgba
test probe ssbo
test tolerance N
test tolerance N%
test topology
END

# strings FILE…: the words that the parser compares with, one a line
strings() {
  sed '/char \*const names/d' "$@" | # of numbers, for messages
    grep -oE '(\{|PLAIN\(|CHOICE\(|(accept|expect_word|token_is)\([^"()]*)"[^"]+"' |
    sed -E 's/^[^"]*"//; s/"$//'
}

# rows FILE NAME: the words of a table
rows() {
  sed -n "/ $2\\[\\] = {/,/};/p" "$parser/$1" | grep -oE '\{"[^"]+"' | sed 's/{"//; s/"$//' >"$work/rows"
  [ -s "$work/rows" ] || printf 'missing table %s of %s\n' "$2" "$1" # a form that no case has
  cat "$work/rows"
}

# Each line: the section, and a form.
wanted() {
  rows vkscript.c kinds | sed 's/.*/head [&]/'
  echo 'head [comment]'
  rows vkscript.c stages | grep shader | sed 's/.*/head [&]/'
  rows vkscript.c formats | sed 's/ *\(.*\)/head [vertex shader \1]/' |
    sed '/passthrough/! s/vertex/STAGE/'
  rows vkscript_require.c words | grep -v '^cooperative_matrix$' | sed 's/^/require /' # is refused
  cat "$work/forms"
  rows vkscript_buffer.c comparisons | sed 's/^/test probe ssbo /'
  strings $parser/vkscript_state.c | grep -E '^[a-z]+[A-Z]' | sed 's/^/test /'
  for face in front back; do
    grep -oE '#name "[^"]*"' $parser/vkscript_state.c | sed "s/.*\"\\(.*\\)\"/test $face\\1/"
  done
  rows vkscript_draw.c gl_topologies | sed 's/^/test draw arrays /'
  sed -n '/ topologies\[\] = {/,/};/p' spv-emu/script/amber_choice.c | grep -oE '\{"[^"]+"' |
    sed 's/{"//; s/"$//' | tr '[:lower:]' '[:upper:]' | sed 's/^/test draw arrays /'
}

# The forms of standard input, each with the first case that uses it.
# shellcheck disable=SC2016
find_cases='
  FILENAME == "-" { want[++wants] = $0; next }
  FNR == 1 { section = ""; name = FILENAME; sub(/.*\//, "", name) }
  {
    line = $0
    sub(/#.*/, "", line); gsub(/[(),]/, " ", line); gsub(/[ \t]+/, " ", line); sub(/^ /, "", line); sub(/ $/, "", line)
  }
  /^\[/ { section = line; sub(/^\[/, "", section); sub(/\].*/, "", section); use("head", line); next }
  line != "" && (section == "require" || section == "test") { use(section, line) }
  function use(section, line) {
    if ((section, line) in case_of) return
    case_of[section, line] = name
    order[++lines] = section SUBSEP line
  }
  function pattern(form,  n, word, i, text) {
    n = split(form, word, " ")
    for (i = 1; i <= n; i++) {
      if (word[i] == "$") { text = text "$"; continue }
      gsub(/[][.^*]/, "\\\\&", word[i])
      sub(/^N%$/, "[0-9.]+ ?%", word[i]); sub(/^N$/, "-?[0-9][0-9x:.]*", word[i]); sub(/^STAGE$/, "[a-z ]+", word[i])
      sub(/STAGE$/, "[a-z ]+", word[i])
      text = text (i > 1 ? (form ~ /^head/ || word[i] ~ /0-9/ ? " " : "( .*)? ") : "^") word[i]
    }
    return text (text ~ /\$$/ ? "" : "( |$)")
  }
  END {
    for (w = 1; w <= wants; w++) {
      section = want[w]; sub(/ .*/, "", section); form = want[w]; sub(/^[^ ]* /, "", form)
      regex = pattern(form); found = ""
      for (l = 1; l <= lines && found == ""; l++) {
        split(order[l], part, SUBSEP)
        if (part[1] == section && part[2] ~ regex) found = case_of[section, part[2]]
      }
      sub(/ \$$/, "", form)
      print (section == "head" ? "" : "[" section "] ") form "\t" found
    }
  }'

wanted | awk '!seen[$0]++' >"$work/wanted"
awk "$find_cases" - "$cases"/*.amber <"$work/wanted" >"$work/found"
awk -F '\t' 'BEGIN { print "| Section, command | Case |\n| --- | --- |" }
  { print "| `" $1 "` | `" $2 "` |" }' "$work/found" >"$work/table"
# A word of the parser that no form names: a new command.
missing=$(for part in test draw probe buffer; do
  strings "$parser/vkscript_$part.c"
done | while read -r word; do
  sed 's/$/ /' "$work/wanted" | grep -qF -e " $word " -e "N$word " || echo "$word"
done)
[ -z "$missing" ] || {
  echo "FAILED: the forms of $0 do not name: $missing"
  exit 1
}
if [ "${1-}" = --table ]; then
  cat "$work/table"
  exit
fi
awk -F '\t' '$2 == "" { print "FAILED: no case of tests/harness/vkscript has " $1; bad = 1 }
  END { exit bad }' "$work/found"
awk '/^<!-- vkscript table/ { inside = 1; next } /^<!-- end -->/ { inside = 0 } inside && NF' docs/vkscript.md |
  diff - "$work/table" || {
  echo "FAILED: the table of docs/vkscript.md is old: sh $0 --table | tools/insert_table.sh vkscript docs/vkscript.md"
  exit 1
}
echo ok
