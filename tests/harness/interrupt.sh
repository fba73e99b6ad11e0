#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A run that a signal ends prints its totals and the command that continues it, and leaves complete files,
# but no temporary ones.
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
# shellcheck source=tests/harness/wait.sh.inc
. "$(dirname "$0")/wait.sh.inc"
faults=tests/harness/faults
cases=$WORK/"two words"
mkdir "$cases"
cp "$faults/hang.amber" "$cases/z_hang.amber"
for i in 1 2 3; do
  cp "$faults/well.amber" "$cases/$i.amber"
done

# interrupt SIGNAL ARGUMENTS…: ends a run once three cases are done and the fourth hangs
interrupt() {
  signal=$1
  shift
  rm -f "$WORK/out" "$WORK/err" # else lines_in may read those of the last run
  # The shell makes its background jobs ignore SIGINT.
  env --default-signal=INT "$HARNESS" run --device=swiftshader --transform=none --jobs=1 "$@" \
    >"$WORK/out" 2>"$WORK/err" &
  runner=$!
  lines_in 3 'none pass' "$WORK/out"
  kill -"$signal" $runner
  wait $runner 2>/dev/null
  got=$?
}

interrupt INT --junit="$WORK/x.xml" --results="$WORK/x.sqlite" "$cases"
[ "$got" = 130 ] || fail "SIGINT: exit status $got"
ends "3 passed, 0 failed, 0 skipped"
grep -q "interrupted; 3 of 4 are done" "$WORK/err" || fail "no message: $(cat "$WORK/err")"
[ "$(grep -c '<testcase ' "$WORK/x.xml")" = 3 ] || fail "JUnit: $(cat "$WORK/x.xml")"
grep -q "</testsuites>" "$WORK/x.xml" || fail "JUnit is not complete"

# The command that it prints runs the rest.
rm "$cases/z_hang.amber"
cp "$faults/well.amber" "$cases/4.amber"
resume=$(tail -n 1 "$WORK/err")
case $resume in
*" --resume") ;;
*) fail "no line with --resume: $resume" ;;
esac
[ "$(sh -c "$resume --json" 2>"$WORK/err" | grep -c '"recorded": true')" = 4 ] ||
  fail "not resumed: $(cat "$WORK/err")"
[ "$(tail -n 1 "$WORK/err")" = "4 passed, 0 failed, 0 skipped" ] || fail "resumed: $(cat "$WORK/err")"

# Without --results there is nothing to resume; with --json standard output is whole.
cp "$faults/hang.amber" "$cases/z_hang.amber"
rm "$cases/4.amber"
interrupt TERM "$cases"
[ "$got" = 143 ] || fail "SIGTERM: exit status $got"
says "a run with --results=FILE can be resumed"
rm -f "$WORK/out" "$WORK/err"
env --default-signal=INT "$HARNESS" run --device=swiftshader --transform=none --jobs=1 --json \
  "$cases" >"$WORK/out" 2>"$WORK/err" &
runner=$!
lines_in 1 '3.amber: none pass' "$WORK/err"
kill -INT $runner
wait $runner 2>/dev/null
prints '"interrupted": true' && prints '"passed": 3'
[ "$(grep -c '"case": ' "$WORK/out")" = 3 ] || fail "JSON has results of cases that were not run"

# Children that are killed, here while a compiler runs, leave no folder; nor do their compilers run on.
mkdir "$WORK/bin" "$WORK/temporary"
printf '#!/bin/sh\necho $$ >"%s"\nexec sleep 60\n' "$WORK/pid" >"$WORK/bin/clang-15"
printf '#!/bin/sh\nexit 1\n' >"$WORK/bin/llvm-spirv-15"
chmod +x "$WORK/bin"/*
compiler_ended() {
  until_true gone "$(cat "$WORK/pid")"
  gone "$(cat "$WORK/pid")" || fail "$1: the compiler runs on"
  [ -z "$(ls "$WORK/temporary")" ] || fail "$1 leaves $(find "$WORK/temporary")"
}
# A folder that a killed run left is removed by the next one; a locked one and a young one are not.
mkdir "$WORK/temporary/spv-harness-run-killed" "$WORK/temporary/spv-harness-run-alive" "$WORK/temporary/spv-harness-run-young"
: >"$WORK/temporary/spv-harness-run-killed/file"
touch -d '1 hour ago' "$WORK/temporary/spv-harness-run-killed" "$WORK/temporary/spv-harness-run-alive"
TMPDIR="$WORK/temporary" flock "$WORK/temporary/spv-harness-run-alive" \
  "$HARNESS" run --device=emu --transform=none shaders/loop/collatz.amber >"$WORK/out" 2>&1 || fail "$(cat "$WORK/out")"
[ "$(ls "$WORK/temporary")" = "$(printf 'spv-harness-run-alive\nspv-harness-run-young')" ] ||
  fail "left after a killed run: $(ls "$WORK/temporary")"
rm -r "$WORK"/temporary/spv-harness-*
kernel=tests/harness/kernels/values.amber
PATH="$WORK/bin:$PATH" TMPDIR="$WORK/temporary" run 1 run --device=emu --transform=none --timeout=1 $kernel
prints "none timeout"
compiler_ended "a timeout"
for row in HUP:129 INT:130 TERM:143; do
  rm -f "$WORK/pid"
  PATH="$WORK/bin:$PATH" TMPDIR="$WORK/temporary" env --default-signal=INT "$HARNESS" run --device=emu \
    --transform=none $kernel >"$WORK/out" 2>"$WORK/err" &
  runner=$!
  until_true [ -s "$WORK/pid" ]
  [ -n "$(ls "$WORK/temporary")" ] || fail "SIG${row%:*}: no folder to remove"
  kill -"${row%:*}" $runner
  wait $runner 2>/dev/null
  got=$?
  [ "$got" = "${row#*:}" ] || fail "SIG${row%:*}: exit status $got"
  compiler_ended "SIG${row%:*}"
done
finish
