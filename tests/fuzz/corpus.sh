#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The fuzzers' seeds: every shader and every assembly module of the tests as a binary; every case as text;
# and a dictionary of AmberScript's words.
#
#   tests/fuzz/corpus.sh GEN_MODULES FOLDER     fills FOLDER/module, FOLDER/amber and FOLDER/amber.dict
set -eu
gen_modules=$(realpath "$1")
to=$2
mkdir -p "$to/module" "$to/amber"
to=$(realpath "$to")
cd "$(dirname "$0")/../.."
n=0
for file in shaders/*/*.amber tests/harness/amber/*.amber tests/harness/vkscript/*.amber tests/regressions/amber/*.amber; do
  [ -e "$file" ] || continue
  n=$((n + 1))
  [ "$(wc -c <"$file")" -gt 20000 ] || cp "$file" "$to/amber/$n.amber"
done
# Some cases of the tests have no module: a shader is wrong, or of a kind that the tools do not have.
"$gen_modules" "$to/module" shaders/*/*.comp shaders/*/*.frag shaders/*/*.vert shaders/*/*.amber tests/harness/amber/*.amber \
  tests/harness/vkscript/*.amber tests/regressions/amber/* >/dev/null || true
for file in shaders/*/*.spvasm tests/golden/*/*.spvasm tests/structure/*.spvasm tests/fuzz/*.spvasm \
  tests/emu/programs/*.spvasm tests/emu/source/*.spvasm tests/emu/bad/*.spvasm tests/bad/*.spvasm examples/*/*.spvasm \
  tests/regressions/*/*.spvasm; do
  [ -e "$file" ] || continue
  n=$((n + 1))
  spirv-as --preserve-numeric-ids "$file" -o "$to/module/$n.spv" 2>/dev/null || true
done
find "$to/module" -type f -size +8k -delete # larger ones are slow, and find nothing more
cat "$to"/amber/*.amber | grep -oE '[A-Za-z_0-9#]{3,}' | sort -u | head -n 1500 |
  sed 's/.*/"&"/' >"$to/amber.dict"
echo "seeds: $(find "$to/module" -type f | wc -l) modules, $(find "$to/amber" -type f | wc -l) cases"
