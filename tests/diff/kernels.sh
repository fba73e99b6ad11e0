#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A short differential test of OpenCL kernels: a program with local memory has the same results on the emulator,
# before and after kernel-to-shader, and on both drivers; programs have what gen_kernel promises. (With PoCL: ./setup.sh test-long.)
#
#   tests/diff/kernels.sh BUILD
set -u
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "FAILED: $*"
  cat "$work/out"
  exit 1
}
: >"$work/out"
mkdir "$work/a" "$work/b"
"$build/bin/gen_kernel" 40 7 "$work/a" || fail "gen_kernel"
"$build/bin/gen_kernel" 1 9 "$work/b" || fail "gen_kernel"
cmp "$work/a/kernel_9.amber" "$work/b/kernel_9.amber" || fail "a different program from the same seed"
# A case with several kernels has the kernels of these seeds, and only kernels that are alike.
mkdir "$work/c"
"$build/bin/gen_kernel" 16 8 "$work/c" 3 || fail "gen_kernel"
grep -h '^# What:' "$work/c"/*.amber | sed 's/.*seed //' | sort -n >"$work/out"
printf '%s\n' '8 12 14' '9 13 15' '10 18' '11 19' '16 20 22' '17 21 23' | diff - "$work/out" || fail "other groups"
# kernel N CASE: the text of its kernel number N
kernel() {
  awk -v n="$1" '/^kernel void/ { k++ } k == n { print } k == n && /^}/ { exit }' "$2"
}
"$build/bin/gen_kernel" 1 13 "$work/b" || fail "gen_kernel"
kernel 1 "$work/b/kernel_13.amber" >"$work/alone"
kernel 2 "$work/c/kernel_9.amber" | diff - "$work/alone" >"$work/out" || fail "another kernel in a group"
: >"$work/out"

# has COUNT PATTERN: so many of the 40 programs have it
has() {
  count=$(grep -l -e "$2" "$work"/a/*.amber | wc -l)
  [ "$count" -ge "$1" ] || fail "only $count of 40 programs with $2"
}
has 20 'goto [a-z]*[0-9]'
has 15 '^ *again[0-9]*:'
has 15 '\[-'
has 20 'vload[234]('
has 10 'vstore[234]('
has 15 'local uint \*own'
has 15 'barrier()'
has 5 'uchar'
has 5 'r\[-1\]\|r->word'

if ! command -v clang-15 >/dev/null || ! command -v llvm-spirv-15 >/dev/null; then
  echo "skipped: OpenCL C, since clang-15 and llvm-spirv-15 are not installed"
  echo ok
  exit
fi
export KEPT="$work/kept" PROGRAMS=kernel DEVICES=lavapipe,swiftshader,emu
tools/differential.sh "$build" 1 21 "$work/log.csv" >"$work/out" 2>&1 || fail "ours differ"
cat "$work/log.csv"
awk -F, '{ exit !($3 == "kernel 21-21" && $4 == 1 && $6 + $8 == 1 && $5 > 3) }' "$work/log.csv" || fail "not one program"
echo ok
