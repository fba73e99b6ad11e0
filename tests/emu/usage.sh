#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Options, exit codes and the one-line messages of spv-emu.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
module=$WORK/module.spvasm case=$WORK/case.amber

run 0 --version && prints "spv-emu "
run 0 --help && prints "tf-stack" && prints "  opt " && prints "Example:"
run 2 && says "spv-emu: no input; see --help"
run 2 a b && says "one input at a time, not 'a' and 'b'"
run 2 --sparkle a && says "unknown option '--sparkle'; see --help"
run 2 --policy && says "option '--policy' needs a value; see --help"
run 2 --json=1 a && says "option '--json' takes no value; see --help"
run 2 -x a && says "unknown option '-x'; see --help"
run 2 --policy=pdom,chaos a && says "unknown policy 'chaos'"
run 2 --policy=pdom,pdom a && says "--policy names pdom twice"
run 2 --policy= a && says "unknown policy ''"
run 2 --subgroup-size=0 a && says "--subgroup-size expects a number, 1 to 1024, or workgroup, not '0'"
run 2 --subgroup-size=1025 a && says "1 to 1024"
run 2 --subgroup-size=8x a && says "1 to 1024"
run 2 --transform=polish a && says "unknown transform 'polish'"
run 2 --segment=100 a && says "--segment expects a power of two, not '100'"
run 2 --max-issues=0 a && says "--max-issues expects a number"
run 2 --max-memory=1 a && says "--max-memory expects a number of MiB"
run 2 --max-time=0 a && says "--max-time expects a number of seconds"
run 2 --threads=0 a && says "--threads expects a number"
run 2 --dispatch=1,0 a && says "--dispatch expects X,Y,Z, each 1 or more, not '1,0'"
run 2 --dispatch=1,1,1,1 a && says "--dispatch expects"
run 2 --dispatch=1, a && says "--dispatch expects"
run 2 --local-size=x a && says "--local-size expects X,Y,Z"
run 2 --buffer=0:0:vec4=1 a && says "--buffer=0:0:vec4=1: 'vec4' is not a type"
run 2 --push-constant=u32[1]=x a && says "--push-constant=u32[1]=x: 'x': "
run 2 --spec=1 a && says "--spec=1: expected ID=VALUE or NAME=VALUE"
run 2 --dump-buffer=0 a && says "--dump-buffer=0: expected two numbers, SET:BINDING, or the name of a buffer"
run 2 --dump-buffer=0:0: a && says "no file after the last colon"
run 2 --dump-buffer=0:0 --policy=pdom,none a && says "--dump-buffer needs a single policy"
run 2 --wave=w a && says "--wave needs policy exec"
run 2 --policy=pdom --lowering=needed-skips a && says "--lowering needs policy exec"
run 2 --policy=exec --wave=w --lowering=needed-skips a && says "either --wave or --lowering"
run 2 --json --csv a && says "either --json or --csv"
run 2 --json --annotate a && says "--annotate cannot be used with it"
run 2 --csv --dump-buffer=0:0 a && says "--dump-buffer without a file cannot be used with it"
run 2 --dispatch=2,1,1 "$case" && says "--dispatch applies to modules; $case is an AmberScript"
run 2 --entry=main "$case" && says "--entry applies to modules"

run 1 missing.spv && says "spv-emu: missing.spv: No such file or directory"
: >"$WORK/empty"
run 1 "$WORK/empty" && says "empty: not a SPIR-V module: the file is empty"
printf '\003\002\043\007\000\000' >"$WORK/cut"
run 1 "$WORK/cut" && says "6 bytes"
printf 'ab\000cd' >"$WORK/noise"
run 1 "$WORK/noise" && says "neither binary nor"
echo OpNonsense >"$WORK/bad.spvasm"
run 1 "$WORK/bad.spvasm" && says "bad.spvasm: line 1, column 1:"
printf '#!amber\nBUFER x\n' >"$WORK/typo.amber"
run 1 "$WORK/typo.amber" && says "typo.amber: line 2: "
printf '[require]\n[test]\nprob all\n' >"$WORK/old.amber"
run 1 "$WORK/old.amber" && says "old.amber: line 3: there is no such command in a [test]"
printf '#!amber\nSHADER compute s GLSL\n#version 450\nvoid main() { x }\nEND\n%s\n' \
  'PIPELINE compute p
ATTACH s
END
RUN p 1 1 1' >"$WORK/broken.amber"
run 1 "$WORK/broken.amber" && says "broken.amber: line 4: shader s: "
run 1 "$(find shaders/graphics -name '*.amber' | head -n 1)"
says "a graphics pipeline; the emulator runs only compute pipelines"

run 1 "$module" && says "the buffer at set 0, binding 5 is not given; write --buffer=0:5:u32[N]=0"
run 1 "$module" --buffer=0:5:u32[8]=0 --buffer=1:2:u32[8]=0
says "the module has no buffer at set 1, binding 2, element 0"
run 1 "$module" --buffer=0:5:u32[8]=@/nowhere && says "spv-emu: /nowhere: No such file"
run 1 "$module" --entry=other --buffer=0:5:u32[8]=0 && says "other"
run 1 "$module" --buffer=0:5:u32[8]=0 --dump-buffer=3:3
says "there is no buffer at set 3, binding 3 to dump"
"$EMU" --help >/dev/full 2>"$WORK/err" && fail "a full disk is not an error"
says "spv-emu: cannot write to standard output"
finish
