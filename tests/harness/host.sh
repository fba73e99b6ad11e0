#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples/kernel: the host converts and runs its three kernels (an image, local memory, gotos) on each Vulkan driver that
# is installed, without a message of the validation layer.
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

"$BIN/spvreconv" --transform=none examples/kernel/kernels.cl -o "$WORK/kernels.spv" 2>"$WORK/err" || {
  grep -q "clang" "$WORK/err" || fail "$(cat "$WORK/err")"
  echo "skipped: $(cat "$WORK/err")"
  finish
  exit
}
# Four lines of 16 letters; the last buffer is shorter than its contents.
printf 'a goto in OpenCLC   is a jump   from one word toanother, no more' >"$WORK/text"

# host EXPECTED KERNEL ARGUMENTS…
host() {
  expected=$1
  shift
  got=$(VK_INSTANCE_LAYERS=$layer "$BIN/run_kernel" "$WORK/kernels.spv" "$@" 2>&1) || fail "$driver: $*: exit code $?"
  [ "$got" = "$expected" ] || fail "$driver: $*: $got"
}

layer=
[ ! -e /usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json ] || layer=VK_LAYER_KHRONOS_validation
run 0 list-devices
grep -A 1 -e '^lavapipe .*Vulkan' -e '^swiftshader .*Vulkan' "$WORK/out" | sed -n 's/^ *\(\/.*\.json\)$/\1/p' >"$WORK/drivers"
[ -s "$WORK/drivers" ] || echo "skipped: no Vulkan driver is installed"
export ASAN_OPTIONS=detect_leaks=0
while read -r driver; do
  export VK_DRIVER_FILES="$driver" VK_ICD_FILENAMES="$driver"
  host "4 6 4 4 4 4 3 8" words 1 4 "u32[16]=@$WORK/text" 16 "u32[8]"
  host "36 100" sum 2 8 "u32[16]=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16" "u32[2]" 8
  host "8 0 0 0 5 0 0 0 6 0 0 0 8 0 0 0 13 0 0 0 7 0 0 0 3 0 0 0 4 0 0 0" \
    blur 2,2 2,1 "f32[4x2]=0,0,0,0,9,0,0,0,0,0,0,0,18,0,0,0,27" "f32[4x2]"
done <"$WORK/drivers"
if "$BIN/run_kernel" "$WORK/kernels.spv" word 1 4 2>"$WORK/err"; then
  fail "there is no kernel word"
fi
says "run_kernel: the module has no such kernel"
finish
