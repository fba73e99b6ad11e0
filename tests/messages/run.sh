#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every message of the three commands on wrong usage and bad input: the tables *.txt in this folder
# have the command lines, each followed by the exit code and what standard error has. Messages in
# the sources (formats.awk) that no table has fail the test, unless unlisted.txt says why.
# TRANSFORMS is the list of all transforms, TOP the repository.
# A new message: add its line "$ COMMAND" to a table, run with --update, and read what it says as
# a new user would: it must say what is wrong, and what to do.
# Usage: run.sh PATH/spv-emu PATH/spv-harness [--update]
set -u
here=tests/messages
bin=$(cd "$(dirname "$1")" && pwd)
update=${3:-}
top=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset SPVRECONV_CHECK SPV_EMU_ISA SPV_EMU_NATIVE SPV_HARNESS_TEST
export LC_ALL=C BIN="$bin" TOP="$top" PATH="$bin:$PATH"
failed=0
mkdir "$work/inputs"
# shellcheck disable=SC1091 # helpers of other tests, for their modules
(. tests/emu/common.sh.inc && cp "$WORK/module.spvasm" "$WORK/case.amber" "$work/inputs") || exit 1
(. tests/cli/common.sh.inc && cp straight.spvasm cycle.spvasm "$work/inputs") || exit 1
# shellcheck source=tests/messages/inputs.sh.inc
(cd "$work/inputs" && . "$top/$here/inputs.sh.inc") || exit 1

# shader STATEMENTS, kernel STATEMENTS: a module (module.awk)
shader() {
  echo "; Version: ${version:-1.3}"
  echo "$*" | awk -f "$top/$here/module.awk"
}
kernel() {
  echo "; Version: ${version:-1.3}"
  echo "$*" | awk -v kernel=1 -f "$top/$here/module.awk"
}

# fragment STATEMENTS: a case that draws with a fragment shader whose interface is %x
fragment() {
  printf '#!amber\nSHADER vertex v PASSTHROUGH\nSHADER fragment f SPIRV-ASM\n'
  shader "OpEntryPoint Fragment %main \"main\" %x; OpExecutionMode %main OriginUpperLeft; $*"
  printf 'END\nBUFFER pixels FORMAT R32_SFLOAT\nPIPELINE graphics p\nATTACH v\nATTACH f\nFRAMEBUFFER_SIZE 4 4\n'
  printf 'BIND BUFFER pixels AS color LOCATION 0\nEND\nRUN p DRAW_RECT POS 0 0 SIZE 4 4\n'
}

# answer COMMAND: its exit code before each line of standard error, as in a table
answer() {
  (
    cd "$work/inputs" || exit 99
    eval "$1"
  ) >"$work/out" 2>"$work/err"
  code=$?
  [ -s "$work/err" ] || echo >"$work/err"
  while IFS= read -r said; do
    echo "$code${said:+ $said}"
  done <"$work/err"
  for made in "$work"/inputs/x.* "$work"/inputs/out; do
    [ ! -e "$made" ] || rm -rf "$made"
  done
}

transforms=$(sed -n 's/^SR_PASS("\([^"]*\)".*/\1/p' passes/driver/pass.def | paste -sd, | sed 's/,/, /g')
for table in "$here"/*.txt; do
  [ "$(basename "$table")" != unlisted.txt ] || continue
  grep '^\$ ' "$table" | while IFS= read -r line; do
    printf '%s\n' "$line"
    answer "${line#??}"
  done | sed "s#$top#TOP#g; s#$transforms#TRANSFORMS#" >"$work/$(basename "$table")"
  grep -v '^#' "$table" | diff - "$work/$(basename "$table")" >"$work/diff" ||
    if [ "$update" ]; then
      cp "$work/$(basename "$table")" "$table"
    else
      echo "FAILED: $table: messages differ (>: now; --update writes them to the table)"
      cat "$work/diff"
      failed=$((failed + 1))
    fi
done

# The formats whose longest part without conversions is in no message of the tables. For what is
# inside of modules and scripts, the messages of other tests count, too.
front="passes/tool passes/cli spv-emu/cli spv-emu/cases harness/cli harness/new harness/run harness/results \
  harness/converge"
inside="passes/api passes/best passes/driver passes/ir passes/analysis passes/transform spv-emu/api \
  spv-emu/decode/values spv-emu/decode spv-emu/cost spv-emu/policy spv-emu/order spv-emu/exec spv-emu/engine spv-emu/memory \
  spv-emu/script spv-emu/format harness/shader"
unlisted() { # unlisted FOLDERS TEXTS
  # shellcheck disable=SC2086 # words on purpose
  find $1 -name '*.c' | sort | xargs awk -f "$here/formats.awk" | sort -u |
    awk -f "$here/unlisted.awk" RS='\001' "$2" RS='\n' -
}
cat "$work"/*.txt >"$work/front"
{
  cat "$work/front"
  find tests -name '*.c' -o -name '*.sh' -o -name '*.spvasm' -o -name '*.hex' -o -name '*.amber' \
    -o -name '*.vkscript' -o -name '*.def' | grep -v "^$here/" | xargs cat
} >"$work/inside"
{
  unlisted "$front" "$work/front"
  unlisted "$inside" "$work/inside"
} | sort >"$work/unlisted"
grep -v '^#' "$here/unlisted.txt" | cut -f 1,2 | sort >"$work/excused"
comm -23 "$work/unlisted" "$work/excused" >"$work/new"
# shellcheck disable=SC2086 # words on purpose
find $front $inside -name '*.c' | sort | xargs awk -f "$here/formats.awk" | sort -u >"$work/formats"
comm -13 "$work/formats" "$work/excused" >"$work/gone"
comm -13 "$work/unlisted" "$work/excused" | comm -23 - "$work/gone" | sed 's/^/in a table by now, unlisted.txt need not excuse it: /'
[ ! -s "$work/new" ] || {
  echo "FAILED: messages that no table in $here has, and unlisted.txt does not excuse:"
  cat "$work/new"
  failed=$((failed + 1))
}
[ ! -s "$work/gone" ] || {
  echo "FAILED: unlisted.txt excuses messages that no longer exist:"
  cat "$work/gone"
  failed=$((failed + 1))
}
[ "$failed" = 0 ] || exit 1
echo "$(cat "$work"/*.txt | grep -c '^\$ ') command lines, $(wc -l <"$work/excused") messages excused"
