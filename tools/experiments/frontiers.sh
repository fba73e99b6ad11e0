#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Thread frontiers of the papers' kernels (graphs/kernels.txt) in each order of priorities, as CSV.
#
#   frontiers.sh BUILD [KERNEL...] >FRONTIERS.csv
# shellcheck source=tools/experiments/experiment.sh.inc
. "$(dirname "$0")/experiment.sh.inc"
shift

echo "graph,order,frontier_average,frontier_max,join_blocks,join_edges,checks,pdom_joins"
for name in $(kernels "$@"); do
  "$bin/spv-graph" "$work/$name.json" -o "$work/kernel.spv" 2>/dev/null
  for order in lrpo rpo ocelot dfpd df bfpd bf domreg; do
    "$bin/spvreconv" --transform=none --order=$order --no-validate --json "$work/kernel.spv" 2>/dev/null |
      jq -r --arg row "$name,$order" '.functions[0].before | [$row, .frontier_average, .frontier_max,
        .frontier_join_blocks, .frontier_join_edges, .frontier_checks, .pdom_join_points] | map(tostring) | join(",")'
  done
done
