#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares the code that reconverge adds with the code that struct-copy adds, for each function:
#
#   tools/compare_copies.sh [BUILD [FILE...]]   (default: build; shaders/*/*.spvasm and the modules
#                                                that ./setup.sh corpus has compiled)
#
# Prints the functions to which struct-copy adds 200 instructions or more, and sums over all. Instructions
# are counted without phis, which have columns of their own.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$here/build}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- "$here"/shaders/*/*.spvasm "$build"/corpus/darktable/spv/*.spv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# figures TRANSFORM FILE: name, instructions added, phis added, a line for each function
figures() {
  "$build/bin/spvreconv" "--transform=$1" --max-growth=1000000 --no-validate --json "$2" |
    jq -r '.functions[] | select(.before.blocks > 1) |
      [.name, .after.instructions - .before.instructions, .transform.added_phis] | @tsv'
}

for file in "$@"; do
  [ -e "$file" ] || continue
  name=$(basename "$file")
  name=${name%.spv*}
  figures reconverge "$file" >"$work/reconverge"
  if figures struct-copy "$file" >"$work/copy" 2>"$work/message"; then
    paste "$work/reconverge" "$work/copy" | sed "s/^/$name	/"
  else
    echo "$name: left out: $(head -n 1 "$work/message")" >&2
  fi
done >"$work/all"

awk -F '\t' -v row='%-20s %-34s %7s %6s %8s %6s %6s\n' '
  function line(file, name, a, phis, b, copy_phis) {
    printf(row, file, name, a, phis, b, copy_phis, (b > 0 ? sprintf("%.3f", a / b) : "-"))
  }
  BEGIN {
    printf row, "", "", "reconv.", "", "struct-", "", ""
    printf row, "file", "function", "added", "phis", "copy", "phis", "ratio"
  }
  {
    functions++; a += $3; phis += $4; b += $6; copy_phis += $7
    if ($6 >= 200) {
      shown++
      line($1, $2, $3, $4, $6, $7)
      above += $3 * 10 > $6
    }
  }
  END {
    line("all", functions " functions of several blocks", a, phis, b, copy_phis)
    printf "%d functions with 200 or more; reconverge adds more than a tenth of that in %d\n", shown, above
  }' "$work/all"
