#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Cases for shaders without one: what `new` prints passes on the emulator and the drivers, also after a
# change of the shader that keeps its results, and fails after one that does not; `run SHADER`.
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
devices=emu
for driver in lavapipe swiftshader; do
  "$HARNESS" list-devices | grep -q "^$driver" && devices=$devices,$driver
done
echo "devices: $devices"

# shader NAME CASE: writes the first compute shader in GLSL of a case of shaders/
shader() {
  awk '/^SHADER compute [^ ]+ GLSL/ { p = 1; next } p && /^END/ { exit } p' "shaders/$2" >"$WORK/$1"
}

# new NAME OPTIONS...: the case of a shader, in NAME.amber
new() {
  name=$1
  shift
  run 0 new "$WORK/$name" "$@"
  cp "$WORK/out" "$WORK/$name.amber"
}

shader median.comp early-exit/short_circuit.amber
shader collatz.comp loop/collatz.amber
shader exits.comp loop/multi_exit.amber
cat >"$WORK/vote.comp" <<'END'
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { uint same[]; };
layout(binding = 1) buffer C { uint twice[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  twice[i] = 2u * same[i];
  same[i] = subgroupAll(gl_SubgroupSize > 4u) ? 1u : 2u;
}
END
cat >"$WORK/all.comp" <<'END'
#version 450
#include "part.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D tex;
layout(binding = 1, rgba8) uniform writeonly image2D dst;
layout(binding = 2) uniform U { mat4 m; vec3 v; float f; ivec2 size; float list[3]; } u;
layout(push_constant) uniform P { vec2 off; uint count; } p;
layout(binding = 3) buffer Parts { vec3 pos; uint kind; Part parts[]; } b;
layout(binding = 4) uniform usamplerBuffer texels;
layout(binding = 5) buffer D { int data[]; } d[2];
void main() {
  ivec2 i = ivec2(gl_GlobalInvocationID.xy);
  uint n = gl_GlobalInvocationID.y * 16u + gl_GlobalInvocationID.x;
  vec4 c = texelFetch(tex, i, 0);
  if (c.x > 0.5) c *= u.f * float(texelFetch(texels, i.x).x) + u.list[i.x % 3];
  d[1].data[n] = d[0].data[n] * SCALE + int(p.count);
  b.parts[n].w = c.y + b.parts[n].p.x * u.m[1].y;
  imageStore(dst, i, c * u.v.x);
}
END
echo 'struct Part { vec3 p; float w; };' >"$WORK/part.glsl"

shader tile.comp barrier/tiled_product.amber
shader compact.comp subgroup/ballot_compact.amber

# Structs whose stride is no multiple of 16 bytes; hints that SPIR-V 1.0 lacks.
cp shaders/early-exit/short_circuit.comp "$WORK/boxes.comp"
cp shaders/loop/matmul.comp "$WORK"

for name in median collatz exits vote tile compact boxes matmul; do
  [ -s "$WORK/$name.comp" ] || fail "no shader $name"
  new "$name.comp"
done
grep -q "^DEVICE_FEATURE SubgroupSupportedOperations.vote" "$WORK/vote.comp.amber" || fail "no feature"
grep -q "^# B: 256 numbers are left out" "$WORK/vote.comp.amber" || fail "what the size decides is expected"
grep -q "^RUN pipeline 2 2 1$" "$WORK/tile.comp.amber" || fail "arrays of 8 x 8 elements for a larger dispatch"
grep -q "^# Out: .* numbers are left out" "$WORK/compact.comp.amber" || fail "what the order decides is expected"
new all.comp -DSCALE=3 --seed=5
grep -q "STRUCT b_block" "$WORK/all.comp.amber" || fail "no STRUCT"
grep -q "EXPECT d_0_5_1 IDX 0 EQ " "$WORK/all.comp.amber" || fail "no EXPECT of d[1]"
grep -q "^# b stays" "$WORK/all.comp.amber" && fail "parts change"
run 0 run --device="$devices" "$WORK"
grep -q " 0 failed, 0 skipped" "$WORK/out" || fail "$(cat "$WORK/out")"
sed 's/\* SCALE/* SCALE + 1/' "$WORK/all.comp.amber" >"$WORK/wrong.amber"
run 1 run --device=emu --transform=none "$WORK/wrong.amber" && prints "d_0_5_1 at byte 0"

# ---- without a file of the case ----------------------------------------------------------------------

run 0 run --device="$devices" "$WORK/collatz.comp" && prints "emu $WORK/collatz.comp: none pass"
run 0 run --device=emu "$WORK/all.comp" -DSCALE=2 --transform=none && ends "1 passed, 0 failed, 0 skipped"
run 1 run --device=emu "$WORK/all.comp"
grep -q "all.comp:16: error: 'SCALE'" "$WORK/err" || fail "no line of the compiler: $(cat "$WORK/err")"
cat >"$WORK/far.comp" <<'END'
#version 450
layout(binding = 0) buffer B { uint data[]; };
void main() { data[1000000000u]++; }
END
run 1 run --device=emu "$WORK/far.comp" && says "with made-up contents the shader accesses memory out of bounds"
run 0 new "$WORK/far.comp" && says "note: with these contents the shader accesses memory out of bounds"

# ---- what drivers need not reproduce -----------------------------------------------------------------

# compute NAME BODY: a shader of workgroups of 64
compute() {
  {
    echo '#version 450'
    echo '#extension GL_EXT_null_initializer : require'
    echo 'layout(local_size_x = 64) in;'
    echo 'layout(binding = 0) buffer B { uint data[]; };'
    echo 'layout(binding = 1, r32ui) uniform uimage2D img;'
    echo 'shared uint tile[64]; shared uint zeroed[64] = {};'
    echo "void main() { uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationID.x; $2 }"
  } >"$WORK/$1"
}

# Workgroups that race: in one workgroup there is no race; a dispatch that is given stays.
mkdir "$WORK/steady"
for body in 'data[l] = data[l] * 3u + 1u;' 'data[i] = data[i ^ 64u] + 1u;' \
  'imageStore(img, ivec2(l, 0), imageLoad(img, ivec2(l, 0)) * 3u + 1u);' \
  'uint old = atomicAdd(data[0], 1u); if (old == 5u) data[1] = data[0];'; do
  compute race.comp "$body"
  new race.comp
  grep -q "^RUN pipeline 1 1 1$" "$WORK/race.comp.amber" || fail "workgroups race: $body"
  grep -q "^# In a larger dispatch, workgroups write" "$WORK/race.comp.amber" || fail "no reason: $body"
  grep -q "^EXPECT" "$WORK/race.comp.amber" || fail "nothing is expected of one workgroup: $body"
  cp "$WORK/race.comp.amber" "$WORK/steady/$((n = ${n:-0} + 1)).amber"
done
compute race.comp 'data[i] += l; data[255u - i] *= 3u;'
new race.comp
grep -q "^RUN pipeline 2 1 1$" "$WORK/race.comp.amber" || fail "two workgroups do not race"
compute race.comp 'data[l] = data[l] * 3u + 1u;'
run 0 new --dispatch=4 "$WORK/race.comp" && says "note: workgroups race, so nothing is expected"
grep -q "^EXPECT" "$WORK/out" && fail "what workgroups race for is expected"
prints "RUN pipeline 4 1 1"
prints "# Nothing is expected: workgroups write"
run 1 run --device=emu --dispatch=4 "$WORK/race.comp" && says "its workgroups race, so results differ from run to run"
# Atomics of several workgroups do not race, and neither do stores of the same value.
compute steady.comp 'atomicAdd(data[i & 3u], l); if (l == 3u) data[70] = 5u; imageAtomicMax(img, ivec2(l, 0), l);'
new steady.comp --dispatch=4,2
grep -q "^RUN pipeline 4 2 1$" "$WORK/steady.comp.amber" || fail "--dispatch is not kept"
grep -q "left out" "$WORK/steady.comp.amber" && fail "what does not race is left out"
cp "$WORK/steady.comp.amber" "$WORK/steady/steady.amber"
# Memory that nothing has written; zeroed memory has been.
compute unwritten.comp 'uint local[4]; if (l < 32u) tile[l] = 7u; barrier(); data[i] = zeroed[l] + (i < 64u ? tile[l] : local[l & 3u] * 0u + 9u);'
new unwritten.comp
grep -q "^# B: 32 numbers are left out: they depend on variables or shared memory" "$WORK/unwritten.comp.amber" ||
  fail "unwritten shared memory is expected: $(tail -n 5 "$WORK/unwritten.comp.amber")"
cp "$WORK/unwritten.comp.amber" "$WORK/steady/unwritten.amber"
compute bound.comp 'for (uint k = 0u; k < tile[l]; k++) data[i] = data[i] * 3u + k;'
new bound.comp
grep -q "^# Nothing is expected: the shader depends on variables or shared memory" "$WORK/bound.comp.amber" ||
  fail "a loop that unwritten memory bounds"
for i in 1 2 3; do
  run 0 run --device="$devices" --transform=none "$WORK/steady"
  grep -q " 0 failed, 0 skipped" "$WORK/out" || fail "run $i: $(cat "$WORK/out")"
done

# ---- what cannot be a case ---------------------------------------------------------------------------

echo 'kernel void f(global int *p) { *p = 1; }' >"$WORK/f.cl"
run 1 run --device=emu "$WORK/f.cl"
if grep -q "needs clang" "$WORK/err"; then
  echo "skipped: the advice on OpenCL C, which needs clang and llvm-spirv"
else
  # What the message says to type does what it says.
  mkdir "$WORK/my kernels"
  echo 'kernel void f(global int *p) { *p = ONE; }' >"$WORK/my kernels/f.cl"
  run 1 run --device=emu "-DONE=1" "$WORK/my kernels/f.cl"
  says "kernels/f.cl' cases -- -DONE=1 && spv-harness run --device=emu cases"
  sed -n 's/.*type: //p' "$WORK/err" >"$WORK/advice"
  tools=$(realpath "$BIN")
  (cd "$WORK" && PATH=$tools:$PATH sh -e advice) >"$WORK/out" 2>"$WORK/err" || fail "the advice fails: $(cat "$WORK/err")"
  prints "1 passed, 0 failed, 0 skipped"
fi
printf '#version 450\nvoid main() {}\n' >"$WORK/a.frag"
run 1 new "$WORK/a.frag" && says "a.frag: this is a fragment shader, and a case is made of a compute shader"
run 0 new -o "$WORK/named.amber" --seed=3 shaders/loop/gcd64.comp
[ ! -s "$WORK/out" ] || fail "printed, too"
run 0 new --seed=3 shaders/loop/gcd64.comp
cmp "$WORK/named.amber" "$WORK/out" || fail "-o writes another case"
run 1 new -o "$WORK/none/x.amber" shaders/loop/gcd64.comp && says "none/x.amber: No such file or directory"
# The graphics case of the manual runs.
sed -n '/^### A graphics case/,/^### VkScript/s/^    //p' docs/harness.md >"$WORK/disc.amber"
run 0 run --device=emu --transform=none "$WORK/disc.amber" && ends "1 passed, 0 failed, 0 skipped"
run 1 new "$WORK/none.comp" && says "none.comp: No such file or directory"
run 2 new && says "new expects one shader or module"
run 2 compare -DX a b && says "-D applies to folders; a is a results file"
run 2 list-devices --seed=1 && says "--seed does not apply to list-devices"
finish
