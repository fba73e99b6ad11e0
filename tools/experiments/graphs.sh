#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures kernels made of the graphs (.json) in a folder, or in a file such as graphs/kernels.txt (spv-graph, docs/graph.md):
#
#   graphs.sh BUILD GRAPHS OUT
#
# OUT/graphs_static.csv: each graph under struct-copy. OUT/graphs_dynamic.csv: issues under each scheme, where loops
# have 4, 16 or 64 iterations on average, all other branches go both ways equally often, and lanes go their ways
# alone or eight together. JOBS (the processors) is the number of graphs measured in parallel.
# shellcheck source=tools/experiments/experiment.sh.inc
. "$(dirname "$0")/experiment.sh.inc"
build=$1 dir=$2 out=$3
JOBS=${JOBS:-$(nproc)}

if [ -f "$dir" ]; then
  mkdir "$work/json"
  awk -v dir="$work/json" -f "$here/graph_json.awk" "$dir"
  dir=$work/json
fi
find "$dir" -name '*.json' | LC_ALL=C sort >"$work/graphs"
[ -s "$work/graphs" ] || { echo "graphs: no graph (.json) is below $dir" >&2 && exit 1; }
xargs -P "$JOBS" -I '{}' "$here/graph.sh" "$build" '{}' "$work" <"$work/graphs"
mkdir -p "$out"
for kind in static dynamic; do
  find "$work" -name "*.$kind" | LC_ALL=C sort | xargs awk 'FNR > 1 || !n++' >"$out/graphs_$kind.csv"
done
