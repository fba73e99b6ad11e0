#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The zip of ./setup.sh windows, unpacked, under wine: tests/cross.sh, and what is different on Windows: names of files,
# and which libraries there are; the unit tests, built for Windows;
# tests of the command line that need no other program.
# Usage: windows.sh BUILD ZIP [UNIT], from the top of the tree; BUILD has the tools of this machine and golden_runner, UNIT the
# programs tests_unit_….exe
set -euo pipefail
build=$1
work=$(mktemp -d)
export WINEPREFIX=$work/wine WINEDEBUG=-all
keeper=

leave() {
  [ -z "$keeper" ] || kill "$keeper" 2>/dev/null || true
  wineserver -k 2>/dev/null || true
  rm -rf "$work"
}
trap leave EXIT

fail() {
  echo "FAILED: $*"
  exit 1
}

unzip -q "$2" -d "$work"
zip=$(echo "$work"/spvreconv-*-windows)
mkdir "$work/bin"
for tool in spvreconv spv-emu spv-graph; do
  printf '#!/bin/sh\nexec wine "%s/%s.exe" "$@"\n' "$zip" "$tool" >"$work/bin/$tool"
  chmod +x "$work/bin/$tool"
done

# wine has libraries that Windows lacks.
for program in "$zip"/*.exe "$zip"/*.dll; do
  others=$(x86_64-w64-mingw32-objdump -p "$program" |
    awk '/DLL Name:/ && tolower($3) !~ /^(kernel32|msvcrt)\.dll$/ { print $3 }')
  [ -z "$others" ] || fail "${program##*/} needs $others"
done

# The first program starts wine's services, which keep its output open: that must not be one of the tests.
wineboot -i >/dev/null 2>&1 || true
(while sleep 60; do :; done) | wine cmd.exe >/dev/null 2>&1 &
keeper=$!
sleep 2

module=$(find tests/golden/structurize -name '*.spvasm' | LC_ALL=C sort | head -n 1)
"$work/bin/spvreconv" "${module//\//\\}" -o "$work/out.spv" || fail "a name with backslashes"
"$build/bin/spvreconv" "$work/out.spv" -o "$work/again.spv" || fail "the module that it writes"
[ "$(find "$work" -maxdepth 1 -name 'out.spv*' | wc -l)" = 1 ] || fail "more than the module is left"

for test in against explain repair; do
  sh "tests/cli/$test.sh" "$work/bin/spvreconv" >"$work/said" 2>&1 || fail "tests/cli/$test.sh: $(cat "$work/said")"
done
for program in ${3:+"$3"/tests_unit_*.exe}; do
  folder=${program##*/tests_unit_}
  for test in "tests/unit/${folder%.exe}"/test_*.c; do
    name=${test##*/}
    name=${name%.c}
    [ "$name" != test_allocator ] || continue # a program of its own, which replaces malloc
    wine "$program" "$name" >"$work/said" 2>&1 </dev/null || fail "$name: $(cat "$work/said")"
  done
done

tests/cross.sh "$build" "$work/bin"
