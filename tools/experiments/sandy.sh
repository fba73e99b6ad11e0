#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# TF-SANDY on the papers' kernels (graphs/kernels.txt): how its issues depend on how skewed branches are, and on how many
# neighbouring lanes go together, as CSV. Loops have 4 iterations on average.
#
#   sandy.sh BUILD [KERNEL...] >SANDY.csv
#
# `taken`: the share of lanes that take a branch's first edge. `entries`: the largest number in TF-STACK's sorted stack.
# `sandy_frontier`: with --sandy-empty=frontier; `sandy_static`: with --sandy-branch=static. Three kernels with over 390
# blocks, which need long for this, are left out.
# shellcheck source=tools/experiments/experiment.sh.inc
. "$(dirname "$0")/experiment.sh.inc"
shift

# issued POLICY[,POLICY...] OPTION...: the issues of each, then the entries of TF-STACK if it is one of them; nothing for a
# policy that does not end
issued() {
  policies=$1
  shift
  "$bin/spv-emu" --csv --max-issues=20000000 --policy="$policies" "$@" "$work/kernel.amber" 2>/dev/null |
    awk -F , -v policies="$policies" '
      NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
      NR > 1 && $at["status"] == "ok" { issued[$at["policy"]] = $at["issued"]; entries[$at["policy"]] = $at["stack_max_depth"] }
      END {
        count = split(policies, policy, ",")
        for (i = 1; i <= count; i++) row = row "," issued[policy[i]]
        if ("tf-stack" in entries) row = row "," entries["tf-stack"]
        print substr(row, 2)
      }'
}

echo "graph,taken,together,pdom,tf_stack,sandy,entries,sandy_frontier,sandy_static"
for name in $(kernels "$@" | grep -v -x -e vm_sphyraena -e zoneplate -e mc-gpu); do
  for taken in 0.5 0.8 0.85 0.95; do
    for together in 1 4 16 32; do
      "$bin/spv-graph" --turns=4 --taken=$taken --together=$together "$work/$name.json" -o "$work/kernel.amber" 2>/dev/null
      echo "$name,$taken,$together,$(issued pdom,tf-stack,tf-sandy),$(issued tf-sandy --sandy-empty=frontier),$(issued tf-sandy --sandy-branch=static)"
    done
  done
done
