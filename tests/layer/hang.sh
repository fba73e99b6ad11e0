#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A program that hangs the device. With bound-loops in the layer it ends, and the log names the modules, the loops
# with their lines, and the lanes that did not leave them; spvreconv-layer-bisect finds them, also where the device
# does not tell.
#
#   tests/layer/hang.sh BUILD
# shellcheck source=tests/layer/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
export VK_INSTANCE_LAYERS=VK_LAYER_SPVRECONV_pipeline:VK_LAYER_KHRONOS_validation PATH="$BUILD/bin:$PATH"

has() {
  grep -q -- "$1" "$WORK/log" || fail "$driver: no '$1' in: $(cat "$WORK/log")"
}

for driver in lavapipe swiftshader; do
  rm -f "$WORK/log"
  SPVRECONV_TRANSFORM=bound-loops:1000 SPVRECONV_LOG="$WORK/log" spv-harness run --device=$driver --transform=none \
    --validation tests/layer/runaway.amber >"$WORK/out" 2>&1 || fail "$driver: $(cat "$WORK/out")"
  has '^spvreconv: module [0-9a-f]*: function steps, loop at block %[0-9]* (walk.comp:6): bound-loops took 4 lanes out of it: invocations (6, 0, 0), (7, 0, 0), (14, 0, 0), (15, 0, 0)$'
  has '^spvreconv: module [0-9a-f]*: function main, loop at block %[0-9]* (fade.frag:5): bound-loops took 4 lanes out of it: pixels (4, 7), (5, 7), (6, 7), (7, 7)$'
  [ "$(grep -c 'bound-loops took' "$WORK/log")" = 2 ] || fail "$driver: other loops, too: $(cat "$WORK/log")"
done

# The check would refuse the code of records.
rm -f "$WORK/log"
SPVRECONV_CHECK=1 SPVRECONV_TRANSFORM=bound-loops:100000 SPVRECONV_LOG="$WORK/log" \
  spv-harness run --device=lavapipe --transform=none tests/emu/progress/endless.amber >"$WORK/out" 2>&1
has '^spvreconv: loops are bounded, but which of them ran away is not recorded: SPVRECONV_CHECK=1 accepts no code'
grep -q 'the original is used' "$WORK/log" && fail "checked: $(cat "$WORK/log")"

# The search. lavapipe bounds loops itself.
use_driver "$SWIFTSHADER"
export VK_INSTANCE_LAYERS=VK_LAYER_SPVRECONV_pipeline
program="spv-harness run --device=swiftshader --transform=none --timeout=60 shaders/loop/collatz.amber tests/emu/progress/endless.amber"
# shellcheck disable=SC2086
spvreconv-layer-bisect --hang=60 --dump="$WORK/told" $program >"$WORK/log" 2>&1
has '^module [0-9a-f]*: function main, loop at block %[0-9]*: bound-loops took 1 lane out of it: invocation (0, 0, 0)$'
hash=$(sed -n 's/^module \([0-9a-f]*\):.*/\1/p' "$WORK/log")
[ -e "$WORK/told/$hash.before.spv" ] || fail "no module: $(cat "$WORK/log")"

# A device that does not tell.
# shellcheck disable=SC2016
spvreconv-layer-bisect --hang=6 sh -c "$program; status=\$?"'; sed -i "/bound-loops took/d" "$SPVRECONV_LOG"; exit $status' \
  >"$WORK/log" 2>&1
has "^needed: $hash$"
has '^the command ends if only these change:$'
SPVRECONV_TRANSFORM='' spvreconv-layer-bisect --hang=x true >"$WORK/log" 2>&1 && fail "a time of x seconds"
has 'unknown option, or one without its value: --hang=x'
finish
