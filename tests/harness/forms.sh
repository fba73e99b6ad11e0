#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The forms of cases that the Vulkan CTS has: tests/harness/forms on both drivers under the validation
# layer and in the emulator. Only those in skip/ are skipped, with their reason, and the emulator
# skips graphics.
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
forms=tests/harness/forms

run 0 run --device=lavapipe,swiftshader --validation "$forms"/*.amber
ends "$(find "$forms" -maxdepth 1 -name '*.amber' | wc -l | awk '{ print 2 * $1 }') passed, 0 failed, 0 skipped"
run 0 run --device=emu "$forms"/*.amber
if grep "  skip: " "$WORK/out" | grep -v "a graphics pipeline; the emulator runs only compute pipelines"; then
  fail "skipped in the emulator"
fi
grep -q " pass" "$WORK/out" || fail "nothing ran in the emulator"

for case in "$forms"/skip/*.amber; do
  run 0 run --device=lavapipe,emu --transform=none "$case"
  ends "0 passed, 0 failed, 2 skipped"
  prints "  skip: $(sed -n 's/^# expect: //p' "$case")"
done
finish
