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
n=0
for file in shaders/*/*.comp shaders/*/*.frag shaders/*/*.vert; do
  n=$((n + 1))
  glslangValidator -gVS --target-env vulkan1.3 "$file" -o "$work/$n.spv" >/dev/null
done
"$test_mutate" "$@" "$work"/*.spv shaders/*/*.spvasm tests/golden/*/*.spvasm
