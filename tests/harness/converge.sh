#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# spv-harness converge: the emulator keeps every promise in subgroups of all sizes; a device that keeps none (policy
# none) is found out, and the programs are reduced; cases that --write makes; drivers that are installed run programs.
# With COUNT, which ./setup.sh test-long gives: COUNT programs a mode, with random seeds.
# Usage: converge.sh PATH/spv-harness [COUNT]
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
count=${2:-12}
seed=1
if [ -n "${2:-}" ]; then
  seed=$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')
  echo "seed $seed"
fi

# ---- the emulator --------------------------------------------------------------------------------------

for mode in maximal uniform none; do
  run 0 converge --device=emu --mode="$mode" --seed="$seed" --count="$count" && ends "$count passed, 0 failed, 0 skipped"
  run 0 converge --device=emu --policy=maximal --mode="$mode" --seed="$seed" --count="$count"
done
for size in 4 16 128; do
  run 0 converge --device=emu --subgroup-size="$size" --seed="$seed" --count=6 && prints "emu, subgroups of $size, mode maximal"
done

# ---- a device that does not reconverge -----------------------------------------------------------------

run 1 converge --device=emu --policy=none --count=12 --reduce=1 --artifacts="$WORK/kept" --jobs=1
ends "0 passed, 12 failed, 0 skipped"
prints "rule: Reconvergence: the tangle of a "
prints "= OpFunction "
lines=$(sed -n 's/^seed .*; reduced from [0-9]* lines to \([0-9]*\) in .*/\1/p' "$WORK/out" | sort -n | tail -n 1)
[ "${lines:-99}" -lt 20 ] || fail "reduced to $lines lines only: $(cat "$WORK/out")"
cp "$WORK/out" "$WORK/first"
run 1 converge --device=emu --policy=none --count=12 --reduce=1 --jobs=3
cmp -s "$WORK/first" "$WORK/out" || fail "not the same with other jobs: $(diff "$WORK/first" "$WORK/out")"
# What is printed is what fails: the kept case passes where tangles are right, and fails on the wrong device.
kept=$(find "$WORK/kept" -name '*.amber' | head -n 1)
grep -v '^DEVICE_FEATURE Shader' "$kept" | grep -v '^#extension GL_EXT_maximal' | sed 's/ \[\[maximally_reconverges\]\]//' >"$WORK/kept.amber"
run 0 run --device=emu --transform=none "$WORK/kept.amber"
"$BIN/spv-emu" --policy=none --subgroup-size=32 "$WORK/kept.amber" >"$WORK/out" 2>&1 && fail "the reduced program is right under policy none"

# Where control flow is uniform nothing is promised to lanes that diverged, so fewer programs fail.
run 1 converge --device=emu --policy=none --mode=uniform --count=12 --reduce=1
grep -q "^0 passed" "$WORK/out" && fail "mode uniform promises as much as maximal"

# A program that takes too long. What takes time is glslang, not the program.
run 1 converge --device=emu --count=2 --reduce=0 --timeout=0.004 --jobs=1 && prints "no result in 0.0"

# ---- cases ---------------------------------------------------------------------------------------------

run 0 converge --mode=uniform --write="$WORK/cases" --count=3 && ends "18 cases in $WORK/cases"
run 0 run --device=emu --emu-subgroup-size=8 --transform=none "$WORK/cases" --filter='uniform_8_*'
ends "3 passed, 0 failed, 0 skipped"
sed 's/^\(EXPECT told IDX 4 EQ [0-9]*\) [0-9]*/\1 77/' "$WORK/cases/uniform_8_1.amber" >"$WORK/wrong.amber"
run 1 run --device=emu --emu-subgroup-size=8 --transform=none "$WORK/wrong.amber"
run 0 converge --mode=maximal --write="$WORK/cases" --count=1 --subgroup-size=16 && ends "1 cases in $WORK/cases"
grep -q '\[\[maximally_reconverges\]\]' "$WORK/cases/maximal_16_1.amber" || fail "the case does not declare its mode"

# Each loop of these has a further exit; what is expected stays the same.
run 0 converge --device=emu --two-exits --count=6 && ends "6 passed, 0 failed, 0 skipped"
run 0 converge --mode=maximal --write="$WORK/exits" --count=8 --subgroup-size=4 --two-exits
[ "$(cat "$WORK"/exits/*.amber | grep -c 'for (\|do {')" = "$(cat "$WORK"/exits/*.amber | grep -c 'value(3u) == 99u) break;')" ] ||
  fail "not every loop has a second exit"

# ---- a table of policies -------------------------------------------------------------------------------

run 0 converge --table --device=emu --policy=structured,none,dwf --count=4 --seed=3
prints "| Device | Subgroup size | \`maximal\` | \`uniform\` | \`none\` | Most frequent mistake |"
prints "| emu \`structured\` | 32 | 4/4 | 4/4 | 4/4 |  |"
grep -q '^| emu .none. | 32 | 0/4 | [01]/4 | [01]/4 | lanes missing after: ' "$WORK/out" || fail "none conforms: $(cat "$WORK/out")"
ends "Skipped: \`dwf\`"
run 0 converge --table --device=emu --policy=barrier:ipdom --mode=maximal --count=6 --subgroup-size=8
grep -q '^| emu .barrier:ipdom. | 8 | [0-5]/6 | ' "$WORK/out" || fail "post-dominators conform: $(cat "$WORK/out")"
run 2 converge --device=emu --policy=structured,none && says "converge expects one --policy"

# ---- drivers -------------------------------------------------------------------------------------------

# What they do is in docs/driver-bugs.md; here only that all programs get an answer.
if "$HARNESS" list-devices | grep -q '^swiftshader *SwiftShader'; then
  "$HARNESS" converge --device=swiftshader --mode=none --count=3 --reduce=0 >"$WORK/out" 2>"$WORK/err"
  tail -n 1 "$WORK/out" | awk '{ exit $1 + $3 + $5 != 3 }' || fail "not 3 programs: $(cat "$WORK/out" "$WORK/err")"
  prints "swiftshader, subgroups of "
fi
finish
