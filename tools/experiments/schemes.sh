#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One case under every scheme: how it ends, what it issues, what code it adds and what state it needs, as CSV. `code`:
# instructions of the case as written; `added_code`: what the transform and the scheme add to them.
#
#   schemes.sh BUILD CASE.amber NAME >SCHEMES.csv
# shellcheck source=tools/experiments/experiment.sh.inc
. "$(dirname "$0")/experiment.sh.inc"
name=$3
"$here/bare_case.sh" "$1" "$2" "$work"

# A run that issues more ends as `limit`.
MAX_ISSUES=20000000

# instructions before|after TRANSFORM: of all modules
instructions() {
  for module in "$work"/*.spv; do
    "$bin/spvreconv" --transform="$2" --no-validate --json "$module" 2>/dev/null || return 0
  done | jq -s "map(.functions[].$1.instructions) | add"
}

# instructions_after TRANSFORM: the same, counted once for all schemes with this transform
instructions_after() {
  [ -e "$work/after.$1" ] || instructions after "$1" >"$work/after.$1"
  cat "$work/after.$1"
}

# refused --policy=LIST: as if each policy had been refused
refused() {
  jq -n --arg list "${1#--policy=}" '{results: [$list | split(",")[] | {policy: ., status: "refused"}]}'
}

# scheme NAME SIZE TRANSFORM OPTION…: a row for each policy of the options, under NAME if that is not empty
scheme() {
  label=$1 size=$2 transform=$3
  shift 3
  after=$(instructions_after "$transform")
  "$bin/spv-emu" --json --subgroup-size="$size" --max-issues=$MAX_ISSUES --transform="$transform" "$@" \
    "$work/case.amber" >"$work/json" 2>"$work/err" || true
  [ -s "$work/json" ] || refused "$1" >"$work/json"
  jq -r --arg name "$name" --arg size "$size" --arg shown "$label" --argjson code "${code:-0}" --argjson after "${after:-null}" '
    .results[] | [$name, $size, if $shown == "" then .policy else $shown end, .status, .issued, .overhead, .noop_issues, $code,
      if $after then $after - $code + (.added_code // 0) else null end, .stack.max_depth, .barriers.max_live, .barriers.spills,
      .memory.transactions, .exact] | map(if . == null then "" else tostring end) | join(",")' "$work/json"
}

code=$(instructions before none)
structured=strip-merges,structurize
echo program,size,scheme,status,issues,overhead,noops,code,added_code,entries,barriers,spills,transactions,exact
scheme '' 32 none --policy=scalar,none,pdom,tf-stack,tf-sandy,maximal,ssy,minpc,stackless,jip,tbc,tbc-lcp,opt
scheme STRUCT 32 strip-merges,struct-copy:any --policy=pdom
scheme structured 32 $structured --policy=structured
scheme exec 32 reconverge --policy=exec
for placement in nak ipdom frontier speculative; do
  transform=none
  [ $placement != nak ] || transform=$structured
  for scheduling in lifo round-robin oldest; do
    scheme "barrier $placement $scheduling" 32 "$transform" --policy=barrier --barrier-placement=$placement \
      --barrier-scheduling=$scheduling
  done
done
# Small subgroups, so that workgroups have several, which are what these schemes repack.
scheme '' 8 none --policy=pdom,tf-stack,tbc,tbc-lcp
for order in majority minority time-stamp pc; do
  for size in 32 8; do
    scheme "dwf $order" $size none --policy=dwf --dwf-order=$order
  done
done
