#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# On a terminal a long run shows the rows that are done and a line on the current one, and Ctrl-C
# prints what there is; elsewhere nothing is shown and an interrupt ends the process.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

# A loop of COUNT * 2^31 iterations.
cat >"$WORK/loop.spvasm" <<'END'
; Version: 1.3
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %4 "main"
OpExecutionMode %4 LocalSize 8 1 1
OpName %10 "COUNT"
OpDecorate %10 SpecId 0
%2 = OpTypeVoid
%3 = OpTypeFunction %2
%5 = OpTypeBool
%6 = OpTypeInt 32 0
%7 = OpConstant %6 0
%8 = OpConstant %6 1
%9 = OpConstant %6 31
%10 = OpSpecConstant %6 1
%11 = OpSpecConstantOp %6 ShiftLeftLogical %10 %9
%4 = OpFunction %2 None %3
%20 = OpLabel
OpBranch %21
%21 = OpLabel
%22 = OpPhi %6 %7 %20 %23 %24
%25 = OpULessThan %5 %22 %11
OpLoopMerge %26 %24 None
OpBranchConditional %25 %24 %26
%24 = OpLabel
%23 = OpIAdd %6 %22 %8
OpBranch %21
%26 = OpLabel
OpReturn
OpFunctionEnd
END
loop="$WORK/loop.spvasm --policy=pdom --max-issues=20000000000"

# shellcheck disable=SC2086 # words on purpose
timeout --preserve-status -s INT 1 "$EMU" $loop >"$WORK/out" 2>"$WORK/err"
[ $? = 130 ] || fail "without a terminal an interrupt does not end the process"
cat "$WORK/out" "$WORK/err" | grep . && fail "printed without a terminal"

command -v script >/dev/null || {
  echo "skipped the terminal: script (util-linux) is not installed"
  finish
  exit
}

# on_terminal COMMAND: runs it on a terminal, types Ctrl-C once the progress of a second row is
# shown, and has what was on the terminal, without carriage returns, in the file seen
on_terminal() {
  mkfifo "$WORK/keys"
  : >"$WORK/typescript"
  # a shell's background processes ignore SIGINT
  SHELL=/bin/sh timeout 100 script -qefc "env --default-signal=INT $1" "$WORK/typescript" \
    <"$WORK/keys" >/dev/null 2>&1 &
  child=$!
  exec 3>"$WORK/keys"
  tries=0
  until grep -q "$until" "$WORK/typescript" || [ $tries = 300 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  printf '\003' >&3
  wait $child
  code=$?
  [ $code = 130 ] || fail "exit code $code, not 130: $1"
  exec 3>&-
  rm "$WORK/keys"
  tr -d '\r' <"$WORK/typescript" >"$WORK/seen"
}

shows() {
  grep -q -- "$1" "$WORK/seen" || fail "no '$1' in: $(cat -v "$WORK/seen")"
}

until="2 of 2: .* issues, .*/s"
for threads in 1 2; do
  on_terminal "$EMU $loop --sweep=COUNT:0..1 --dispatch=3 --threads=$threads"
  shows "^pdom  *12 issues, activity 0.250, ok" # the row that is done
  shows "2 of 2: .* issues, .*/s; at most [0-9]* s left (--max-issues)"
  shows "^    0  pdom  *12  .*  ok$"
  shows "^    1  pdom  .*  partial, $threads of 3 subgroups$"
  shows "pdom: partial: interrupted; the figures are of what ran until then"
  shows "loop.spvasm: interrupted: 2 of 2 rows"
done
on_terminal "$EMU $loop --sweep=COUNT:0..1 --json >$WORK/out"
prints '"status": "ok"' && prints '"status": "partial"'
[ "$(tail -n 1 "$WORK/out")" = "}" ] || fail "not a whole object: $(tail -n 3 "$WORK/out")"

# Several inputs: those that are done before the interrupt.
until="1 of 3 inputs"
on_terminal "$EMU --jobs=1 $WORK/module.spvasm $loop $WORK/module.spvasm"
shows "^$WORK/module.spvasm  pdom  .*  ok$"
shows "interrupted: 2 of 3 inputs"
finish
