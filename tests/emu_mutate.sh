#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Mutations, in the emulator, of every shader and every assembly module.
#
#   tests/emu_mutate.sh TEST_EMU_MUTATE [--count=N] [--seed=S]
set -eu
test_mutate=$(realpath "$1")
shift
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$(dirname "$test_mutate")/gen_modules" --debug "$work" shaders/*/*.comp shaders/*/*.amber >/dev/null
"$test_mutate" "$@" "$work"/*.spv shaders/*/*.spvasm tests/golden/*/*.spvasm \
  tests/fuzz/*.spvasm
