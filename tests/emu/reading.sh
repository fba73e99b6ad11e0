#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What spvreconv reads, spv-emu and spv-harness read: enumerants that SPIRV-Tools does not know, text that
# states no version, members whose offsets come in any order, registers of HLSL that share a number.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

# text VERSION MODE INTERFACE: an unstructured module whose lane i stores 3 i, or 1 where i is odd
text() {
  cat <<END
$1
OpCapability Shader
OpExtension "SPV_KHR_storage_buffer_storage_class"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %place $3
OpExecutionMode %main LocalSize 8 1 1
$2
OpDecorate %place BuiltIn LocalInvocationIndex
OpDecorate %words ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%n0 = OpConstant %uint 0
%n1 = OpConstant %uint 1
%n3 = OpConstant %uint 3
%pin = OpTypePointer Input %uint
%place = OpVariable %pin Input
%words = OpTypeRuntimeArray %uint
%block = OpTypeStruct %words
%pblock = OpTypePointer StorageBuffer %block
%pword = OpTypePointer StorageBuffer %uint
%data = OpVariable %pblock StorageBuffer
%f = OpTypeFunction %void
%main = OpFunction %void None %f
%entry = OpLabel
%i = OpLoad %uint %place
%to = OpAccessChain %pword %data %n0 %i
%low = OpBitwiseAnd %uint %i %n1
%odd = OpIEqual %bool %low %n1
OpBranchConditional %odd %join %even
%even = OpLabel
%triple = OpIMul %uint %i %n3
OpBranch %join
%join = OpLabel
%v = OpPhi %uint %n1 %entry %triple %even
OpStore %to %v
OpReturn
OpFunctionEnd
END
}

# computes FILE ARGUMENTS…: the results of that module
computes() {
  run 0 --buffer=0:0:u32[8]=0 --dispatch=1 --dump-buffer=0:0 "$@"
  got=$(awk '$1 == "buffer" { on = 1; next } on { for (i = 2; i <= NF; i++) printf "%s ", $i }' "$WORK/out")
  [ "$got" = "0 1 6 1 12 1 18 1 " ] || fail "$*: $got"
}

# passes ARGUMENTS…: a case that `new` makes passes in the emulator
passes() {
  "$HARNESS" new "$@" -o "$WORK/new.amber" 2>"$WORK/err" || fail "new $*: $(cat "$WORK/err")"
  "$HARNESS" run --device=emu "$WORK/new.amber" >"$WORK/out" 2>&1 || fail "run of new $*: $(cat "$WORK/out")"
}

# script FILE: the module in a case
script() {
  printf '#!amber\nSHADER compute s SPIRV-ASM\n'
  cat "$1"
  printf 'END\nBUFFER data DATA_TYPE uint32 SIZE 8 FILL 0\nPIPELINE compute p\nATTACH s\n'
  printf 'BIND BUFFER data AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\nRUN p 1 1 1\n'
  printf 'EXPECT data IDX 0 EQ 0 1 6 1 12 1 18 1\n'
}

# ---- text without a version ------------------------------------------------------------------------

text "" "" "" >"$WORK/lists.spvasm"
text "" "" %data >"$WORK/lists_all.spvasm" # as from 1.4 on
text "; what it shows

  ; Version: 1.5" "" %data >"$WORK/stated.spvasm"
for name in lists lists_all stated; do
  computes "$WORK/$name.spvasm"
  passes "$WORK/$name.spvasm"
  script "$WORK/$name.spvasm" >"$WORK/case.amber"
  run 0 "$WORK/case.amber"
  "$HARNESS" run --device=emu --transform=auto "$WORK/case.amber" >"$WORK/out" 2>&1 || fail "$name: $(cat "$WORK/out")"
done

# ---- what SPIRV-Tools does not know ---------------------------------------------------------------

known='OpSource GLSL 450'
newer='OpSource !65000 1
OpExecutionMode %main !65001
OpDecorate %place !65002 !7
OpMemberDecorate %block 0 !65003'
text "; Version: 1.3
OpCapability !65004" "$newer" "" >"$WORK/newer.spvasm"
computes "$WORK/newer.spvasm"
says "note: validated only in part, SPIRV-Tools "
says "is older than the module: Invalid capability operand: 65004"
computes "$WORK/newer.spvasm" --transform=auto
passes "$WORK/newer.spvasm"
says "note: validated only in part, SPIRV-Tools "
script "$WORK/newer.spvasm" >"$WORK/case.amber"
run 0 "$WORK/case.amber" --transform=auto
says "case.amber: note: validated only in part, SPIRV-Tools "
"$HARNESS" run --device=emu --transform=auto "$WORK/case.amber" >"$WORK/out" 2>"$WORK/err" || fail "newer: $(cat "$WORK/out")"
prints "pass: shader s: not validated, SPIRV-Tools "
prints "is older than the module: Invalid capability operand: 65004"
# The rest is validated, and what is not a declaration is not left out.
text "; Version: 1.3" "$newer
OpDecorate %main Binding 1" "" >"$WORK/wrong.spvasm"
run 1 "$WORK/wrong.spvasm" --dispatch=1 && says "the input is not valid, spirv-val says: "
says "Binding"
text "; Version: 1.3" "$newer" "" | sed 's/^%triple/!0x0002fde8 %i\n&/' >"$WORK/wrong.spvasm"
run 1 "$WORK/wrong.spvasm" --dispatch=1 && says "is older than the module, which it has to check: Invalid opcode: 65000"
text "; Version: 1.3" "$known" "" >"$WORK/known.spvasm"
computes "$WORK/known.spvasm"
[ ! -s "$WORK/err" ] || fail "a note: $(cat "$WORK/err")"

# ---- what only Vulkan forbids -----------------------------------------------------------------------

text "; Version: 1.3" "$known" "" | sed 's/^%data = .*/&\n%extra = OpVariable %pword StorageBuffer/' >"$WORK/others.spvasm"
computes "$WORK/others.spvasm"
says "note: valid as SPIR-V 1.3, but not for Vulkan, spirv-val says: "
computes "$WORK/others.spvasm" --transform=auto
script "$WORK/others.spvasm" >"$WORK/case.amber"
run 0 "$WORK/case.amber"
says "case.amber: note: valid as SPIR-V 1.3, but not for Vulkan"

# ---- members in any order --------------------------------------------------------------------------

cat >"$WORK/order.comp" <<'END'
#version 450
layout(local_size_x = 32) in;
layout(push_constant) uniform P { layout(offset = 32) vec4 late; layout(offset = 16) float early; } p;
layout(std430, binding = 0) buffer B {
  layout(offset = 64) float rest[];
} b;
layout(std430, binding = 1) buffer C {
  layout(offset = 48) uint last;
  layout(offset = 16) uvec2 pair[2];
  layout(offset = 0) float first;
} c;
void main() {
  b.rest[gl_GlobalInvocationID.x] = p.late.x + p.early + c.first + float(c.last + c.pair[1].y);
}
END
run 0 "$WORK/order.comp" --json
grep -q -- '--push-constant=u8\[16\]=0+f32,u8x12,f32x4\[1\]=' "$WORK/err" || fail "push constants: $(cat "$WORK/err")"
grep -q -- '--buffer=0:1:f32,u8x12\[1\]=[0-9.,]*+u32x2\[2\]=random:[0-9]*+u8\[16\]=0+u32\[1\]=' "$WORK/err" ||
  fail "a buffer: $(cat "$WORK/err")"
passes "$WORK/order.comp"

# ---- HLSL -------------------------------------------------------------------------------------------

if command -v glslangValidator >/dev/null; then
  cat >"$WORK/registers.hlsl" <<'END'
StructuredBuffer<uint> from : register(t0);
RWStructuredBuffer<uint> to : register(u0);
cbuffer Sizes : register(b0) { uint n; }
[numthreads(8, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {
  if (id.x < n) to[id.x] = 2 * from[id.x];
}
END
  run 0 "$WORK/registers.hlsl" --dispatch=1 --buffer=0:0:u32[1]=3 --buffer=0:100:u32[4]=5,6,7,8 \
    --buffer=0:200:u32[4]=0 --dump-buffer=0:200
  says "registers.hlsl: note: registers of several classes have the same numbers: bindings are 0 + N for bN"
  got=$(awk '$1 == "buffer" { on = 1; next } on { print $2 }' "$WORK/out" | tr '\n' ' ')
  [ "$got" = "10 12 14 0 " ] || fail "registers.hlsl: $got"
  passes "$WORK/registers.hlsl"
else
  echo "skipped: HLSL, since glslangValidator is not installed"
fi
finish
