#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the options name must exist in the module: constants, buffers and local sizes that it does not have
# are refused, with a list of what it has; names are accepted wherever ids are; misspelt variables are noted.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

# Stores five constants of different types into one buffer; its local size is a constant.
cat >"$WORK/spec.spvasm" <<'END'
; Version: 1.3
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %4 "main"
OpName %4 "main"
OpName %33 "result"
OpName %31 "Result"
OpName %40 "COUNT"
OpName %41 "SCALE"
OpName %42 "ON"
OpName %43 "SIZE"
OpDecorate %40 SpecId 3
OpDecorate %41 SpecId 4
OpDecorate %42 SpecId 5
OpDecorate %43 SpecId 6
OpDecorate %44 BuiltIn WorkgroupSize
OpDecorate %30 ArrayStride 4
OpDecorate %31 Block
OpMemberDecorate %31 0 Offset 0
OpDecorate %33 DescriptorSet 0
OpDecorate %33 Binding 5
%2 = OpTypeVoid
%3 = OpTypeFunction %2
%5 = OpTypeBool
%6 = OpTypeInt 32 0
%7 = OpTypeFloat 32
%8 = OpTypeVector %6 3
%10 = OpConstant %6 0
%11 = OpConstant %6 1
%12 = OpConstant %6 2
%40 = OpSpecConstant %6 7
%41 = OpSpecConstant %7 1.5
%42 = OpSpecConstantFalse %5
%43 = OpSpecConstant %6 4
%44 = OpSpecConstantComposite %8 %43 %11 %11
%30 = OpTypeRuntimeArray %6
%31 = OpTypeStruct %30
%32 = OpTypePointer StorageBuffer %31
%34 = OpTypePointer StorageBuffer %6
%33 = OpVariable %32 StorageBuffer
%4 = OpFunction %2 None %3
%20 = OpLabel
%21 = OpAccessChain %34 %33 %10 %10
OpStore %21 %40
%22 = OpBitcast %6 %41
%23 = OpAccessChain %34 %33 %10 %11
OpStore %23 %22
%24 = OpSelect %6 %42 %11 %10
%25 = OpAccessChain %34 %33 %10 %12
OpStore %25 %24
OpReturn
OpFunctionEnd
END
spec=$WORK/spec.spvasm
constants="3 (COUNT), 4 (SCALE), 5 (ON), 6 (SIZE)"

# stores COUNT SCALE ON OPTION…: the three words that the module writes
stores() {
  wanted_words="$1 $2 $3"
  shift 3
  run 0 "$spec" --buffer=result:u32[3]=9 --dump-buffer=result "$@"
  words=$(sed -n 's/^ *[0-2] //p' "$WORK/out" | tr '\n' ' ')
  [ "$words" = "$wanted_words " ] || fail "$*: '$words', not '$wanted_words'"
}

# refuses MESSAGE OPTION…: one line, exit code 1
refuses() {
  message=$1
  shift
  run 1 "$spec" --buffer=0:5:u32[3]=9 "$@" && says "$message"
}

# 1069547520, 1073741824, 1065353216: 1.5, 2.0 and 1.0 as floats
stores 7 1069547520 0
stores 12 1073741824 1 --spec=3=12 --spec=4=2 --spec=5=true
stores 12 1073741824 1 --spec=COUNT=12 --spec=SCALE=2.0 --spec=ON=1
stores 4294967295 1065353216 0 --spec=40=-1 --spec=41=1e0 --spec=42=false
stores 16 3 0 --spec=COUNT=0x10 --spec=SCALE=u32:3
refuses "there is no specialization constant '7'; the module has $constants" --spec=7=1
refuses "there is no specialization constant 'Count'; the module has $constants" --spec=Count=1
refuses "'COUNT' is given twice, also as '3'" --spec=3=1 --spec=COUNT=2
refuses "'COUNT' has type u32: '1.5': " --spec=COUNT=1.5
refuses "'3' has type u32: '4294967296': " --spec=3=4294967296
refuses "'SCALE' has type f32: give the value without a type" --spec=SCALE=f64:2
refuses "'ON' has type bool: '2': not true or false" --spec=ON=2
refuses "'ON' has type bool: give the value without a type" --spec=ON=u32:1
run 1 "$WORK/module.spvasm" --buffer=0:5:u32[8]=0 --spec=0=1 && says "the module has none"

# A size that the module sets is not overridden.
run 0 "$spec" --buffer=0:5:u32[3]=9 --spec=SIZE=6 --subgroup-size=1
prints "6 subgroups of 1 lane"
refuses "the module sets a local size of 4 x 1 x 1: --local-size" --local-size=8
run 0 "$spec" --buffer=0:5:u32[3]=9 --local-size=4,1,1
run 1 "$WORK/module.spvasm" --buffer=0:5:u32[8]=0 --local-size=8,8 && says "8 x 1 x 1: --local-size"

# Buffers by the names of variables and blocks; in a script, by the script's names.
run 0 "$spec" --buffer=Result:u32[3]=9 --dump-buffer=0:5 && prints "buffer 0:5"
run 1 "$spec" --buffer=results:u32[3]=9
says "there is no buffer 'results'; the module has 0:5 (result)"
run 1 "$spec" --buffer=0:5:u32[3]=9 --dump-buffer=results && says "the module has 0:5 (result)"
run 1 "$spec" --buffer=0:5:u32[3]=9 --buffer=result:u32[3]=9
says "--buffer gives set 0, binding 5, element 0 twice"
run 0 "$WORK/case.amber" --dump-buffer=data && prints "buffer 0:5 data, 32 bytes"
run 1 "$WORK/case.amber" --dump-buffer=date && says "there is no buffer 'date' to dump"
sed 's/OpName %31 .*/OpName %31 "result"/' "$spec" >"$WORK/same.spvasm"
run 0 "$WORK/same.spvasm" --buffer=result:u32[3]=9

# A module of another stage: which it is, and what to do.
sed 's/^OpEntryPoint.*/OpEntryPoint Fragment %4 "paint" %20/
  s/^OpExecutionMode.*/OpExecutionMode %4 OriginUpperLeft/
  s/BuiltIn GlobalInvocationId/Flat\nOpDecorate %20 Location 0/' "$WORK/module.spvasm" >"$WORK/paint.spvasm"
run 0 "$WORK/paint.spvasm" && prints "paint.spvasm: 256 x 256 pixels"
run 0 "$WORK/paint.spvasm" --entry=paint && prints "paint.spvasm: 256 x 256 pixels"
run 1 "$WORK/paint.spvasm" --entry=print && says "there is no entry point 'print'; the module has 'paint'"
cat >"$WORK/library.spvasm" <<'END'
OpCapability Addresses
OpCapability Kernel
OpCapability Linkage
OpMemoryModel Physical64 OpenCL
OpDecorate %4 LinkageAttributes "work" Export
%2 = OpTypeVoid
%3 = OpTypeFunction %2
%4 = OpFunction %2 None %3
%5 = OpLabel
OpReturn
OpFunctionEnd
END
run 1 "$WORK/library.spvasm" && says "the module has no entry point"
sed 's/^\(OpEntryPoint.*\)"main"\(.*\)/\1"a"\2\n\1"b"\2/' "$WORK/module.spvasm" >"$WORK/two.spvasm"
run 1 "$WORK/two.spvasm" && says "the module has 2 entry points: name one with --entry: 'a', 'b'"
run 0 "$WORK/two.spvasm" --entry=b --buffer=0:5:u32[8]=0

# A run that ends early does not change what the dispatch is said to have.
run 1 "$WORK/module.spvasm" --buffer=0:5:u32[8]=0 --subgroup-size=1 --max-issues=10 --policy=scalar,pdom
prints ": 1 x 1 x 1 workgroups, 8 subgroups of 1 lane" && prints "limit, 2 of 8 subgroups"

# Variables: notes for unknown ones, on standard error only; an error for values that mean nothing.
notes() {
  run 0 "$WORK/case.amber"
  grep -qF -- "spv-emu: note: $1" "$WORK/err" || fail "no '$1' in: $(cat "$WORK/err")"
  prints "policy"
}
(
  export SPVRECONV_CHEK=1 SPVRECON_CHECK=1 SPVRECONV_QUITE_ANOTHER=1 SPV_EMU_ISAS=1 SPVIEW=1
  notes "nothing reads the environment variable SPVRECONV_CHEK, nearest: SPVRECONV_CHECK"
  notes "nothing reads the environment variable SPVRECON_CHECK, nearest: SPVRECONV_CHECK"
  notes "nothing reads the environment variable SPVRECONV_QUITE_ANOTHER; there are SPVRECONV_TRANSFORM"
  notes "nothing reads the environment variable SPV_EMU_ISAS, nearest: SPV_EMU_ISA"
  [ "$(wc -l <"$WORK/err")" = 4 ] || fail "not four notes: $(cat "$WORK/err")"
  exit "$failures"
) || failures=$((failures + 1))
export SPV_EMU_ISA=abacus
run 2 "$WORK/case.amber" && says "SPV_EMU_ISA=abacus: there are baseline"
unset SPV_EMU_ISA
export SPVRECONV_CHECK=yes
"$HARNESS" run x 2>"$WORK/err"
[ $? = 2 ] || fail "not a usage error"
says "the environment variable SPVRECONV_CHECK is 0 or 1, not 'yes'"
unset SPVRECONV_CHECK
SPV_HARNESS_TEST=flop "$HARNESS" run x 2>"$WORK/err"
says "SPV_HARNESS_TEST is for tests: 'flip' or unset, not 'flop'"
finish
