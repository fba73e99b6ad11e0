#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Modules at SPIR-V's limits and ours: 100,000 blocks, 16,383 cases, nesting 1,000 and 5,000 deep.
# gen_big, in the folder of spvreconv, writes them.
#
#   tests/big.sh SPVRECONV
set -eu
spvreconv=$1
gen_big=$(dirname "$spvreconv")/gen_big
# shellcheck source=tests/report.sh.inc
. "$(dirname "$0")/report.sh.inc"

# accepted WHAT OPTION…: in.spv is accepted, and our own verifier accepts out.spv
accepted() {
  what=$1
  shift
  status=0
  rm -f "$work/out.spv"
  quietly "$spvreconv" --no-validate "$@" "$work/in.spv" -o "$work/out.spv" &&
    quietly "$spvreconv" --explain "$work/out.spv" || status=$?
  report "$status" "$what"
}

same() { # same WHAT
  status=0
  quietly cmp "$work/in.spv" "$work/out.spv" || status=$?
  report "$status" "$1"
}

valid() { # valid WHAT
  status=0
  quietly spirv-val --target-env vulkan1.1 "$work/out.spv" || status=$?
  report "$status" "$1"
}

for shape in chain irreducible; do
  "$gen_big" $shape 100000 "$work/in.spv"
  accepted "$shape of 100,000 blocks" --transform=structurize
  accepted "$shape of 100,000 blocks, linearized" --transform=linearize
  accepted "$shape of 100,000 blocks under guards" --transform=guard
  "$gen_big" $shape 1000 "$work/in.spv"
  accepted "$shape of 1,000 blocks" --transform=structurize
  valid "spirv-val accepts $shape of 1,000 blocks"
done

for shape in chain irreducible; do
  "$gen_big" $shape 100000 "$work/in.spv"
  accepted "$shape of 100,000 blocks, reconverged" --uniformity=divergent \
    --transform=reconverge,structurize
done

"$gen_big" cycles 8000 "$work/in.spv"
accepted "cycles of two entries nested 8,000 deep" --transform=structurize
accepted "cycles of two entries nested 8,000 deep, linearized" --transform=linearize
accepted "cycles of two entries nested 8,000 deep under guards" --transform=guard
"$gen_big" cycles 50000 "$work/in.spv"
accepted "cycles of two entries nested 50,000 deep, linearized in near-linear time" --max-time=10 \
  --transform=linearize
"$gen_big" cycles 50 "$work/in.spv"
accepted "cycles of two entries nested 50 deep" --transform=structurize
valid "spirv-val accepts cycles of two entries nested 50 deep"

"$gen_big" switch 16383 "$work/in.spv"
accepted "a switch of 16,383 cases"
same "a switch of 16,383 cases is not touched"
accepted "a switch of 16,383 cases, stripped" --transform=strip-merges,structurize
valid "spirv-val accepts a switch of 16,383 cases, stripped"
accepted "a switch of 16,383 cases, reconverged" --uniformity=divergent \
  --transform=strip-merges,reconverge,structurize

"$gen_big" switch 16384 "$work/in.spv"
rm -f "$work/out.spv"
status=0
"$spvreconv" --no-validate "$work/in.spv" -o "$work/out.spv" 2>"$work/log" || status=$?
[ "$status" -eq 1 ] && [ ! -e "$work/out.spv" ] && [ "$(wc -l <"$work/log")" -eq 1 ] &&
  grep -q '16384 cases' "$work/log" && status=0
report "$status" "a switch of 16,384 cases gives one clear line"

for depth in 1000 5000; do
  for shape in ifs loops; do
    "$gen_big" $shape $depth "$work/in.spv"
    accepted "$shape nested $depth deep"
    same "$shape nested $depth deep are not touched"
    accepted "$shape nested $depth deep, stripped" --transform=strip-merges,structurize
  done
done

# spirv-val takes time quadratic in the depth, so it runs once, at the depth that must validate
"$gen_big" ifs 1000 "$work/in.spv"
accepted "ifs nested 1,000 deep, stripped" --transform=strip-merges,structurize
valid "spirv-val accepts ifs nested 1,000 deep, stripped"

# Phis of as many operands as an instruction holds, each with its own path through nests of 900
gen_hostile=$(dirname "$spvreconv")/gen_hostile
"$gen_hostile" phis 6000000 "$work/in.spv"
accepted "phis of 32,765 operands, in linear time" --max-time=5 --transform=structurize

# The validator would take 20 s for these 50 KB, and far less to refuse a module that nests too deeply
"$gen_hostile" phis 50000 "$work/in.spv"
status=0
quietly "$spvreconv" --max-time=5 "$work/in.spv" -o "$work/out.spv" &&
  grep -q "not validated with SPIRV-Tools: constructs nest so deep" "$work/log" || status=$?
report "$status" "constructs that nest 780 deep are not validated"
# A ladder of 300 steps, which takes the validator 2 s or more; if it refuses it, once more for the input
"$gen_hostile" ladder 8600 "$work/in.spv"
for transform in structurize guard; do
  status=0
  quietly "$spvreconv" --transform=$transform "$work/in.spv" -o "$work/out.spv" &&
    grep -q "not validated with SPIRV-Tools: constructs nest so deep" "$work/log" || status=$?
  report "$status" "$transform of a ladder of 300 steps is not validated"
done
"$gen_hostile" calls 1000000 "$work/in.spv"
status=0
quietly "$spvreconv" --max-time=5 "$work/in.spv" -o "$work/out.spv" &&
  grep -q "not validated with SPIRV-Tools: functions call so many others" "$work/log" || status=$?
report "$status" "calls through thousands of functions are not validated"
"$gen_hostile" nest 50000 "$work/in.spv"
status=0
quietly "$spvreconv" --max-time=5 "$work/in.spv" -o "$work/out.spv" || status=$?
[ "$status" -eq 1 ] && grep -q 'nesting depth exceeded' "$work/log" && status=0
report "$status" "loops that nest deeper than the validator allows are refused"

# Copies: an input in which every block would be copied is refused before that, whatever its size; one
# that needs few copies gets them, and they are merged again.
for shape in chain cycles; do
  "$gen_big" $shape 100000 "$work/in.spv"
  rm -f "$work/out.spv"
  status=0
  "$spvreconv" --transform=struct-copy "$work/in.spv" -o "$work/out.spv" 2>"$work/log" || status=$?
  [ "$status" -eq 1 ] && [ ! -e "$work/out.spv" ] && grep -q -e '--max-growth' "$work/log" &&
    status=0
  report "$status" "copies of $shape of 100,000 are refused"
done
"$gen_big" irreducible 100000 "$work/in.spv"
accepted "irreducible of 100,000 blocks, copied" --transform=struct-copy
accepted "irreducible of 100,000 blocks, copied and merged" \
  --transform=struct-copy,merge-copies,structurize
for shape in ifs loops; do
  "$gen_big" $shape 5000 "$work/in.spv"
  accepted "$shape nested 5,000 deep, stripped, through copies" \
    --transform=strip-merges,struct-copy,merge-copies,structurize
done
"$gen_big" switch 16383 "$work/in.spv"
accepted "a switch of 16,383 cases, through copies" \
  --transform=strip-merges,struct-copy,merge-copies,structurize

finish
