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

# ---- rounding: drivers may err more than the usual tolerance, and integers made of floats follow ------

mkdir "$WORK/rough"
cat >"$WORK/rough.comp" <<'END'
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer A { float a[]; };
layout(binding = 1) buffer R { float r[]; };
layout(binding = 2) buffer N { uint n[]; };
layout(binding = 3) buffer Exact { float exact[]; };
layout(binding = 4) uniform sampler2D tex;
void main() {
  uint i = gl_GlobalInvocationID.x;
  float x = a[i] * 20.0 - 10.0, s = 0.0;
  for (int k = 0; k < 8; k++) s += sin(x * float(k + 1)) / float(k + 1);
  vec4 t = texture(tex, vec2(s, x));
  r[2u * i] = pow(abs(x), 1.7) + exp(-x * 0.1);
  r[2u * i + 1u] = t.x * 10.0 + normalize(vec3(x, s, 1)).y;
  n[i] = uint(1000.0 + 100.0 * s) + uint(t.y * 255.0 + 0.5) * 10000u;
  exact[i] = a[i] + 1.0;
}
END
new rough.comp
cp "$WORK/rough.comp.amber" "$WORK/rough"
grep -q "^EXPECT N IDX [0-9]* TOLERANCE [0-9]* EQ" "$WORK/rough.comp.amber" || fail "integers made of floats have no tolerance"
grep -q "^# N: [0-9]* numbers are left out: they depend on how a device rounds" "$WORK/rough.comp.amber" ||
  fail "integers at a step are expected"
[ "$(sed -n 's/^EXPECT R .*TOLERANCE \([^ ]*\) EQ.*/\1/p' "$WORK/rough.comp.amber" | sort -u | wc -l)" = 2 ] ||
  fail "filtered texels have the tolerance of other numbers"
[ "$(sed -n 's/^EXPECT Exact .*TOLERANCE \([^ ]*\) EQ.*/\1/p' "$WORK/rough.comp.amber" | sort -u | wc -l)" = 1 ] ||
  fail "a sum has a wide tolerance"
run 0 run --device="$devices" --transform=none "$WORK/rough"

# ---- on a terminal a long run shows its progress ------------------------------------------------------

cat >"$WORK/slow.comp" <<'END'
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint b[]; };
void main() {
  uint x = gl_GlobalInvocationID.x;
  for (uint i = 0u; i < 30000u + (x & 3u); i++) x = x * 1664525u + 1013904223u;
  b[gl_GlobalInvocationID.x] = x;
}
END
if command -v script >/dev/null; then
  script -qec "$HARNESS new $WORK/slow.comp -o $WORK/slow.amber" /dev/null | tr '\r' '\n' >"$WORK/seen"
  grep -q 'slow.comp: run [0-9]* of 10, in subgroups of [0-9]*: [0-9]* of [0-9]* subgroups, ' "$WORK/seen" ||
    fail "no progress: $(cat "$WORK/seen")"
fi

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

# ---- what a case says --------------------------------------------------------------------------------

# Arrays grow until what the shader reads lies in them; the dispatch stays.
compute apart.comp 'data[gl_WorkGroupID.x * 4000u + l] = i + 1u;'
new apart.comp
grep -q "out of bounds" "$WORK/apart.comp.amber" && fail "the array is too small"
grep -q "^RUN pipeline 4 1 1$" "$WORK/apart.comp.amber" || fail "an array that can grow makes the dispatch smaller"
# Numbers of a struct are expected by kind, floats with a tolerance; a sampler that compares says so.
cat >"$WORK/kinds.comp" <<'END'
#version 450
struct Pair { float part; uint whole; uint next; };
layout(local_size_x = 4) in;
layout(binding = 0) buffer B { Pair data[]; };
layout(binding = 1) uniform sampler2DShadow map;
layout(binding = 2) uniform sampler2D picture;
void main() {
  uint i = gl_LocalInvocationID.x;
  data[i].part = float(i) * 0.5 + textureLod(map, vec3(0.5, 0.5, 2.0), 0.0) + 0.0 * textureLod(picture, vec2(0.5), 0.0).x;
  data[i].whole = i + 3u;
  data[i].next = i + 5u;
}
END
new kinds.comp --dispatch=1
grep -qE "^EXPECT B IDX 24 TOLERANCE [^ ]+ EQ 1$" "$WORK/kinds.comp.amber" || fail "a float: $(grep ^EXPECT "$WORK/kinds.comp.amber")"
grep -q "^EXPECT B IDX 28 EQ 5 7$" "$WORK/kinds.comp.amber" || fail "two integers: $(grep ^EXPECT "$WORK/kinds.comp.amber")"
grep -q "^SAMPLER sampler_0_1_0 .* COMPARE on COMPARE_OP less$" "$WORK/kinds.comp.amber" || fail "no comparison"
grep "^SAMPLER sampler_0_2_0 " "$WORK/kinds.comp.amber" | grep -q COMPARE && fail "a comparison without a reference"
run 0 run --device="$devices" --transform=none "$WORK/kinds.comp.amber" "$WORK/apart.comp.amber"
grep -q " 0 failed, 0 skipped" "$WORK/out" || fail "$(cat "$WORK/out")"

# ---- fragment shaders --------------------------------------------------------------------------------

# fragment NAME BODY: a shader with two colours, of floats and of integers
fragment() {
  {
    echo '#version 450'
    echo 'layout(location = 0) in vec2 at; layout(location = 1) flat in uint flatly;'
    echo 'layout(location = 2) in vec3 normal;'
    echo 'layout(location = 0) out vec4 color; layout(location = 1) out uvec4 number;'
    echo 'layout(binding = 0) uniform sampler2D tex; layout(binding = 1) buffer Counts { uint counts[]; };'
    echo "void main() { uvec2 p = uvec2(gl_FragCoord.xy); $2 }"
  } >"$WORK/$1"
}
mkdir "$WORK/draws"
fragment escape.frag 'uint k = 0u; vec2 z = vec2(0.0);
  for (; k < 60u && dot(z, z) < 4.0; k++)
    z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + at * 3.0 - vec2(2.0, 1.5);
  atomicAdd(counts[p.x & 3u], 1u);
  vec4 texel = texelFetch(tex, ivec2(p), 0);
  float edge = fwidth(at.x);
  if (p.x + p.y == 5u) discard;
  color = k == 60u ? texel : vec4(float(k) / 60.0, edge, normal.xy);
  number = uvec4(p, flatly, TAG);'
new escape.frag -DTAG=7
grep -q "^DEVICE_FEATURE fragmentStoresAndAtomics$" "$WORK/escape.frag.amber" || fail "no feature for the stores"
grep -q "^  FRAMEBUFFER_SIZE 32 32$" "$WORK/escape.frag.amber" || fail "another framebuffer"
grep -q "^EXPECT framebuffer_0 RMSE_BUFFER expected_0 TOLERANCE 4$" "$WORK/escape.frag.amber" || fail "no colour is expected"
grep -q "^EXPECT framebuffer_1 EQ_BUFFER expected_1$" "$WORK/escape.frag.amber" || fail "no integers are expected"
grep -q "^EXPECT Counts IDX 0 EQ " "$WORK/escape.frag.amber" || fail "no counts are expected"
cp "$WORK/escape.frag.amber" "$WORK/draws"
fragment depth.frag 'gl_FragDepth = p.x < 9u ? 0.25 : float(p.y) / 64.0; color = vec4(1.0); number = uvec4(p, 0u, 1u);'
new depth.frag --framebuffer=20x9
grep -q "^  FRAMEBUFFER_SIZE 20 9$" "$WORK/depth.frag.amber" || fail "--framebuffer is not kept"
grep -q "^EXPECT framebuffer_depth RMSE_BUFFER expected_depth TOLERANCE 0.01$" "$WORK/depth.frag.amber" || fail "no depth is expected"
cp "$WORK/depth.frag.amber" "$WORK/draws"
run 0 run --device="$devices" "$WORK/draws"
grep -q " 0 failed, 0 skipped" "$WORK/out" || fail "$(cat "$WORK/out")"
for change in 's/float(k) \/ 60.0/float(k) \/ 20.0/' 's/TAG)/TAG + 1u)/' 's/p.x & 3u/p.x \& 1u/' 's/p.x + p.y == 5u/p.x + p.y < 9u/'; do
  sed "$change" "$WORK/escape.frag.amber" >"$WORK/wrong.amber"
  cmp -s "$WORK/escape.frag.amber" "$WORK/wrong.amber" && fail "nothing changed: $change"
  run 1 run --device=emu --transform=none "$WORK/wrong.amber"
done
sed 's/? 0.25/? 0.5/' "$WORK/depth.frag.amber" >"$WORK/wrong.amber"
run 1 run --device=emu --transform=none "$WORK/wrong.amber" && prints "the RMSE of framebuffer_depth and expected_depth is"
run 0 run --device="$devices" "$WORK/depth.frag" --framebuffer=4x4 && prints "emu $WORK/depth.frag: none pass"
# What drivers need not reproduce.
fragment broken.frag 'number = uvec4(0u); color = vec4(0.0); if (p.x == p.y) color = vec4(fwidth(at.x));'
new broken.frag
says "note: some derivatives are undefined, so nothing is expected of the picture"
grep -q "^# Nothing is expected of the picture: 16 times a derivative" "$WORK/broken.frag.amber" || fail "broken quads"
grep -q "^EXPECT framebuffer" "$WORK/broken.frag.amber" && fail "undefined derivatives are expected"
run 0 run --device=emu --transform=none "$WORK/broken.frag" && says "note: some derivatives are undefined"
fragment unwritten.frag 'uvec4 n; if (p.x > 3u) n = uvec4(1u); number = n; color = vec4(1.0);'
new unwritten.frag
grep -q "^# Nothing is expected of framebuffer_1: it depends on variables that nothing has written.$" "$WORK/unwritten.frag.amber" ||
  fail "an unwritten variable is expected"
grep -q "^EXPECT framebuffer_0 RMSE_BUFFER" "$WORK/unwritten.frag.amber" || fail "what is written is not expected"
# Numbers that are interpolated in two ways: one output of the vertex shader.
fragment offset.frag 'color = vec4(at, interpolateAtOffset(at, vec2(0.0))); number = uvec4(1u);'
run 0 run --device="$devices" --transform=none "$WORK/offset.frag"

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
printf '#version 450\nvoid main() { gl_Position = vec4(0.0); }\n' >"$WORK/a.vert"
run 1 new "$WORK/a.vert" && says "a.vert: this is a vertex shader, and a case is made of a compute or fragment shader"
run 1 new "$WORK/depth.frag" --dispatch=2 && says "depth.frag: --dispatch applies to compute shaders, and this is a fragment shader"
run 1 new "$WORK/collatz.comp" --framebuffer=2x2 && says "collatz.comp: --framebuffer applies to fragment shaders"
run 2 new "$WORK/depth.frag" --framebuffer=2 && says "--framebuffer expects WIDTHxHEIGHT, in pixels, 1x1 to 16384x16384, not '2'"
cat >"$WORK/half.frag" <<'END'
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(location = 3) in f16vec2 at;
layout(location = 0) out vec4 color;
void main() { color = vec4(vec2(at), 0.0, 1.0); }
END
run 1 new "$WORK/half.frag" && says "half.frag: the input at location 3 has numbers of 16 bits, for which no vertex shader is made up"
run 0 new -o "$WORK/named.amber" --seed=3 shaders/loop/gcd64.comp
[ ! -s "$WORK/out" ] || fail "printed, too"
run 0 new --seed=3 shaders/loop/gcd64.comp
cmp "$WORK/named.amber" "$WORK/out" || fail "-o writes another case"
run 1 new -o "$WORK/none/x.amber" shaders/loop/gcd64.comp && says "none/x.amber: No such file or directory"
# A run that is stopped: its message names no option that new refuses.
echo '#version 450
layout(binding = 0) buffer B { uint r; };
void main() { uint n, s = 0u; for (uint i = 0u; i < n; i++) s += i * i; r = s; }' >"$WORK/count.comp"
run 0 new "$WORK/count.comp" && prints "# the emulator: more than " && prints " instructions issued: "
# The graphics case of the manual runs.
sed -n '/^## A graphics case/,/^## VkScript/s/^    //p' docs/cases.md >"$WORK/disc.amber"
run 0 run --device=emu --transform=none "$WORK/disc.amber" && ends "1 passed, 0 failed, 0 skipped"
run 1 new "$WORK/none.comp" && says "none.comp: No such file or directory"
run 2 new && says "new expects one shader or module"
run 2 compare -DX a b && says "-D applies to folders; a is a results file"
run 2 list-devices --seed=1 && says "--seed does not apply to list-devices"
finish
