#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Convergence barriers on the command line: placement, listings given back, figures; and which scheme
# ends where lanes of a subgroup wait for one another.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
figure1=shaders/frontier/figure1.amber progress=tests/emu/progress

# issues OPTIONS…: of figure 1 under the policy barrier
issues() {
  run 0 --policy=barrier --csv "$figure1" "$@"
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["issued"] - $at["overhead"], $at["overhead"] }' "$WORK/out"
}

# Six blocks of 13 instructions; with post-dominators three of them run twice.
[ "$(issues)" = "117 5" ] || fail "ipdom: $(issues)"
[ "$(issues --barrier-placement=frontier)" = "78 13" ] || fail "frontier: $(issues --barrier-placement=frontier)"

# A listing given back is the same program; without BREAK lanes wait for those that went elsewhere.
run 0 --policy=barrier --barrier-placement=frontier "$figure1" --dump-barriers="$WORK/listing"
grep -q 'BREAK B2$' "$WORK/listing" || fail "no BREAK: $(cat "$WORK/listing")"
[ "$(issues --barriers="$WORK/listing")" = "78 13" ] || fail "given back: $(issues --barriers="$WORK/listing")"
sed 's/BREAK B\(.\)$/BMOV B\1/' "$WORK/listing" >"$WORK/edited"
run 1 --policy=barrier --barriers="$WORK/edited" "$figure1" && prints "deadlock" &&
  prints "all lanes of a subgroup wait for one another"
run 0 --policy=structured,barrier --json shaders/loop/collatz.amber && prints '"max_live": 3'
grep -q '"barriers"' "$WORK/out" || fail "no figures of barriers"

# Lanes of different iterations meet in an inner loop, but not if they communicate in the outer one.
sums=tests/emu/placement/collatz_sums.amber
# all_issues PLACEMENT CASE: and the case's EXPECTs hold
all_issues() {
  run 0 --policy=barrier --subgroup-size=32 --csv --barrier-placement="$1" "$2"
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["issued"] }' "$WORK/out"
}
each=$(all_issues ipdom "$sums") together=$(all_issues speculative "$sums")
[ $((together * 4)) -le $((each * 3)) ] || fail "speculative: $together of $each issues"
sed 's/      sum++;/      sum += min(1u, atomicAdd(tops[0], 0u) + 1u);/' "$sums" >"$WORK/atomic.amber"
grep -q atomicAdd "$WORK/atomic.amber" || fail "no atomic operation was added"
[ "$(all_issues ipdom "$WORK/atomic.amber")" = "$(all_issues speculative "$WORK/atomic.amber")" ] ||
  fail "speculative: lanes that communicate wait for one another in a loop"

# The loop is named: function, block and line.
run 1 --policy=pdom --annotate "$progress/spin_lock.amber" && prints "livelock" &&
  prints "function main, loop at block %" && prints " (line 7): 31 lanes"
run 0 --policy=barrier --barrier-scheduling=round-robin "$progress/spin_lock.amber" && prints "  ok"
run 1 --policy=pdom --max-issues=1000 shaders/loop/collatz.amber && prints "limit"

# A loop that counts in an image is not for ever, although registers and buffers are as they were when an
# iteration ends: the later values take the register of the count.
cat >"$WORK/counter.amber" <<'AMBER'
#!amber
SHADER compute count GLSL
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D counter;
layout(set = 0, binding = 1) buffer Results { uint results[]; };
bool again() {
  imageAtomicAdd(counter, ivec2(0), 1u);
  bool more = imageLoad(counter, ivec2(0)).x < 60000u;
  uvec4 a = imageLoad(counter, ivec2(1)), b = imageLoad(counter, ivec2(2)); // outside: 0, 0, 0, 1
  return more && a.x + b.y * a.z + b.w * a.w == 1u;
}
void main() {
  uint id = gl_LocalInvocationIndex;
  if (id == 0u)
    while (again()) {
    }
  results[id] = 1u;
}
END
IMAGE counter FORMAT R32_UINT DIM_2D WIDTH 1 HEIGHT 1 FILL 0
BUFFER results DATA_TYPE uint32 SIZE 32 FILL 0
PIPELINE compute p
  ATTACH count
  BIND BUFFER counter AS storage_image DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER results AS storage DESCRIPTOR_SET 0 BINDING 1
END
RUN p 1 1 1
EXPECT results IDX 0 EQ 1
AMBER
run 0 --policy=pdom,maximal "$WORK/counter.amber"

# At the limit, the loop at fault is named: not the loop of four iterations inside it. Bounded, it ends.
endless=$progress/endless.amber
for policy in scalar pdom tf-stack structured maximal barrier dwf; do
  run 1 --policy=$policy --annotate --max-issues=100000 "$endless"
  prints "limit: more than 100000 instructions issued (--max-issues): function main, loop at block %" &&
    prints " (line 6): 1 lane (0) in it after "
done
run 0 --policy=pdom,structured --transform=bound-loops:200 "$endless"
run 1 --policy=pdom --max-issues=1000 --transform=bound-loops shaders/loop/collatz.amber && prints "limit"

# Iterations are those of the subgroup, not of others before it, nor of others between its barriers.
cat >"$WORK/short.comp" <<'GLSL'
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Sums { uint sums[]; };
void main() {
  for (uint i = 0u; i < 64u; i++) {
    sums[gl_LocalInvocationIndex] += i;
    barrier();
  }
}
GLSL
grep -v 'barrier()' "$WORK/short.comp" >"$WORK/plain.comp"
for shader in short plain; do
  run 1 --policy=pdom --subgroup-size=4 --dispatch=9,1,1 --max-issues=12000 "$WORK/$shader.comp"
  grep -q ' in it after [1-6]\{0,1\}[0-9] iterations; subgroup [1-9][0-9]* issued only [0-9]* instr.*: raise --max-issues$' \
    "$WORK/out" || fail "$shader: $(cat "$WORK/out")"
done

# The table of docs/barriers.md.
tools/progress.sh "$EMU" >"$WORK/table"
sed -n '/^| Scheme /,/^$/p' docs/barriers.md | sed '/^$/d' | diff - "$WORK/table" ||
  fail "docs/barriers.md has another table than tools/progress.sh prints"
finish
