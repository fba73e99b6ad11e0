#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The output of reconverge for one case in each block order, and its issues under `exec`, as CSV; `profile`
# is the order chosen from the paths that lanes take.
#
#   orders.sh BUILD CASE.amber NAME >ORDERS.csv
set -eu

build=$1 case=$2 name=$3
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$here/bare_case.sh" "$build" "$case" "$work/before"
mkdir "$work/after"
cp "$work/before/case.amber" "$work/after"

# transformed ORDER: the JSON of all modules, without notes
transformed() {
  for module in "$work"/before/*.spv; do
    "$build/bin/spvreconv" --transform=reconverge --order="$(order_option "$1")" --no-validate --json "$module" \
      -o "$work/after/$(basename "$module")" 2>"$work/err" || { cat "$work/err" >&2 && exit 1; }
  done
}

order_option() {
  case $1 in
  profile) echo "profile:$work/profile.json" ;;
  *) echo "$1" ;;
  esac
}

# issues: under exec with subgroups of 32, and status
issues() {
  "$build/bin/spv-emu" --csv --policy=exec "$work/after/case.amber" 2>/dev/null |
    awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i - NF }
      NR == 2 { print $5 "," $(NF + at["issued"]) }' || true
}

echo "program,order,flow_blocks,virtual_blocks,added_instructions,added_phis,uniform,rerouted_uniform,status,issued"
"$build/bin/spv-emu" --profile="$work/profile.json" "$work/before/case.amber" >"$work/out"
for order in df dfpd dfpd-oldest bf bfpd rpo domreg lrpo ocelot profile; do
  transformed $order >"$work/json"
  figures=$(jq -rs -f "$here/orders.jq" "$work/json")
  echo "$name,$order,$figures,$(issues)"
done
