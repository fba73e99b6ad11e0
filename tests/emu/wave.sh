#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A wave-level program as spvreconv lists it, and edited, on the command lines.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
module=$WORK/module.spvasm wave=$WORK/module.wave
reconv=$(dirname "$EMU")/spvreconv

# Lanes 0 to 3 leave EXEC before the store.
sed -e 's/^OpStore/%17 = OpULessThan %16 %12 %18\nOpSelectionMerge %41 None\nOpBranchConditional %17 %41 %40\n%40 = OpLabel\nOpStore/' \
  -e 's/^OpReturn/OpBranch %41\n%41 = OpLabel\nOpReturn/' \
  -e 's/^%9 = /%16 = OpTypeBool\n%18 = OpConstant %6 4\n%9 = /' "$module" >"$WORK/half.spvasm"
"$reconv" "$WORK/half.spvasm" --transform=none --dump-wave="$wave" || fail "no listing"
grep -q '^  s_andn2_b64     exec, exec, vcc$' "$wave" || fail "no mask: $(cat "$wave")"

# outcome ARGUMENTS…: the buffer after policy exec, in one line
outcome() {
  run 0 --policy=exec "$@" "$WORK/half.spvasm" --buffer=0:5:u32[8]=10.. --dump-buffer="0:5:$WORK/out.bin"
  od -An -tu4 -v "$WORK/out.bin" | tr -s ' \n' ' '
}

[ "$(outcome)" = " 10 11 12 13 15 16 17 18 " ] || fail "exec: $(outcome)"
[ "$(outcome --wave="$wave")" = " 10 11 12 13 15 16 17 18 " ] || fail "exec from the listing"
sed 's/s_andn2_b64     exec, exec, vcc/s_and_b64 exec, exec, vcc ; the others/' "$wave" >"$WORK/edited.wave"
[ "$(outcome --wave="$WORK/edited.wave")" = " 11 12 13 14 14 15 16 17 " ] || fail "exec, edited"
[ "$(outcome --lowering=needed-skips)" = " 10 11 12 13 15 16 17 18 " ] || fail "exec, needed skips"

run 1 --policy=exec --wave="$WORK/missing" "$module" && says "missing: No such file or directory"
run 1 --policy=exec --wave="$wave" "$module" --buffer=0:5:u32[8]=10.. && says "wave listing, line "
run 1 --policy=exec --lowering=hopes "$module" --buffer=0:5:u32[8]=10.. && says "unknown lowering 'hopes'"
finish
