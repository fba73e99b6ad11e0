#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# spv-harness reduce: of a case with a constant at which a test layer fails, the instruction with the constant is left,
# whether the layer crashes or changes the result, and for each number of jobs the same; the command in the case that is
# written shows the failure; a case that fails nowhere is refused.
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
case=tests/harness/reduce/marked.amber
run 0 list-devices
grep -q '^lavapipe  *none' "$WORK/out" && {
  echo "skipped: lavapipe is not installed"
  exit 0
}
export VK_LAYER_PATH="$BIN/layers" VK_INSTANCE_LAYERS=VK_LAYER_SPVRECONV_test_fault

# most OUT COUNT: the case in OUT has the constant and at most COUNT instructions in functions, labels not counted
most() {
  grep -q 'OpConstant .* 1592594996$' "$1" || fail "$1: the constant is gone: $(cat "$1")"
  count=$(awk '/= OpFunction / { inside = 1; next } /OpFunctionEnd/ { inside = 0 } inside && !/= OpLabel/' "$1" | wc -l)
  [ "$count" -le "$2" ] || fail "$1 has $count instructions, more than $2: $(cat "$1")"
}

for jobs in 1 2; do
  SPV_TEST_WORD=abort:1592594996 run 0 reduce --device=lavapipe --transform=none --jobs=$jobs "$case" -o "$WORK/crash$jobs.amber"
done
grep -q 'variant none crashes on lavapipe' "$WORK/err" || fail "$(cat "$WORK/err")"
cmp -s "$WORK/crash1.amber" "$WORK/crash2.amber" || fail "not the same with other jobs"
most "$WORK/crash1.amber" 3
grep -q '^BUFFER unused\|BINDING 2\|^EXPECT' "$WORK/crash1.amber" && fail "a statement is left: $(cat "$WORK/crash1.amber")"

export SPV_TEST_WORD=change:1592594996
run 0 reduce --device=lavapipe --transform=none "$case" -o "$WORK/wrong.amber"
grep -q 'variant none differs from the emulator on lavapipe' "$WORK/err" || fail "$(cat "$WORK/err")"
most "$WORK/wrong.amber" 6
grep -q '^RUN p 1 1 1$' "$WORK/wrong.amber" || fail "workgroups are left: $(cat "$WORK/wrong.amber")"
run 1 run --device=lavapipe --against=emu --transform=none "$WORK/wrong.amber"
prints " on emu"
# A shader that was a kernel: its size of a workgroup is a constant, and its reflection goes.
"$BIN/spvreconv" tests/harness/reduce/kernel.spvasm --to-vulkan -o "$WORK/kernel.spv" || fail "it is not converted"
run 0 reduce --device=lavapipe --transform=none "$WORK/kernel.spv" -o "$WORK/kernel.amber"
most "$WORK/kernel.amber" 4
unset SPV_TEST_WORD

run 0 run --device=lavapipe --against=emu --transform=none "$WORK/wrong.amber"
# A transform that is wrong stays in the command.
SPV_HARNESS_TEST=flip run 0 reduce --device=emu --transform=none+linearize,structurize shaders/early-exit/guards.amber -o "$WORK/flip.amber"
grep -q 'variant linearize,structurize differs from the emulator on emu' "$WORK/err" || fail "$(cat "$WORK/err")"
grep -q '^#   spv-harness run --device=emu --against=emu --transform=linearize,structurize FILE$' "$WORK/flip.amber" ||
  fail "another command: $(head -n 3 "$WORK/flip.amber")"
SPV_HARNESS_TEST=flip run 1 run --device=emu --against=emu --transform=linearize,structurize "$WORK/flip.amber"
run 0 run --device=emu --against=emu --transform=linearize,structurize "$WORK/flip.amber"

# If workgroups race, neither the driver nor a transform is at fault.
for at in 'gl_GlobalInvocationID.x' 'gl_LocalInvocationIndex'; do
  cat >"$WORK/race.amber" <<CASE
#!amber
SHADER compute work GLSL
#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Out { uint v[]; };
void main() {
  v[16u + $at] = gl_WorkGroupID.x;
  if (gl_GlobalInvocationID.x % 3u == 0u) v[gl_GlobalInvocationID.x] = 5u;
}
END
BUFFER out DATA_TYPE uint32 SIZE 32 FILL 0
PIPELINE compute p
  ATTACH work
  BIND BUFFER out AS storage DESCRIPTOR_SET 0 BINDING 0
END
RUN p 3 1 1
CASE
  status=0
  SPV_HARNESS_TEST=flip "$HARNESS" reduce --device=emu --transform=linearize,structurize "$WORK/race.amber" -o "$WORK/raced.amber" \
    >"$WORK/out" 2>"$WORK/err" || status=$?
  echo "$status" >>"$WORK/statuses"
done
[ "$(tr '\n' ' ' <"$WORK/statuses")" = '0 1 ' ] || fail "races: $(cat "$WORK/statuses" "$WORK/err")"
says "it differs on emu, but what it computes depends on the order of invocations"

run 1 reduce --device=lavapipe "$case" -o "$WORK/nothing.amber"
says "nothing to reduce: on lavapipe it neither crashes nor hangs"
[ ! -e "$WORK/nothing.amber" ] || fail "a case was written"
run 2 reduce "$case"
says "reduce expects the case to write: -o FILE.amber"
run 1 reduce --device=lavapipe docs/README.md -o "$WORK/nothing.amber"
says "is not AmberScript"
finish
