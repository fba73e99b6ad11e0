#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A program that hangs the device: with bound-loops in the layer it ends, spvreconv-layer-bisect finds the module, and
# spv-emu the loop and the lane.
#
#   tests/layer/hang.sh BUILD
# shellcheck source=tests/layer/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
use_driver "$SWIFTSHADER" # lavapipe bounds loops itself
export VK_INSTANCE_LAYERS=VK_LAYER_SPVRECONV_pipeline SPVRECONV_TRANSFORM=bound-loops:1000 PATH="$BUILD/bin:$PATH"

# The program: two cases, of which one never ends.
program="$BUILD/bin/spv-harness run --device=swiftshader --transform=none --timeout=3 \
  shaders/number/gcd64.amber tests/emu/progress/endless.amber"
# The search looks for what makes its command fail, and here that is a program that ends.
spvreconv-layer-bisect --dump="$WORK/hang" sh -c "! $program" >"$WORK/out" 2>&1 || fail "$(cat "$WORK/out")"
hash=$(sed -n 's/^needed: //p' "$WORK/out")
[ -e "$WORK/hang/$hash.before.spv" ] || fail "no module: $(cat "$WORK/out")"
spv-emu --policy=maximal --dispatch=1,1,1 --max-issues=100000 "$WORK/hang/$hash.before.spv" >"$WORK/out" 2>&1
grep -q 'limit: .* function main, loop at block %[0-9]*: 1 lane (0) in it after [0-9]* iterations' "$WORK/out" ||
  fail "no loop: $(cat "$WORK/out")"
finish
