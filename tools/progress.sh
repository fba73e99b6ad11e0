#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the table of docs/barriers.md: which scheme ends on which case of tests/emu/progress, where
# lanes of a subgroup wait for others of it.
#
#   tools/progress.sh [build/bin/spv-emu]
set -eu
cd "$(dirname "$0")/.."
EMU=${1:-build/bin/spv-emu}
CASES="lock_in_loop spin_lock turns producer_first consumer_first barrier_after_lock"
FILES=$(for case in $CASES; do echo "tests/emu/progress/$case.amber"; done)

# row NAME OPTIONS…: what becomes of each case
row() {
  name=$1
  shift
  # All that end issue far less; the emulator looks for a livelock at half of the limit.
  # shellcheck disable=SC2086 # a word each
  { "$EMU" --csv --max-issues=200000 "$@" $FILES 2>/dev/null || true; } | awk -F, -v name="$name" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; line = "| " name; next }
    { line = line " | " $at["status"] }
    END { print line " |" }'
}

# shellcheck disable=SC2016 # the backquotes are Markdown's
echo "| Scheme | $(echo "$CASES" | sed 's/^/`/; s/ /` | `/g; s/$/`/') |"
echo "| --- $(echo "$CASES" | sed 's/[a-z_]*/| ---/g') |"
for policy in scalar none pdom tf-stack tf-sandy structured maximal ssy minpc stackless jip; do
  row "\`$policy\`" --policy=$policy
done
for scheduling in lifo oldest round-robin; do
  for placement in nak ipdom frontier speculative; do
    row "\`barrier\`, $placement, $scheduling" --policy=barrier --barrier-placement=$placement \
      --barrier-scheduling=$scheduling
  done
done
