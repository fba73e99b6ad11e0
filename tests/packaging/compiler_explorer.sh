#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The tools for Compiler Explorer: each of its files has all properties, and each tool, run as the class base-tool runs it,
# prints something on standard output.
# Usage: compiler_explorer.sh BUILD-DIRECTORY
set -eu
# shellcheck source=tests/library/common.sh.inc
. tests/library/common.sh.inc
config=packaging/compiler-explorer/etc/config
mkdir "$work/bin"
cp packaging/compiler-explorer/bin/* "$work/bin"
ln -s "$(realpath "$build")/bin/spvreconv" "$(realpath "$build")/bin/spv-emu" "$work/bin"

# property FILE TOOL NAME
property() {
  grep -q "^tools\\.$2\\.$3=" "$1" || fail "$1: tools.$2.$3 is missing"
  sed -n "s/^tools\\.$2\\.$3=//p" "$1"
}

# runs LANGUAGE SOURCE: all of the language's tools
runs() {
  local file=$config/$1.local.properties tool options
  [ "$(grep -c '\.name=' "$file")" = 4 ] || fail "$file has not four tools"
  for tool in $(sed -n 's/^tools=//p' "$file" | tr : ' '); do
    for name in name exclude; do
      property "$file" "$tool" "$name" >/dev/null
    done
    [ "$(property "$file" "$tool" type) $(property "$file" "$tool" class)" = 'independent base-tool' ] ||
      fail "$file: $tool has another type or class"
    read -ra options <<<"$(property "$file" "$tool" options)"
    "$work/bin/$(basename "$(property "$file" "$tool" exe)")" "${options[@]}" "$2" >"$work/out" 2>"$work/log" ||
      [ $? = 1 ] || fail "$tool: $(cat "$work/log")"
    [ -s "$work/out" ] || [ "$tool" = spvreconv-lint ] || [ "$tool" = spvreconv-explain ] ||
      fail "$tool prints nothing for $1: $(cat "$work/log")"
  done
  echo "ok: $1"
}

cp shaders/irreducible/two_entries.spvasm "$work/example.spvasm"
runs spirv "$work/example.spvasm"
cp shaders/subgroup/compact.comp "$work/example.glsl"
runs glsl "$work/example.glsl"
if command -v clang-15 >/dev/null && command -v llvm-spirv-15 >/dev/null; then
  echo 'kernel void add(global int *x) { if (x[get_global_id(0)] > 3) x[get_global_id(0)] += 1; }' >"$work/example.cl"
  runs openclc "$work/example.cl"
else
  echo "skipped OpenCL C: clang-15 and llvm-spirv-15 are not installed"
fi
