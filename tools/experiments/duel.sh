#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares structurize with LLVM's structurizer and MLIR's CFGToSCF on the graphs of shapes.txt:
#
#   duel.sh BUILD [VERSION]
#
# VERSION (22) of LLVM: opt, llc, and mlir-opt if it is installed; llvm-spirv-15 carries the functions to
# SPIR-V and back. For each graph, instructions+phis before, and after each of the three: as written, and
# after the same clean-up (instcombine, early-cse, adce; the graph stays). In the last column, what LLVM's
# SPIR-V backend makes of the graph, for Vulkan: valid, invalid (spirv-val), abort.
# shellcheck source=tools/experiments/experiment.sh.inc
. "$(dirname "$0")/experiment.sh.inc"
# shellcheck source=tools/experiments/shape.sh.inc
. "$here/shape.sh.inc"
version=${2:-22}
opt=opt-$version llc=llc-$version mlir=mlir-opt-$version
for tool in "$opt" "$llc" llvm-spirv-15 opt-15; do
  command -v "$tool" >/dev/null || {
    echo "duel.sh: $tool is not installed" >&2
    exit 1
  }
done
cleanup=$(llvm_cleanup "$version")

# size FILE: instructions+phis of the function f in LLVM IR
size() {
  awk '/^define .*@f\(/ { in_f = 1; next } /^}/ { in_f = 0 }
    in_f && /^  [^ \]]/ { if (/ = phi /) phis++; else all++ }
    END { printf "%d+%d", all, phis }' "$1"
}

# both IR: its size as it is, and cleaned
both() {
  "$opt" -S -passes=no-op-module "$1" -o "$work/raw.ll" 2>/dev/null
  "$opt" -S "$cleanup" "$1" -o "$work/clean.ll" 2>/dev/null
  printf '%s %s' "$(size "$work/raw.ll")" "$(size "$work/clean.ll")"
}

ours() {
  opt-15 -opaque-pointers=0 -mtriple=spir64-unknown-unknown "$work/shape.ll" -o "$work/shape.bc"
  llvm-spirv-15 "$work/shape.bc" -o "$work/shape.spv"
  "$bin/spvreconv" --no-validate --transform=structurize "$work/shape.spv" -o "$work/ours.spv"
  llvm-spirv-15 -r "$work/ours.spv" -o "$work/ours.bc"
  both "$work/ours.bc"
}

llvm() {
  "$opt" "$(llvm_structurizer "$version")" "$work/shape.ll" -o "$work/llvm.bc" 2>/dev/null &&
    both "$work/llvm.bc" || printf -- '- -'
}

lifted() {
  "$mlir" --lift-cf-to-scf --convert-scf-to-cf --convert-cf-to-llvm --convert-func-to-llvm \
    --convert-arith-to-llvm --convert-ub-to-llvm --convert-index-to-llvm --reconcile-unrealized-casts \
    "$work/shape.mlir" -o "$work/lifted.mlir" 2>/dev/null &&
    "mlir-translate-$version" --mlir-to-llvmir "$work/lifted.mlir" -o "$work/lifted.ll" 2>/dev/null &&
    both "$work/lifted.ll" || printf -- '- -'
}

# The graph as a function that an entry point for Vulkan calls.
backend() {
  {
    echo 'target triple = "spirv-unknown-vulkan1.3-compute"'
    echo '@in = internal addrspace(10) global i32 0'
    echo "$1" | shape_llvm internal
    echo 'define void @main() #0 {'
    echo '  %s = load volatile i32, ptr addrspace(10) @in'
    echo '  %c = trunc i32 %s to i1'
    printf '  call void @f(i32 %%s'
    for _ in $(echo "$1" | cut -d' ' -f2-); do printf ', i1 %%c'; done
    echo ')'
    echo '  ret void'
    echo '}'
    echo 'attributes #0 = { "hlsl.numthreads"="1,1,1" "hlsl.shader"="compute" }'
  } >"$work/backend.ll"
  if ! "$llc" --filetype=obj "$work/backend.ll" -o "$work/backend.spv" 2>/dev/null; then
    echo abort
  elif spirv-val --target-env vulkan1.3 "$work/backend.spv" 2>/dev/null; then
    echo valid
  else
    echo invalid
  fi
}

row() { printf '%-20s %6s   %8s %8s   %8s %8s   %8s %8s   %s\n' "$@"; }

row shape before structurize cleaned "LLVM $version" cleaned MLIR cleaned backend
grep -v '^#' "$here/shapes.txt" | while read -r shape; do
  echo "$shape" | shape_llvm >"$work/shape.ll"
  echo "$shape" | shape_mlir >"$work/shape.mlir"
  # shellcheck disable=SC2046 # two words each
  row "${shape%% *}" "$(size "$work/shape.ll")" $(ours) $(llvm) $(lifted) "$(backend "$shape")"
done >"$work/rows"
cat "$work/rows"
awk '{
  for (i = 2; i <= 8; i++) { split($i, n, "+"); if ($i == "-") left[i]++; sum[i] += n[1]; phis[i] += n[2] }
  made[$9]++
}
END {
  printf "%-20s", "all"
  for (i = 2; i <= 8; i++) printf " %8s", sum[i] "+" phis[i]
  printf "  "
  for (i = 2; i <= 8; i++) if (left[i]) printf " (column %d: %d left out)", i, left[i]
  for (k in made) printf " %d %s", made[k], k
  print ""
}' "$work/rows"
