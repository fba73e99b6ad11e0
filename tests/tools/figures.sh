#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares the figures that pages quote with their source, a table of docs/results/ or of another page. The words around a
# figure are in one line of the page; they begin with text, and each @ in them is a number. README.md may have no figure but those listed here.
# Usage: figures.sh BUILD-DIRECTORY [--update]    --update writes the figures into the pages
set -eu
update=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed 's/Apache License 2.0//' README.md >"$work/unlisted"

for table in docs/results/*.csv tests/tools/shapes.csv; do
  name=$(basename "$table" .csv)
  [ ! -s "$table" ] || echo ".import --csv $table $name"
done >"$work/import"
sqlite3 "$work/db" <"$work/import"

# of SQL: the values of the first row that it yields, of the tables in docs/results/, a word each
of() {
  sqlite3 -separator ' ' "$work/db" "$1" | head -n 1
}

# told PAGE WORDS: the figures in place of each @ in the line of the page that has these words
told() {
  awk -v words="$2" '
    # the numbers in text, which follows part[1] of the words, or "-"
    function numbers(text,    i, value, found) {
      for (i = 2; i <= n; i++) {
        if (!match(text, /^-?[0-9][0-9.,]*[0-9]|^[0-9]/)) return "-"
        value = substr(text, 1, RLENGTH)
        text = substr(text, RLENGTH + 1)
        if (index(text, part[i]) != 1) return "-"
        text = substr(text, length(part[i]) + 1)
        found = found (i > 2 ? " " : "") value
      }
      return found
    }
    BEGIN { n = split(words, part, "@") }
    {
      for (rest = $0; (at = index(rest, part[1])); ) {
        rest = substr(rest, at + length(part[1]))
        if ((found = numbers(rest)) != "-") { print found; exit }
      }
    }' "$1"
}

# figure PAGE WORDS VALUES: the line of PAGE that has WORDS has these VALUES, separated by blanks, in place of each @
figure() {
  page=$1 words=$2 values=$3
  now=$(told "$page" "$words")
  if [ -z "$values" ]; then
    echo "FAILED: there is no source of \"$words\""
  elif [ -z "$now" ]; then
    echo "FAILED: $page has no line \"$words\""
  elif [ "$now" != "$values" ] && [ -z "$update" ]; then
    echo "FAILED: $page says $now, its source $values: \"$words\"; $0 build --update writes it"
  fi
  with=$(filled "$words" "$values") is=$(filled "$words" "$now")
  if [ "$now" != "$values" ] && [ -n "$update" ]; then
    replaced "$is" "$with" "$page"
  fi
  [ "$page" != README.md ] || replaced "$is" "" "$work/unlisted"
}
# filled WORDS VALUES: the words with a value in place of each @
filled() {
  printf '%s\n' "$1" | awk -v values="$2" '{ n = split(values, v, " "); for (i = 1; i <= n; i++) { gsub(/&/, "\\\\&", v[i]); sub(/@/, v[i]) } print }'
}
# replaced OLD NEW FILE: the first OLD of each line
replaced() {
  OLD=$1 NEW=$2 awk '{
    at = index($0, ENVIRON["OLD"])
    print at ? substr($0, 1, at - 1) ENVIRON["NEW"] substr($0, at + length(ENVIRON["OLD"])) : $0
  }' "$3" >"$work/replaced"
  cp "$work/replaced" "$3"
}

{
  # ---- README.md ----
  figure README.md '| @ % against @ %' "$(told docs/results.md '  @ % against @ % (mean over the applications)')"
  figure README.md '| @; LLVM @, MLIR @' "$(awk '$1 == "all" && / backend$|valid/ { split($4, a, "+"); split($6, b, "+"); split($8, c, "+"); print a[1], b[1], c[1] }' docs/benchmarks.md)"
  figure README.md 'aborts on @ of the' "$(told docs/benchmarks.md 'and the backend aborts on @.')"
  figure README.md '| @ against @ times the optimum' "$(of "SELECT b.\"the applications\", s.\"the applications\" FROM lists b, lists s
    WHERE b.list = 'best' AND s.list = 'structurize' AND b.policy = 'structured' AND s.policy = 'structured'")"
  figure README.md '| @ and @ times' "$(of "SELECT l.\"time / time of structurize\", s.\"time / time of structurize\" FROM gains_times_mean l, gains_times_mean s
    WHERE l.device = 'lavapipe' AND s.device = 'swiftshader' AND l.variant = 'strip-merges,best' AND s.variant = 'strip-merges,best'")"
  figure README.md '| @ times, all programs' "$(of "SELECT \"by pdom\" FROM schemes WHERE scheme = 'tf-stack'")"

  # ---- docs/kernels.md ----
  for row in physics/mcx physics/mri_fhd 'physics/photon_transport` (MC-GPU)' physics/tpacf search/gpumummer vision/background_subtraction; do
    program=${row%%\`*}
    [ "$program" != "$row" ] || row="$row\`"
    figure docs/kernels.md "| \`$row | @ / @ | @ / @ | @ / @ | @ / @ | @ / @ | @ / @ |" "$(of "
      SELECT s.blocks, g.blocks, s.branches, g.branches, s.tf_joins, g.tf_joins, s.pdom_joins, g.pdom_joins, s.copies, g.forward_copies, s.cuts, g.cuts
      FROM shapes s JOIN graphs_static g USING (graph) WHERE program = '$program'")"
  done
  figure docs/kernels.md 'With PDOM our program issues @ % more instructions' "$(of "SELECT \"PDOM over TF-STACK %\" FROM figure6 WHERE program = 'physics/mcx'")"
  figure docs/kernels.md "branches, the original's graph issues @ % more" "$(told docs/results/points.md 'mcx @ % on its own graph')"
  figure docs/kernels.md 'graph also issues only @ % more' "$(of "SELECT \"mcx: PDOM over TF-STACK %\" FROM sandy_sweep WHERE taken = '0.85' AND together = '1'")"
  figure docs/kernels.md 'That is so in @ of @ programs' "$(of "SELECT sum(CAST(\"TF-SANDY\" AS INTEGER) > CAST(PDOM AS INTEGER)), count(*) FROM (SELECT * FROM figure6 UNION ALL SELECT * FROM figure6_own)")"
  figure docs/kernels.md 'TF-SANDY exceeds PDOM in @ of @ runs' "$(of "SELECT sum(CAST(a.issues AS INTEGER) > CAST(b.issues AS INTEGER)), count(*)
    FROM graphs_dynamic a JOIN graphs_dynamic b USING (graph, turns, together) WHERE a.scheme = 'tf-sandy' AND b.scheme = 'pdom' AND a.status = 'ok' AND b.status = 'ok'")"
  for program in physics/particles physics/mcx render/raytrace search/gpumummer physics/photon_transport micro/exception_loop; do
    figure docs/kernels.md "| \`$program\` | @ | @ | @ | @ % | @ % |" "$(of "SELECT PDOM, \"TF-STACK\", \"TF-SANDY\", \"PDOM over TF-STACK %\", \"TF-SANDY over PDOM %\" FROM figure6 WHERE program = '$program'")"
  done

  # ---- docs/driver-bugs.md ----
  figure docs/driver-bugs.md 'In @ of the first @ programs' "$(awk -F , 'NR > 1 && $3 !~ /fragment/ { all += $4; bad += $8 }
    END { printf "%d %d,%03d\n", bad, all / 1000, all % 1000 }' tests/diff/log.csv)"
} >"$work/failed"

awk '/^    /{ next } match($0, /[0-9]+\.[0-9]+|[0-9] %|[0-9],[0-9][0-9][0-9]|[0-9] of [0-9]/) {
  print "FAILED: README.md has a figure that figures.sh does not know: " $0 }' "$work/unlisted" >>"$work/failed"
cat "$work/failed"
[ ! -s "$work/failed" ]
