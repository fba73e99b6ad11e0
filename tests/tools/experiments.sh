#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ./setup.sh experiments with one program in place of the corpus: all tables and pictures are written, with
# the figures that the tools print.
# Usage: experiments.sh BUILD-DIRECTORY
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

SIZES='32 workgroup' RUNS=0 JOBS=1 SURVEY=shaders/irreducible \
  tools/experiments/run.sh "$build" "$work/docs" "$work/measured" search/gpumummer

fail() {
  echo "FAILED: $*"
  exit 1
}

# issues POLICY: the figure of spv-emu
issues() {
  "$build/bin/spv-emu" --csv --policy="$1" shaders/search/gpumummer.amber |
    awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["issued"] }'
}

results=$work/docs/results.md
grep -q "gpumummer .*| $(issues pdom) .*| $(issues tf-stack) " "$results" || fail "no such issues in figure 6"
for table in applications figure5 figure6 figure7 figure8 figure13 figure15 table1 table2 table3 orders distance \
  priorities policies; do
  [ "$(wc -l <"$work/docs/results/$table.csv")" -ge 2 ] || fail "$table.csv has no row"
done
for picture in "$work"/docs/results/*.svg; do
  grep -q '<text' "$picture" || fail "$picture has no text"
  tail -n 1 "$picture" | grep -qx '</svg>' || fail "$picture has no end"
  grep -qF "results/$(basename "$picture")" "$results" || fail "$picture is not shown"
  ! grep -qi 'nan\|inf' "$picture" || fail "$picture has a position that is not a number"
done
[ "$(find "$work/docs/results" -name '*.svg' | wc -l)" = 5 ] || fail "not five pictures"

# Verdicts follow from the numbers: other numbers, other verdicts. All graphs are like this first.
#   claims: the text of the claims and their verdicts
claims() {
  tools/experiments/results.sh "$work/measured" "$work/docs"
  sqlite3 -csv :memory: ".import --csv $work/docs/results/claims.csv c" "SELECT claim || ': ' || verdict FROM c"
}
# graphs_dynamic ISSUES...: of one graph under each scheme
graphs_dynamic() {
  echo "graph,turns,together,scheme,issues,status"
  for scheme in pdom tf-stack rpo tf-sandy opt struct structurize exec; do
    echo "g,4,1,$scheme,$1,ok"
    shift
  done
}
says() {
  grep -qF "$1" "$work/claims" || fail "no '$1' in: $(cat "$work/claims")"
}
graphs_dynamic 100 90 90 95 80 101 102 103 >"$work/docs/results/graphs_dynamic.csv"
claims >"$work/claims"
says "TF-STACK issues at most as much as PDOM: holds"
says "STRUCT issues at least as much as PDOM: "
says "thread frontiers have more join points than PDOM: "
graphs_dynamic 100 110 120 95 80 101 102 103 >"$work/docs/results/graphs_dynamic.csv"
claims >"$work/claims"
says "TF-STACK issues at most as much as PDOM: does not hold"
says "the same with priorities in reverse post-order, which the paper uses: does not hold"
sed -i 's/^\(hotspot,\([^,]*,\)\{5\}\)[0-9]*/\15/' "$work/docs/results/graphs_static.csv"
claims >"$work/claims"
says "struct-copy on hotspot: does not hold"
says "struct-copy on tpacf: holds"
echo ok
