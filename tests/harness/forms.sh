#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The forms of cases that the Vulkan CTS has, and VkScript: tests/harness/forms and vkscript on both
# drivers under the validation layer and in the emulator. A driver skips only cases for which it
# lacks a feature; the emulator lacks geometry and tessellation shaders; only the cases in skip/ are skipped
# because of what they contain.
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
forms=tests/harness/forms
scripts=tests/harness/vkscript

# only REASON: everything that was skipped was skipped for this reason
only() {
  grep "[ :] skip: " "$WORK/out" | grep -v "$1" && fail "skipped for another reason than '$1'"
}

run 0 run --device=lavapipe --validation "$forms"/*.amber "$scripts"
only "the device lacks the feature depthBounds" # lavapipe of Mesa 22.3
run 0 run --device=swiftshader --validation "$forms"/*.amber "$scripts"
only "the device lacks the feature"
run 0 run --device=emu --transform=none "$forms"/*.amber "$scripts"
only "a stage that the emulator lacks\|with adjacency are not supported"
ran=$(grep -c "^emu $scripts/.* none pass" "$WORK/out")
[ "$ran" -ge 38 ] || fail "only $ran VkScript cases ran in the emulator"

# Each probe counts: with other values expected, each case with a probe fails.
mkdir "$WORK/wrong"
for case in "$scripts"/*.amber; do
  last=$(grep -n "probe" "$case" | tail -n 1 | cut -d: -f1)
  sed -E "${last} {
    /ssbo/! s/[0-9.]+(\\)?)\$/0.33\\1/
    s/ >= / < /
    s/ != / <> /
    s/ (==|~=) / != /
    s/ <> / == /
  }" "$case" >"$WORK/wrong/$(basename "$case")"
done
run 1 run --device=lavapipe --transform=none "$WORK/wrong"
grep " pass$" "$WORK/out" && fail "passed in spite of a wrong expectation"

for case in "$forms"/skip/*.amber; do
  run 0 run --device=lavapipe,emu --transform=none "$case"
  ends "0 passed, 0 failed, 2 skipped"
  prints " skip: $(sed -n 's/^# expect: //p' "$case")"
done
finish
