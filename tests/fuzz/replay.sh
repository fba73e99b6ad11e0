#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Gives every seed of the fuzzers once to its target, unchanged: no random search, so that the result depends on the
# sources only. Prints one line for each target.
#
#   tests/fuzz/replay.sh BUILD      BUILD has the fuzzers of libFuzzer
#
# Exit code 1 if an input fails.
set -eu
build=$1
root=$(dirname "$0")/../..
rm -rf "$build/seeds"
"$root/tests/fuzz/corpus.sh" "$build/bin/gen_modules" "$build/seeds"

# replay TARGET
replay() {
  seeds=module
  [ "$1" != amber ] || seeds=amber
  status=0
  "$build/bin/fuzz_$1" -runs=0 -seed=1 -max_len=16384 -timeout=60 -rss_limit_mb=3000 \
    -artifact_prefix="$build/" "$build/seeds/$seeds" \
    >"$build/$1.replay" 2>&1 || status=$?
  if [ "$status" -ne 0 ]; then
    echo "$1: a seed fails"
    tail -n 40 "$build/$1.replay"
  else
    echo "$1: $(find "$build/seeds/$seeds" -type f | wc -l) seeds pass"
  fi
  return "$status"
}

failed=0
for target in module transform emu amber; do
  replay "$target" || failed=1
done
exit "$failed"
