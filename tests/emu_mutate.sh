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
n=0
for file in shaders/*/*.amber; do # each shader of a case becomes a file, by its language
  n=$((n + 1))
  awk -v "stem=$work/$n" '
    /^END/ { name = "" }
    name != "" { print >name }
    /^SHADER compute .* GLSL/ { name = stem "-" ++shaders ".comp" }
    /^SHADER vertex .* GLSL/ { name = stem "-" ++shaders ".vert" }
    /^SHADER fragment .* GLSL/ { name = stem "-" ++shaders ".frag" }
    /^SHADER (compute|vertex|fragment) .* SPIRV-ASM/ { name = stem "-" ++shaders ".spvasm" }' "$file"
done
for file in shaders/*/*.comp "$work"/*.comp "$work"/*.vert "$work"/*.frag; do
  n=$((n + 1))
  glslangValidator -gVS --target-env vulkan1.3 "$file" -o "$work/$n.spv" >/dev/null
done
"$test_mutate" "$@" "$work"/*.spv "$work"/*.spvasm shaders/*/*.spvasm tests/golden/*/*.spvasm \
  tests/fuzz/*.spvasm
