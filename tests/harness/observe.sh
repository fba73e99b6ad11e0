#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# spv-harness converge FILE: shaders whose tangles the emulator forms as the specification says, in subgroups of all
# sizes and in every mode; a device that does not reconverge, where the place, the lanes and the rule are named; the
# mode that a module declares; what is not compared; what is refused.
# Usage: observe.sh PATH/spv-harness
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

# Loops with `continue`, a switch that falls through, a call that returns early, operations of its own.
cat >"$WORK/mixed.comp" <<'END'
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint data[]; };
uint twice(uint x) {
  if (x % 5u == 0u)
    return x;
  return 2u * x;
}
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = 0u;
  for (uint k = 0u; k < i % 7u; k++) {
    if ((i + k) % 3u == 0u)
      continue;
    x += subgroupAdd(k);
  }
  switch (i % 4u) {
  case 0u: x += 1u;
  case 1u: x += 2u; break;
  case 2u: x += twice(i); break;
  default: x += subgroupAdd(1u);
  }
  data[i] = x + twice(i);
}
END

# ---- the emulator agrees -------------------------------------------------------------------------------

for mode in maximal uniform none; do
  run 0 converge --device=emu --mode=$mode "$WORK/mixed.comp"
  ends "1 passed, 0 failed, 0 skipped"
  prints "emu, subgroups of 32, mode $mode"
done
prints "21 points, 256 invocations, 6942 observations"
run 0 converge --device=emu --mode=maximal --policy=maximal "$WORK/mixed.comp"
for size in 4 16 128; do
  run 0 converge --device=emu --mode=maximal --subgroup-size=$size --dispatch=3,1,1 "$WORK/mixed.comp"
  prints "emu, subgroups of $size, mode maximal"
  prints "192 invocations"
done
# Programs of converge itself, whose own operations disturb the log if it disturbs anything.
run 0 converge --mode=maximal --write="$WORK/cases" --count=3 --seed=7 --subgroup-size=16
for case in "$WORK"/cases/*.amber; do
  grep -v '^DEVICE_FEATURE Shader' "$case" | grep -v '^#extension GL_EXT_maximal' | sed 's/ \[\[maximally_reconverges\]\]//' >"$WORK/case.amber"
  run 0 converge --device=emu --mode=maximal "$WORK/case.amber"
done

# ---- a device that does not reconverge -----------------------------------------------------------------

run 1 converge --device=emu --policy=none --mode=maximal "$WORK/mixed.comp"
ends "0 passed, 1 failed, 0 skipped"
prints "line 18: lanes missing after: loop merge"
prints "lane 0 of subgroup 0, its observation 3: lanes {0 7 14 21 28}, expected {0-31}"
prints "rule: Reconvergence: the tangle of a loop's merge block"
prints "expected at least {1 5 9 13 17 21 25 29} and at most {0-1 4-5 8-9 12-13 16-17 20-21 24-25 28-29}"
prints "and 8 more places"
# In mode uniform the loop's merge block, the switch's and the call after it remain.
run 1 converge --device=emu --policy=none --mode=uniform "$WORK/mixed.comp"
prints "lanes missing after: switch merge"
grep -q "switch case" "$WORK/out" && fail "mode uniform promises something in the cases of a divergent switch"
# Policy pdom merges lanes at the immediate post-dominator: after the loop, not at the continue target of those that
# break out of it.
cat >"$WORK/exits.comp" <<'END'
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { uint data[]; };
void main() {
  uint i = gl_LocalInvocationID.x, x = 0u;
  for (uint k = 0u; k < 3u; k++) {
    if (i % 2u == 0u) {
      if (i % 4u == 0u)
        break;
      x++;
    }
    x += 2u;
  }
  data[i] = x;
}
END
run 0 converge --device=emu --mode=maximal --dispatch=1,1,1 "$WORK/exits.comp"
run 1 converge --device=emu --mode=maximal --dispatch=1,1,1 --policy=pdom "$WORK/exits.comp"
prints "line 12: lanes missing after: selection merge"

# ---- the mode ------------------------------------------------------------------------------------------

run 0 new --dispatch=1,1,1 "$WORK/exits.comp" -o "$WORK/exits.amber"
run 0 modules "$WORK/exits.amber" "$WORK"
"$BIN/spvreconv" --transform=none -o "$WORK/exits.spvasm" "$WORK"/shader.spv 2>"$WORK/err" || fail "no text: $(cat "$WORK/err")"
run 0 converge --device=emu "$WORK/exits.spvasm"
prints "mode none"
# A case, since the validator of Debian 12 does not know the mode of a bare module.
for mode in maximal:!6023:SPV_KHR_maximal_reconvergence uniform:!4421:SPV_KHR_subgroup_uniform_control_flow; do
  rest=${mode#*:}
  sed "s/^ *OpMemoryModel.*/OpExtension \"${rest#*:}\"\n&/; s/^ *OpExecutionMode \(%[^ ]*\) LocalSize.*/&\nOpExecutionMode \1 ${rest%:*}/
    s/^\( *%[0-9]* = OpExtInstImport .*\)/; \1/" "$WORK/exits.spvasm" >"$WORK/declares.spvasm"
  awk -v text="$WORK/declares.spvasm" '/^SHADER/ { print "SHADER compute shader SPIRV-ASM"; while ((getline line <text) > 0) print line; print "END"; inside = 1 }
    !inside { print } /^END/ { inside = 0 }' "$WORK/exits.amber" >"$WORK/declares.amber"
  run 0 converge --device=emu "$WORK/declares.amber"
  prints "mode ${mode%%:*}"
done

# ---- what is not compared ------------------------------------------------------------------------------

# Which lane gets which number is up to the device, so the paths after it are, too; tangles are not.
cat >"$WORK/queue.comp" <<'END'
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { uint next; uint data[]; };
void main() {
  uint mine = atomicAdd(next, 1u);
  if (mine % 3u == 0u)
    data[mine] = 1u;
  else
    data[mine] = 2u;
}
END
run 0 converge --device=emu --mode=maximal --dispatch=1,1,1 "$WORK/queue.comp"
# A loop with more turns than the log has records.
cat >"$WORK/long.comp" <<'END'
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { uint data[]; };
void main() {
  uint x = gl_LocalInvocationID.x;
  for (uint k = 0u; k < 3000u + x % 2u; k++)
    x = x * 5u + k;
  data[gl_LocalInvocationID.x] = x;
}
END
run 0 converge --device=emu --mode=maximal --dispatch=1,1,1 "$WORK/long.comp"
prints "not compared: what follows the first 4096 observations of 32 invocations"

# ---- what is refused -----------------------------------------------------------------------------------

run 1 converge --device=emu shaders/irreducible/two_entries.amber
says "is not valid, spirv-val says: Back-edges"
sed 's/^RUN .*/RUN pipeline 65535 10 1/' "$WORK/exits.amber" >"$WORK/large.amber"
run 1 converge --device=emu "$WORK/large.amber"
says "pipeline pipeline: the log has room for 94254 invocations, and 655350 workgroups have more: give fewer"

# ---- drivers -------------------------------------------------------------------------------------------

if "$HARNESS" list-devices | grep -q '^swiftshader *SwiftShader'; then
  run 0 converge --device=swiftshader --mode=none "$WORK/mixed.comp"
  prints "swiftshader, subgroups of 4, mode none"
  prints "256 invocations, 6942 observations"
fi
finish
