#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The fuzzers' seeds: every shader and every assembly module of the tests as a binary; every case as text;
# and a dictionary of AmberScript's words.
#
#   tests/fuzz/corpus.sh FOLDER     fills FOLDER/module, FOLDER/amber and FOLDER/amber.dict
set -eu
to=$1
mkdir -p "$to/module" "$to/amber"
to=$(realpath "$to")
cd "$(dirname "$0")/../.."
n=0
for file in shaders/*/*.amber tests/harness/amber/*.amber tests/harness/vkscript/*.amber tests/regressions/amber/*.amber; do
  [ -e "$file" ] || continue
  n=$((n + 1))
  [ "$(wc -c <"$file")" -gt 20000 ] || cp "$file" "$to/amber/$n.amber"
  awk -v "stem=$to/$n" ' # each shader of a case, by its language
    /^END/ { name = "" }
    name != "" { print >name }
    /^SHADER compute .* GLSL/ { name = stem "-" ++shaders ".comp" }
    /^SHADER vertex .* GLSL/ { name = stem "-" ++shaders ".vert" }
    /^SHADER geometry .* GLSL/ { name = stem "-" ++shaders ".geom" }
    /^SHADER fragment .* GLSL/ { name = stem "-" ++shaders ".frag" }
    /^SHADER (compute|vertex|geometry|fragment) .* SPIRV-ASM/ { name = stem "-" ++shaders ".spvasm" }' "$file"
done
for file in shaders/*/*.comp shaders/*/*.frag shaders/*/*.vert "$to"/*.comp "$to"/*.frag "$to"/*.vert "$to"/*.geom; do
  n=$((n + 1))
  glslangValidator --target-env vulkan1.3 "$file" -o "$to/module/$n.spv" >/dev/null 2>&1 || true
done
for file in shaders/*/*.spvasm tests/golden/*/*.spvasm tests/structure/*.spvasm tests/fuzz/*.spvasm \
  tests/emu/programs/*.spvasm tests/emu/source/*.spvasm tests/emu/bad/*.spvasm tests/bad/*.spvasm examples/*/*.spvasm \
  tests/regressions/*/*.spvasm "$to"/*.spvasm; do
  [ -e "$file" ] || continue
  n=$((n + 1))
  spirv-as --preserve-numeric-ids "$file" -o "$to/module/$n.spv" 2>/dev/null || true
done
rm -f "$to"/*.comp "$to"/*.vert "$to"/*.geom "$to"/*.frag "$to"/*.spvasm
find "$to/module" -type f -size +8k -delete # larger ones are slow, and find nothing more
cat "$to"/amber/*.amber | grep -oE '[A-Za-z_0-9#]{3,}' | sort -u | head -n 1500 |
  sed 's/.*/"&"/' >"$to/amber.dict"
echo "seeds: $(find "$to/module" -type f | wc -l) modules, $(find "$to/amber" -type f | wc -l) cases"
