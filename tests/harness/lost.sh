#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# After a device is lost: the remaining variants run in a new process; messages of the
# validation layer are reported although the driver crashes, and also those about closing the device.
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
lost=tests/harness/lost well=tests/harness/faults/well.amber

for device in lavapipe swiftshader; do
  run 1 run --device=$device --transform=none+unstructure:1,structurize "$lost/fence.amber"
  prints "none timeout; unstructure:1,structurize timeout"
  prints "timeout: vkWaitForFences: VK_TIMEOUT after 300 ms"
done

export VK_LAYER_PATH="$BIN/layers:/usr/share/vulkan/explicit_layer.d"
export VK_INSTANCE_LAYERS=VK_LAYER_SPVRECONV_test_fault
for device in lavapipe swiftshader; do
  run 1 run --device=$device --validation --transform=none "$lost/dies.amber"
  prints "crash: killed by signal 6 (Aborted): validation layer: VUID-"

  # A fence that is never destroyed; the last variant has not even run.
  SPV_TEST_FAULT=leak
  export SPV_TEST_FAULT
  run 1 run --device=$device --validation --transform=none+auto "$well"
  prints "none pass; auto fail"
  prints "fail: the modules are those of none; closing the device: validation layer: VUID-"
  unset SPV_TEST_FAULT
done
finish
