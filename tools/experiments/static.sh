#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The shaders of one case before and after struct-copy (Wu et al.) and structurize, as CSV: sums
# over all functions of all shaders; averages are averaged over blocks, maxima are maxima.
#
#   static.sh BUILD CASE.amber NAME >STATIC.csv
# shellcheck source=tools/experiments/experiment.sh.inc
. "$(dirname "$0")/experiment.sh.inc"
case=$2 name=$3

"$bin/spv-harness" modules "$case" "$work" >/dev/null

# branches: OpBranchConditional, and each label of an OpSwitch, as tests of its value would be
branches() {
  for module in "$work"/*.spv; do
    spirv-dis --no-header "$module"
  done | awk '/ OpBranchConditional / { n++ } / OpSwitch / { n += (NF - 3) / 2 } END { print n + 0 }'
}

# transformed TRANSFORM: the JSON of all modules
transformed() {
  for module in "$work"/*.spv; do
    "$bin/spvreconv" --transform="strip-merges,$1" --no-validate --json "$module" || return 1
  done
}

# figures TRANSFORM: one row; for a transform that refuses the program all but the reason is empty
figures() {
  if transformed "$1" >"$work/json" 2>"$work/err"; then
    jq -rs --arg name "$name" --arg transform "$1" --argjson branches "$branches" \
      -f "$here/static.jq" "$work/json"
  else
    echo "$name,$1,\"$(sed -n '1s/.*\.spv: //p' "$work/err" | tr -d '"')\",$branches,,,,,,,,,,,,,,,,"
  fi
}

branches=$(branches)
echo "program,transform,status,branches,divergent_branches,multi_exit_loops,irreducible_loops,\
code_before,code_after,forward_copies,backward_copies,cuts,selectors,frontier_average,frontier_max,\
tf_joins,tf_join_edges,pdom_joins,area,milliseconds"
figures struct-copy:any
figures structurize
