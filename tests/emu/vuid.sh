#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --check=vuid: of each rule in docs/vuid.md a shader that breaks it, and one that keeps it.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
docs=$(dirname "$0")/../../docs/vuid.md
seen=$WORK/seen

# compute NAME EXTENSION DECLARATIONS STATEMENTS: a compute shader of 8 invocations; `i` is the number of its own
compute() {
  printf '#version 450\n#extension %s : require\nlayout(local_size_x = 8) in;\n%s\nvoid main() {\nuint i = gl_LocalInvocationIndex;\n%s\n}\n' \
    "$2" "$3" "$4" >"$WORK/$1.comp"
}

# fragment NAME DECLARATIONS STATEMENTS
fragment() {
  printf '#version 450\nlayout(location = 0) out vec4 color;\n%s\nvoid main() {\n%s\n}\n' "$2" "$3" >"$WORK/$1.frag"
}

# breaks FILE RULE TEXT: the run says so, and fails
breaks() {
  run 1 --check=vuid --policy=structured --subgroup-size=8 "$WORK/$1" && prints "structured: $2: function main" && prints "$3"
  echo "$2" >>"$seen"
}

# keeps FILE: nothing is found
keeps() {
  run 0 --check=vuid --policy=structured,maximal --subgroup-size=8 "$WORK/$1"
  grep -E 'VUID|SPIR-V' "$WORK/out" && fail "$1: a false alarm"
  return 0
}

# ---- descriptors -------------------------------------------------------------------------------------

vuid=VUID-RuntimeSpirv-NonUniform-06274
buffers='layout(set = 0, binding = 1) buffer B { uint v; } b[4];'
compute bad_buffer GL_EXT_nonuniform_qualifier "$buffers" 'b[i & 3].v = 1;'
breaks bad_buffer.comp $vuid "bad_buffer.comp:7, OpStore, operand %"
breaks bad_buffer.comp $vuid "lanes 0 and 1 of subgroup 0 have set 0 binding 1 element 0 and set 0 binding 1 element 1 (32 issues)"
compute good_buffer GL_EXT_nonuniform_qualifier "$buffers" 'b[nonuniformEXT(i & 3)].v = 1;'
keeps good_buffer.comp
compute same_buffer GL_EXT_nonuniform_qualifier "$buffers" 'b[gl_WorkGroupID.x & 3].v = 1;'
keeps same_buffer.comp
compute bad_atomic GL_EXT_nonuniform_qualifier "$buffers" 'atomicAdd(b[i & 1].v, 1);'
breaks bad_atomic.comp $vuid "OpAtomicIAdd"
images='layout(set = 0, binding = 0) buffer O { vec4 o[8]; }; layout(set = 0, binding = 1) uniform sampler2D t[2];'
compute bad_image GL_EXT_nonuniform_qualifier "$images" 'o[i] = textureLod(t[i & 1], vec2(0), 0);'
breaks bad_image.comp $vuid "OpImageSampleExplicitLod"
compute good_image GL_EXT_nonuniform_qualifier "$images" 'o[i] = textureLod(t[nonuniformEXT(i & 1)], vec2(0), 0);'
keeps good_image.comp
texels='layout(set = 0, binding = 1, r32ui) uniform uimage2D t[2];'
compute bad_texel GL_EXT_nonuniform_qualifier "$texels" 'imageAtomicAdd(t[i & 1], ivec2(0), 1);'
breaks bad_texel.comp $vuid "OpAtomicIAdd"
compute good_texel GL_EXT_nonuniform_qualifier "$texels" 'imageAtomicAdd(t[nonuniformEXT(i & 1)], ivec2(0), 1);'
keeps good_texel.comp

# ---- values of subgroup operations --------------------------------------------------------------------

out='layout(set = 0, binding = 0) buffer O { uint o[8]; };'
# assembly NAME CAPABILITIES STATEMENTS: %i is the invocation's index, %n0 to %n3 numbers
assembly() {
  cat >"$WORK/$1.spvasm" <<END
$2
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %index
OpExecutionMode %main LocalSize 8 1 1
OpDecorate %index BuiltIn LocalInvocationIndex
%void = OpTypeVoid
%nothing = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%pointer = OpTypePointer Input %uint
%index = OpVariable %pointer Input
%n0 = OpConstant %uint 0
%n1 = OpConstant %uint 1
%n2 = OpConstant %uint 2
%n3 = OpConstant %uint 3
%main = OpFunction %void None %nothing
%entry = OpLabel
%i = OpLoad %uint %index
%odd = OpBitwiseAnd %uint %i %n1
$3
OpReturn
OpFunctionEnd
END
}

# within TEXT: statements that only the odd lanes run
within() {
  printf '%%is = OpIEqual %%bool %%odd %%n1\nOpSelectionMerge %%end None\nOpBranchConditional %%is %%then %%end\n%%then = OpLabel\n%s\nOpBranch %%end\n%%end = OpLabel' "$1"
}

ballot=$(printf 'OpCapability Shader\nOpCapability GroupNonUniformBallot\nOpCapability GroupNonUniformQuad')
assembly bad_broadcast "$ballot" '%x = OpGroupNonUniformBroadcast %uint %n3 %i %odd'
breaks bad_broadcast.spvasm VUID-RuntimeSpirv-subgroupBroadcastDynamicId-06277 "have 0 and 1"
assembly good_broadcast "$ballot" "$(within '%x = OpGroupNonUniformBroadcast %uint %n3 %i %odd')"
keeps good_broadcast.spvasm
assembly bad_quad "$ballot" '%x = OpGroupNonUniformQuadBroadcast %uint %n3 %i %odd'
breaks bad_quad.spvasm VUID-RuntimeSpirv-subgroupBroadcastDynamicId-06276 "have 0 and 1"
assembly good_quad "$ballot" '%quad = OpShiftRightLogical %uint %i %n2
%x = OpGroupNonUniformQuadBroadcast %uint %n3 %i %quad'
keeps good_quad.spvasm
rotate='OpCapability Shader OpCapability GroupNonUniformRotateKHR OpExtension "SPV_KHR_subgroup_rotate"'
rotate=$(echo "$rotate" | sed 's/ Op/\nOp/g')
assembly bad_rotate "$rotate" '%x = OpGroupNonUniformRotateKHR %uint %n3 %i %odd'
breaks bad_rotate.spvasm "SPIR-V OpGroupNonUniformRotateKHR" "have 0 and 1"
assembly good_rotate "$rotate" '%x = OpGroupNonUniformRotateKHR %uint %n3 %i %n2'
keeps good_rotate.spvasm
groups=$(printf 'OpCapability Shader\nOpCapability Groups\nOpCapability GroupNonUniformArithmetic')
assembly bad_group_broadcast "$groups" '%x = OpGroupBroadcast %uint %n2 %i %odd'
breaks bad_group_broadcast.spvasm "SPIR-V OpGroupBroadcast" "have 0 and 1"
assembly good_group_broadcast "$groups" '%x = OpGroupBroadcast %uint %n2 %i %n2'
keeps good_group_broadcast.spvasm

# ---- control flow ------------------------------------------------------------------------------------

compute bad_barrier GL_KHR_shader_subgroup_basic "$out" 'if (i < 4) barrier(); o[i] = i;'
breaks bad_barrier.comp "SPIR-V OpControlBarrier" "in subgroup 0 lane 0 is active, lane 4 is not"
compute good_barrier GL_KHR_shader_subgroup_basic "$out" 'if (gl_WorkGroupID.x < 4) barrier(); o[i] = i;'
keeps good_barrier.comp
assembly bad_group "$groups" "$(within '%x = OpGroupIAdd %uint %n2 Reduce %i')"
breaks bad_group.spvasm "SPIR-V group instructions" "in subgroup 0 lane 1 is active, lane 0 is not"
assembly good_group "$groups" '%x = OpGroupIAdd %uint %n2 Reduce %i'
keeps good_group.spvasm
fragment bad_derivative '' 'float x = gl_FragCoord.x; color = vec4(0); if (int(x) % 2 == 0) color = vec4(dFdx(x * x));'
breaks bad_derivative.frag "SPIR-V derivative instructions" "bad_derivative.frag:5, OpDPdx: a derivative"
fragment bad_sample 'layout(binding = 0) uniform sampler2D t;' \
  'color = vec4(0); if (int(gl_FragCoord.y) % 2 == 0) color = texture(t, gl_FragCoord.xy);'
breaks bad_sample.frag "SPIR-V derivative instructions" "OpImageSampleImplicitLod"
fragment good_derivative '' \
  'float x = gl_FragCoord.x; float d = dFdx(x * x); color = vec4(0); if (int(x) % 2 == 0) color = vec4(d);'
keeps good_derivative.frag

# ---- convergence -------------------------------------------------------------------------------------

# partial FILE RULE: --check=convergence reports it, and --check=vuid does not
partial() {
  run 1 --check=convergence --policy=structured --subgroup-size=8 "$WORK/$1" && prints "structured: $2: function main"
  run 0 --check=vuid --policy=structured --subgroup-size=8 "$WORK/$1"
  echo "$2" >>"$seen"
}
buffer='layout(set = 0, binding = 0) buffer B { uint v[]; };'
compute part_ballot GL_KHR_shader_subgroup_ballot "$buffer" 'if (i < 3) v[i] = subgroupBallot(true).x;'
partial part_ballot.comp "convergence of the subgroup"
compute part_quad GL_KHR_shader_subgroup_quad "$buffer" 'if (i % 4 < 3) v[i] = subgroupQuadSwapHorizontal(i);'
partial part_quad.comp "convergence of the quad"
compute whole_quad GL_KHR_shader_subgroup_quad "$buffer" 'if (i < 4) v[i] = subgroupQuadSwapHorizontal(i);'
run 0 --check=convergence --policy=structured,maximal --subgroup-size=8 "$WORK/whole_quad.comp"

# ---- other outputs -----------------------------------------------------------------------------------

run 1 --check=vuid --policy=maximal --threads=2 --json "$WORK/bad_broadcast.spvasm"
[ "$(jq -c '.results[0].breaches | map([.rule, .opcode, .lanes, .values, .count])' "$WORK/out")" = \
  '[["VUID-RuntimeSpirv-subgroupBroadcastDynamicId-06277","GroupNonUniformBroadcast",[0,1],["0","1"],1]]' ] ||
  fail "--json: $(jq -c '.results[0].breaches' "$WORK/out")"
run 1 --check=vuid "$WORK/bad_broadcast.spvasm" && prints "structured: VUID-RuntimeSpirv-subgroupBroadcastDynamicId-06277"
run 0 --policy=structured "$WORK/bad_broadcast.spvasm"
run 0 --check=vuid --policy=pdom "$WORK/bad_broadcast.spvasm"
says "--check=vuid looks at policies structured and maximal only"
run 2 --check=colour "$WORK/bad_broadcast.spvasm" && says "--check expects a list of vuid, convergence and uniform, not 'colour'"
run 0 --check=uniform,vuid --policy=structured "$WORK/good_broadcast.spvasm"

# every rule has been broken, and is in the manual
sed -n 's/^EMU_RULE([A-Z_]*, "\([^"]*\)".*/\1/p' "$(dirname "$0")/../../spv-emu/engine/rules.def" | sort >"$WORK/rules"
sort -u "$seen" | cmp -s - "$WORK/rules" || fail "rules without a case: $(sort -u "$seen" | comm -13 - "$WORK/rules")"
while read -r rule; do
  grep -qF -- "$rule" "$docs" || fail "docs/vuid.md does not name $rule"
done <"$WORK/rules"
finish
