#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Different failures have different outcomes, and the run continues: a wrong EXPECT, a broken transform, a
# driver that crashes or hangs.
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
faults=tests/harness/faults

export VK_LAYER_PATH="$BIN/layers" VK_INSTANCE_LAYERS=VK_LAYER_SPVRECONV_test_fault
for device in lavapipe swiftshader; do
  run 1 run --device=$device --timeout=5 --transform=none "$faults"
  prints "$faults/crash.amber: none crash"
  prints "crash: killed by signal 6 (Aborted)"
  prints "$faults/hang.amber: none timeout"
  prints "timeout: no result after 5 s"
  prints "$faults/wrong.amber: none fail"
  prints "fail: line 17: data at byte 0 (element 0, value 0) is 7, expected EQ 8"
  prints "$faults/well.amber: none pass"
  ends "1 passed, 3 failed, 0 skipped"
done

# Variants after one that crashed are run in a new process.
run 1 run --device=swiftshader "$faults/crash.amber" --transform=none+unstructure:1
prints "none crash; unstructure:1 crash"
unset VK_LAYER_PATH VK_INSTANCE_LAYERS

run 0 run --device=lavapipe,swiftshader --transform=none+strip-merges,structurize \
  "$faults/well.amber"
ends "4 passed, 0 failed, 0 skipped"
run 0 run --device=lavapipe,swiftshader --validation --transform=none+strip-merges,structurize \
  tests/harness/flip
prints "pass: depths has several samples of depth or stencil: not compared"
ends "6 passed, 0 failed, 0 skipped"
unset SPVRECONV_CHECK # the drivers are to find it
SPV_HARNESS_TEST=flip
export SPV_HARNESS_TEST
run 1 run --device=lavapipe,swiftshader --transform=none+strip-merges,structurize \
  "$faults/well.amber"
prints "none pass; strip-merges,structurize fail"
prints "fail: line 25: data at byte"
ends "2 passed, 2 failed, 0 skipped"
run 1 run --device=lavapipe,swiftshader --transform=none+strip-merges,structurize tests/harness/flip
prints "fail: buffer picture, mip level 1, element 1"
prints "fail: buffer picture, element 1"
ends "6 passed, 6 failed, 0 skipped"
# Without a device, --check compares nothing for the module as written, and does not count it as passed.
run 0 run --check --device=none --transform=none "$faults/well.amber"
ends "0 passed, 0 failed, 0 skipped"
# --check finds the broken transform before anything runs, and finds nothing without it.
run 1 run --check --device=none --transform=none+strip-merges,structurize "$faults/well.amber"
prints "none same; strip-merges,structurize fail"
prints "fail: shader work: --check: function main, block"
# A variant that meets the EXPECTs, but differs from one that does not, fails too.
sed 's/EQ 2 3 3 3/EQ 0 1 2 3/' "$faults/well.amber" >"$WORK/inverted.amber"
run 1 run --device=emu --transform=none+strip-merges,structurize "$WORK/inverted.amber"
prints "none fail; strip-merges,structurize fail"
prints "fail: buffer data, element 0 (byte 0): 0, but 2 in variant none"
unset SPV_HARNESS_TEST
finish
