#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# TF-SANDY on the papers' kernels (graphs/kernels.txt): how its issues depend on how skewed branches are, and on how many
# neighbouring lanes go together, as CSV. Loops have 4 iterations on average.
#
#   sandy.sh BUILD [KERNEL...] >SANDY.csv
#
# `empty`: --sandy-empty. `taken`: the share of lanes that take a branch's first edge. Two kernels with over 390 blocks, which
# need long for this, are left out.
set -eu
cd "$(dirname "$0")"
bin=$1/bin
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

awk -v dir="$work" -f graph_json.awk graphs/kernels.txt
rm -f "$work/vm_sphyraena.json" "$work/zoneplate.json" "$work/mc-gpu.json"

# issued OPTION...: "PDOM,TF-STACK,TF-SANDY" of the kernel; nothing where one does not end
issued() {
  "$bin/spv-emu" --csv --max-issues=20000000 "$@" "$work/kernel.amber" 2>/dev/null |
    awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
      NR > 1 && $at["status"] == "ok" { row = row "," $at["issued"] }
      END { print substr(row, 2) }'
}

echo "graph,taken,together,pdom,tf_stack,sandy,sandy_frontier"
for graph in "$work"/*.json; do
  name=$(basename "$graph" .json)
  case " ${*:-$name} " in
  *" $name "*) ;;
  *) continue ;;
  esac
  for taken in 0.5 0.8 0.95; do
    for together in 1 4 16 32; do
      "$bin/spv-graph" --turns=4 --taken=$taken --together=$together "$graph" -o "$work/kernel.amber" 2>/dev/null
      echo "$name,$taken,$together,$(issued --policy=pdom,tf-stack,tf-sandy),$(issued --policy=tf-sandy --sandy-empty=frontier)"
    done
  done
done
