#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The questions by which SIMT-Step (Chen, Rehman, Martinez, Sorensen, PLDI 2026) tells its instantiations apart, put to the
# policies: do lanes that run together store, load and branch as one? docs/emulator.md has the answers.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

joining=pdom,tf-stack,tf-sandy,structured,maximal,ssy,minpc,stackless,jip,barrier
lockstep=none,$joining

# ask QUESTION: the body of main follows on standard input; lane i leaves its answer in answer[i]
ask() {
  question=$1
  {
    cat <<'HEAD'
#!amber
SHADER compute question GLSL TARGET_ENV spv1.3
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) buffer Answer { uint answer[8]; };
layout(std430, set = 0, binding = 1) buffer Places { volatile uint place[2]; };
void main() {
  uint lane = gl_LocalInvocationID.x;
HEAD
    cat
    cat <<'TAIL'
}
END
BUFFER answer DATA_TYPE uint32 SIZE 8 FILL 9
BUFFER places DATA_TYPE uint32 SIZE 2 FILL 0
PIPELINE compute p
  ATTACH question
  BIND BUFFER answer AS storage DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER places AS storage DESCRIPTOR_SET 0 BINDING 1
END
RUN p 1 1 1
TAIL
  } >"$WORK/$question"
}

# answers POLICIES NUMBER...: what the lanes leave under each of the policies
answers() {
  policies=$1
  shift
  { cat "$WORK/$question" && echo "EXPECT answer IDX 0 EQ $*"; } >"$WORK/$question.amber"
  run 0 --policy="$policies" "$WORK/$question.amber"
  [ "$(grep -c ' ok$' "$WORK/out")" = "$(echo "$policies" | tr , '\n' | wc -l)" ] || fail "$question: $(cat "$WORK/out")"
}

# Collective memory: is what one lane reads what all read, after a store of all to one place?
ask collective_store <<'END_OF_BODY'
  place[0] = lane;
  answer[lane] = place[0];
END_OF_BODY
answers "$lockstep" 7 7 7 7 7 7 7 7
answers scalar 0 1 2 3 4 5 6 7

# Synchronous memory: stores of two lanes to two places in opposite order. If each lane ran by itself, one place would hold 1.
ask opposite_stores <<'END_OF_BODY'
  uint first = lane & 1u;
  if (lane < 2u) {
    place[first] = 1u;
    place[1u - first] = 2u;
  }
  answer[lane] = place[0] * 10u + place[1];
END_OF_BODY
answers "$lockstep" 22 22 22 22 22 22 22 22
answers scalar 12 21 21 21 21 21 21 21

# Synchronous control flow: do lanes that branch together see the place before any of them has changed it in a branch?
ask branch_together <<'END_OF_BODY'
  uint went;
  if (place[0] == 0u) {
    place[0] = 1u;
    went = subgroupBallotBitCount(subgroupBallot(true));
  } else {
    went = 0u;
  }
  answer[lane] = went;
END_OF_BODY
answers "$lockstep" 8 8 8 8 8 8 8 8
answers scalar 1 0 0 0 0 0 0 0

# Subgroup operations: those of two arms are two operations, however alike; after the arms it is one again.
ask arms_apart <<'END_OF_BODY'
  uint inside;
  if (lane < 3u)
    inside = subgroupBallotBitCount(subgroupBallot(true));
  else
    inside = subgroupBallotBitCount(subgroupBallot(true));
  answer[lane] = inside * 10u + subgroupBallotBitCount(subgroupBallot(true));
END_OF_BODY
answers "$joining" 38 38 38 58 58 58 58 58
answers none 33 33 33 55 55 55 55 55
answers scalar 11 11 11 11 11 11 11 11
finish
