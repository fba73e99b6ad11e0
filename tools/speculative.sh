#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints a table of docs/barriers.md: issues of the corpus under policy barrier with the placements ipdom and
# speculative, of the programs in which they differ.
#
#   tools/speculative.sh [build/bin/spv-emu]
set -eu
cd "$(dirname "$0")/.."
EMU=${1:-build/bin/spv-emu}

# issues PLACEMENT CASE: of all its dispatches
issues() {
  "$EMU" --policy=barrier --barrier-placement="$1" --subgroup-size=32 --csv "$2" 2>/dev/null |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { sum += $at["issued"] } END { print sum + 0 }'
}

echo '| Program | ipdom | speculative | quotient |'
echo '| --- | ---: | ---: | ---: |'
for case in shaders/*/*.amber tests/emu/placement/*.amber; do
  echo "$(basename "$case" .amber) $(issues ipdom "$case") $(issues speculative "$case")"
done | awk '$2 != $3 && $2 { printf "| %s | %d | %d | %.3f |\n", $1, $2, $3, $3 / $2; sum += log($3 / $2); n++ }
  END { if (n) printf "| geometric mean of these %d | | | %.3f |\n", n, exp(sum / n) }'
