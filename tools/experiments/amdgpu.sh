#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Mask and branch instructions of the papers' kernels (graphs/kernels.txt), all branches divergent: as LLVM's AMDGPU
# backend writes them, and as reconverge and --dump-wave do, with all skip branches or only those needed; as CSV.
# Without LLC (llc-22) there are no rows.
#
#   amdgpu.sh BUILD [KERNEL...] >AMDGPU.csv
set -eu
bin=$(cd "$1/bin" && pwd) llc=${LLC:-llc-22}
cd "$(dirname "$0")"
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "graph,irreducible,llvm_masks,llvm_branches,masks,branches,needed_masks,needed_branches"
command -v "$llc" >/dev/null || exit 0

awk -v dir="$work" -f graph_json.awk graphs/kernels.txt
awk -v dir="$work" -f graph_llvm.awk graphs/kernels.txt

# counts FILE: "MASKS,BRANCHES": scalar instructions on 64 bits that compute or move a mask, EXEC included, and jumps
counts() {
  awk '
    / s_(and|or|xor|andn2|orn2|nor|nand|not|mov)(_saveexec)?_b64|\ts_(and|or|xor|andn2|orn2|nor|nand|not|mov)(_saveexec)?_b64/ { masks++ }
    / s_c?branch|\ts_c?branch/ { branches++ }
    END { print masks + 0 "," branches + 0 }' "$1"
}

for graph in "$work"/*.json; do
  name=$(basename "$graph" .json)
  case " ${*:-$name} " in
  *" $name "*) ;;
  *) continue ;;
  esac
  "$llc" -mcpu=gfx900 -O2 "$work/$name.ll" -o "$work/llvm.s"
  "$bin/spv-graph" "$graph" -o "$work/kernel.spv" 2>/dev/null
  irreducible=$("$bin/spvreconv" --transform=none --no-validate --json "$work/kernel.spv" 2>/dev/null | jq '.functions[0].before.irreducible_loops')
  for lowering in "" --lowering=needed-skips; do
    # shellcheck disable=SC2086 # a word or none
    "$bin/spvreconv" --transform=strip-merges,reconverge --uniformity=divergent --no-validate $lowering \
      --dump-wave="$work/wave${lowering:+.needed}" "$work/kernel.spv" 2>/dev/null
  done
  echo "$name,$irreducible,$(counts "$work/llvm.s"),$(counts "$work/wave"),$(counts "$work/wave.needed")"
done
