#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# merge-iterations: on shaders/loop/points.amber at least a quarter of the issues is gone, under machines with a stack
# and under those that follow merge instructions; it declines where the code around the inner loop is larger, but
# may be told to merge.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
# shellcheck source=tests/emu/profiled.sh.inc
. "$(dirname "$0")/profiled.sh.inc"

for policy in pdom structured maximal tf-stack; do
  before=$(issues shaders/loop/points.amber $policy)
  after=$(issues shaders/loop/points.amber $policy --transform=merge-iterations,structurize)
  [ $((4 * after)) -le $((3 * before)) ] || fail "points under $policy: $before issues before, $after after"
done

# best finds it, too.
[ $((4 * $(issues shaders/loop/points.amber pdom --transform=best))) -le \
  $((3 * $(issues shaders/loop/points.amber pdom))) ] || fail "best does not merge the loops of points"

# One step a turn instead of four: the loop over points is larger than the one over steps.
sed 's/next(next(next(next(z, c), c), c), c)/z * z + c/' shaders/loop/points.amber | grep -v '^EXPECT' >"$WORK/small.amber"
for policy in pdom structured; do
  before=$(issues "$WORK/small.amber" $policy)
  [ "$(issues "$WORK/small.amber" $policy --transform=merge-iterations)" = "$before" ] ||
    fail "the loop was merged although that does not pay"
  [ "$(issues "$WORK/small.amber" $policy --transform=merge-iterations:all,structurize)" -ne "$before" ] ||
    fail "all: the loop was not merged"
done

# No loop of these is merged: the issues stay as they are.
for file in shaders/loop/collatz.amber shaders/divergence/double_loop.amber shaders/bench/mandelbrot.amber; do
  [ "$(issues "$file" structured --transform=merge-iterations)" = "$(issues "$file" structured)" ] ||
    fail "$file was changed"
done

# With a profile the gain is known: points is merged, the loops whose slowest lane is always the same are not. What is
# foretold is what is issued, apart from the code outside of the loops.
profiled shaders/loop/points.amber pdom merge-iterations structurize
[ $((4 * after)) -le $((3 * before)) ] || fail "points with a profile: $before issues before, $after after"
for file in shaders/divergence/double_loop.amber shaders/loop/life.amber shaders/loop/triangular.amber; do
  profiled "$file" pdom merge-iterations structurize
  [ "$before" = "$after" ] || fail "$file was merged: $before issues before, $after after"
  says "merge-iterations leaves the loop alone: on the profile's paths it would issue "
done
finish
