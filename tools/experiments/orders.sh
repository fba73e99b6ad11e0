#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The output of reconverge for one case in each block order, and its issues under `exec`, as CSV; `profile`
# is the order chosen from the paths that lanes take; "ORDER, one condition" is reconverge:one-condition.
#
#   orders.sh BUILD CASE.amber NAME >ORDERS.csv
#
# `masks`, `masks_live`: the rejoin masks of the wave-level program, and the most in which lanes wait at once;
# `branch_…`: the same with a mask for each branch (--lowering=branch-masks), and issues. `flow_straight`: flow blocks
# that only lead on; `flow_uniform`: those whose branch the analysis finds uniform in the output.
# shellcheck source=tools/experiments/experiment.sh.inc
. "$(dirname "$0")/experiment.sh.inc"
build=$1 case=$2 name=$3

"$here/bare_case.sh" "$build" "$case" "$work/before"
mkdir "$work/after"
cp "$work/before/case.amber" "$work/after"

# transformed TRANSFORM ORDER: the JSON of all modules, without notes
transformed() {
  for module in "$work"/before/*.spv; do
    "$bin/spvreconv" --transform="$1" --order="$(order_option "$2")" --no-validate --json "$module" \
      -o "$work/after/$(basename "$module")" 2>"$work/err" || { cat "$work/err" >&2 && exit 1; }
  done
}

order_option() {
  case $1 in
  profile) echo "profile:$work/profile.json" ;;
  *) echo "$1" ;;
  esac
}

# masks [OPTION]: of the wave-level programs of all modules: "MASKS,MOST"
masks() {
  for module in "$work"/after/*.spv; do
    "$bin/spvreconv" --transform=none --no-validate "$@" --dump-wave=- "$module" 2>/dev/null || true
  done | sed -n 's/^; .*; \([0-9]*\) rejoin masks*, at most \([0-9]*\) .*/\1 \2/p' |
    awk '{ masks += $1; if ($2 > most) most = $2 } END { print masks + 0 "," most + 0 }'
}

# flow_branches: "STRAIGHT,UNIFORM": how the blocks that reconverge added end
flow_branches() {
  for module in "$work"/after/*.spv; do
    bound=$(od -An -t u4 -j 12 -N 4 "$work/before/$(basename "$module")")
    "$bin/spvreconv" --transform=none --no-validate --print-uniformity "$module" 2>/dev/null |
      awk -v bound="$bound" '
        $3 == "OpLabel" { flow = substr($1, 2) + 0 >= bound }
        flow && $1 == "OpBranch" { print "straight" }
        flow && $1 == "OpBranchConditional" && /uniform branch/ { print "uniform" }'
  done | awk '{ n[$1]++ } END { print n["straight"] + 0 "," n["uniform"] + 0 }'
}

# issues [OPTION]: under exec with subgroups of 32, and status
issues() {
  "$bin/spv-emu" --csv --policy=exec "$@" "$work/after/case.amber" 2>/dev/null |
    awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i - NF }
      NR == 2 { print $5 "," $(NF + at["issued"]) }' || true
}

# row TRANSFORM ORDER LABEL
row() {
  transformed "$1" "$2" >"$work/json"
  echo "$name,\"$3\",$(jq -rs -f "$here/orders.jq" "$work/json"),$(masks),$(masks --lowering=branch-masks),$(flow_branches),$(issues --lowering=branch-masks),$(issues)"
}

echo "program,order,flow_blocks,virtual_blocks,added_instructions,added_phis,uniform,rerouted_uniform,masks,masks_live,branch_masks,branch_masks_live,flow_straight,flow_uniform,branch_status,branch_issued,status,issued"
"$bin/spv-emu" --profile="$work/profile.json" "$work/before/case.amber" >"$work/out"
for order in df dfpd dfpd-oldest bf bfpd bfpd-successor rpo domreg cdep lrpo ocelot profile; do
  row reconverge $order $order
done
for order in dfpd lrpo; do
  row reconverge:one-condition $order "$order, one condition"
done
