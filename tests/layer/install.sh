#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The layer, installed to an empty prefix: the loader finds it by its name and, with
# SPVRECONV_ENABLE=1, without being named.
#
#   tests/layer/install.sh BUILD
# shellcheck source=tests/layer/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

cmake --install "$BUILD" --prefix "$WORK/prefix" >"$WORK/out" 2>&1 || fail "$(cat "$WORK/out")"
use_driver "$LAVAPIPE"
export SPVRECONV_DUMP="$WORK/dump"

# used STATE WHAT: the only module of a program went through the layer, or did not
used() {
  rm -rf "$WORK/dump"
  "$BUILD/bin/minimal_vulkan" >"$WORK/out" 2>&1 || fail "$2: $(cat "$WORK/out")"
  found=no
  [ -d "$WORK/dump" ] && [ "$(find "$WORK/dump" -name '*.after.spv' | wc -l)" = 1 ] && found=yes
  [ $found = "$1" ] || fail "$2: used: $found"
}

export VK_LAYER_PATH="$WORK/prefix/share/vulkan/explicit_layer.d"
used no "not requested"
VK_INSTANCE_LAYERS=VK_LAYER_SPVRECONV_pipeline used yes "by name"

export XDG_DATA_HOME="$WORK/prefix/share"
used no "not enabled"
export SPVRECONV_ENABLE=1
used yes "implicitly"
VK_INSTANCE_LAYERS=VK_LAYER_SPVRECONV_pipeline used yes "by name and implicitly"
SPVRECONV_DISABLE=1 used no "disabled"
unset SPVRECONV_ENABLE SPVRECONV_DUMP XDG_DATA_HOME VK_LAYER_PATH

# The commands around it find it without any variable.
for transform in auto strip-merges,structurize; do
  SPVRECONV_TRANSFORM=$transform "$WORK/prefix/bin/spvreconv-layer-bisect" "$BUILD/bin/minimal_vulkan" \
    >"$WORK/out" 2>&1 && fail "bisect $transform: exit code 0"
  grep -qF "and the command is good" "$WORK/out" || fail "bisect $transform: $(cat "$WORK/out")"
  grep -qF "the layer saw no module" "$WORK/out" && fail "bisect $transform: $(cat "$WORK/out")"
done
"$WORK/prefix/bin/spvreconv-layer-diff" --help >/dev/null || fail "no spvreconv-layer-diff"
finish
