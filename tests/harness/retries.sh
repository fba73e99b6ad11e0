#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --retries: what fails once and then passes is a flake, in all outputs; what always fails is a failure.
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
faults=tests/harness/faults
export VK_LAYER_PATH="$BIN/layers" VK_INSTANCE_LAYERS=VK_LAYER_SPVRECONV_test_fault
both=none+strip-merges,structurize

# moody ARGUMENTS…: a run on a driver that crashes once
moody() {
  rm -f "$WORK/once"
  SPV_TEST_ONCE=$WORK/once "$HARNESS" run --device=swiftshader --transform=$both --jobs=1 "$@" \
    >"$WORK/out" 2>"$WORK/err"
}

moody "$faults/well.amber" && fail "a crash without --retries passes"
prints "none crash; strip-merges,structurize pass"
ends "1 passed, 1 failed, 0 skipped"
moody --retries=2 --junit="$WORK/x.xml" --results="$WORK/x.sqlite" "$faults/well.amber" \
  "$faults/wrong.amber" && fail "an EXPECT that always fails is a flake"
prints "well.amber: none flake; strip-merges,structurize pass"
prints "flake: passed in run 2, but run 1 was crash: killed by signal 6"
prints "wrong.amber: none fail; strip-merges,structurize same"
prints "flakes:"
ends "2 passed, 1 failed, 0 skipped"
grep -q '<testsuite name="swiftshader" tests="4" failures="1" errors="0" skipped="1">' \
  "$WORK/x.xml" || fail "JUnit: $(cat "$WORK/x.xml")"
[ "$(grep -c '<flakyFailure message="flake: passed in run 2' "$WORK/x.xml")" = 1 ] ||
  fail "no flake in JUnit: $(cat "$WORK/x.xml")"
run 0 dump "$WORK/x.sqlite" && prints "swiftshader	none	flake"

# A log and its merge hold flakes, too, and JSON counts them.
moody --retries=1 --json --results="$WORK/x.log" "$faults/well.amber" || fail "a flake is a failure"
prints '"outcome": "flake"' && prints '"flakes": 1' && prints '"failed": 0'
run 0 merge "$WORK/merged.sqlite" "$WORK/x.log"
run 0 dump "$WORK/merged.sqlite" && prints "swiftshader	none	flake"

# What is recorded is not run again; a run with other retries is another run.
for retries in 1 2; do
  recorded=$([ $retries = 1 ] && echo true || echo false)
  run 0 run --device=swiftshader --transform=$both --retries=$retries --json --resume \
    --results="$WORK/x.log" "$faults/well.amber"
  prints "\"recorded\": $recorded"
done
# The artifacts are those of the failure that is reported, the first one.
moody --retries=1 --artifacts="$WORK/kept" --json "$faults/wrong.amber" && fail "what fails in two ways passes"
prints '"outcome": "crash"'
outcome=$(jq -r .outcome "$WORK/kept/swiftshader/$faults/wrong.amber/none/failure.json")
[ "$outcome" = crash ] || fail "the artifacts are of a $outcome"
finish
