#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Converts a case whose shaders are written in GLSL with goto to an AmberScript case:
#
#   tools/goto_case.sh shaders/exception/call.goto >shaders/exception/call.amber
#
# A case in plain GLSL (x-structured.amber) becomes one with its unstructured graph (x.amber). In a shader of type GOTO
# `goto NAME;` and `NAME:` may appear anywhere in a function; a name belongs to one label of the shader.
# glslangValidator compiles the shader with marks in place of gotos and labels; goto_flow.awk converts the marks
# and short circuits to branches, and drops the merge instructions; spirv-opt converts variables to SSA
# and removes unreachable blocks. The result is an unstructured graph in SSA form, as a compiler passes it to
# a driver's back end. Lines outside shaders are copied.
set -euo pipefail
tools=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# marks FILE: gotos and labels, also those of macros, become calls of functions that are declared after the
# #version line
marks() {
  glslangValidator -E -S comp "$1" >"$work/expanded"
  sed -E -e 's/\bgoto ([a-z]\w*) *;/goto_\1();/g' -e 's/\bdefault *:/default@/g' \
    -e 's/(^|[;{}]) *([a-z]\w*) *:/\1 label_\2();/g' -e 's/default@/default:/g' \
    "$work/expanded" >"$work/marked"
  { grep -oE '\b(goto|label)_\w+\(\)' "$work/marked" || true; } | sort -u |
    sed 's/.*/void & {}/' >"$work/declared"
  sed "1r $work/declared" "$work/marked"
}

# assembly FILE: the shader in FILE as assembly text
assembly() {
  marks "$1" >"$work/shader.comp"
  glslangValidator -V --target-env vulkan1.1 "$work/shader.comp" -o "$work/made.spv" >"$work/said" ||
    { cat "$work/said" >&2 && exit 1; }
  spirv-dis --no-header "$work/made.spv" | awk -f "$tools/goto_flow.awk" >"$work/wild.spvasm"
  spirv-as --target-env spv1.3 "$work/wild.spvasm" -o "$work/wild.spv"
  spirv-opt --target-env=spv1.3 --skip-validation --ssa-rewrite --eliminate-dead-code-aggressive --cfg-cleanup --merge-blocks \
    --compact-ids "$work/wild.spv" -o "$work/tidy.spv"
  spirv-dis --no-header "$work/tidy.spv"
}

inside=
while IFS= read -r line; do
  case $inside$line in
  SHADER\ *\ GOTO | SHADER\ *\ GLSL*)
    echo "${line% G*} SPIRV-ASM TARGET_ENV spv1.3"
    inside=shader:
    : >"$work/source"
    ;;
  shader:END)
    assembly "$work/source"
    echo "$line"
    inside=
    ;;
  shader:*) printf '%s\n' "$line" >>"$work/source" ;;
  *) printf '%s\n' "$line" ;;
  esac
done <"$1"
