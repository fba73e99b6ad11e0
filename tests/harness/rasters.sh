#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The samples that spv-emu/raster covers are those that lavapipe covers (8 sub-pixel bits), and
# SwiftShader (4): 10,000 random triangles and points with 1 and with 4 samples a pixel, on a grid of
# 8 bits, so that SwiftShader rounds them. Lines are as lavapipe draws them (SwiftShader draws others)
# and always the same: lavapipe misses a pixel of about one line in 15,000 at the left edge.
#
#   tests/harness/rasters.sh SPV-HARNESS [SEED]
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
seed=${2:-1}

# cases DEVICE SUBPIXEL_BITS
cases() {
  mkdir "$WORK/$1"
  for shape in triangles points; do
    for samples in 1 4; do
      "$BIN/gen_rasters" $shape 8 "$2" $samples 10000 "$seed" \
        >"$WORK/$1/${shape}_$samples.amber" || fail "gen_rasters $shape"
    done
  done
}

# same DEVICE COUNT: all cases pass
same() {
  if ! grep -q "^$1 " "$WORK/devices"; then
    echo "skipped $1: it is not installed"
    return
  fi
  "$HARNESS" run --device="$1" --transform=none "$WORK/$1" >"$WORK/out" 2>&1
  tail -n 1 "$WORK/out" | grep -qx "$2 passed, 0 failed, 0 skipped" ||
    fail "$1 covers other samples: $(cat "$WORK/out")"
}

"$HARNESS" list-devices >"$WORK/devices" 2>&1
cases lavapipe 8
"$BIN/gen_rasters" lines 8 8 1 1000 1 >"$WORK/lavapipe/lines.amber" || fail "gen_rasters lines"
cases swiftshader 4
mkdir "$WORK/emu" # whole draws; fewer, for shading takes time
"$BIN/gen_rasters" triangles 8 8 4 500 "$seed" >"$WORK/emu/triangles.amber" || fail "gen_rasters"
"$BIN/gen_rasters" points 8 8 1 10000 "$seed" >"$WORK/emu/points.amber" || fail "gen_rasters"
"$BIN/gen_rasters" lines 8 8 4 1000 "$seed" >"$WORK/emu/lines.amber" || fail "gen_rasters"
same emu 3
same lavapipe 5
same swiftshader 4
finish
