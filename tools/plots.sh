#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the pictures of docs/tokens.md and docs/cost.md with spv-emu and plot.awk.
#
#   tools/plots.sh [build/bin/spv-emu] [docs]
set -eu
cd "$(dirname "$0")/.."
EMU=${1:-build/bin/spv-emu} OUT=${2:-docs}
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

# plot NAME TITLE X Y SERIES XLABEL YLABEL [STEPS]: draws the CSV in $WORK/data
plot() {
  awk -f tools/csv.awk -f tools/svg.awk -f tools/plot.awk -v title="$2" -v x="$3" -v y="$4" -v series="$5" -v xlabel="$6" \
    -v ylabel="$7" -v steps="${8:-}" "$WORK/data" >"$OUT/$1.svg"
}

for loop in single double; do
  shader=shaders/divergence/${loop}_loop.amber
  "$EMU" --policy=ssy,pdom,structured,tf-stack --trace-stack="$WORK/data" "$shader" >"$WORK/out"
  plot tokens-$loop "Length of the stack, $loop loop, M = 31" issue depth policy \
    "instructions issued" entries 1

  # One CSV of all models, the model in the first column.
  : >"$WORK/data"
  for model in kepler maxwell fermi; do
    "$EMU" --policy=ssy --cost=$model --sweep=M:0..31 --csv "$shader" |
      awk -v model=$model 'NR == 1 { print "model," $0; next } { print model "," $0 }' |
      sed "$([ $model = kepler ] || echo 1d)" >>"$WORK/data"
  done
  plot cost-$loop "Cost of divergence, $loop loop, policy ssy" M cycles model \
    "M, lanes that leave early" cycles
done

"$EMU" --policy=pdom,tf-stack --subgroup-size=4 --sweep=subgroups:1..64 --csv \
  --cost=kepler,miss=0.25,latency=400,hit=20 shaders/early-exit/string_match.amber >"$WORK/data"
plot cost-latency "String match, 64 subgroups of 4 lanes" cost_subgroups cycles policy \
  "resident subgroups" cycles
plot cost-utilisation "String match, 64 subgroups of 4 lanes" cost_subgroups latency_utilisation \
  policy "resident subgroups" "issue utilisation"
