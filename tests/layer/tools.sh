#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Third-party programs through the layer, under the validation layer, on both drivers: vulkaninfo prints
# the same as without it, vkcube draws 300 frames under a virtual X server, and neither gets a message.
#
#   tests/layer/tools.sh BUILD
# shellcheck source=tests/layer/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
both=VK_LAYER_SPVRECONV_pipeline:VK_LAYER_KHRONOS_validation

# quiet WHAT FILE…: both layers were loaded, and the validation layer has no message
quiet() {
  what=$1
  shift
  if grep -E 'VUID|UNASSIGNED|Validation (Error|Warning)' "$@"; then
    fail "$what: the validation layer has a message"
  fi
  for layer in VK_LAYER_SPVRECONV_pipeline VK_LAYER_KHRONOS_validation; do
    grep -q "Insert instance layer \"\{0,1\}$layer" "$@" || fail "$what: $layer was not loaded"
  done
}

info() {
  vulkaninfo >"$WORK/plain" 2>"$WORK/err" || fail "vulkaninfo: $(cat "$WORK/err")"
  VK_INSTANCE_LAYERS=$both VK_LOADER_DEBUG=layer vulkaninfo >"$WORK/layered" 2>"$WORK/err" ||
    fail "vulkaninfo with the layer: $(cat "$WORK/err")"
  quiet "vulkaninfo" "$WORK/layered" "$WORK/err"
  # The validation layer adds its own extensions. Devices and their limits stay the same, except for
  # the memory that is in use at the time (Mesa 25 reports it).
  for output in plain layered; do
    sed -n '/^Device Properties and Extensions/,$p' "$WORK/$output" |
      grep -vE '^\s*(budget|usage) +=' >"$WORK/$output.devices"
  done
  [ -s "$WORK/plain.devices" ] || fail "vulkaninfo prints no devices"
  diff "$WORK/plain.devices" "$WORK/layered.devices" || fail "the output of vulkaninfo differs"
}

cube() {
  VK_INSTANCE_LAYERS=$both VK_LOADER_DEBUG=layer SPVRECONV_DUMP="$WORK/dump" \
    SPVRECONV_TRANSFORM=strip-merges,structurize SPVRECONV_LOG="$WORK/log" \
    timeout 120 xvfb-run -a vkcube --c 300 --validate --suppress_popups >"$WORK/cube" 2>&1 ||
    fail "vkcube: exit code $?: $(tail -n 5 "$WORK/cube")"
  quiet "vkcube" "$WORK/cube"
  if ! grep -qx 'spvreconv: vkcube: 2 modules: [01] changed, [12] unchanged, 0 refused; [0-9.]* ms' "$WORK/log" ||
    [ "$(wc -l <"$WORK/log")" != 1 ]; then
    fail "vkcube: not one line at exit: $(cat "$WORK/log")"
  fi
  rm "$WORK/log"
  [ "$(find "$WORK/dump" -name '*.after.spv' | wc -l)" = 2 ] || fail "vkcube: not two modules"
}

for driver in "$LAVAPIPE" "$SWIFTSHADER"; do
  use_driver "$driver"
  info
  cube
done
finish
