#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A short differential test: 15 programs agree; and a transform that inverts a branch
# (SPV_HARNESS_TEST=flip) is found, classified as ours, and reduced.
#
#   tests/diff/test.sh BUILD
set -u
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "FAILED: $*"
  cat "$work/out"
  exit 1
}
export KEPT="$work/kept"

tools/differential.sh "$build" 15 1 "$work/log.csv" >"$work/out" 2>&1 || fail "ours differ"
cat "$work/log.csv"
awk -F, '{ exit !($4 == 15 && $6 + $8 == 15 && $5 > 60) }' "$work/log.csv" || fail "not 15 programs"

# Each seed gives the same program, whatever the first seed of the run.
mkdir "$work/a" "$work/b"
"$build/bin/gen_glsl" 3 7 "$work/a" && "$build/bin/gen_glsl" 1 9 "$work/b"
cmp "$work/a/glsl_9.amber" "$work/b/glsl_9.amber" || fail "a different program from the same seed"

# The output of second_exit.awk is valid and computes the same, and nearly all loops get another exit.
BUILD=$build
# shellcheck source=tests/diff/common.sh.inc
. tests/diff/common.sh.inc
mkdir "$work/c" "$work/d"
loops=0 exits=0
"$BIN/gen_glsl" 8 40 "$work/c" || fail "gen_glsl"
"$BIN/expect_emu" "$work"/c/*.amber >"$work/out" || fail "expect_emu"
for case in "$work"/c/*.amber; do
  with_second_exits "$case" work "$work/d"
  loops=$((loops + $(grep -c OpLoopMerge "$work/before")))
  exits=$((exits + $(grep -c OpLabel "$work/after") - $(grep -c OpLabel "$work/before")))
  rm "$work/d/work.spv"
done
VARIANTS=none DEVICES=emu judge "$work/d" >"$work/out"
[ "$(grep -c '	agree	' "$work/out")" = 8 ] || fail "second_exit.awk: different results"
[ "$exits" -gt 8 ] || fail "second_exit.awk: $exits loops"
[ $((10 * exits)) -ge $((9 * loops)) ] || fail "second_exit.awk: $exits new exits of $loops loops"
DEVICES=emu tests/diff/known.sh "$build" "$work/c/glsl_40.amber" "emu none fail: x" && fail "known.sh: all agree"

# The emulator must find it, not the checker.
export SPVRECONV_CHECK=0 SPV_HARNESS_TEST=flip DEVICES=emu
tools/differential.sh "$build" 5 1 >"$work/out" 2>&1 && fail "a wrong transform is not found"
found=$(sed -n 's/^\(glsl_[0-9]*\.amber\): ours:.*/\1/p' "$KEPT/findings.txt" | head -n 1)
[ -n "$found" ] || fail "no GLSL program reveals it"
MAX_RUNS=60 tests/diff/reduce.sh "$build" "$KEPT/$found" "$work/small.amber" >"$work/out" 2>&1 || fail "reduce.sh"
grep 'are left' "$work/out"
sed -n 's/.*: \([0-9]*\) of \([0-9]*\) instructions are left.*/\1 \2/p' "$work/out" |
  awk '{ good = $1 < 0.8 * $2 } END { exit !good }' || fail "it is not reduced"
echo ok
