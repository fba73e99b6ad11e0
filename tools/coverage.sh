#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The share of lines that the test suite runs. Reads the counts of a build with --coverage after its
# tests have run (./setup.sh coverage does both), prints the figures by folder, writes
# BUILD/coverage/index.html with each line that no test runs, and updates the figures in docs/testing.md.
#
#   tools/coverage.sh BUILD
#
# A source that is compiled several times (alu_*.c: once for each instruction set) counts once; a line
# counts as run if any of its copies is. The counts come from gcov; gcovr 5.2 fails on alu_glsl.c.
set -eu
cd "$(dirname "$0")/.."
build=$1
out=$1/coverage
least=90 # percent, of passes/ and of spv-emu/

mkdir -p "$out"
find "$PWD/$build/CMakeFiles" -name '*.gcda' \
  \( -path '*.dir/passes/*' -o -path '*.dir/spv-emu/*' -o -path '*.dir/spv-graph/*' -o -path '*.dir/harness/*' \) >"$out/objects"
# FILE LINE COUNT, for each copy
(cd "$out" && xargs -n 20 gcov --stdout --json-format <objects 2>/dev/null) |
  jq -r '.files[] | .file as $file | .lines[] | [$file, .line_number, .count] | @tsv' |
  awk -F '\t' -v root="$PWD/" 'index($1, root) == 1 {
      key = substr($1, length(root) + 1) "\t" $2
      if (key ~ /^(passes|spv-emu|spv-graph|harness)\//) run[key] += $3 > 0
    } END { for (key in run) print key "\t" (run[key] > 0) }' | sort -t "$(printf '\t')" -k1,1 -k2,2n >"$out/lines.tsv"

awk -F '\t' '
  function text(s) { gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); return s }
  BEGIN { print "<!doctype html><meta charset=utf-8><title>Lines that no test runs</title><h1>Lines that no test runs</h1>" }
  $1 != file {
    if (file) { print "</pre>"; close(file) }
    file = $1; line = 0
    print "<h2>" file "</h2><pre>"
  }
  { while (line < $2 && (getline source < file) > 0) line++
    if (!$3) print $2 ": " text(source) }
  END { print "</pre>" }' "$out/lines.tsv" >"$out/index.html"

# folder NAME: the percentage of lines run below it
folder() {
  awk -v name="$1/" 'index($1, name) == 1 { all++; run += $3 }
    END { if (!all) exit 1; printf "%.1f\n", int(1000 * run / all) / 10 }' "$out/lines.tsv"
}

echo "lines that no test runs, of all lines, by file"
awk '{ all[$1]++; left[$1] += !$3 } END { for (f in all) if (left[f]) printf "%5d of %5d  %s\n", left[f], all[f], f }' \
  "$out/lines.tsv" | sort -k1nr -k4
passes=$(folder passes) emulator=$(folder spv-emu) harness=$(folder harness)
figures="Lines that the tests run: passes $passes %, spv-emu $emulator %, harness $harness %"
echo "$figures"
grep -q '^Lines that the tests run:' docs/testing.md || { echo 'docs/testing.md has no line for the figures' >&2; exit 1; }
sed -i "s|^Lines that the tests run:.* %|$figures|" docs/testing.md
echo "report: $out/index.html"
for share in "$passes" "$emulator"; do
  [ "${share%.*}" -ge $least ] || { echo "less than $least %" >&2; exit 1; }
done
