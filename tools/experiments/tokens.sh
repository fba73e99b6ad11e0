#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The loops of Bialas and Strzelecki under the token stack, for each number M of lanes that leave early, as CSV.
#
#   tokens.sh BUILD >TOKENS.csv
set -eu
cd "$(dirname "$0")/../.."
echo "loop,model,m,divergences,pushes,pops,depth,spills,cycles,issue_cycles,branch_cycles,unwinding_cycles"
for loop in single_loop double_loop; do
  for model in kepler maxwell; do
    "$1/bin/spv-emu" --policy=ssy --cost=$model --sweep=M:0..31 --csv shaders/divergence/$loop.amber |
      awk -F , -v row="$loop,$model" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR > 1 {
          print row "," $at["M"] "," $at["divergent_branches"] "," $at["stack_pushes"] "," $at["stack_pops"] "," $at["stack_max_depth"] "," $at["stack_spills"] "," \
            $at["cycles"] "," $at["cost_issue_cycles"] "," $at["cost_branch_cycles"] "," $at["cost_unwinding_cycles"]
        }'
  done
done
