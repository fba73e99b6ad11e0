#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/goto_case.sh makes each case that lies beside a source with gotos: nothing differs outside the
# shaders, and the made case meets the EXPECTs. (Other versions of glslang and SPIRV-Tools may choose other
# ids inside the shaders.)
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

outside() { # outside FILE: its lines that are not of a shader
  awk '/^SHADER / { inside = 1 } !inside { print } /^END/ { inside = 0 }' "$1"
}

found=0
for source in shaders/*/*.goto shaders/*/*-structured.amber; do
  case=${source%.goto}
  case=${case%-structured.amber}.amber
  tools/goto_case.sh "$source" >"$WORK/made.amber" || fail "$source: not made"
  outside "$source" >"$WORK/a"
  outside "$case" >"$WORK/b"
  cmp "$WORK/a" "$WORK/b" || fail "$case does not match $source"
  run 0 "$WORK/made.amber"
  found=$((found + 1))
done
[ "$found" -ge 17 ] || fail "only $found sources"

# What cannot be made is reported in one line.
printf 'SHADER compute work GOTO\n#version 450\nlayout(local_size_x = 1) in;\n' >"$WORK/bad.goto"
printf 'void main() {\n  goto out;\n}\nEND\n' >>"$WORK/bad.goto"
if tools/goto_case.sh "$WORK/bad.goto" >"$WORK/out" 2>"$WORK/err"; then fail "a label that is missing"; fi
says "label out is missing"
finish
