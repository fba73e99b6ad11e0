#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# share-calls: on shaders/micro/split_merge.amber, whose two ways call the same function, nearly half of the issues are gone,
# under machines with a stack and under those that follow merge instructions; best finds that, too. Where the lanes of a
# subgroup take one way together, or the function is small, nothing changes.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
# shellcheck source=tests/emu/profiled.sh.inc
. "$(dirname "$0")/profiled.sh.inc"

case=shaders/micro/split_merge.amber
for policy in pdom structured maximal; do
  before=$(issues $case $policy --transform=structurize)
  for list in share-calls,structurize best; do
    after=$(issues $case $policy --transform=$list)
    [ $((100 * after)) -le $((55 * before)) ] || fail "$case under $policy: $before issues before, $after after $list"
  done
done

# Bit 6 of the invocation's number is the same for all lanes of a subgroup, but not known to be.
sed -e '/%42 = OpBitwiseAnd/s/%uint_1/%uint_64/' -e '/^EXPECT/d' $case >"$WORK/together.amber"
for policy in pdom structured; do
  before=$(issues "$WORK/together.amber" $policy --transform=structurize)
  after=$(issues "$WORK/together.amber" $policy --transform=share-calls,structurize)
  [ "$after" -le $((before + before / 50)) ] || fail "one way: $before issues before, $after after"
done

# A condition that is a constant, and a function of no turn.
sed -e '/%43 = OpIEqual/s/%42 %uint_0/%uint_1 %uint_0/' -e '/^EXPECT/d' $case >"$WORK/uniform.amber"
sed -e '/%uint_100 = OpConstant/d' -e 's/OpULessThan %bool %58 %uint_100/OpULessThan %bool %58 %uint_0/' \
  -e 's/OpBranchConditional %61 %60 %62/OpBranch %62/' -e '/%60 = OpLabel/,/OpBranch %57/d' \
  -e 's/ %59 %60$//' -e '/^EXPECT/d' $case >"$WORK/small.amber"
for name in uniform small; do
  [ "$(issues "$WORK/$name.amber" pdom --transform=share-calls)" = "$(issues "$WORK/$name.amber" pdom)" ] ||
    fail "$name was changed"
done
finish
