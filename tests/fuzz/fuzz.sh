#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Fuzzes, and prints one line for each target; findings stay in BUILD/findings/.
#
#   tests/fuzz/fuzz.sh BUILD TARGET SECONDS [LOG.csv]
#
# TARGET: module, transform, emu, amber, or all: each for an equal share of SECONDS (wall clock), two
# at a time on two processors. Each target's corpus grows in BUILD/corpus/TARGET from run to run;
# it starts with corpus.sh's seeds. With LOG.csv a line is added for each target:
#
#   date,commit,target,engine,processor seconds,runs,corpus,edges,findings
#
# Exit code 1 if something was found.
set -eu
build=$1
target=$2
seconds=$3
log=${4:-}
root=$(dirname "$0")/../..
all="module transform emu amber"
at_once=1
[ "$(nproc)" -eq 1 ] || at_once=2
[ "$target" != all ] || seconds=$((seconds * at_once / 4))
[ "$seconds" -gt 0 ] || seconds=1
[ -d "$build/seeds" ] || "$root/tests/fuzz/corpus.sh" "$build/bin/gen_modules" "$build/seeds"

# number NAME LOG: libFuzzer's last figure of that name
number() {
  sed -n "s/.*$1: *\([0-9]*\).*/\1/p" "$2" | tail -n 1
}

# found TARGET: inputs that fail
found() {
  find "$build/findings/$1" -type f ! -name 'slow-unit-*' | wc -l
}

# fuzz TARGET: one target, within its time; libFuzzer's output goes to BUILD/TARGET.log
fuzz() {
  seeds=module
  dictionary=
  if [ "$1" = amber ]; then
    seeds=amber
    dictionary="-dict=$build/seeds/amber.dict"
  fi
  mkdir -p "$build/corpus/$1" "$build/findings/$1"
  before=$(found "$1")
  # The last word is processor time, since the machine may be busy.
  # shellcheck disable=SC2086 # no dictionary, no word
  took=$(
    status=0
    nice -n 19 "$build/bin/fuzz_$1" -max_total_time="$seconds" -max_len=16384 -timeout=60 -rss_limit_mb=3000 \
      -print_final_stats=1 -verbosity=1 -artifact_prefix="$build/findings/$1/" $dictionary \
      "$build/corpus/$1" "$build/seeds/$seeds" >"$build/$1.log" 2>&1 || status=$?
    times >"$build/$1.times" # in a pipe it would be another shell's
    awk -F '[ms ]' -v status="$status" 'NR == 2 { print status, int($1 * 60 + $2 + $4 * 60 + $5) }' "$build/$1.times"
  )
  status=${took% *} took=${took#* }
  runs=$(number 'stat::number_of_executed_units' "$build/$1.log")
  edges=$(number ' cov' "$build/$1.log")
  corpus=$(find "$build/corpus/$1" -type f | wc -l)
  findings=$(($(found "$1") - before))
  echo "$1: ${runs:-0} runs in $took s of the processor, ${edges:-0} edges, $corpus inputs kept, $findings findings"
  if [ "$status" -ne 0 ]; then
    grep -a -E '^FUZZ:|ERROR:|SUMMARY:|runtime error|Test unit written' "$build/$1.log" | head -n 5
  fi
  [ -z "$log" ] || echo "$(date +%F),$(git -C "$root" rev-parse --short HEAD),$1,libFuzzer,$took,${runs:-0},$corpus,${edges:-0},$findings" >>"$log"
  return "$status"
}

if [ "$target" != all ]; then
  fuzz "$target"
  exit
fi
found=0
running=
for one in $all; do
  fuzz "$one" &
  running="$running $!"
  [ "$(echo "$running" | wc -w)" -eq "$at_once" ] || continue
  for pid in $running; do
    wait "$pid" || found=1
  done
  running=
done
exit "$found"
