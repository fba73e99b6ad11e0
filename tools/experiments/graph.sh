#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One graph of graphs.sh: graph.sh BUILD GRAPH.json WORK writes WORK/NAME.static and WORK/NAME.dynamic.
set -eu
bin=$1/bin graph=$2 work=$3
name=$(basename "$graph" .json)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

"$bin/spv-graph" "$graph" -o "$tmp/kernel.spvasm" 2>"$tmp/err" || { cat "$tmp/err" >&2 && exit 1; }
"$bin/spvreconv" --transform=strip-merges,struct-copy:any --no-validate --json "$tmp/kernel.spvasm" >"$tmp/json"
weight=$(jq '[.blocks[].w] | add' "$graph")
{
  echo "graph,blocks,branches,weight,forward_copies,backward_copies,cuts,copied,frontier_average,frontier_max,tf_joins,pdom_joins"
  jq -r --arg name "$name" --arg weight "$weight" '.functions[0] | [$name, .before.blocks, .before.branches, $weight,
    .transform.forward_copies, .transform.backward_copies, .transform.cuts, .transform.duplicated_instructions,
    .before.frontier_average, .before.frontier_max, .before.frontier_join_blocks, .before.pdom_join_points] | @csv' \
    "$tmp/json" | tr -d '"'
} >"$work/$name.static"

# issues SCHEME=POLICY,... OPTION...: the policies in one start of the emulator, a row for each scheme; the status
# where it is not ok. Cycles differ from issues by what the insertions in sorted stacks take.
issues() {
  schemes=$1
  shift
  policies=$(echo "$schemes" | sed 's/[^,=]*=//g')
  "$bin/spv-emu" --csv --policy="$policies" --max-issues=20000000 --opt-budget=4096 --cost=issues,insertion=1 "$@" \
    "$tmp/kernel.amber" >"$tmp/out" 2>"$tmp/err" || true
  awk -F , -v row="$name,$turns,$together" -v schemes="$schemes" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR > 1 { found[$at["policy"]] = $at["issued"] "," $at["status"] "," $at["stack_max_depth"] "," $at["cycles"] "," $at["activity_factor"] }
    END {
      count = split(schemes, scheme, ",")
      for (i = 1; i <= count; i++) {
        split(scheme[i], part, "=")
        print row "," part[1] "," (part[2] in found ? found[part[2]] : ",refused,,,")
      }
    }' "$tmp/out"
}

{
  echo "graph,turns,together,scheme,issues,status,entries,cycles,activity"
  for turns in 4 16 64; do
    for together in 1 8; do
      "$bin/spv-graph" --turns=$turns --together=$together "$graph" -o "$tmp/kernel.amber" 2>"$tmp/err" || {
        echo "$name,$turns,$together,all,,refused,,,"
        continue
      }
      issues none=none,pdom=pdom,tf-stack=tf-stack,tf-sandy=tf-sandy,opt=opt
      issues rpo=tf-stack --priority=rpo
      issues ocelot=tf-stack --priority=ocelot
      issues struct=pdom --transform=strip-merges,struct-copy:any
      issues structurize=structured --transform=strip-merges,structurize
      issues exec=exec --transform=reconverge
    done
  done
} >"$work/$name.dynamic"
