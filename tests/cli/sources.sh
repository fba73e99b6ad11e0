#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Shader sources as input of spvreconv: they are compiled first, alone, in a batch and from standard input.
# shellcheck source=tests/cli/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

mkdir parts
echo 'float shade(float x) { return x * SCALE; }' >parts/shade.glsl
cat >light.frag <<'END'
#version 450
#include <shade.glsl>
layout(location = 0) in float x;
layout(location = 0) out vec4 color;
void main() { color = vec4(shade(x)); } // the end
END
echo 'void main() { if (gl_WorkGroupID.x == 1u) return; barrier(); }' >wait.comp
echo 'void main() { x = 1; }' >wrong.vert
cat >add.hlsl <<'END'
RWStructuredBuffer<uint> data;
[numthreads(8, 1, 1)] void work(uint3 id : SV_DispatchThreadID) { data[id.x] += ADD; }
END
echo 'kernel void work(global int *p) { p[get_global_id(0)] += ADD; }' >add.cl

# tells TEXT: standard error has TEXT in one of its lines
tells() {
  grep -qF -- "$1" err || fail "no '$1' in: $(cat err)"
}

run 0 light.frag -I parts -D SCALE=2.0 -o light.spvasm
grep -q '^; Version: 1.0$' light.spvasm || fail "not the lowest version"
grep -q 'OpEntryPoint Fragment' light.spvasm || fail "no fragment shader"
grep -q OpLine light.spvasm && fail "lines without -g"
run 0 light.frag -I parts -DSCALE=2.0 -g --target-env=vulkan1.3 -o light.spvasm
grep -q '^; Version: 1.6$' light.spvasm || fail "not the version of --target-env"
grep -q '// the end' light.spvasm || fail "no source with -g"
grep -q 'OpString "parts/shade.glsl"' light.spvasm || fail "no file of an #include with -g"
run 0 - --stage=frag -Iparts -DSCALE=2.0 -o - <light.frag
mv out piped.spv
run 0 light.frag -Iparts -DSCALE=2.0 -o light.spv && same piped.spv light.spv
run 0 light.frag -Iparts -DSCALE=2.0 --stats && prints "light.frag:"
run 0 light.spv --stage=frag -o again.spv && same light.spv again.spv

run 1 light.frag -DSCALE=2.0 -o no.spv && tells "light.frag:2: error: '#error' : there is no file shade.glsl in a folder of -I"
tells "spvreconv: light.frag: the shader does not compile" && absent no.spv
run 1 light.frag -I parts -o no.spv && tells "parts/shade.glsl:1: error: 'SCALE' : undeclared identifier"
run 1 light.frag --target-env=opencl2.0 -o no.spv && says "sources cannot be compiled for --target-env=opencl2.0"
run 2 light.frag --stage=light -o no.spv && says "--stage: there is no stage 'light'"
cp wait.comp wait.glsl
cp wait.comp wait.cl.glsl
run 1 wait.cl.glsl -o no.spv && says "wait.cl.glsl: the name does not say of which stage the shader is"
run 1 wait.glsl -o no.spv && says "wait.glsl: the name does not say of which stage the shader is"
run 0 wait.glsl --stage=comp -o wait.spv

run 1 wait.comp wrong.vert light.spv -o all/ && tells "wrong.vert:1: error: 'x' : undeclared identifier" &&
  tells "1 of 3 modules failed"
same all/light.spv light.spv
same all/wait.comp.spv wait.spv
absent all/wrong.vert.spv

# ---- files that are no files, names that are no words, includes without end ------------------------------

echo 'void main() { barrier(); }' >body.glsl
for before in '// a line, not /* the start' '/* whole */' '/*/ not over yet, */' '/* // over */' \
  '/* a *//* b */' '/**/' '// *//*'; do
  printf '#version 450\n%s\n#include "body.glsl"\n' "$before" >said.comp
  run 0 said.comp -o said.spv
done
printf '#version 450\n/* */ /* //\n#include "none.glsl"\n*/ void main() {}\n' >said.comp
run 0 said.comp -o said.spv
printf '\357\273\277#version 450\n#include "body.glsl"\n' >marked.comp
run 0 marked.comp -o marked.spv
printf '#version 450\n#include "body.glsl"\n' >'a "b".comp'
run 0 'a "b".comp' -g -o quoted.spvasm
grep -qF 'OpString "a \"b\".comp"' quoted.spvasm || fail "no name with quotes"
mkfifo pipe.glsl
printf '#version 450\n#include "pipe.glsl"\nvoid main() {}\n' >piped.comp
run 1 piped.comp -o no.spv && tells "piped.comp:2: error: '#error' : there is no file pipe.glsl beside this one"
# A file that is there but cannot be read, here a link to itself, is not reported as missing.
mkdir unread shades
ln -s shade.glsl unread/shade.glsl
run 1 light.frag -DSCALE=2.0 -I unread -o no.spv &&
  tells "light.frag:2: error: '#error' : unread/shade.glsl cannot be read: Too many levels of symbolic links"
cp parts/shade.glsl shades/
run 0 light.frag -DSCALE=2.0 -I unread -I shades -o found.spv
# A folder that is not there, or is a file, gets a note.
run 0 light.frag -DSCALE=2.0 -I nowhere -I shades -o found.spv &&
  says "nowhere: note: -I: nothing is found there: No such file or directory"
run 0 light.frag -DSCALE=2.0 -I light.frag -I shades -o found.spv &&
  says "light.frag: note: -I: nothing is found there: not a folder"
mkdir twice
for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
  printf '#include "%d.glsl"\n#include "%d.glsl"\n' $((i + 1)) $((i + 1)) >twice/$i.glsl
done
: >twice/31.glsl
printf '#version 450\n#include "twice/0.glsl"\nvoid main() {}\n' >twice.comp
run 1 twice.comp -o no.spv && tells "too many included files, or too deep"
for value in '' =5 5=5 'A
B'; do
  run 2 light.frag -D "$value" -o no.spv && tells "-D expects NAME or NAME=VALUE, in one line"
done
run 2 light.frag -I '' -o no.spv && tells "-I expects a folder"

if command -v glslangValidator >/dev/null; then
  cp add.hlsl ./--add.hlsl
  run 0 --entry=work -DADD=1 -o dashed.spv -- --add.hlsl
  run 1 add.hlsl --entry=play -DADD=1 -o no.spv && tells "add.hlsl: error: there is no entry point play; --entry=NAME"
  mkfifo pipe.hlsl
  timeout 60 cp add.hlsl pipe.hlsl &
  run 1 pipe.hlsl -DADD=1 -o no.spv && says "pipe.hlsl: HLSL is compiled from a file, which is read twice: name one"
  run 0 add.hlsl --entry=work -DADD=1 -o hlsl.spvasm
  grep -q 'OpEntryPoint GLCompute %[0-9]* "work"' hlsl.spvasm || fail "no entry point work"

  # bindings FILE: the bindings by name, sorted; constant buffers have the name of their block
  bindings() {
    awk '$1 == "OpName" { gsub("\"", "", $3); name[$2] = $3 }
      $1 == "OpDecorate" && $3 == "Binding" { binding[$2] = $4 }
      $1 == "OpDecorate" && $3 == "DescriptorSet" { set[$2] = $4 }
      $3 == "OpTypePointer" { to[$1] = $5 }
      $3 == "OpVariable" && $1 in binding {
        print (name[$1] ? name[$1] : name[to[$4]]) " " set[$1] ":" binding[$1] }' "$1" | sort | tr '\n' ','
  }
  # binds WANTED: the bindings of regs.hlsl
  binds() {
    run 0 regs.hlsl --preserve-names -o regs.spvasm
    got=$(bindings regs.spvasm)
    [ "$got" = "$1" ] || fail "regs.hlsl: $got, not $1"
  }
  cat >regs.body <<'END'
[numthreads(8, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {
  to[id.x] = from[id.x] + n + uint(image.SampleLevel(how, float2(0, 0), 0).x) + WIDE;
}
END
  # Classes that share no number keep it.
  cat >regs.hlsl - regs.body <<'END'
StructuredBuffer<uint> from : register(t0);
RWStructuredBuffer<uint> to : register(u1);
cbuffer Sizes : register(b2) { uint n; }
Texture2D<float4> image : register(t3);
SamplerState how : register(s4);
ByteAddressBuffer more : register(t5);
#define WIDE more.Load(0)
END
  binds "Sizes 0:2,from 0:0,how 0:4,image 0:3,more 0:5,to 0:1,"
  [ ! -s err ] || fail "a note: $(cat err)"
  # Others are shifted by class, in all sets; what [[vk::binding]] states stays.
  cat >regs.hlsl - regs.body <<'END'
#define PLACE(n) [[vk::binding(n, 1)]]
#define WIDE uint(wide[1].Load(int3(0, 0, 0)).x)
StructuredBuffer<uint> from : register(t0);
RWStructuredBuffer<uint> to : register(u0, space2);
cbuffer Sizes : register(b0) { uint n; }
[[vk::binding(7)]] Texture2D<float4> image;
SamplerState how : register(s7);
PLACE(0) Texture2D<vector<float, 4> > wide[2] : register(t9);
END
  binds "Sizes 0:0,from 0:100,how 0:307,image 0:7,to 2:200,wide 1:0,"
  says "regs.hlsl: note: registers of several classes have the same numbers: bindings are 0 + N for bN, 100 + N for tN, 200 + N for uN, 300 + N for sN"
  # A register of 100 and more needs a larger step, and a binding that is stated another place for b0.
  sed -i 's/space2)/space0)/; s/register(u0/register(u99/; s/register(t0)/register(t199)/' regs.hlsl
  binds "Sizes 0:0,from 0:1199,how 0:3007,image 0:7,to 0:2099,wide 1:0,"
  sed -i 's/vk::binding(7)/vk::binding(0)/' regs.hlsl
  binds "Sizes 0:1000,from 0:2199,how 0:4007,image 0:0,to 0:3099,wide 1:0,"
else
  echo "skipped: HLSL, since glslangValidator is not installed"
fi
if command -v clang-15 >/dev/null && command -v llvm-spirv-15 >/dev/null; then
  run 0 add.cl -DADD=1 --structurize --check -o kernel.spvasm
  grep -q 'OpEntryPoint Kernel %[0-9]* "work"' kernel.spvasm || fail "no kernel work"
  # --explain names blocks and lines.
  printf '%s\n' 'kernel void work(global int *p, int n) {' '  int i = 0;' '  if (n > 3) goto middle;' 'top:' \
    '  p[i] += 2;' 'middle:' '  p[i] += 3;' '  if (p[++i] < n) goto top;' '}' >cycle.cl
  run 1 --explain cycle.cl
  grep -q 'construct of %\([0-9]*\): .*\[back_edge_target: .*\] (.*%\1 [a-z.]* cycle.cl:[78]' out || fail "--explain: $(cat out)"
  # llvm-spirv-15 writes an OpVariable after an OpBitcast, and loop merges into blocks that are no loop's header.
  printf '%s\n' 'kernel void k(global int *p) {' '  int own[32];' '  for (int i = 0; i < 32; i++)' \
    '    own[i] = p[i];' '  barrier(1);' '  int *q = own;' '  while (*q && q < own + 31)' '    q++;' \
    '  p[1] = *q;' '}' >variable.cl
  printf '%s\n' 'kernel void k(global float *p, int n) {' '  #pragma unroll 4' '  for (int i = 0; i < n; i++)' \
    '    p[i] += 1;' '}' >unrolled.cl
  for file in variable unrolled; do
    run 0 $file.cl -o $file.spvasm
    run 0 $file.cl --structurize --check -g -o $file.spvasm
  done
  # llvm-spirv-15 has no integers of two bits, to which LLVM narrows this switch: the kernel is optimized nevertheless.
  printf '%s\n' 'kernel void mix(global const int *in, global int *out, int n) {' '  int i = get_global_id(0), sum = 0;' \
    '  for (int k = 0; k < n; k++)' '    switch ((i + k) & 3) {' '    case 0: sum += in[k]; break;' \
    '    case 1: sum ^= in[k] * 3; break;' '    case 2: sum -= in[k] / 5; break;' '    default: sum = sum * 7 + 1;' '    }' \
    '  out[i] = sum;' '}' >narrow.cl
  run 0 narrow.cl --to-vulkan --target-env=vulkan1.1 -o narrow.spvasm
  if ! grep -q OpSwitch narrow.spvasm || grep -q 'OpVariable .* Function' narrow.spvasm; then
    fail "narrow.cl is not optimized"
  fi
  cp add.cl 'a"dd.cl'
  for file in add.cl 'a"dd.cl'; do
    run 0 "$file" -DADD=1 -g -o kernel.spvasm
    grep -q 'spv-compile' kernel.spvasm && fail "$file: the name of a temporary file"
    grep -q 'OpSource OpenCL_C 102000 %[0-9]* "kernel' kernel.spvasm || fail "$file: no source"
  done
  # The target of clang's own code generator is no environment to validate for.
  if command -v clang-22 >/dev/null; then
    run 0 add.cl -DADD=1 --target-env=spirv64 -o kernel.spvasm
    grep -q 'OpEntryPoint Kernel %[0-9]* "work"' kernel.spvasm || fail "spirv64: no kernel work"
    run 0 add.cl -DADD=1 --target-env=spirv64 --to-vulkan -o kernel.spvasm
    grep -q 'OpEntryPoint GLCompute %[0-9]* "work"' kernel.spvasm || fail "spirv64: no shader work"
  else
    run 1 add.cl -DADD=1 --target-env=spirv64 -o kernel.spvasm && says "--target-env=spirv64 needs clang-22, which is not in PATH"
  fi
  run 1 wait.comp --target-env=spirv64 -o no.spv && says "sources cannot be compiled for --target-env=spirv64"
else
  echo "skipped: OpenCL C, since clang-15 and llvm-spirv-15 are not installed"
fi
finish
