#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# merge-iterations: on shaders/loop/points.amber at least a quarter of the issues is gone, under machines with a stack
# and under those that follow merge instructions; it declines where the code around the inner loop is larger, but
# may be told to merge.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

# issues CASE POLICY [OPTION]
issues() {
  file=$1 policy=$2
  shift 2
  run 0 --json --policy="$policy" "$@" "$file"
  figure issued
}

for policy in pdom structured maximal tf-stack; do
  before=$(issues shaders/loop/points.amber $policy)
  after=$(issues shaders/loop/points.amber $policy --transform=merge-iterations,structurize)
  [ $((4 * after)) -le $((3 * before)) ] || fail "points under $policy: $before issues before, $after after"
done

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
finish
