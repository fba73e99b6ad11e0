#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Own data in cases: new, run of shaders and modules, and compare take the options of spv-emu that give
# buffers, images, constants and an entry point, also from a file. tests/messages has the errors.
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
devices=emu
"$HARNESS" list-devices | grep -q '^swiftshader .*SwiftShader' && devices=$devices,swiftshader

cat >"$WORK/sum.comp" <<'END'
#version 450
layout(local_size_x = 4) in;
layout(constant_id = 7) const uint TIMES = 1u;
layout(constant_id = 8) const bool NEGATE = false;
layout(constant_id = 9) const float BIAS = 0.0;
layout(binding = 0) buffer In { float values[]; };
layout(binding = 1) buffer Out { float result[]; } outs[2];
layout(binding = 2) uniform sampler2D tex;
layout(push_constant) uniform P { float scale; uint more; } p;
void main() {
  uint i = gl_GlobalInvocationID.x;
  float x = values[i] * p.scale * float(TIMES + p.more) + BIAS;
  outs[1].result[i] = NEGATE ? -x : x;
  outs[0].result[i] = texture(tex, vec2(1.25, 0.5)).x;
}
END
# What spv-emu and the case are given, as one file of options.
cat >"$WORK/options" <<'END'
--dispatch=1 --buffer=In:f32[4]=1,2,3,4 --push-constant=f32[1]=2 --push-constant=u32[1]=1
--spec=TIMES=2 --spec=8=true --spec=9=0.5 --sampler=0:2=nearest,repeat
--buffer=0:2:R32_SFLOAT[2x1]=5,7 --buffer=0:1:1:f32[4]=0
END
run 0 new "$WORK/sum.comp" @"$WORK/options"
cp "$WORK/out" "$WORK/sum.amber"
prints "with made-up contents where none were given, seed 1"
prints "SPECIALIZE 7 AS uint32 2 SPECIALIZE 8 AS uint32 1 SPECIALIZE 9 AS float 0.5"
prints "EXPECT outs_0_1_1 IDX 0 TOLERANCE 0.00245 EQ -6.5 -12.5 -18.5 -24.5"
prints "BIND BUFFER_ARRAY outs_0_1_0 outs_0_1_1 AS storage"
prints "SAMPLER sampler_0_2_0 MAG_FILTER nearest"
grep -q "^EXPECT outs_0_1_0 IDX 0 TOLERANCE [^ ]* EQ 5 5 5 5 0" "$WORK/out" || fail "the image is not what was given"
run 0 run --device=$devices "$WORK/sum.amber"
run 0 run --device=emu "$WORK/sum.comp" @"$WORK/options" && prints "emu $WORK/sum.comp: none pass"
"$BIN/spv-emu" "$WORK/sum.comp" @"$WORK/options" --buffers=auto --dump-buffer=0:1 >"$WORK/dump" 2>/dev/null
tail -n 4 "$WORK/dump" | awk '{ print $2 }' | tr '\n' ' ' | grep -qx -- '-6.5 -12.5 -18.5 -24.5 ' ||
  fail "spv-emu has other numbers: $(cat "$WORK/dump")"

# ---- an entry point: of HLSL, and one of a module's --------------------------------------------------

cat >"$WORK/two.hlsl" <<'END'
RWStructuredBuffer<uint> data : register(u0);
[numthreads(4, 1, 1)] void first(uint3 id : SV_DispatchThreadID) { data[id.x] = data[id.x] + 1; }
[numthreads(4, 1, 1)] void second(uint3 id : SV_DispatchThreadID) { data[id.x] = data[id.x] * 2; }
END
for entry in first:11.12.13.14 second:20.22.24.26; do
  run 0 new --entry=${entry%:*} --dispatch=1 --buffer=0:0:u32[4]=10.. "$WORK/two.hlsl"
  prints "IDX 0 EQ $(echo "${entry#*:}" | tr . ' ')"
done
cat >"$WORK/two.spvasm" <<'END'
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %4 "first"
OpEntryPoint GLCompute %5 "second"
OpExecutionMode %4 LocalSize 1 1 1
OpExecutionMode %5 LocalSize 1 1 1
OpDecorate %11 ArrayStride 4
OpDecorate %12 BufferBlock
OpMemberDecorate %12 0 Offset 0
OpDecorate %14 DescriptorSet 0
OpDecorate %14 Binding 0
%2 = OpTypeVoid
%3 = OpTypeFunction %2
%6 = OpTypeInt 32 0
%7 = OpConstant %6 0
%8 = OpConstant %6 8
%9 = OpConstant %6 9
%11 = OpTypeRuntimeArray %6
%12 = OpTypeStruct %11
%13 = OpTypePointer Uniform %12
%14 = OpVariable %13 Uniform
%15 = OpTypePointer Uniform %6
%4 = OpFunction %2 None %3
%20 = OpLabel
%21 = OpAccessChain %15 %14 %7 %7
OpStore %21 %8
OpReturn
OpFunctionEnd
%5 = OpFunction %2 None %3
%30 = OpLabel
%31 = OpAccessChain %15 %14 %7 %7
OpStore %31 %9
OpReturn
OpFunctionEnd
END
run 0 new --entry=second --dispatch=1 --buffer=0:0:u32[1]=0 "$WORK/two.spvasm"
prints "ATTACH shader ENTRY_POINT second"
prints "EXPECT buffer_0_0_0 IDX 0 EQ 9"
run 0 run --device=$devices --entry=second --dispatch=1 "$WORK/two.spvasm"

# ---- a kernel without a size has workgroups of 32 -----------------------------------------------------

cat >"$WORK/kernel.spvasm" <<'END'
; Version: 1.0
OpCapability Addresses
OpCapability Kernel
OpCapability Linkage
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %4 "k" %11
OpDecorate %11 BuiltIn LocalInvocationId
OpDecorate %11 Constant
%2 = OpTypeVoid
%6 = OpTypeInt 32 0
%7 = OpTypeInt 64 0
%8 = OpTypePointer CrossWorkgroup %6
%9 = OpTypeVector %7 3
%10 = OpTypePointer Input %9
%3 = OpTypeFunction %2 %8
%11 = OpVariable %10 Input
%4 = OpFunction %2 None %3
%12 = OpFunctionParameter %8
%5 = OpLabel
%13 = OpLoad %9 %11
%14 = OpCompositeExtract %7 %13 0
%15 = OpUConvert %6 %14
%16 = OpInBoundsPtrAccessChain %8 %12 %14
OpStore %16 %15
OpReturn
OpFunctionEnd
END
run 0 new --dispatch=1 --buffer=0:0:u32[34]=99 "$WORK/kernel.spvasm"
prints "ATTACH shader ENTRY_POINT k SPECIALIZE 0 AS uint32 32 SPECIALIZE 1 AS uint32 1 SPECIALIZE 2 AS uint32 1"
prints " 29 30 31"
prints "IDX 128 EQ 99 99"
cp "$WORK/out" "$WORK/kernel.amber"
run 0 run --device=emu "$WORK/kernel.amber"
run 0 new --dispatch=1 --buffer=0:0:u32[34]=99 --local-size=4,2 "$WORK/kernel.spvasm" && prints "EQ 0 1 2 3 99"

# ---- compare -----------------------------------------------------------------------------------------

# The modules differ where the buffer is given so that they do.
mkdir "$WORK/old" "$WORK/new"
for folder in old new; do
  [ $folder = old ] && limit=100u || limit=50u
  cat >"$WORK/$folder/a.comp" <<END
#version 450
layout(local_size_x = 4) in;
layout(constant_id = 0) const uint ADD = 0u;
layout(binding = 0) buffer B { uint data[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, n = data[i];
  data[i] = n < $limit ? n + ADD : 7u;
}
END
done
run 0 compare "$WORK/old" "$WORK/new" --buffer=B:u32[4]=1,2,3,4 --dispatch=1
run 1 compare "$WORK/old" "$WORK/new" --buffer=B:u32[4]=1,60,3,200 --dispatch=1 --spec=ADD=5
prints "buffer 0:0 (B), byte 4: 65 -> 7"
run 0 compare "$WORK/old" "$WORK/new" --buffer=C:u32[4]=1 --dispatch=1
prints "there is no buffer 'C'; the module has 0:0 (B)"
finish
