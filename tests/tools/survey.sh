#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/survey.sh on a small folder: all kinds of files, including bad ones.
# Usage: survey.sh BUILD-DIRECTORY
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/in/one" "$work/in/a \"b\\c" "$work/in/empty"
cp shaders/irreducible/two_entries.spvasm shaders/irreducible/two_entries.amber "$work/in/one"
glslangValidator -V shaders/loop/collatz.comp -o "$work/in/one/collatz.spv" >/dev/null
spirv-as shaders/early-exit/compound_condition.spvasm -o "$work/in/a \"b\\c/binary"
head -c 100 "$work/in/one/collatz.spv" >"$work/in/one/cut.spv"
echo "#!amber" >"$work/in/empty/empty.amber"
echo "SHADER nonsense" >"$work/in/one/bad.amber"
echo "no module" >"$work/in/one/notes.txt"
: >"$work/in/one/nothing.spv"

# by BLANKS: one blank for several
by_blanks() {
  sed 's/  */ /g' "$1"
}

tools/survey.sh "$build" "$work/in" "$work/table" >"$work/out"
by_blanks "$work/out" >"$work/is"
cat >"$work/wanted" <<END_OF_WANTED
folder files functions unstructured undeclared irreducible multi-exit divergent structured
$work/in/a "b\\c 1 1 1 1 0 0 1 0
$work/in/one 3 3 2 2 2 0 3 1
all 4 4 3 3 2 0 4 1

2 that cannot be read:
END_OF_WANTED
head -n 6 "$work/is" | diff "$work/wanted" -
for bad in "$work/in/one/cut.spv: " "$work/in/one/bad.amber: "; do
  grep -qF " $bad" "$work/is" || {
    echo "FAILED: $bad is not named"
    exit 1
  }
done
[ "$(wc -l <"$work/table")" = 5 ]
if tools/survey.sh "$build" "$work/nowhere" 2>"$work/err"; then
  echo "FAILED: a folder that is not there"
  exit 1
fi
grep -qF "no such folder" "$work/err"
echo ok
