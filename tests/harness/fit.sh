#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# spv-harness fit: a device that follows a policy is told apart from those of all other policies; times by the cost
# model of a stack; programs as cases; what is refused; drivers that are installed get an answer.
# Usage: fit.sh PATH/spv-harness
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

# one CODE: runs python's CODE, where `device` is the only device of the JSON in the file out
one() {
  python3 -c "
import json, sys
(device,) = json.load(open('$WORK/out'))['devices']
rows = {name: row for row in device['policies'] for name in row['policies']}
$1"
}

# ---- planted policies ----------------------------------------------------------------------------------

# The planted one explains all that it did, and so does no policy that is not in its row. Under `none` lanes never meet,
# so they cannot pass the barrier; exec needs control flow that six programs do not have.
apart=0
for policy in structured stackless minpc exec tf-stack pdom barrier:oldest barrier:round-robin barrier:ipdom:oldest \
  barrier:ipdom:round-robin barrier:frontier:round-robin none; do
  wanted=0
  [ $policy != none ] || wanted=1
  run $wanted fit --device=emu --policy=$policy --subgroup-size=8 --json
  if one "
mine = rows['$policy']
best = [row for row in device['policies'] if row['explained'] == device['observations']]
sys.exit(not (best == [mine] and mine['observations'] == device['observations'] > 3000 and mine['first'] is None))"; then
    apart=$((apart + 1))
  else
    fail "fit does not tell $policy apart"
  fi
done
[ $apart = 12 ] || fail "only $apart of 12 policies are told apart"

# ---- text ----------------------------------------------------------------------------------------------

run 0 fit --device=emu --policy=ssy --count=2 --seed=7
prints "emu, subgroups of 32, mode none, policy ssy"
prints "25 programs, "
prints "loop_break, function main, block "
prints "does not apply: the policy regroups the lanes of a workgroup"
grep -q '^agrees with .pdom. in \([0-9]*\) of \1; with ' "$WORK/out" || fail "not in all: $(cat "$WORK/out")"
# docs/cost.md: a lane that leaves alone costs 32 cycles; a spill and a reload of four entries of 16 take 84.
prints "each lane that leaves a loop alone adds 32 cycles"
prints "steps of 84 cycles at 16, 20, 24, 28 lanes, as where a stack spills"
run 1 fit --device=emu --policy=none --subgroup-size=4
prints "not observed: workgroup_barrier: deadlock: "

# ---- the programs as cases -----------------------------------------------------------------------------

run 0 fit --write="$WORK/cases" --count=1 --subgroup-size=8 && ends "24 cases in $WORK/cases"
run 0 run --device=emu --emu-subgroup-size=8 --transform=none "$WORK/cases" --filter='loop_*' && ends "6 passed, 0 failed, 0 skipped"

# ---- what is refused -----------------------------------------------------------------------------------

run 2 fit --device=emu --policy=pdm
says "unknown policy 'pdm', nearest: pdom; there are scalar, none, pdom, "
run 2 fit --device=emu --policy=pdom,ssy
says "fit expects one --policy"
run 1 fit --device=none --policy=pdom
says "none: only device emu has a --policy"
run 2 fit --device=emu --jobs=3
says "--jobs does not apply to fit"
run 2 fit shader.comp
says "fit expects no operands"

# ---- drivers -------------------------------------------------------------------------------------------

# What is not explained must have a place.
for device in swiftshader lavapipe; do
  "$HARNESS" list-devices | grep -q "^$device *[^ n]" || continue
  run 0 fit --device=$device --json
  one "
best = device['policies'][0]
sys.exit(not (device['observations'] > 2000 and best['explained'] + sum(p['observations'] for p in best['places']) == best['observations']))" ||
    fail "$device: $(cat "$WORK/out")"
done
finish
