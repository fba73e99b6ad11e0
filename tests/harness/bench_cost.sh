#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares one variant of a trivial compute case with a minimal Vulkan program that creates the
# device and dispatches once: CPU time of the whole processes, over 30 runs of each.
#
#   tests/harness/bench_cost.sh SPV-HARNESS
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
runs=30

# spent COMMAND…: user and system time of a command and its children, in ms
spent() (
  "$@" >"$WORK/out" 2>&1
  times >"$WORK/times"
  awk -F '[ms ]+' 'NR == 2 { print 1000 * (60 * ($1 + $3) + $2 + $4) }' "$WORK/times"
)

minimal() {
  i=0
  while [ $i -lt $runs ]; do
    VK_DRIVER_FILES=$1 VK_ICD_FILENAMES=$1 "$BIN/minimal_vulkan"
    i=$((i + 1))
  done
}

mkdir "$WORK/cases"
i=0
while [ $i -lt $runs ]; do
  cp tests/harness/bench/trivial.amber "$WORK/cases/$i.amber"
  i=$((i + 1))
done
echo "CPU in ms: one variant of a trivial case, a minimal Vulkan program, ratio"
for device in lavapipe swiftshader; do
  icd=$("$HARNESS" list-devices | grep -A 1 "^$device " | awk 'NR == 2 { print $1 }')
  ours=$(spent "$HARNESS" run --device=$device --transform=none --jobs=1 "$WORK/cases")
  least=$(spent minimal "$icd")
  awk "BEGIN { printf \"%-12s %6.1f %6.1f %5.2f\\n\", \"$device\", $ours / $runs, $least / $runs, $ours / $least }"
done
