#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Machine code of random loops (native_loops.awk): test_native_loops compares it with the interpreter; every
# other shader has values instead of variables.
#   tests/native_loops.sh TEST_NATIVE_LOOPS [COUNT [FIRST_SEED]]
set -eu
TEST=$1
COUNT=${2:-100}
FIRST=${3:-1}
here=$(dirname "$0")
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

if ! command -v glslangValidator >/dev/null || ! command -v spirv-opt >/dev/null; then
  echo "skipped: needs glslangValidator and spirv-opt"
  exit 77
fi

seed=$FIRST
while [ "$seed" -lt $((FIRST + COUNT)) ]; do
  awk -v seed="$seed" -f "$here/native_loops.awk" >"$WORK/loops.comp"
  glslangValidator -V --target-env vulkan1.1 -o "$WORK/$seed.spv" "$WORK/loops.comp" >"$WORK/log" || {
    cat "$WORK/log"
    exit 1
  }
  [ $((seed % 2)) = 1 ] ||
    spirv-opt --ssa-rewrite --eliminate-dead-code-aggressive "$WORK/$seed.spv" -o "$WORK/$seed.spv"
  seed=$((seed + 1))
done
"$TEST" "$WORK"/*.spv
