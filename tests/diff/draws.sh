#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A short differential test of fragment shaders: 4 programs agree; programs have what gen_frag promises; second_exit.awk
# keeps what they compute; and a transform that inverts a branch (SPV_HARNESS_TEST=flip) is found.
#
#   tests/diff/draws.sh BUILD
set -u
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "FAILED: $*"
  cat "$work/out"
  exit 1
}
export KEPT="$work/kept" PROGRAMS=fragment

tools/differential.sh "$build" 4 1 "$work/log.csv" >"$work/out" 2>&1 || fail "ours differ"
cat "$work/log.csv"
awk -F, '{ exit !($3 == "fragment 1-4" && $4 == 4 && $6 + $8 == 4 && $5 > 60) }' "$work/log.csv" ||
  fail "not 4 programs"

# Each seed gives the same program, whatever the first seed of the run.
mkdir "$work/a" "$work/b"
"$build/bin/gen_frag" 40 7 "$work/a" || fail "gen_frag"
"$build/bin/gen_frag" 1 9 "$work/b" || fail "gen_frag"
cmp "$work/a/frag_9.amber" "$work/b/frag_9.amber" || fail "a different program from the same seed"

# has COUNT PATTERN: so many of the 40 programs have it after the first line of main
has() {
  count=0
  for case in "$work"/a/*.amber; do
    ! sed '1,/^void main() {$/d; /^END/q' "$case" | grep -q -e "$2" || count=$((count + 1))
  done
  [ "$count" -ge "$1" ] || fail "only $count of 40 programs with $2"
}
: >"$work/out"
for case in "$work"/a/*.amber; do # without the vertex shader
  sed -i '/^SHADER vertex/,/^END/d' "$case"
done
has 18 'd[FP][dx][xy]Fine'
has 16 'dFdx(linear\|dFdyCoarse\|fwidth'
has 8 'texel(\|texture'
has 6 'subgroupQuad'
has 8 'discard'
has 8 'return;'
has 7 'demote'
has 8 'elperInvocation'
has 15 'switch'
has 15 'for ('
has 6 'slope[0-9]('
has 2 'waste = '

# Policy exec did not end 1401 and 1679: no lane was left in a loop with a uniform condition. Of 778 the order df of
# reconverge had the end of a loop before blocks that lead there, which tore quads.
mkdir "$work/e"
for seed in 1401 1679 778; do
  "$build/bin/gen_frag" 1 "$seed" "$work/e" || fail "gen_frag"
done
"$build/bin/expect_emu" "$work"/e/*.amber >"$work/out" || fail "policies"

# second_exit.awk gives loops of fragment shaders another exit, too.
BUILD=$build VARIANTS=none
# shellcheck source=tests/diff/common.sh.inc
. tests/diff/common.sh.inc
mkdir "$work/c" "$work/d"
exits=0
"$BIN/gen_frag" 4 40 "$work/c" || fail "gen_frag"
"$BIN/expect_emu" "$work"/c/*.amber >"$work/out" || fail "expect_emu"
for case in "$work"/c/*.amber; do
  with_second_exits "$case" paint "$work/d"
  exits=$((exits + $(grep -c OpLabel "$work/after") - $(grep -c OpLabel "$work/before")))
done
rm "$work/d/paint.spv" "$work/d/corners.spv"
DEVICES=emu judge "$work/d" >"$work/out"
[ "$(grep -c '	agree	' "$work/out")" = 4 ] || fail "second_exit.awk: different results"
[ "$exits" -ge 4 ] || fail "second_exit.awk: $exits new exits"

# The emulator must find it, not the checker.
unset VARIANTS
export SPVRECONV_CHECK=0 SPV_HARNESS_TEST=flip DEVICES=emu
tools/differential.sh "$build" 3 1 >"$work/out" 2>&1 && fail "a wrong transform is not found"
grep -q '^frag_[0-9]*\.amber: ours:' "$KEPT/findings.txt" || fail "no program reveals it"
echo ok
