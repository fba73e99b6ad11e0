#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What is said of modules that break the rules of structured control flow: violations, repairs, and the structure of
# the output, as text and JSON; messages that refuse such a module name the transform that repairs it.
# Usage: repair.sh PATH/spvreconv
source=$PWD
# shellcheck source=tests/cli/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

# kernel FILE: the shader of FILE as a kernel
kernel() {
  sed '/OpExecutionMode/d; s/OpCapability Shader/OpCapability Kernel\nOpCapability Addresses/
    s/Logical GLSL450/Physical32 OpenCL/; s/GLCompute/Kernel/' "$1"
}

# json KEY: its value in the file out, which has one function
json() {
  python3 -c 'import json, sys; print(json.load(open("out"))["functions"][0][sys.argv[1]])' "$1"
}

# Each module of tests/structure that breaks a rule: as many repairs as --explain lists, then structure and silence.
for file in "$source"/tests/structure/bad_*.spvasm; do
  name=$(basename "$file")
  "$SPVRECONV" --explain "$file" >listed 2>err
  [ -s listed ] || continue # the linked SPIRV-Tools does not refuse it
  tail -n 1 err | grep -q 'repairs' || fail "$name: --explain names no repair: $(cat err)"
  run 0 "$file" -o repaired.spv
  repaired=$(sed -n 's/.*: repaired: \([0-9]*\) violations\{0,1\} of structured control flow.*/\1/p' err | paste -sd+)
  [ "$((repaired))" = "$(wc -l <listed)" ] || fail "$name: repaired $repaired, but $(wc -l <listed) are listed"
  grep -q "^spvreconv: $file: note: function [^:]*: repaired: " err || fail "$name: no file and function: $(cat err)"
  run 0 repaired.spv -o again.spv
  grep -q "repaired:" err && fail "$name: repaired twice: $(cat err)"
  same repaired.spv again.spv
done

# Kernels need no structure, but right declarations. (The second is right as a kernel.)
for name in shared_merge merge_is_target loop_before_switch selection_before_branch; do
  kernel "$source/tests/structure/bad_$name.spvasm" >kernel.spvasm
  { spirv-as kernel.spvasm -o kernel.spv && ! spirv-val kernel.spv 2>/dev/null; } || fail "kernel $name: valid"
  run 0 kernel.spvasm -o repaired.spv
  says "note: function main: repaired: 1 violation of structured control flow; --explain lists it"
  spirv-val repaired.spv || fail "kernel $name: not repaired"
done
kernel "$source/tests/structure/bad_no_merge.spvasm" >kernel.spvasm
run 0 kernel.spvasm -o repaired.spv
[ ! -s err ] || fail "a kernel without merges: $(cat err)"

# The report.
run 0 cycle.spvasm --json
[ "$(json violations_repaired) $(json structure)" = "1 portable" ] || fail "JSON: $(grep -E 'repaired|structure' out)"
run 0 cycle.spvasm --transform=none --json
[ "$(json violations_repaired) $(json structure)" = "0 none" ] || fail "JSON of none: $(grep -E 'repaired|structure' out)"
run 0 "$source/tests/structure/ok_switch_fall.spvasm" --json
[ "$(json violations_repaired) $(json structure)" = "0 any" ] || fail "JSON of any: $(grep -E 'repaired|structure' out)"
run 0 cycle.spvasm --stats=all
prints "structure                             portable" && prints "violations repaired                          1"

# A list that leaves structure out repairs nothing; one that ends in structurize does, whatever comes before.
run 0 "$source/tests/structure/bad_shared_merge.spvasm" --transform=strip-merges --no-validate -o loose.spv
[ ! -s err ] || fail "strip-merges: $(cat err)"
run 0 cycle.spvasm --transform=strip-merges,guard,structurize -o made.spv
says "repaired: 1 violation"

# Refused as it is: the message says what repairs it, before the place. Another fault has no such advice.
run 1 cycle.spvasm --transform=none --validate=full -o no.spv
says "the input is not valid, spirv-val says: Back-edges"
says "; --transform=auto repairs it (line"
kernel "$source/tests/structure/bad_shared_merge.spvasm" >kernel.spvasm
run 1 kernel.spvasm --transform=none --validate=full -o no.spv
says "; --transform=auto repairs it (line"
run 1 "$source/tests/bad/invalid_module.spvasm" --transform=none --validate=full -o no.spv
grep -q repairs err && fail "no repair: $(cat err)"
absent no.spv

# Older validators refuse two modules that obey the rules: the message names the list that gives them another structure.
for name in case_depth case_to_loop; do
  file=$source/tests/structure/differ_$name.spvasm
  { spirv-as "$file" -o module.spv && ! spirv-val module.spv 2>/dev/null; } || continue
  run 1 "$file" -o no.spv
  says "; --transform=strip-merges,structurize repairs it (line"
  run 0 "$file" --transform=strip-merges,structurize -o repaired.spv
  spirv-val repaired.spv || fail "$name: not repaired"
done
finish
