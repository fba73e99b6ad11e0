#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes the measurements of run.sh as pages: DOCS/results.md, the summary, from the parts in summary/, and one page for
# each file in pages/, DOCS/results/PAGE.md from pages/NN_PAGE.sh.inc. Each part and page queries a database for its
# tables. With lists or schemes only these pages and their table in the summary; that needs only the measurements of
# lists and times, or of schemes. With claims only the pages of the claims and of the points.
#
#   results.sh WORK DOCS [lists|schemes|claims]
set -eu

cd "$(dirname "$0")/../.."
here=tools/experiments work=$1 docs=$2 only=${3:-} db=$1/results.db
data=$docs/results
rm -f "$db"
mkdir -p "$data"

load() {
  sqlite3 "$db" ".import --csv $1 $2"
}

# Measurements that only the other pages query.
load_others() {
  for table in counts static schemes orders blocks flow_blocks llvm_blocks measured_modules frontiers measured_sandy measured_sandy_programs measured_merge_back measured_tokens measured_timeline measured_amdgpu survey; do
    load "$work/$table.csv" "$table"
  done
  for table in static dynamic; do # of the last run with GRAPHS
    [ -f "$data/graphs_$table.csv" ] || cp "docs/results/graphs_$table.csv" "$data"
    load "$data/graphs_$table.csv" "graphs_$table"
  done
  for table in figure5 table1 table2 table3 flow_blocks graphs; do
    load $here/published/$table.csv published_$table
  done
  sqlite3 "$db" <$here/views.sql
}

load_lists() {
  load "$work/lists.csv" lists
  load "$work/times.csv" times
  load $here/applications.csv applications
  sqlite3 "$db" <$here/views_lists.sql
}

case $only in
lists) load_lists ;;
schemes) load "$work/schemes.csv" schemes ;;
*)
  load_lists
  load_others
  ;;
esac

# query SQL: the one value that it yields
query() {
  sqlite3 "$db" "$1"
}

# SQL of a quotient, and of the geometric mean of one, with this number of digits; NULL gives NULL
ratio() {
  echo "CASE WHEN $1 IS NOT NULL AND $2 > 0 THEN printf('%.${3}f', 1.0 * ($1) / ($2)) END"
}
mean_ratio() {
  echo "CASE WHEN count($1) THEN printf('%.${3}f', exp(avg(ln(1.0 * $1 / $2)))) END"
}
# SQL of the difference of the first to the second, in percent of the second
percent_over() {
  echo "CASE WHEN $1 IS NOT NULL AND $2 > 0 THEN printf('%.1f', 100.0 * ($1 - $2) / $2) END"
}

# csv SQL: as CSV on standard output
csv() {
  sqlite3 -csv -header "$db" "$1" | tr -d '\r'
}

# rows SQL: as Markdown
rows() {
  echo
  sqlite3 -markdown -nullvalue - "$db" "$1"
  echo
}

# table NAME SQL: as Markdown, and as $data/NAME.csv
table() {
  csv "$2" >"$data/$1.csv"
  rows "$2"
}

# says CONDITION TEXT OTHER: the text if the SQL condition holds, else the other one
says() {
  if [ "$(query "SELECT CASE WHEN $1 THEN 1 ELSE 0 END")" = 1 ]; then
    printf '%s' "$2"
  else
    printf '%s' "$3"
  fi
}

# tables NAME SQL: two tables, NAME of the papers' programs and NAME_own of our own. In the SQL, OF_GROUP stands for the
# condition on \`a.program\`.
tables() {
  table "$1" "$(printf "%s\n" "$2" | sed 's/OF_GROUP/a.program IN (SELECT program FROM paper_programs)/')"
  echo "Programs of our own:"
  table "$1_own" "$(printf "%s\n" "$2" | sed 's/OF_GROUP/a.program NOT IN (SELECT program FROM paper_programs)/')"
}

# chart NAME TITLE XLABEL SQL [NAME=VALUE...]: a dot chart $data/NAME.svg; see tools/dots.awk
chart() {
  chart=$1 title=$2 xlabel=$3
  csv "$4" >"$work/chart.csv"
  shift 4
  for option; do
    set -- "$@" -v "$option"
    shift
  done
  awk -f tools/csv.awk -f tools/svg.awk -f tools/dots.awk -v title="$title" -v xlabel="$xlabel" "$@" \
    "$work/chart.csv" >"$data/$chart.svg"
  echo
  echo "![$title]($chart.svg)"
  echo
}

# SQL of the time of a variant on a device, in microseconds, from the view `timed` grouped by program; its name is LABEL
timed() { # timed DEVICE VARIANT LABEL
  echo "max(CASE WHEN device = '$1' AND variant = '$2' THEN CASE outcome WHEN 'pass' THEN printf('%.0f', nanoseconds / 1000.0) WHEN 'same' THEN CASE WHEN nanoseconds > 0 THEN printf('%.0f ', nanoseconds / 1000.0) ELSE '' END || '=' ELSE outcome END END) AS '$1, $3'"
}

# not_passed VARIANTS: the programs that did not pass after one of the variants, a list in SQL, and why
not_passed() {
  query "SELECT coalesce(group_concat(what, '; '), 'none') FROM (SELECT DISTINCT program || ' after ' || variant || ': ' || message AS what FROM timed WHERE outcome NOT IN ('pass', 'same') AND variant IN ($1) ORDER BY 1)"
}

# SQL of the mean times of the VARIANTS, a list in SQL, relative to structurize
times_mean() { # times_mean VARIANTS
  echo "
    SELECT t.device, t.variant, $(mean_ratio t.nanoseconds s.nanoseconds 3) AS 'time / time of structurize', count(*) AS programs, sum(t.outcome = 'same') AS 'programs with the module of an earlier variant'
    FROM timed t JOIN timed s ON s.program = t.program AND s.device = t.device AND s.variant = 'strip-merges,structurize'
    WHERE t.nanoseconds > 0 AND s.nanoseconds > 0 AND t.variant IN ($1) GROUP BY 1, 2 ORDER BY 1, 2"
}

# of_orders COLUMN ORDER: its sum over the applications
of_orders() {
  query "SELECT coalesce(sum($1), 0) FROM orders WHERE \"order\" = '$2'"
}

# What the pages of the claims and of the points share with others
# SQL FROM clause: a program's TF-STACK in an order, beside PDOM, where PDOM ends
order_against_pdom() {
  echo "tf_orders o JOIN issues i USING (program, size) WHERE o.size = '32' AND o.priority = '$1' AND i.pdom IS NOT NULL"
}
# SQL condition on runs: of TF-STACK in its own order, as written
# shellcheck disable=SC2034 # for the pages
tf_cycles_of="policy = 'tf-stack' AND transform = 'none' AND priority = 'lrpo' AND size = '32' AND status = 'ok'"
# graph_ratio SCHEME SCHEME: the mean quotient of their issues on graphs
graph_ratio() {
  query "SELECT printf('%.3f', exp(avg(ln(1.0 * a.issues / b.issues)))) FROM graph_issues a JOIN graph_issues b USING (graph, turns, together)
    WHERE a.scheme = '$1' AND b.scheme = '$2'"
}

# pages: the files of the pages to write
pages() {
  case $only in
  lists) ls "$here"/pages/*_lists.sh.inc "$here"/pages/*_gains.sh.inc "$here"/pages/*_gains_times.sh.inc ;;
  schemes) ls "$here"/pages/*_schemes.sh.inc ;;
  claims) ls "$here"/pages/*_claims.sh.inc "$here"/pages/*_points.sh.inc ;;
  *) ls "$here"/pages/*.sh.inc ;;
  esac
}
# page_of FILE: PAGE of pages/NN_PAGE.sh.inc
page_of() {
  basename "$1" .sh.inc | sed 's/^[0-9]*_//'
}
# tidy: without blank lines at either end, and without two in a row
tidy() {
  cat -s | sed '1{/^$/d}' | sed '${/^$/d}'
}

note="Part of the [results](../results.md), which explain the schemes. Written by \`./setup.sh experiments\`; do not edit."
for file in $(pages); do
  # shellcheck source=/dev/null
  . "$file" >"$work/page.md"
  awk -v note="$note" 'NR == 1 { print; print ""; print note; next } 1' "$work/page.md" | tidy >"$data/$(page_of "$file").md"
done
[ "$only" != claims ] || exit 0
if [ -n "$only" ]; then
  # shellcheck source=/dev/null
  . "$(ls "$here"/summary/*_"$only".sh.inc)" >"$work/part.md"
  sed "1,/^<!-- $only table/d; /^<!-- end -->/,\$d" "$work/part.md" | tidy | tools/insert_table.sh "$only" "$docs/results.md"
  exit
fi
for part in "$here"/summary/*.sh.inc; do
  echo
  # shellcheck source=/dev/null
  . "$part"
done >"$work/results.md"
tidy <"$work/results.md" >"$docs/results.md"
