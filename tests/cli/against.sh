#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --against=OLD: two modules compared; --check where nothing was compared.
# shellcheck source=tests/cli/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

# A counter in a loop that is stored; another module that stores another value.
sed 's/^%6 = .*/&\
%20 = OpTypeInt 32 0\
%21 = OpConstant %20 1\
%22 = OpConstant %20 9\
%23 = OpTypePointer Private %20\
%24 = OpVariable %23 Private/; s/^%12 = OpLabel/&\
%25 = OpLoad %20 %24\
%26 = OpIAdd %20 %25 %21\
OpStore %24 %26/; s/^OpBranchConditional %8 %13 %14/%27 = OpULessThan %6 %26 %22\
OpBranchConditional %27 %13 %14/' cycle.spvasm >counts.spvasm
sed 's/^OpStore %24 %26/OpStore %24 %25/' counts.spvasm >wrong.spvasm
run 0 counts.spvasm --structurize -o counts.spv

run 0 --against=counts.spvasm counts.spv && prints "counts.spv: no difference on " && prints " through 1 changed function"
run 0 --against counts.spvasm --structurize --check=5 counts.spv && prints "no difference on 5 walks"
run 1 --against=counts.spvasm wrong.spvasm
grep -q '^spvreconv: wrong.spvasm: differs from counts.spvasm: function main, block %12: ' err || fail "$(cat err)"
grep -q '^  before: .*%10' err || fail "no story of the walk: $(cat err)"
[ ! -s out ] || fail "two modules that differ: $(cat out)"
grep -q 'a bug of spvreconv' err && fail "a difference of two modules is no bug of spvreconv"
run 1 --against=wrong.spvasm counts.spv --json
[ "$(jq -r '.input.file, .against.file, .check.differences' out | tr '\n' ' ')" = 'counts.spv wrong.spvasm 1 ' ] || fail "$(cat out)"
run 0 --against=counts.spvasm counts.spv --json
[ "$(jq -r '.check | .edges_covered == .edges and .differences == 0' out)" = true ] || fail "$(cat out)"
spirv-as --preserve-numeric-ids --target-env spv1.3 counts.spvasm -o - | "$SPVRECONV" --against=- counts.spvasm >out 2>err ||
  fail "standard input: $(cat err)"
prints "counts.spvasm: the same as standard input word for word, 1 function"

# Nothing to compare: no line says that there is no difference.
sed '/^%4 = OpFunction /,$d; /%4/d; s/^OpCapability Shader/&\
OpCapability Linkage/' straight.spvasm >none.spvasm
run 1 --against=none.spvasm none.spvasm && prints "none.spvasm: nothing was compared: neither this module nor none.spvasm has a function"
# tells TEXT: standard error holds TEXT, and the note of modules that differ outside of functions
tells() {
  grep -qF -- "$1" err || fail "no '$1' in: $(cat err)"
  grep -qF ".spvasm: note: --against follows ids, so" err || fail "no note: $(cat err)"
}
run 1 --against=straight.spvasm none.spvasm && tells 'differs from straight.spvasm: module level: OpMemoryModel is missing or changed'
sed 's/^OpCapability Shader/&\
OpCapability Int64/' straight.spvasm >wide.spvasm
run 1 --against=wide.spvasm straight.spvasm && tells 'module level: OpCapability is missing or changed'
run 0 --check straight.spvasm && prints "straight.spvasm: nothing to compare: no function was changed"
cp straight.spvasm other.spvasm
run 0 --check straight.spvasm other.spvasm
grep -q 'no difference' out && fail "two modules, nothing transformed: $(cat out)"
says "other.spvasm: note: to compare it with straight.spvasm, use --against=straight.spvasm"
# A loop that never ends, without effects, shows nothing.
sed 's/^OpReturn$/OpBranch %30\
%30 = OpLabel\
OpBranchConditional %8 %31 %32\
%31 = OpLabel\
OpBranch %30\
%32 = OpLabel\
OpBranch %30/' straight.spvasm >endless.spvasm
run 0 --check endless.spvasm --uniformity=divergent && prints "endless.spvasm: nothing was compared: no walk took one of the 3 edges"

run 2 --against=straight.spvasm straight.spvasm -o x.spv && says "--against only compares"
absent x.spv
run 2 --against=straight.spvasm straight.spvasm cycle.spvasm && says "name one after it, not 2"
run 2 --against=- - <straight.spvasm && says "standard input is one"
run 1 --against=missing.spv straight.spvasm && says "missing.spv: No such file"
run 1 --against=straight.spvasm missing.spv && says "missing.spv: No such file"
finish
