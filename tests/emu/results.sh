#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Are the results of --before and --after compared, and does the last line say so?
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

# last FILE TEXT: the last line of the file is the text
last() {
  [ "$(tail -n 1 "$WORK/$1")" = "$2" ] || fail "the last line is not '$2': $(tail -n 4 "$WORK/$1")"
}

module="$WORK/module.spvasm"
sed 's/OpIAdd %6 %14 %8/OpISub %6 %14 %8/' "$module" >"$WORK/other.spvasm"
sed 's/^OpStore.*//' "$module" >"$WORK/idle.spvasm"
sed '/Op.*%33/d; /%13/d; /%14/d' "$module" >"$WORK/none.spvasm"
buffer='--buffer=0:5:u32[8]=0..'

run 0 --before="$module" --after="$module" && last out 'results: equal'
run 1 --before="$module" --after="$WORK/other.spvasm" "$buffer" && last out 'results: differ'
prints 'differs: structured, 32 lanes: buffer 0:5, element 0 (byte 0): 1 before, 4294967295 after; 8 of 8 elements differ'
run 1 --before="$module" --after="$WORK/idle.spvasm" && last out 'results: differ'
# Each policy and size is compared with itself.
run 1 --policy=scalar,pdom --subgroup-size=4,8 --before="$module" --after="$WORK/other.spvasm" "$buffer"
[ "$(grep -c '^differs: ' "$WORK/out")" = 4 ] || fail "not four differences: $(cat "$WORK/out")"
prints 'differs: pdom, 8 lanes: buffer 0:5'
run 0 --policy=all --before="$module" --after="$module" && last out 'results: equal'

# A page, JSON and CSV say the same; standard output remains one object, or one table.
run 1 --before="$module" --after="$WORK/other.spvasm" "$buffer" --report="$WORK/page.html" && last out 'results: differ'
[ -s "$WORK/page.html" ] || fail "no page"
run 1 --before="$module" --after="$WORK/other.spvasm" "$buffer" --json && last err 'results: differ'
[ "$(jq -r '.comparison.verdict, .comparison.compared, (.comparison.differences | length)' "$WORK/out" | tr '\n' ' ')" = 'differ 1 1 ' ] ||
  fail "--json: $(jq .comparison "$WORK/out")"
run 0 --before="$module" --after="$module" "$buffer" --csv && last err 'results: equal'

# What only one module has: a difference if it is written, and named if not. Nothing compared is not equal.
run 1 --before="$module" --after="$WORK/none.spvasm" --buffers=auto && last out 'results: differ'
prints 'differs: structured, 32 lanes: buffer 0:5: only before has it, and writes it'
run 1 --before="$WORK/none.spvasm" --after="$WORK/none.spvasm" && last out 'results: not compared'
prints 'not compared: no run of both modules left anything in a buffer or an image'
run 1 --before="$WORK/idle.spvasm" --after="$WORK/none.spvasm" --buffers=auto && last out 'results: not compared'
prints 'not compared: structured, 32 lanes: buffer 0:5: only before has it, and leaves it unchanged'

# What is made up is the same for both, also where the second module does not declare all that the first one does.
sed 's/^OpDecorate %33 Binding.*/&\
OpDecorate %36 DescriptorSet 0\
OpDecorate %36 Binding 2/; s/^%33 = .*/&\
%36 = OpVariable %32 StorageBuffer/; s/^OpStore.*/%37 = OpAccessChain %34 %36 %7 %7\
%38 = OpLoad %6 %37\
&/' "$module" >"$WORK/more.spvasm"
run 0 --before="$WORK/more.spvasm" --after="$module" --subgroup-size=4,8 && last out 'results: equal'
prints 'not compared: structured, 8 lanes: buffer 0:2: only before has it, and leaves it unchanged'
run 0 --before="$module" --after="$WORK/more.spvasm" && last out 'results: equal'

# A policy that does not apply to one of them is named; runs that end differently differ.
sed 's/^OpStore.*/%50 = OpUGreaterThan %55 %15 %8\
OpBranchConditional %50 %60 %61\
%60 = OpLabel\
OpBranch %61\
%61 = OpLabel\
OpStore %13 %15/; s/^%9 = .*/&\
%55 = OpTypeBool/' "$module" >"$WORK/free.spvasm"
run 0 --policy=structured,pdom --before="$WORK/free.spvasm" --after="$module" "$buffer" && last out 'results: equal'
prints 'not compared: structured, 32 lanes: skip before, ok after'
run 1 --policy=structured --before="$WORK/free.spvasm" --after="$module" "$buffer" && last out 'results: not compared'
sed 's/^OpReturn$/OpBranch %70\
%70 = OpLabel\
OpLoopMerge %72 %71 None\
OpBranch %71\
%71 = OpLabel\
OpBranch %70\
%72 = OpLabel\
OpReturn/' "$module" >"$WORK/endless.spvasm"
run 1 --max-issues=1000 --before="$module" --after="$WORK/endless.spvasm" "$buffer" && last out 'results: differ'
prints 'differs: structured, 32 lanes: ok before, limit after'
run 1 --max-issues=1000 --before="$WORK/endless.spvasm" --after="$WORK/endless.spvasm" "$buffer" && last out 'results: not compared'

# Scripts: their buffers, by name. Draws: their attachments. Images.
sed 's/OpIAdd %6 %14 %8/OpISub %6 %14 %8/; /^EXPECT/d' "$WORK/case.amber" >"$WORK/other.amber"
run 0 --before="$WORK/case.amber" --after="$WORK/case.amber" && last out 'results: equal'
run 1 --before="$WORK/case.amber" --after="$WORK/other.amber" && last out 'results: differ'
prints 'buffer data, element 0 (byte 0): 3 before, 4294967293 after; 8 of 8 elements differ'
sed 's/SERIES_FROM 0/SERIES_FROM 1/; /^EXPECT/d' "$WORK/case.amber" >"$WORK/other.amber"
run 1 --before="$WORK/case.amber" --after="$WORK/other.amber" && last out 'results: not compared'
prints 'not compared: structured, 32 lanes: buffer data: before and after begin with different contents'
sed 's/SIZE 8 SERIES/SIZE 9 SERIES/; /^EXPECT/d' "$WORK/case.amber" >"$WORK/other.amber"
run 1 --before="$WORK/case.amber" --after="$WORK/other.amber" && last out 'results: not compared'
prints 'buffer data: before and after have it in different sizes'
sed 's/0\.5, 1\.0/0.25, 1.0/' "$WORK/rings.frag" >"$WORK/blue.frag"
run 0 --before="$WORK/rings.frag" --after="$WORK/rings.frag" --framebuffer=16x8 && last out 'results: equal'
run 1 --before="$WORK/rings.frag" --after="$WORK/blue.frag" --framebuffer=16x8 && last out 'results: differ'
prints 'attachment 0, element'
for value in 1 2; do
  cat >"$WORK/image$value.comp" <<END
#version 450
layout(set = 0, binding = 1, r32ui) uniform uimage2D image;
void main() { imageStore(image, ivec2(1, 0), uvec4($value)); }
END
done
run 0 --before="$WORK/image1.comp" --after="$WORK/image1.comp" --buffer='0:1:R32_UINT[4x4]=0' && last out 'results: equal'
run 1 --before="$WORK/image1.comp" --after="$WORK/image2.comp" --buffer='0:1:R32_UINT[4x4]=0' && last out 'results: differ'
prints 'buffer 0:1, element 1 (byte 4): 1 before, 2 after; 1 of 16 elements differ'

# Ballots: which lanes run together shows in what they store.
sed 's/^OpCapability Shader/&\
OpCapability GroupNonUniform\
OpCapability GroupNonUniformBallot/; s/^%9 = .*/&\
%40 = OpTypeVector %6 4\
%41 = OpConstant %6 3\
%42 = OpTypeBool\
%43 = OpConstantTrue %42/; s/^%15 = .*/%44 = OpGroupNonUniformBallot %40 %41 %43\
%15 = OpCompositeExtract %6 %44 0/' "$module" >"$WORK/ballot.spvasm"
sed 's/^%44 = .*/%45 = OpULessThan %42 %12 %41\
OpSelectionMerge %63 None\
OpBranchConditional %45 %62 %63\
%62 = OpLabel\
OpBranch %63\
%63 = OpLabel\
&/' "$WORK/ballot.spvasm" >"$WORK/meets.spvasm"
sed 's/^%44 = .*/%45 = OpULessThan %42 %12 %41\
OpSelectionMerge %63 None\
OpBranchConditional %45 %62 %63\
%62 = OpLabel\
&\
OpStore %13 %46\
OpBranch %63\
%63 = OpLabel/; s/^%15 = .*//; s/OpStore %13 %15//; s/%46/%7/' "$WORK/ballot.spvasm" >"$WORK/parts.spvasm"
run 0 --before="$WORK/ballot.spvasm" --after="$WORK/meets.spvasm" "$buffer" && last out 'results: equal'
run 1 --before="$WORK/ballot.spvasm" --after="$WORK/parts.spvasm" "$buffer" && last out 'results: differ'

# Floats within a tolerance; integers, and which element is the first beyond it.
near() {
  cat >"$WORK/$1.comp" <<END
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { vec2 v[8]; uint last; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  v[i] = uintBitsToFloat(floatBitsToUint(vec2(i + 1u)) + uvec2($2u, i == 3u ? $3u : $2u));
  last = $4;
}
END
}
near exact 0 0 5
near apart 2 4 5
near count 0 0 6
run 0 --before="$WORK/exact.comp" --after="$WORK/apart.comp" --ulps=4 && last out 'results: equal'
run 1 --before="$WORK/exact.comp" --after="$WORK/apart.comp" --ulps=3 && last out 'results: differ'
prints 'buffer 0:0, byte 28: 4 before, 4.00000191 after; 1 of 17 numbers are more than 3 ulps apart'
run 1 --before="$WORK/exact.comp" --after="$WORK/apart.comp" --ulps=1 && prints 'byte 0: 1 before, 1.00000024 after; 16 of 17'
run 1 --before="$WORK/exact.comp" --after="$WORK/count.comp" --ulps=9 && prints 'byte 64: 5 before, 6 after; 1 of 17'
run 2 --ulps=1 "$module" && says "--ulps is for the comparison of --before and --after; name both"
run 2 --before="$module" --after="$module" --ulps=x && says "--ulps expects a number, not 'x'"
finish
