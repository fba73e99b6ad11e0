#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs/opencl-math.md lists what kernel-to-shader's table of OpenCL.std says, and every instruction has a row there.
# Usage: opencl_functions.sh BUILD-DIRECTORY
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tools/opencl_functions.sh >"$work/table"
awk '/^<!-- functions table/ { on = 1; next } /^<!-- end/ { on = 0 } on && NF' docs/opencl-math.md >"$work/page"
diff "$work/page" "$work/table" || {
  echo "FAILED: docs/opencl-math.md: tools/opencl_functions.sh | tools/insert_table.sh functions docs/opencl-math.md"
  exit 1
}
header=$(sed -n 's/^SPIRV_HEADERS_INCLUDE:PATH=//p' "$1/CMakeCache.txt")/spirv/unified1/OpenCL.std.h
[ -f "$header" ] || header=/usr/include/spirv/unified1/OpenCL.std.h
sed -n 's/^ *OpenCLstd_\([A-Za-z0-9_]*\) = [0-9]*,.*/\1/p' "$header" | while read -r name; do
  case $name in Vloadn | Vstoren | Vload*_half* | Vstore*_half*) continue ;; esac # loads and stores (kernel_memory.c, kernel_half.c)
  grep -q "^SR_[A-Z_]*(${name}[,)]" passes/transform/kernel/kernel_extended.def ||
    echo "FAILED: kernel_extended.def has no row for $name"
done >"$work/missing"
cat "$work/missing"
[ ! -s "$work/missing" ] && echo ok
