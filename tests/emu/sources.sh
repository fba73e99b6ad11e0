#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Shader sources as input of spv-emu, and what it makes up for them: the options that it prints give the
# same run.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

# shader NAME: writes standard input as a file of that name
shader() {
  mkdir -p "$WORK/$(dirname "$1")"
  cat >"$WORK/$1"
}

# tells TEXT: standard error has TEXT in one of its lines
tells() {
  grep -qF -- "$1" "$WORK/err" || fail "no '$1' in: $(cat "$WORK/err")"
}

# the options that the last run made up
made_up() {
  sed -n 's/^  \(--[^ ]*\).*/\1/p' "$WORK/err"
}

# repeats ARGUMENTS...: a run, and again with the options that it made up, which prints the same
repeats() {
  run 0 "$@"
  cp "$WORK/out" "$WORK/first"
  made_up >"$WORK/options"
  [ -s "$WORK/options" ] || fail "spv-emu $*: nothing is made up"
  run 0 "$@" "@$WORK/options"
  [ -s "$WORK/err" ] && fail "spv-emu $*: something is still made up: $(cat "$WORK/err")"
  cmp -s "$WORK/first" "$WORK/out" || fail "spv-emu $*: the options that it prints give another run"
}

# ---- GLSL ------------------------------------------------------------------------------------------

shader steps.comp <<'END'
#version 450
#include "parts/steps.glsl"
// how many steps until 1
layout(local_size_x = LOCAL) in;
layout(std430, binding = 0) buffer Numbers { uint n; float scale; uint numbers[]; };
layout(std430, binding = 1) buffer Steps { uint count[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= n) return;
  count[i] = collatz(numbers[i]); /* the last line */
}
END
shader parts/steps.glsl <<'END'
#pragma once
#include "more.glsl"
#if 0
#include "nowhere.glsl"
#endif
uint collatz(uint n) {
  uint k = 0u;
  for (; n > ONE; k++) n = (n & 1u) == 0u ? n / 2u : 3u * n + 1u;
  return k;
}
END
shader parts/more.glsl <<'END'
#pragma once
#include "steps.glsl"
#include <one.glsl>
END
shader folder/one.glsl <<'END'
#define ONE 1u
END
set -- "$WORK/steps.comp" -I "$WORK/folder" -DLOCAL=64 --policy=pdom,opt
repeats "$@"
run 0 "$@" --annotate && tells "made up with --seed=1" && tells "  --dispatch=4,1,1" &&
  tells "  --buffer=0:0:u32,f32[1]=256,0.519+u32[256]=random:1  # Numbers" &&
  tells "  --buffer=0:1:u32[256]=random:2  # Steps" && prints "pdom" &&
  prints "count[i] = collatz(numbers[i]); /* the last line */"
cp "$WORK/out" "$WORK/first"
run 0 "$@" --annotate --seed=2 && tells "--seed=2"
cmp -s "$WORK/first" "$WORK/out" && fail "another seed changes nothing"
run 0 "$@" --dispatch=2 && tells "u32[128]=random:1"
run 0 "$@" --buffers=auto:7 --buffer=Steps:u32[256]=0 && tells "--seed=7"
grep -q -- "--buffer=0:1" "$WORK/err" && fail "a buffer that is given is made up, too"
run 0 "$@" --buffer=Steps:u32[256]=0 && tells "  --buffer=0:0:u32,f32[1]=256,0.519+u32[256]=random:1  # Numbers"
grep -q -- "--buffer=0:1" "$WORK/err" && fail "a buffer that is given is made up, too"
run 0 "$@" --buffer=Steps:u32[256]=0 "--buffer=Numbers:u32[99]=7" && prints "1 x 1 x 1 workgroups"
run 1 "$@" --buffer=Steps:u32[256]=0 --buffers=given
says "the buffer at set 0, binding 0 is not given; write --buffer=0:0:u32[N]=0, or --buffers=auto"
run 0 "$@" --json
[ "$(head -c 1 "$WORK/out")" = "{" ] || fail "what is made up is not on standard error"
run 1 "$WORK/steps.comp" -DLOCAL=64 && tells "parts/more.glsl:3: error: '#error' : there is no file one.glsl in a folder of -I"
run 1 "$WORK/steps.comp" -I "$WORK/folder" && tells "steps.comp:4: error: 'LOCAL'" && tells "steps.comp: the shader does not compile"
"$EMU" - --stage=comp -DLOCAL=8 -I "$WORK/parts" -I "$WORK/folder" <"$WORK/steps.comp" >"$WORK/out" 2>"$WORK/err"
tells 'standard input:2: error:'
"$EMU" - <"$WORK/steps.comp" >"$WORK/out" 2>"$WORK/err"
says "standard input: this is GLSL: add --stage=comp, or name the file SHADER.comp"

shader newer.comp <<'END'
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { uint data[]; };
void main() {
  data[gl_GlobalInvocationID.x] = gl_SubgroupInvocationID;
#ifdef BARRIER
  subgroupBarrier();
#endif
}
END
run 0 "$WORK/newer.comp"
run 0 "$WORK/newer.comp" --target-env=vulkan1.2
run 1 "$WORK/newer.comp" --target-env=vulkan1.0 -DBARRIER
tells "the shader does not compile for --target-env=vulkan1.0: try a higher one"
run 1 "$WORK/newer.comp" --target-env=vulkan9 && says "sources cannot be compiled for --target-env=vulkan9"
run 2 "$WORK/newer.comp" --stage=pixel && says "--stage: there is no stage 'pixel'"

shader light.frag <<'END'
#version 450
layout(location = 0) out vec4 color;
void main() { color = vec4(1); }
END
run 0 "$WORK/light.frag" && prints "light.frag: 256 x 256 pixels"
shader plain.glsl </dev/null
echo "void main() {}" >"$WORK/plain.glsl"
run 1 "$WORK/plain.glsl" && says "plain.glsl: the name does not say of which stage the shader is: add --stage=comp"
run 0 "$WORK/plain.glsl" --stage=comp

# ---- every kind of descriptor ----------------------------------------------------------------------

shader all.comp <<'END'
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
struct Part { vec3 p; float w; mat2 r; };
layout(binding = 0) uniform sampler2D tex;
layout(binding = 1, rgba8) uniform writeonly image2D dst;
layout(binding = 2) uniform U { mat4 m; layout(row_major) mat3x2 rows; vec3 v; float f; ivec2 size; float list[3]; } u;
layout(push_constant) uniform P { vec2 off; uint count; } p;
layout(binding = 3) buffer Parts { vec3 pos; uint kind; Part parts[]; } b;
layout(binding = 4) uniform usamplerBuffer texels;
layout(binding = 5) buffer D { int data[]; } d[2];
layout(binding = 6) uniform texture3D volume;
layout(binding = 7) uniform sampler smp;
layout(binding = 8) uniform sampler2DShadow shadow;
layout(binding = 9, r32ui) uniform uimage2DArray layers;
layout(binding = 10) uniform samplerCube cube;
void main() {
  ivec2 i = ivec2(gl_GlobalInvocationID.xy);
  vec4 c = texture(tex, vec2(i) / vec2(u.size) + p.off) + texture(sampler3D(volume, smp), vec3(0.5));
  c += texture(cube, vec3(i, 1)) + texture(shadow, vec3(0.5, 0.5, c.x));
  if (c.x > 0.5) c *= u.f * float(texelFetch(texels, i.x).x) + u.rows[0].x + u.list[i.x % 3];
  d[0].data[i.x] += d[1].data[i.y];
  c.y += float(imageAtomicAdd(layers, ivec3(i, 3), 1u));
  imageStore(dst, i, c * u.v.x * u.m[0].x + b.parts[i.x].w + float(p.count));
}
END
repeats "$WORK/all.comp" --strict --json
tells_options() {
  grep -qxF -- "$1" "$WORK/options" || fail "no '$1' in: $(cat "$WORK/options")"
}
tells_options "--buffer=0:0:R32G32B32A32_SFLOAT[16x16]=random:1"
tells_options "--sampler=0:7=linear,repeat"
tells_options "--sampler=0:8=linear,repeat,compare"
grep -q -- "^--buffer=0:9:R32_UINT\[16x16x4\]=" "$WORK/options" || fail "layers: $(cat "$WORK/options")"
grep -q -- "^--buffer=0:10:R32G32B32A32_SFLOAT\[16x16x6\]=" "$WORK/options" || fail "faces"
grep -q -- "^--buffer=0:5:1:i32\[256\]=" "$WORK/options" || fail "an array of descriptors"
grep -q -- "^--buffer=0:3:f32x3,u32\[1\]=.*+f32x8\[256\]=" "$WORK/options" || fail "a record"

# ---- HLSL, OpenCL C --------------------------------------------------------------------------------

shader sum.hlsl <<'END'
RWStructuredBuffer<uint> data;
cbuffer Sizes { uint n; float3 v; }
[numthreads(64, 1, 1)] void work(uint3 id : SV_DispatchThreadID) {
  if (id.x < n) data[id.x] *= FACTOR;
}
END
if command -v glslangValidator >/dev/null; then
  repeats "$WORK/sum.hlsl" --entry=work -D FACTOR=3
  run 1 "$WORK/sum.hlsl" --entry=work && tells "sum.hlsl:4: error: 'FACTOR'"
else
  echo "skipped: HLSL, since glslangValidator is not installed"
fi
# shellcheck disable=SC2123,SC2030 # a path without compilers is what is tested
(
  PATH=/nowhere
  "$EMU" "$WORK/sum.hlsl" >"$WORK/out" 2>"$WORK/err"
)
says "HLSL needs glslangValidator, which is not in PATH (Debian: glslang-tools)"

shader scale.cl <<'END'
kernel void scale(global float *out, global const float4 *in, float f, int width, local float *tmp) {
  int i = get_global_id(0);
  tmp[get_local_id(0)] = in[i].x;
  out[i] = i < width ? tmp[get_local_id(0)] * f : FACTOR;
}
END
if command -v clang-15 >/dev/null && command -v llvm-spirv-15 >/dev/null; then
  repeats "$WORK/scale.cl" -DFACTOR=0 --local-size=64
  run 0 "$WORK/scale.cl" -DFACTOR=0 --local-size=64 --annotate && prints "|   tmp[get_local_id(0)] = in[i].x;"
  run 1 "$WORK/scale.cl" && tells "scale.cl:4:51: error: use of undeclared identifier 'FACTOR'"
else
  echo "skipped: OpenCL C, since clang-15 and llvm-spirv-15 are not installed"
fi

# What --target-env asks of the compilers: programs with their names write down their arguments, and a kernel.
cat >"$WORK/kernel.spvasm" <<'END'
; Version: 1.0
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %4 "k"
%2 = OpTypeVoid
%3 = OpTypeFunction %2
%4 = OpFunction %2 None %3
%5 = OpLabel
OpReturn
OpFunctionEnd
END
"$(dirname "$EMU")/spvreconv" --no-validate "$WORK/kernel.spvasm" -o "$WORK/kernel.spv" || fail "no kernel"
mkdir "$WORK/fake"
cat >"$WORK/fake/clang-15" <<END
#!/bin/sh
echo "\${0##*/} \$*" >>"$WORK/called"
while [ "\$1" != -o ]; do shift; done
cp "$WORK/kernel.spv" "\$2"
END
chmod +x "$WORK/fake/clang-15"
cp "$WORK/fake/clang-15" "$WORK/fake/llvm-spirv-15"
shader k.cl <<'END'
kernel void k(void) {}
END

# asks ENV PATTERN...: the programs' arguments match these, and no - PATTERN
asks() {
  : >"$WORK/called"
  # shellcheck disable=SC2031
  env PATH="$WORK/fake:$PATH" "$EMU" "$WORK/k.cl" ${1:+--target-env="$1"} >"$WORK/out" 2>&1 || fail "$1: $(cat "$WORK/out")"
  shift
  for pattern; do
    case $pattern in
    !*) grep -qe "${pattern#!}" "$WORK/called" && fail "$pattern: $(cat "$WORK/called")" ;;
    *) grep -qe "$pattern" "$WORK/called" || fail "no $pattern: $(cat "$WORK/called")" ;;
    esac
  done
}
asks '' '!--spirv-max-version' '!-cl-std' 'clang-15 -target spir64-'
asks opencl1.2 '^llvm-spirv-15 .*--spirv-max-version=1.0$' '^clang-15 .* -cl-std=CL1.2'
asks opencl2.2 '--spirv-max-version=1.2$' '-cl-std=CL2.0'
asks spv1.1 '--spirv-max-version=1.1$' '!-cl-std'
asks spv1.6 '--spirv-max-version=1.4$'
run 1 "$WORK/k.cl" --target-env=opencl9 && says "kernels cannot be compiled for --target-env=opencl9"
if ! command -v clang-22 >/dev/null; then
  run 1 "$WORK/k.cl" --target-env=spirv64 && says "--target-env=spirv64 needs clang-22, which is not in PATH"
fi
cp "$WORK/fake/clang-15" "$WORK/fake/clang-22"
asks spirv64 '^clang-22 -target spirv64-' '!-emit-llvm' '!llvm-spirv' '!clang-15'
grep -q '^.* 8 x 1 x 1 workgroups, 8 subgroups of 32 lanes' "$WORK/out" || fail "not 32 items: $(cat "$WORK/out")"
# shellcheck disable=SC2123
(
  PATH=/nowhere
  "$EMU" "$WORK/scale.cl" >"$WORK/out" 2>"$WORK/err"
)
says "OpenCL C needs clang and llvm-spirv of one version"

cat >"$WORK/array.comp" <<'END'
#version 450
layout(binding = 0) buffer B { uint data[]; } b[1000000];
void main() { b[3].data[0] = 1; }
END
run 1 "$WORK/array.comp" && says "set 0, binding 0: an array of more than 65,536 descriptors cannot be made up"

# Variables of one binding share a buffer, as large as the largest needs.
shader alias.comp <<'END'
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer Words { uint words[]; };
layout(binding = 0) buffer Rows { uvec4 rows[]; };
layout(binding = 1) buffer Copies { uint copies[]; };
layout(binding = 1) buffer Floats { float floats[]; };
void main() { uint i = gl_GlobalInvocationID.x; rows[i].y = i; copies[i] = words[4 * i + 1] + floatBitsToUint(floats[i]); }
END
repeats "$WORK/alias.comp" --dump-buffer=Copies
run 0 "$WORK/alias.comp" && tells "  --buffer=0:0:u32x4[256]=random:1  # Rows" &&
  tells "  --buffer=0:1:u32[256]=random:2  # Copies"
[ "$(made_up | grep -c buffer)" -eq 2 ] || fail "not one buffer for each binding: $(cat "$WORK/err")"

# ---- two subgroup sizes ------------------------------------------------------------------------------

# tells_times COUNT
tells_times() {
  [ "$(grep -c "made up with" "$WORK/err")" = "$1" ] || fail "not $1 times 'made up with': $(cat "$WORK/err")"
}
run 0 --subgroup-size=4,8,16 "$WORK/module.spvasm" && tells_times 1
cp "$WORK/module.spvasm" "$WORK/other.spvasm"
run 0 --subgroup-size=4,8 --before="$WORK/module.spvasm" --after="$WORK/other.spvasm" && tells_times 1

# ---- a module --------------------------------------------------------------------------------------

repeats "$WORK/module.spvasm"
tells_options "--dispatch=32,1,1"
finish
