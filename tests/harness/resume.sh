#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A run that is killed and resumed gives the same results as an undisturbed one, and runs nothing again that
# was recorded.
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
# shellcheck source=tests/harness/wait.sh.inc
. "$(dirname "$0")/wait.sh.inc"
cases="shaders/loop shaders/switch"
options=--device=lavapipe,swiftshader

# shellcheck disable=SC2086 # several folders
run 0 run $options --results="$WORK/whole.sqlite" $cases
last=$(tail -n 1 "$WORK/out")

# shellcheck disable=SC2086
"$HARNESS" run $options --jobs=1 --results="$WORK/killed.sqlite" $cases >"$WORK/lines" 2>&1 &
runner=$!
lines_in 8 'amber:' "$WORK/lines"
kill -KILL $runner
wait $runner 2>/dev/null
# The kernel kills the children a moment after the runner.
outlives() {
  for process in /proc/[0-9]*; do
    { tr '\0' '\n' <"$process/cmdline"; } 2>/dev/null | grep -qF "$WORK/killed.sqlite" && return
  done
  return 1
}
tries=0
while outlives && [ $tries -lt 100 ]; do
  sleep 0.05
  tries=$((tries + 1))
done
! outlives || fail "a child outlives the runner: $process"

# A line is printed once its results are stored.
lines=$(grep -c 'amber:' "$WORK/lines")
# shellcheck disable=SC2086
run 0 run $options --json --resume --results="$WORK/killed.sqlite" $cases
[ "$(tail -n 1 "$WORK/err")" = "$last" ] || fail "resumed: $(tail -n 1 "$WORK/err"), whole: $last"
grep -q 'are results of earlier runs' "$WORK/err" || fail "not said what was taken over: $(cat "$WORK/err")"
recorded=$(grep -c '"recorded": true' "$WORK/out")
ran=$(grep -c '"recorded": false' "$WORK/out")
[ "$recorded" -ge $((3 * lines)) ] || fail "$recorded results recorded, though $lines cases were done"
[ "$ran" -gt 0 ] || fail "there was nothing left to do"
run 0 compare "$WORK/whole.sqlite" "$WORK/killed.sqlite"
ends "0 changed"

# All is recorded now; only a case that has changed is run again.
cp -r shaders/switch "$WORK/switch"
run 0 run $options --results="$WORK/copy.sqlite" "$WORK/switch"
for changed in "$WORK"/switch/*.amber; do
  echo "# changed" >>"$changed"
  break
done
run 0 run $options --json --resume --results="$WORK/copy.sqlite" "$WORK/switch"
[ "$(grep -c '"recorded": false' "$WORK/out")" = 6 ] || fail "not one case alone was run again"
run 0 run $options --json --resume --validation --results="$WORK/copy.sqlite" "$WORK/switch"
grep -q '"recorded": true' "$WORK/out" && fail "reused results without validation in a run with it"

# A variant is compared with those before it: alone, a broken one without EXPECTs passes.
grep -v EXPECT tests/harness/faults/well.amber >"$WORK/alone.amber"
both=none+strip-merges,structurize
unset SPVRECONV_CHECK
SPV_HARNESS_TEST=flip
export SPV_HARNESS_TEST
for variant in none strip-merges,structurize; do
  run 0 run --device=lavapipe --transform=$variant --results="$WORK/alone.sqlite" "$WORK/alone.amber"
done
run 1 run --device=lavapipe --transform=$both --resume --results="$WORK/alone.sqlite" \
  "$WORK/alone.amber"
prints "none pass; strip-merges,structurize fail"
unset SPV_HARNESS_TEST
finish
