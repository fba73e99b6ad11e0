#!/bin/sh
# The share of lines that the test suite runs. Reads what a build with --coverage left behind once its
# tests were run (./setup.sh coverage does both), prints the figures by folder and file, writes
# BUILD/coverage/index.html, and sets the figures in README.md.
#
#   tools/coverage.sh BUILD
#
# A source that is compiled several times (alu_*.c: once for each instruction set) counts once; a line
# is run when any of its copies is.
set -eu
cd "$(dirname "$0")/.."
build=$1
least=90 # percent, of passes/ and of spv-emu/

mkdir -p "$build/coverage"
rm -f "$build/coverage"/*
# The product's objects only, not those of the tests.
find "$build/CMakeFiles" -type d \( -path '*.dir/passes' -o -path '*.dir/spv-emu' -o -path '*.dir/harness' \) \
  -exec gcovr --root . --filter passes/ --filter spv-emu/ --filter harness/ \
  -j "$(nproc)" --json-summary "$build/coverage/lines.json" \
  --html-details "$build/coverage/index.html" {} +

# folder PREFIX: the percentage of lines run below it
folder() {
  jq -r --arg prefix "$1" '
    [.files[] | select(.filename | startswith($prefix))]
    | 100 * (map(.line_covered) | add) / (map(.line_total) | add) * 10 | floor / 10' \
    "$build/coverage/lines.json"
}

echo "lines not run, of all lines, by file (none: left out)"
jq -r '.files[] | select(.line_total > .line_covered)
       | [.line_total - .line_covered, .line_total, .filename] | @tsv' "$build/coverage/lines.json" |
  sort -k1nr -k3 | awk '{ printf "%5d of %5d  %s\n", $1, $2, $3 }'

passes=$(folder passes/) emulator=$(folder spv-emu/) harness=$(folder harness/)
figures="Lines that the tests run: passes $passes %, spv-emu $emulator %, harness $harness %"
echo "$figures"
sed -i "s|^Lines that the tests run:.* %|$figures|" README.md
grep -q "^$figures" README.md || { echo 'README.md has no line for the figures' >&2; exit 1; }
for share in "$passes" "$emulator"; do
  [ "${share%.*}" -ge $least ] || { echo "less than $least %" >&2; exit 1; }
done
echo "report: $build/coverage/index.html"
