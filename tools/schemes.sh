#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the pictures of docs/schemes.md: the graph of figure 1 of the paper on thread frontiers, and the groups of lanes
# that each scheme keeps while four lanes run it, from the emulator's traces.
#
#   tools/schemes.sh [build] [docs/schemes]
set -eu
cd "$(dirname "$0")/.."
BUILD=${1:-build} OUT=${2:-docs/schemes}
CASE=shaders/frontier/figure1.amber
NAMES=3=BB1,4=BB2,5=BB3,6=BB4,7=BB5,8=Exit
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

# picture NAME TITLE COLUMNS OPTION…: COLUMNS: the size of subgroups, if lanes are packed into others
picture() {
  name=$1 title=$2 columns=$3
  shift 3
  "$BUILD/bin/spv-emu" --subgroup-size="${columns:-4}" --trace-groups="$WORK/groups" "$@" "$CASE" >"$WORK/out"
  awk -f tools/csv.awk -f tools/svg.awk -f tools/groups.awk -v lanes=4 -v names=$NAMES -v columns="$columns" -v title="$title" -v most=12 \
    "$WORK/groups" >"$OUT/$name.svg"
}

mkdir -p "$OUT"
sed -n '/^SHADER/,/^END/p' "$CASE" | sed '1d;$d' >"$WORK/figure1.spvasm"
spirv-as --target-env spv1.3 "$WORK/figure1.spvasm" -o "$WORK/figure1.spv"
"$BUILD/bin/spvreconv" --transform=none --no-validate --dump-cfg="$OUT/graph.svg" "$WORK/figure1.spv"
for policy in none pdom ssy tf-stack; do
  picture $policy $policy '' --policy=$policy
done
# The page shows one picture for all of these.
for policy in tf-sandy maximal minpc stackless jip; do
  picture same tf-stack '' --policy=$policy
  cmp -s "$OUT/same.svg" "$OUT/tf-stack.svg" || {
    echo "schemes: $policy is not tf-stack on this graph: docs/schemes.md says so" >&2
    exit 1
  }
done
rm "$OUT/same.svg"
structured=strip-merges,structurize
picture structured "structured, after structurize" '' --policy=structured --transform=$structured
picture exec "exec, after reconverge" '' --policy=exec --transform=reconverge
for placement in ipdom frontier; do
  picture barrier-$placement "barrier, $placement" '' --policy=barrier --barrier-placement=$placement
done
picture barrier-nak "barrier, nak, after structurize" '' --policy=barrier --barrier-placement=nak --transform=$structured
picture tbc "tbc, two subgroups of two lanes" 2 --policy=tbc
for order in majority pc; do
  picture dwf-$order "dwf, $order, two subgroups of two lanes" 2 --policy=dwf --dwf-order=$order
done
