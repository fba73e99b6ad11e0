#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The emulator's time under each policy, over that under pdom: the least user time of three runs, for docs/benchmarks.md.
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

# Dispatches of 10,000 workgroups of four subgroups, without what their buffers take; and a case.
for input in shaders/early-exit/goto_error.spvasm shaders/loop/three_exits.spvasm shaders/physics/mcx.amber; do
  options="--subgroup-size=8"
  case $input in
  *.spvasm) options="$options --dispatch=10000,1,1" ;;
  esac
  # shellcheck disable=SC2086 # words
  before=$(least --policy=pdom --max-issues=1 $options "$input") pdom=
  for policy in pdom 'barrier --barrier-placement=ipdom' 'barrier --barrier-placement=frontier' tbc tbc-lcp \
    dwf 'dwf --dwf-order=time-stamp'; do
    # shellcheck disable=SC2086
    seconds=$(least --policy=$policy $options "$input")
    [ -n "$pdom" ] || pdom=$seconds
    awk -v input="$input" -v policy="$policy" -v t="$seconds" -v pdom="$pdom" -v before="$before" 'BEGIN {
      printf "| `%s` | `%s` | %.3f | %.2f |\n", input, policy, t - before, (t - before) / (pdom - before) }'
  done
done
