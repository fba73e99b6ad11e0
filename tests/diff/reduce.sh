#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Reduces a case that differential.sh has kept with `spv-harness reduce` (docs/harness.md): first on the emulator,
# where only a transform can be wrong, then on the drivers, with the variants of the differential tests. The result has
# the emulator's results as EXPECTs.
#
#   tests/diff/reduce.sh BUILD CASE.amber OUT.amber
#
# MAX_RUNS: trials (20000).
set -u
[ $# = 3 ] || {
  echo "usage: $0 BUILD CASE.amber OUT.amber" >&2
  exit 2
}
BUILD=$1 case=$2 out=$3
# shellcheck source=tests/diff/common.sh.inc
. tests/diff/common.sh.inc

for device in emu $(echo "$DEVICES" | tr , ' '); do
  said=$("$BIN/spv-harness" reduce --device="$device" --emu-subgroup-size=8 --transform="$VARIANTS" \
    --max-runs="${MAX_RUNS:-20000}" "$case" -o "$out" 2>&1) && {
    printf '%s\n' "$said"
    "$BIN/expect_emu" "$out"
    exit
  }
done
printf '%s\n' "$said" >&2
echo "$case: nothing to reduce; if policies of the emulator differ, expect_emu says so" >&2
exit 1
