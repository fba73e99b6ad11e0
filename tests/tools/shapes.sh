#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The shapes of the programs that have the control flow of the papers' kernels (tests/tools/shapes.csv): blocks,
# branches, loops with two entries, join points of thread frontiers and post-dominators, and what struct-copy
# copies and cuts, exactly. Where the graph of the original is known (docs/results/graphs_static.csv), the
# program's join points are within 30 % of its.
# Usage: shapes.sh BUILD-DIRECTORY
set -eu
bin=$1/bin
table=tests/tools/shapes.csv
graphs=docs/results/graphs_static.csv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $*"
  exit 1
}

# near MINE THEIRS: within 30 %, counting in whole joins
near() {
  [ $((10 * $1)) -ge $((7 * $2)) ] && [ $((10 * $1)) -le $((13 * $2 + 9)) ]
}

head -n 1 "$table" >"$work/is"
while IFS=, read -r program graph _; do
  mkdir -p "$work/modules"
  "$bin/spv-harness" modules "shaders/$program.amber" "$work/modules" >/dev/null
  for module in "$work/modules"/*.spv; do
    "$bin/spvreconv" --transform=strip-merges,struct-copy --no-validate --json "$module"
  done | jq -rs --arg program "$program" --arg graph "$graph" '
    map(.functions[]) | [$program, $graph,
      (map(.before.blocks) | add), (map(.before.branches) | add), (map(.before.irreducible_loops) | add),
      (map(.before.frontier_join_blocks) | add), (map(.before.pdom_join_points) | add),
      (map(.transform.forward_copies + .transform.backward_copies) | add), (map(.transform.cuts) | add)] | @csv' |
    tr -d '"' >"$work/row"
  rm -r "$work/modules"
  cat "$work/row" >>"$work/is"
  [ -n "$graph" ] || continue
  IFS=, read -r _ _ _ _ _ tf pdom _ <"$work/row"
  theirs=$(awk -F , -v graph="$graph" '$1 == graph { print $11, $12 }' "$graphs")
  [ -n "$theirs" ] || fail "$graphs has no row for $graph"
  near "$tf" "${theirs% *}" || fail "$program: $tf TF join points, the original ${theirs% *}"
  near "$pdom" "${theirs#* }" || fail "$program: $pdom PDOM join points, the original ${theirs#* }"
done <<END_OF_TABLE
$(tail -n +2 "$table")
END_OF_TABLE
diff "$table" "$work/is" || fail "shapes that differ from $table (<)"
echo ok
