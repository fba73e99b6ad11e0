#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# report: usage, what must not be on the page; and in headless Chromium, that its numbers are those of the database
# and of compare, that its pictures are whole, and that the list can be filtered.
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
# shellcheck source=tests/page.sh.inc
. tests/page.sh.inc
probe=$(dirname "$0")/report_probe.js
page=$WORK/page.html
new=$WORK/new.sqlite
old=$WORK/old.sqlite
MOST=4000000 # bytes; for alone
unset SPVRECONV_CHECK # the drivers are to find it

# ---- usage ------------------------------------------------------------------------------------------

run 2 report && says "report expects one results file"
run 2 report x.sqlite && says "report expects the page to write: -o FILE.html"
run 2 report --jobs=2 -o x.html x.sqlite && says "--jobs does not apply to report"
run 2 compare -o x.html a b && says "--output does not apply to compare"
run 1 report -o "$page" missing.sqlite && says "missing.sqlite: no such file"
[ ! -e "$page" ] || fail "a report of nothing has a page"

# ---- a run, an older one, and a crash ------------------------------------------------------------------

both=none+strip-merges,structurize
run 1 run --device=swiftshader,lavapipe --transform=$both --results="$old" tests/harness/faults/well.amber \
  tests/harness/faults/wrong.amber tests/harness/flip
(
  SPV_HARNESS_TEST=flip
  export SPV_HARNESS_TEST
  run 1 run --device=swiftshader,lavapipe --transform=$both --results="$WORK/flip.log" --artifacts="$WORK/kept" \
    tests/harness/faults/well.amber tests/harness/flip
  unset SPV_HARNESS_TEST
  VK_LAYER_PATH=$BIN/layers VK_INSTANCE_LAYERS=VK_LAYER_SPVRECONV_test_fault
  export VK_LAYER_PATH VK_INSTANCE_LAYERS
  run 1 run --device=swiftshader,lavapipe --transform=$both --results="$WORK/crash.log" --artifacts="$WORK/kept" \
    tests/harness/faults/crash.amber tests/harness/artifacts
  [ "$failures" = 0 ]
) || failures=1
run 0 merge "$new" "$WORK/flip.log" "$WORK/crash.log"
run 1 report "$new" -o /nowhere/x.html && says "/nowhere/x.html: No such file"
run 0 report "$new" -o - && prints "<!DOCTYPE html>"

# A page that replaced its own database would lose the data.
cp "$new" "$WORK/copy.sqlite"
run 1 report "$new" -o "$WORK/../$(basename "$WORK")/new.sqlite" && says "the page would replace these results"
run 1 report "$old" --against="$new" -o "$new" && says "the page would replace these results"
cmp "$new" "$WORK/copy.sqlite" || fail "a page has replaced a database"

# in_database FILE: "DEVICE VARIANT OUTCOME NUMBER", and for all variants "DEVICE all OUTCOME NUMBER"
in_database() {
  sqlite3 -separator ' ' "$1" "SELECT device, variant, outcome, count(*) FROM result GROUP BY 1, 2, 3
    UNION ALL SELECT device, 'all', outcome, count(*) FROM result GROUP BY 1, 3" | LC_ALL=C sort
}

# on_page: the same of the table on the page in the file dom
on_page() {
  sed -e 's/<tr /\n&/g' -e 's/<td /\n&/g' -e 's/<\/table>/\n/' "$WORK/dom" | awk '
    match($0, /data-device="[^"]*"/) { device = substr($0, RSTART + 13, RLENGTH - 14) }
    match($0, /data-variant="[^"]*"/) { variant = substr($0, RSTART + 14, RLENGTH - 15) }
    match($0, /data-outcome="[^"]*">[^<]+</) {
      split(substr($0, RSTART + 14, RLENGTH - 15), part, /">/)
      gsub(/,/, "", part[2])
      if (part[2] > 0)
        print device, variant == "" ? "all" : variant, part[1], part[2]
    }' | LC_ALL=C sort
}

# agrees DATABASE WHAT [WIDTH,HEIGHT]: the page shows the numbers of the database, and can be used
agrees() {
  use "$page" "$probe" "${3:-}"
  in_database "$1" >"$WORK/wanted"
  on_page >"$WORK/seen"
  [ -s "$WORK/wanted" ] || fail "$2: the database is empty"
  diff -u "$WORK/wanted" "$WORK/seen" || fail "$2: the totals are not the database's"
}

# database_rows FILE: "CASE|DEVICE|VARIANT|OUTCOME|MESSAGE" of what failed or is a flake
database_rows() {
  sqlite3 "$1" "SELECT path, device, variant, outcome, coalesce(message, '') FROM result WHERE outcome IN
    ('fail', 'crash', 'timeout', 'flake') OR (outcome = 'invalid' AND variant <> 'none')" | LC_ALL=C sort
}

# buffers_of FOLDER: "NAME|DIFFERING|…" as in report_probe.js of the failures there
buffers_of() {
  find "$1" -name failure.json | while read -r json; do
    sqlite3 :memory: "SELECT value ->> 'name', value ->> 'differing', value ->> 'elements',
      value ->> 'largest_error', value ->> 'element', value ->> 'byte', value ->> 'actual', value ->> 'expected'
      FROM json_each(readfile('$json'), '\$.buffers') WHERE value ->> 'numbers' > 0"
  done | sed 's/\.0|/|/' | LC_ALL=C sort
}

# told KIND: the lines of that kind of the probe
told() {
  sed -n "s/^$1 //p" "$WORK/probe" | sed 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' | LC_ALL=C sort
}

run 0 report "$new" -o "$page"
alone "$page"
agrees "$new" "a run"
run 0 dump "$new"
failed=$(awk -F '\t' '$4 ~ /fail|crash|timeout/ || ($4 == "invalid" && $3 != "none")' "$WORK/out" | wc -l)
grep -q "<h1 id=\"headline\">$failed of [0-9]* results failed<" "$WORK/dom" ||
  fail "not $failed failures: $(grep '<h1' "$WORK/dom")"
[ "$(grep -o '<li data-case=' "$WORK/dom" | wc -l)" = "$failed" ] || fail "not all failures are listed"
database_rows "$new" >"$WORK/wanted"
told row >"$WORK/seen"
diff -u "$WORK/wanted" "$WORK/seen" || fail "the list is not the database's"
buffers_of "$WORK/kept" >"$WORK/wanted"
told buffer >"$WORK/seen"
diff -u "$WORK/wanted" "$WORK/seen" || fail "figures of buffers are not those of the artifacts"
grep -q "buffer picture, mip level 1" "$WORK/dom" || fail "no message of a failure"
grep -q "picture: 132 of 4,096 elements differ; the largest error is " "$WORK/dom" || fail "no figures of a buffer"
grep -qF "run --device=lavapipe --transform=none+strip-merges,structurize tests/harness/flip/mip_level.amber" \
  "$WORK/dom" || fail "no command to run it again"
# Six failures of images, and three pictures each; the sizes are those of the files.
widths=$(sed -n 's/.*<pre id="widths">\([^<]*\)<.*/\1/p' "$WORK/dom")
pngs=$(find "$WORK/kept" -name '*.png' | wc -l)
[ "$(echo "$widths" | wc -w)" = "$pngs" ] || fail "$pngs pictures, on the page $widths"
[ "$pngs" -ge 18 ] || fail "only $pngs pictures"
[ "$(echo "$widths" | tr ' ' '\n' | grep -c '^64$')" = 6 ] || fail "widths of pictures: $widths"
case " $widths " in *" 0 "*) fail "a picture cannot be decoded: $widths" ;; esac

# Compared with the older run: as many changes of each kind as compare finds.
run 0 report --against="$old" "$new" -o "$page"
alone "$page"
agrees "$new" "two runs" 400,800
run 1 compare "$old" "$new"
compared=$(sed -n 's/.*: regressions \([0-9]*\), fixes \([0-9]*\), others \([0-9]*\)$/\1 \2 \3/p' "$WORK/out")
seen=$(awk '$1 == "change" { printf "%s%s", sep, $3; sep = " " }' "$WORK/probe")
[ "$seen" = "${compared:-none}" ] || fail "changes on the page: $seen; compare: $compared"
run 0 report --against="$new" "$old" -o "$page"
run 1 compare "$new" "$old"
fixes=$(grep -o '"change":"fix"' "$page" | wc -l)
[ "$fixes" -gt 0 ] || fail "no fixes the other way"
grep -q ": regressions [0-9]*, fixes $fixes, others" "$WORK/out" || fail "$fixes fixes; compare: $(tail -n 1 "$WORK/out")"

# A database of an older version, without artifacts; --artifacts names their folder.
sqlite3 "$new" "DROP TABLE artifacts"
run 0 report "$new" -o "$page"
grep -q "data:image/png" "$page" && fail "pictures from nowhere"
run 0 report "$new" -o "$page" --artifacts="$WORK/kept"
[ "$(grep -o 'data:image/png;base64,' "$page" | wc -l)" = "$pngs" ] || fail "--artifacts: not all pictures"

# Pictures of a failure with another message are those of another run.
sqlite3 "$new" "UPDATE outcome SET message = 'another ' || message WHERE message LIKE '%mip level%'"
run 0 report "$new" -o "$page" --artifacts="$WORK/kept"
others=$(grep -o 'data:image/png;base64,' "$page" | wc -l)
if [ "$others" -ge "$pngs" ] || [ "$others" = 0 ]; then
  fail "$others of $pngs pictures where some failures are others"
fi

# ---- many failures, and names that could end the script or begin one ---------------------------------------

sqlite3 "$old" "DELETE FROM place; DELETE FROM outcome;
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 21000)
  INSERT INTO outcome SELECT i, 1, 'none', 0, 'fail', 'line ' || i || ': <script>x()</script><!--', 0, 0 FROM n;
  INSERT INTO place SELECT 'x/' || case_hash || '</script><img src=x onerror=x()>.amber', 'de\"vice', 'none',
    case_hash, 1 FROM outcome"
run 0 report "$old" -o "$page"
[ "$(grep -c '</script>' "$page")" = 2 ] || fail "a name has ended the script"
grep -q '<img src=x\|<script>x' "$page" && fail "a name has become markup"
browse "$page"
grep -q '<img src="x"\|<img src=x' "$WORK/dom" && fail "a name has become an element"
grep -q '<h1 id="headline">21,000 of 21,000 results failed<' "$WORK/dom" || fail "$(grep '<h1' "$WORK/dom")"
grep -q 'id="left-out"[^>]*>1,000 rows did not fit on this page' "$WORK/dom" || fail "what is left out is not said"
[ "$(grep -o '<li data-case=' "$WORK/dom" | wc -l)" = 100 ] || fail "not the first hundred"

# What is left out is counted: all rows of an older run that failed, and 30 that are fixed.
cp "$old" "$WORK/fixed.sqlite"
sqlite3 "$WORK/fixed.sqlite" "UPDATE outcome SET outcome = 'pass' WHERE case_hash <= 30"
run 0 report "$WORK/fixed.sqlite" --against="$old" -o "$page"
browse "$page"
grep -q '<h1 id="headline">0 regressions, 30 fixed; 20,970 of 21,000 results failed<' "$WORK/dom" ||
  fail "$(grep '<h1' "$WORK/dom")"
finish
