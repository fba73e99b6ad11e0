#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Do the modules of --before and --after run subgroup operations with the same lanes? The values that they store are
# equal in all these shaders.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

# last FILE TEXT: the last line of the file is the text
last() {
  [ "$(tail -n 1 "$WORK/$1")" = "$2" ] || fail "the last line is not '$2': $(tail -n 4 "$WORK/$1")"
}

# shader NAME LINE...: a compute shader; the lines are lines 10 and on
shader() {
  name=$1
  shift
  {
    cat <<'HEAD'
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 16) in;
layout(std430, set = 0, binding = 0) buffer Data { uint data[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint lane = gl_SubgroupInvocationID;
  bool all = true, any = true;
HEAD
    printf '  %s\n' "$@" '  data[i] = uint(all) + uint(any);' '}'
  } >"$WORK/$name.comp"
}

# compare CODE BEFORE AFTER OPTION...
compare() {
  code=$1 before=$2 after=$3
  shift 3
  run "$code" --before="$WORK/$before.comp" --after="$WORK/$after.comp" --subgroup-size=8 --dispatch=2 "$@"
}

# tells JQ VALUE: the tangles of --json
tells() {
  [ "$(jq -c ".comparison.tangles | $1" "$WORK/out")" = "$2" ] || fail "$1: $(jq -c .comparison.tangles "$WORK/out")"
}

shader together 'if (i > 5u)' '  data[i] = 1u;' 'all = subgroupAll(true);'
shader apart 'if (i > 5u)' '  all = subgroupAll(true);' 'else' '  all = subgroupAll(true);'
compare 0 together together && last out 'results: equal'
compare 0 together together --json && tells '.equal, .lanes, .lanes_different' "true
32
0"
compare 1 together apart && last out 'results: differ'
prints 'differs: structured, 8 lanes: OpGroupNonUniformAll ('
prints ', subgroup 0: lanes 0-7 before, lanes 0-5 after; it differs for '
compare 1 together apart --json && last err 'results: differ'
tells .equal false && tells '.differences[0].before.lanes' '[0,1,2,3,4,5,6,7]'
tells '[.differences[0] | .policy, .subgroup, .lane, .before.line]' '["structured",0,0,12]'
tells '.differences[0].after | .operation, .lanes' '"OpGroupNonUniformAll"
[0,1,2,3,4,5]'
# Policies are compared one by one: scalar runs each lane by itself.
compare 0 together apart --policy=scalar && last out 'results: equal'
compare 1 together apart --policy=scalar,pdom && prints 'differs: pdom, 8 lanes: OpGroupNonUniformAll'
compare 0 together apart --policy=opt && last out 'results: equal'
# Threads change nothing.
compare 1 together apart --threads=2 && prints 'lanes 0-5 after'

# The lines of the sources are not the same, but the tangles are; a later subgroup alone differs.
shader moved '' 'if (i > 5u)' '  data[i] = 1u;' '' 'all = subgroupAll(true);'
compare 0 together moved && last out 'results: equal'
shader late 'if (i > 29u)' '  all = subgroupAll(true);' 'else' '  all = subgroupAll(true);'
compare 1 together late && prints 'subgroup 3: lanes 0-7 before, lanes 0-5 after'

# An operation that one module lacks; two in another order; in a loop, another number of times.
shader both 'if (lane < 4u)' '  all = subgroupAll(true);' 'any = subgroupAny(true);'
shader one '' '' 'any = subgroupAny(true);'
compare 1 both one && prints 'comp:11), subgroup 0: lanes 0-3 before, not run by lane 0 after; it differs for 16 lanes'
[ "$(grep -c '^differs: ' "$WORK/out")" = 1 ] || fail "not one difference: $(cat "$WORK/out")"
compare 1 one both && prints 'comp:11), subgroup 0: not run by lane 0 before, lanes 0-3 after'
compare 1 one both --json && tells '.differences[0].before' null
shader forward 'all = subgroupAll(true);' 'any = subgroupAny(true);'
shader backward '' 'any = subgroupAny(true);' 'all = subgroupAll(true);'
compare 1 forward backward && last out 'results: differ'
shader turns 'for (uint k = 0u; k <= lane; k++)' '  any = subgroupAny(true);'
shader fewer 'for (uint k = 0u; k <= min(lane, 6u); k++)' '  any = subgroupAny(true);'
compare 0 turns turns && last out 'results: equal'
compare 1 turns fewer && prints 'comp:11), subgroup 0: lane 7 before, not run by lane 7 after'

# Modules without lines; the default policy of two modules that run under two.
vote='s/^OpCapability Shader/&\
OpCapability GroupNonUniform\
OpCapability GroupNonUniformVote/; s/^%9 = .*/&\
%41 = OpConstant %6 3\
%42 = OpTypeBool\
%43 = OpConstantTrue %42/; '
sed "$vote"'s/^OpStore.*/%44 = OpGroupNonUniformAll %42 %41 %43\
&/' "$WORK/module.spvasm" >"$WORK/bare.spvasm"
sed "$vote"'s/^OpStore.*/&\
%45 = OpULessThan %42 %12 %41\
OpSelectionMerge %63 None\
OpBranchConditional %45 %62 %63\
%62 = OpLabel\
%44 = OpGroupNonUniformAll %42 %41 %43\
OpBranch %63\
%63 = OpLabel/' "$WORK/module.spvasm" >"$WORK/branch.spvasm"
run 1 --before="$WORK/bare.spvasm" --after="$WORK/branch.spvasm" '--buffer=0:5:u32[8]=0..'
prints 'OpGroupNonUniformAll (function main, block %10) before, OpGroupNonUniformAll (function main, block %62) after, subgroup 0: lanes 0-7 before, lanes 0-2 after; it differs for 3 lanes'
prints 'OpGroupNonUniformAll (function main, block %10), subgroup 0: lanes 0-7 before, not run by lane 3 after; it differs for 5 lanes'
sed /OpSelectionMerge/d "$WORK/branch.spvasm" >"$WORK/free.spvasm"
run 0 --before="$WORK/free.spvasm" --after="$WORK/branch.spvasm" '--buffer=0:5:u32[8]=0..' && last out 'results: equal'
prints 'which lanes run subgroup operations together: before ran under maximal; name one --policy for both'
run 0 --policy=maximal --before="$WORK/free.spvasm" --after="$WORK/branch.spvasm" '--buffer=0:5:u32[8]=0..'

# The shaders of a draw.
cat >"$WORK/draw.frag" <<'END_OF_SHADER'
#version 450
#extension GL_KHR_shader_subgroup_vote : require
layout(location = 0) out vec4 color;
void main() {
  color = vec4(0.5);
  if (gl_FragCoord.x < 3.0)
    color.x = subgroupAll(true) ? 0.5 : 0.0;
}
END_OF_SHADER
sed 's/< 3.0/< 4.0/' "$WORK/draw.frag" >"$WORK/wider.frag"
run 0 --before="$WORK/draw.frag" --after="$WORK/draw.frag" --framebuffer=8x8 && last out 'results: equal'
run 1 --before="$WORK/draw.frag" --after="$WORK/wider.frag" --framebuffer=8x8 && prints 'draw.frag:7) before'
finish
