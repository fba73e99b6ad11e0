#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# If libraries are missing, or what the code assumes of the machine does not hold, CMake says in one line for each which parts are not built, and continues.
# Usage: parts.sh BUILD-DIRECTORY
# shellcheck source=tests/library/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
hidden=none

# without VARIABLE PART...: these parts, and no others, are not built if the variable is OFF
without() {
  quietly cmake -S . -B "$work/build" -U"$hidden" -D"$1=OFF"
  hidden=$1
  shift
  for part; do
    grep -q "^-- Not built: $part; missing: " "$work/log" || fail "$hidden=OFF: $part is not named: $(cat "$work/log")"
  done
  [ "$(grep -c '^-- Not built: ' "$work/log")" = $# ] || fail "$hidden=OFF: $(grep '^-- Not' "$work/log")"
}

without SPVRECONV_TESTS
without SPVRECONV_TOOLS
without SPVRECONV_INT128 spv-emu spv-harness
without SLEEF_LIBRARY spv-emu spv-harness
without GLSLANG_LIBRARY "GLSL as input of spvreconv" spv-emu spv-harness
without XXHASH_LIBRARY spv-emu spv-harness "the Vulkan layer"
without SQLITE_LIBRARY spv-harness
without VULKAN_INCLUDE spv-harness "the Vulkan layer"
without VULKAN_LIBRARY "the tests of spv-harness and of the Vulkan layer"
without CMOCKA_LIBRARY "the tests"
echo ok
