#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A case and a single module, through all outputs; the cases of shaders/; the harness's device emu.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
module=$WORK/module.spvasm case=$WORK/case.amber

# The module in its three forms, with the buffer from numbers and from a file.
spirv-as --preserve-numeric-ids --target-env spv1.3 "$module" -o "$WORK/module.spv" ||
  fail "spirv-as refuses the module"
run 0 "$module" --buffer=0:5:u32[8]=10.. --dump-buffer=0:5
prints "1 x 1 x 1 workgroups, 1 subgroup of 32 lanes" && prints "       7 18" && prints "  ok"
prints "priority: 10"
run 0 - --buffer=0:5:u32[8]=10.. --dump-buffer="0:5:$WORK/a" <"$WORK/module.spv"
[ "$(od -An -tu4 -w4 "$WORK/a" | tr -d ' \n')" = 1112131415161718 ] || fail "the dump is wrong"
# with the bytes of each word reversed
od -An -tx4 -v -w4 "$WORK/module.spv" | sed 's/ *\(..\)\(..\)\(..\)\(..\)/\\x\1\\x\2\\x\3\\x\4/' |
  tr -d '\n' >"$WORK/hex"
# shellcheck disable=SC2059 # the text is the format
/usr/bin/printf "$(cat "$WORK/hex")" >"$WORK/big.spv"
run 0 "$WORK/big.spv" --buffer=0:5:u32[]=@"$WORK/a" --dump-buffer="0:5:$WORK/b"
[ "$(od -An -tu4 -w4 "$WORK/b" | tr -d ' \n')" = 1213141516171819 ] || fail "the dump is wrong"

# Each policy starts from the initial contents; a case's repeated runs are added up.
run 0 --policy=all "$case" && prints "3 dispatches, 3 subgroups of 32 lanes"
[ "$(grep -c '  ok$' "$WORK/out")" -ge 7 ] || fail "not every policy is ok: $(cat "$WORK/out")"
run 0 --json "$case"
[ "$(figure status)" = ok ] || fail "status: $(figure status)"
[ "$(figure issued)" = 21 ] || fail "issued: $(figure issued)"
[ "$(figure lane_instructions)" = 168 ] || fail "lane_instructions: $(figure lane_instructions)"
[ "$(figure activity_factor)" = 0.25 ] || fail "activity_factor: $(figure activity_factor)"
[ "$(figure passed)" = 2 ] || fail "passed: $(figure passed)"
[ "$(figure executions)" = 3 ] || fail "executions: $(figure executions)"
run 0 --subgroup-size=workgroup --csv "$case" && prints ",8,3,ok,,21,168,168,1,"
run 0 --subgroup-size=3 --json "$case"
[ "$(figure subgroups)" = 9 ] || fail "subgroups: $(figure subgroups)"
run 0 --annotate "$case" && prints "; policy structured" && prints "OpIAdd"
prints "; 3 x 8 of 32 lanes" # three dispatches
run 0 --annotate shaders/loop/collatz.amber && prints "     16452   9.986    10 |       n /= 2u;"
run 0 --annotate=asm shaders/loop/collatz.amber && prints "; 4113 x 9.986 of 32 lanes"

sed 's/EQ 3 4/EQ 3 5/' "$case" >"$WORK/wrong.amber"
line=$(grep -n 'EQ 3 5' "$WORK/wrong.amber" | cut -d: -f1)
run 1 "$WORK/wrong.amber" && prints "ok, EXPECT failed"
prints "structured: $WORK/wrong.amber: line $line: data at byte 4 (element 1, value 0) is 4, expected EQ 5"
run 1 --json "$WORK/wrong.amber" && prints "\"message\": \"line $line: data at byte 4"
run 1 --max-issues=3 "$case" && prints "limit"
run 0 --dump-buffer=0:5 "$case" && prints "buffer 0:5 data, 32 bytes" && prints "       0 3"

# Every compute case of shaders/ that is not one of applications.sh meets its EXPECTs, in subgroups of this size;
# of 32 lanes below, of 4 or 8 in test_emu_devices.
# shellcheck disable=SC2046 # names without blanks
run 0 --subgroup-size=16 $(find shaders -name '*.amber' | sort |
  grep -vE '^shaders/(graphics|call|exception|machine|physics|render|search|vision)/')

# For the harness the emulator is a device like any other.
harness() {
  wanted=$1
  shift
  "$HARNESS" "$@" >"$WORK/out" 2>"$WORK/err"
  got=$?
  [ "$got" = "$wanted" ] || fail "spv-harness $*: exit code $got, not $wanted: $(cat "$WORK/out" "$WORK/err")"
}
harness 0 list-devices && prints "policy structured, subgroup size 32"
harness 0 run --device=emu --emu-subgroup-size=4 "$case"
prints "emu $case: none pass; auto same; strip-merges,structurize same"
prints "1 passed, 0 failed, 0 skipped"
harness 1 run --device=emu --transform=none "$WORK/wrong.amber"
prints "fail: line $line: data at byte 4"
harness 2 run --device=emu --emu-subgroup-size=0 "$case"
harness 0 run --device=emu --transform=none+auto+strip-merges,structurize shaders
harness 0 run --device=emu tests/harness/vkscript/tessellation.amber
prints "skip: line 8: pipeline graphics_1 has a tessellation shader"
finish
