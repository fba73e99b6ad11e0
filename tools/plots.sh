#!/bin/sh
# Makes the plots of docs/cost.md with spv-emu and plot.awk.
#
#   tools/plots.sh [build/bin/spv-emu] [docs/plots]
set -eu
cd "$(dirname "$0")/.."
EMU=${1:-build/bin/spv-emu} OUT=${2:-docs/plots}
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
mkdir -p "$OUT"

# columns SERIES X Y: points from a CSV with those columns; SERIES may be a word that is none
columns() {
  awk -F, -v series="$1" -v x="$2" -v y="$3" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { print (series in at ? $at[series] : series) "," $at[x] "," $at[y] }'
}

# Of points, those where the series or y changes.
changes() {
  awk -F, '$1 != series || $3 != y { print } { series = $1; y = $3 }'
}

# plot FILE TITLE XLABEL YLABEL [steps]: the points in $WORK/points
plot() {
  awk -v title="$2" -v xlabel="$3" -v ylabel="$4" -v steps="${5:-}" -f tools/plot.awk \
    "$WORK/points" >"$OUT/$1.svg"
}

# Cycles over M, for each machine: figures 1 and 7 of document 001.
curves() {
  : >"$WORK/points"
  for model in fermi kepler maxwell; do
    "$EMU" --policy=ssy --cost=$model --sweep=M:0..31 --csv "shaders/divergence/$1_loop.amber" |
      columns "$model" M cycles >>"$WORK/points"
  done
  plot "cost_$1" "$1 loop, policy ssy" "M, lanes that leave early" cycles
}
curves single
curves double

# The stack behind every issue, its changes alone: figures 4 and 5.
"$EMU" --policy=ssy --trace-stack="$WORK/trace.csv" shaders/divergence/single_loop.amber >/dev/null
columns policy issue depth <"$WORK/trace.csv" >"$WORK/single"
"$EMU" --policy=pdom --trace-stack="$WORK/trace.csv" shaders/divergence/single_loop.amber >/dev/null
columns policy issue depth <"$WORK/trace.csv" >>"$WORK/single"
changes <"$WORK/single" >"$WORK/points"
plot stack_single "single loop, M = 31" issues "entries on the stack" steps
"$EMU" --policy=ssy --trace-stack="$WORK/trace.csv" shaders/divergence/double_loop.amber >/dev/null
columns policy issue depth <"$WORK/trace.csv" | changes >"$WORK/points"
plot stack_double "double loop, M = 31" issues "entries on the stack" steps

# Spills of the double loop: figure 6.
"$EMU" --policy=ssy --cost=kepler --sweep=M:0..31 --csv shaders/divergence/double_loop.amber |
  columns kepler M stack_spills >"$WORK/points"
plot spills_double "double loop, policy ssy" "M, lanes that leave early" spills

# Latency hiding: from 1 to 64 resident subgroups.
"$EMU" --policy=pdom,tf-stack --subgroup-size=4 --sweep=subgroups:1..64 --csv \
  --cost=kepler,miss=0.25,latency=400,hit=20,seed=1 shaders/early-exit/string_match.amber \
  >"$WORK/sweep.csv"
columns policy cost_subgroups cycles <"$WORK/sweep.csv" >"$WORK/points"
plot latency_cycles "string match, 64 subgroups of 4 lanes" "resident subgroups" cycles
columns policy cost_subgroups latency_utilisation <"$WORK/sweep.csv" >"$WORK/points"
plot latency_utilisation "string match, 64 subgroups of 4 lanes" "resident subgroups" utilisation
