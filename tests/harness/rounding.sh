#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whose rounding makes a picture differ? A ray marcher of sums, products, quotients, square roots and floor gives the
# same bits in the emulator and on the drivers; with one function of GLSL in the place of such a formula, the pixels
# that differ are that function's. The table of docs/emulator.md counts them.
#
#   sh tests/harness/rounding.sh SPV-HARNESS
#   sh tests/harness/rounding.sh SPV-HARNESS --table | tools/insert_table.sh rounding docs/emulator.md
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
march=tests/harness/rounding/march.amber
functions="LENGTH INVERSESQRT FACTOR FMA MIX NORMALIZE SIN EXP POW ATAN"

# differs DEVICE MACRO: how many pixels of the picture are others than the emulator's
differs() {
  sed "s/-DPLAIN/-D$2/" $march >"$WORK/march.amber"
  rm -rf "$WORK/kept"
  "$HARNESS" run --device="$1" --against=emu --transform=none --artifacts="$WORK/kept" "$WORK/march.amber" \
    >"$WORK/out" 2>"$WORK/err"
  if grep -q "none pass" "$WORK/out"; then
    echo 0
  else
    jq '.buffers[0].differing' "$(find "$WORK/kept" -name failure.json)"
  fi
}

if [ "${2:-}" = --table ]; then
  echo "| Function | lavapipe | SwiftShader |"
  echo "| --- | ---: | ---: |"
  for function in PLAIN $functions; do
    name=$(echo "$function" | tr '[:upper:]' '[:lower:]')
    [ "$function" != PLAIN ] || name=none
    echo "| $name | $(differs lavapipe "$function") | $(differs swiftshader "$function") |"
  done
  exit
fi

for function in $functions; do
  grep -q "^#ifdef $function\$" $march || fail "$march has no $function"
done
"$HARNESS" list-devices >"$WORK/devices" 2>&1
for device in lavapipe swiftshader; do
  if ! grep -q "^$device " "$WORK/devices"; then
    echo "skipped $device: it is not installed"
    continue
  fi
  run 0 run --device=$device --against=emu --transform=none $march
  ends "1 passed, 0 failed, 0 skipped"
done
finish
