#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Mutations of every shader, as glslang compiles it with debug information, of every assembly module
# and of generated ones.
#
#   tests/mutate.sh TEST_MUTATE [--count=N] [--seed=S]
set -eu
test_mutate=$(realpath "$1")
shift
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$(dirname "$test_mutate")/gen_modules" --debug "$work" shaders/*/*.comp shaders/*/*.frag shaders/*/*.vert
"$test_mutate" "$@" "$work"/*.spv shaders/*/*.spvasm tests/golden/*/*.spvasm
