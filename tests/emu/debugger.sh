#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --debug and --trace-values. Each file tests/emu/debug/*.session has a session of the debugger: a comment, a line
# `> OPTIONS CASE`, then the transcript, from which the commands are taken. A debugger changes no figure under any
# policy. (docs/debugger.md has more sessions, which tests/library/docs.sh runs.)
# Usage: debugger.sh SPV-EMU SPV-HARNESS [--update]
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
update=${3:-}

# session FILE: the same file with the session run again
session() {
  sed -n 's/^(debug) //p' "$1" >"$WORK/commands"
  head -n 2 "$1"
  # shellcheck disable=SC2046 # words
  "$EMU" --debug="$WORK/commands" $(sed -n '2s/^> //p' "$1") 2>&1
}

for file in tests/emu/debug/*.session; do
  session "$file" >"$WORK/made"
  [ "$update" != --update ] || cp "$WORK/made" "$file"
  diff -u "$file" "$WORK/made" || fail "$file differs"
done

# Figures: the same with all issues stepped through, and with stops at each line.
# rows ARGUMENTS…: the rows of the table
rows() {
  "$EMU" --policy=all --max-issues=100000 "$@" 2>/dev/null </dev/null | sed '1,/^policy .*status$/d; /: /,$d'
}
printf 'issue 1000000\n' >"$WORK/issues"
yes "step 20" | head -n 10 >"$WORK/lines"
for case in shaders/call/split_merge.amber tests/emu/progress/lock_in_loop.amber shaders/barrier/tree_sum.amber \
  shaders/graphics/demote_in_loop.amber shaders/number/gcd64.amber; do
  rows "$case" >"$WORK/plain"
  [ "$(wc -l <"$WORK/plain")" -ge 16 ] || fail "$case: few rows: $(cat "$WORK/plain")"
  for script in issues lines; do
    rows --debug="$WORK/$script" "$case" | diff "$WORK/plain" - || fail "$case: other figures with $script"
  done
done

# Values: a row for each change, and nothing else on standard output.
run 0 --policy=maximal --subgroup-size=8 --trace-values=none shaders/number/gcd64.amber
[ "$(cat "$WORK/out")" = policy,subgroup,issue,function,block,line,lane,none ] || fail "rows without values"
grep -q "note: --trace-values: no lane came where 'none' means something" "$WORK/err" || fail "no note on a name"
run 1 --policy=maximal,pdom --subgroup-size=8 --max-issues=300 --trace-values=x,sum,gl_LocalInvocationIndex \
  tests/emu/progress/endless.amber
grep -q '^maximal,0,[0-9]*,main,[0-9]*,8,7,7,15,7$' "$WORK/out" || fail "no row of lane 7: $(cat "$WORK/out")"
grep -q '^pdom,' "$WORK/out" || fail "no rows of pdom"
grep -vE '^(policy|maximal|pdom),' "$WORK/out" && fail "other lines than rows"
grep -q '^maximal .* limit' "$WORK/err" || fail "no table: $(cat "$WORK/err")"

# Usage.
run 2 --debug --trace-values=x "$WORK/case.amber" && says "use one of them"
run 2 --debug --threads=2 "$WORK/case.amber" && says "a debugger needs one thread: leave --threads=2 out"
for option in --debug --trace-values=x; do
  run 2 $option --policy=opt "$WORK/case.amber" && says "policy opt has no schedule; name another one with --policy"
done
run 2 --debug --json "$WORK/case.amber" && says "--debug cannot be used with it"
run 2 --debug=- - <"$WORK/module.spvasm" && says "standard input is the module"
run 1 --debug="$WORK/none" "$WORK/case.amber" && says "/none: No such file or directory"
run 2 --trace-values= "$WORK/case.amber" && says "--trace-values expects names of variables"
echo where | "$EMU" --debug=- "$WORK/case.amber" >"$WORK/out" 2>&1 || fail "commands from standard input"
prints "(debug) where"
echo quit | "$EMU" --debug "$WORK/case.amber" >"$WORK/out" 2>&1 || fail "commands from a pipe"
prints "(debug) quit"
finish
