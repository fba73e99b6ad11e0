#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The emulator's time under each policy, over that under pdom: the least user time of three runs; what it issues, and the
# time of an issue, over those under pdom; for docs/benchmarks.md.
#
#   tools/policy_speed.sh [build]
set -eu
cd "$(dirname "$0")/.."
EMU=${1:-build}/bin/spv-emu
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

# least OPTION…: the least user time, in seconds
least() {
  for _ in 1 2 3; do
    LC_ALL=C bash -c 'TIMEFORMAT=%3U; time "$@" >/dev/null 2>&1' sh "$EMU" "$@" 2>>"$WORK/times" || true # a limit of issues
  done
  sort -n "$WORK/times" | head -n 1
  rm "$WORK/times"
}

# Dispatches of 60,000 workgroups of four subgroups, without what their buffers take; and a case whose dispatch is
# repeated, since one takes a few milliseconds.
awk '/^RUN / { for (i = 0; i < 30; i++) print; next } !/^EXPECT /' shaders/physics/mcx.amber >"$WORK/mcx.amber"
for input in shaders/early-exit/goto_error.spvasm shaders/loop/three_exits.spvasm shaders/physics/mcx.amber; do
  file=$input options="--subgroup-size=8"
  case $input in
  *.spvasm) options="$options --dispatch=60000,1,1" ;;
  *) file=$WORK/mcx.amber ;;
  esac
  # shellcheck disable=SC2086 # words
  before=$(least --policy=pdom --max-issues=1 $options "$file") pdom=
  for policy in pdom 'barrier --barrier-placement=ipdom' 'barrier --barrier-placement=frontier' tbc tbc-lcp \
    dwf 'dwf --dwf-order=minority' 'dwf --dwf-order=time-stamp' 'dwf --dwf-order=pc'; do
    # shellcheck disable=SC2086
    seconds=$(least --policy=$policy $options "$file")
    # shellcheck disable=SC2086
    issued=$("$EMU" --json --policy=$policy $options "$file" | jq '.results[0].issued')
    [ -n "$pdom" ] || pdom=$seconds pdom_issued=$issued
    awk -v input="$input" -v policy="$policy" -v t="$seconds" -v pdom="$pdom" -v before="$before" -v issued="$issued" \
      -v pdom_issued="$pdom_issued" 'BEGIN {
      ratio = (t - before) / (pdom - before)
      issues = issued / pdom_issued
      printf "| `%s` | `%s` | %.3f | %.2f | %.2f | %.2f |\n", input, policy, t - before, ratio, issues, ratio / issues }'
  done
done
