#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the emulator's debugger costs a run without it: the instructions of spv_emu_run, counted by callgrind, as it
# is and without a debugger in the loops over blocks and over workgroups.
#
#   tools/debug_cost.sh BUILD [SHADER...]     (default: four of shaders/)
#
# In the second program every test for the debugger is a constant, so that the compiler leaves out what follows
# it. A line for each shader, all policies of $POLICIES together: the instructions as it is, without, and the
# difference in per cent; then a line for all.
set -eu

build=$(cd "$1" && pwd)
shift
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- shaders/loop/collatz.amber shaders/micro/split_merge.amber shaders/barrier/bitonic_sort.amber \
  shaders/number/gcd64.amber
POLICIES=${POLICIES:-pdom,tf-stack,structured,dwf}
command -v valgrind >/dev/null || {
  echo "debug_cost: valgrind is not installed" >&2
  exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The sources without a debugger, compiled like the others; they take the place of those in the library.
objects=
for source in spv-emu/exec/exec.c spv-emu/exec/workgroup.c; do
  plain=$work/$(basename "$source")
  sed 's/[a-z>.-]*->debug\([);]\)/(const EmuDebugHook *)0\1/; s/[a-z>.-]*->debug != NULL/false/' "$source" >"$plain"
  ! cmp -s "$source" "$plain" || {
    echo "debug_cost: $source asks no debugger" >&2
    exit 1
  }
  compile=$(jq -r --arg file "$PWD/$source" 'first(.[] | select(.file == $file)).command' "$build/compile_commands.json")
  (cd "$build" && eval "$(printf '%s\n' "$compile" | sed "s|-o [^ ]* -c .*|-w -o $plain.o -c $plain|")")
  objects="$objects $plain.o"
done
link=$(ninja -C "$build" -t commands spv-emu | tail -n 1 |
  sed "s|-o bin/spv-emu |$objects -o $work/spv-emu |; s|^: && ||; s| && :\$||")
(cd "$build" && eval "$link")

# instructions PROGRAM SHADER
instructions() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=spv_emu_run "$1" --policy="$POLICIES" \
    --subgroup-size=32 --native=off "$2" 2>&1 >/dev/null | sed -n 's/.*Collected : //p'
}

for shader; do
  printf '%s %s %s\n' "$(basename "$shader" .amber)" "$(instructions "$build/bin/spv-emu" "$shader")" \
    "$(instructions "$work/spv-emu" "$shader")"
done | awk '
  function line(name, with, without) {
    printf "%-14s %12d %12d %+8.3f %%\n", name, with, without, 100 * (with - without) / without
  }
  { line($1, $2, $3); with += $2; without += $3 }
  END { line("all", with, without) }'
