#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --artifacts: what is written about a failure, that the script there runs exactly the failed variant again, and how
# JUnit and JSON name the folder.
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
cases=tests/harness/artifacts
faults=tests/harness/faults
out=$WORK/artifacts
unset SPVRECONV_CHECK # the drivers are to find it

# has FOLDER FILE…: the folder has these files, and no others
has() {
  folder=$1
  shift
  ls "$folder" >"$WORK/ls" 2>&1
  printf '%s\n' failure.json failure.txt rerun.sh "$@" | LC_ALL=C sort >"$WORK/wanted"
  LC_ALL=C sort "$WORK/ls" | diff "$WORK/wanted" - >"$WORK/diff" || fail "$folder: $(cat "$WORK/diff")"
}

# module NAME BEFORE-OR-AFTER: the names of a module's files
module() {
  echo "$1.$2.spv" "$1.$2.spvasm" "$1.$2.glsl"
}

# tells FOLDER TEXT: failure.txt contains the text
tells() {
  grep -qF -- "$2" "$1/failure.txt" || fail "no '$2' in: $(cat "$1/failure.txt")"
}

# again FOLDER: its script, run in another folder, ends with one failure, the same
again() {
  (cd / && "$1/rerun.sh" >"$WORK/again" 2>&1) && fail "$1/rerun.sh: nothing fails: $(cat "$WORK/again")"
  message=$(jq -r .message "$1/failure.json")
  grep -qF -- "$message" "$WORK/again" || fail "$1: no '$message' in $(cat "$WORK/again")"
  grep -q ", 1 failed, 0 skipped" "$WORK/again" || fail "$1: $(cat "$WORK/again")"
}

command -v spirv-cross >/dev/null || fail "spirv-cross is not installed"

# ---- EXPECTs ----------------------------------------------------------------------------------------

run 1 run --device=swiftshader --transform=none --artifacts="$out" --results="$WORK/x.sqlite" --junit="$WORK/x.xml" $cases
prints "artifacts of 2 failures: $out"
prints "with pictures, on a page: spv-harness report $WORK/x.sqlite -o page.html"
numbers=$out/swiftshader/$cases/numbers.amber/none
# shellcheck disable=SC2046 # several names
has "$numbers" data.actual.bin data.expected.bin data.differences.csv $(module work before)
tells "$numbers" "buffer data: 4 of 8 elements differ; the largest error is 56, at element 6, byte 24: 64, expected 8"
tells "$numbers" "shader work is not changed by the transforms"
cat >"$WORK/wanted" <<'EOF'
element,number,byte,actual,expected,error
2,0,8,4,5,1
3,0,12,8,9,1
6,0,24,64,8,56
7,0,28,128,127,1
EOF
cmp "$WORK/wanted" "$numbers/data.differences.csv" || fail "$(cat "$numbers/data.differences.csv")"
[ "$(od -An -tf4 -v -w32 "$numbers/data.expected.bin" | tr -s ' ')" = " 1 2 5 9 16 32 8 127" ] ||
  fail "expected: $(od -An -tf4 "$numbers/data.expected.bin")"
spirv-val "$numbers/work.before.spv" || fail "the module is not valid"
spirv-as --preserve-numeric-ids "$numbers/work.before.spvasm" -o "$WORK/text.spv" || fail "the text is not assembly"
grep -q "void main" "$numbers/work.before.glsl" || fail "no GLSL"
again "$numbers"

picture=$out/swiftshader/$cases/picture.amber/none
# shellcheck disable=SC2046
has "$picture" picture.actual.bin picture.expected.bin picture.differences.csv picture.actual.png \
  picture.expected.png picture.difference.png $(module vert before) $(module frag before) \
  $(module plain before)
tells "$picture" "buffer picture: 132 of 4096 elements differ; the largest error is "
for kind in actual expected difference; do
  file "$picture/picture.$kind.png" | grep -q "PNG image data, 64 x 64, 8-bit/color RGB" ||
    fail "$(file "$picture/picture.$kind.png")"
done
[ "$(od -An -tu1 -j$(((16 * 64 + 16) * 4)) -N4 "$picture/picture.expected.bin")" = " 255   0   0 255" ] ||
  fail "the expected texel is missing"
# What the EXPECT saw, not what the second draw left.
[ "$(od -An -tu1 -j$(((16 * 64 + 16) * 4)) -N4 "$picture/picture.actual.bin")" = "  66  66  64 255" ] ||
  fail "the actual texel is another: $(od -An -tu1 -j$(((16 * 64 + 16) * 4)) -N4 "$picture/picture.actual.bin")"
again "$picture"
grep -qF "[[ATTACHMENT|$picture/picture.difference.png]]" "$WORK/x.xml" || fail "no attachment in $(cat "$WORK/x.xml")"
grep -A 1 "<system-out>" "$WORK/x.xml" | grep -q "difference.png" || fail "the picture is not the first attachment"
[ "$(grep -c ATTACHMENT "$WORK/x.xml")" = "$(find "$numbers" "$picture" -type f | wc -l)" ] ||
  fail "not all files are attached"

# ---- a broken transform, a crash, a case that cannot be read -----------------------------------------

SPV_HARNESS_TEST=flip
export SPV_HARNESS_TEST
both=none+strip-merges,structurize
run 1 run --device=lavapipe --transform=$both --artifacts="$out" --json tests/harness/flip/mip_level.amber
prints "\"artifacts\": \"$out/lavapipe/tests/harness/flip/mip_level.amber/strip-merges,structurize\""
prints '"artifacts": null'
flip=$out/lavapipe/tests/harness/flip/mip_level.amber/strip-merges,structurize
# shellcheck disable=SC2046
has "$flip" picture.actual.bin picture.expected.bin picture.differences.csv picture.actual.png \
  picture.expected.png picture.difference.png $(module rect before) $(module stripes before) \
  $(module stripes after)
tells "$flip" "shader rect is not changed by the transforms"
cmp -s "$flip/stripes.before.spv" "$flip/stripes.after.spv" && fail "the modules are the same"
again "$flip"
unset SPV_HARNESS_TEST

# The folder of an earlier failure is replaced, without what does not belong to the new one.
(
  VK_LAYER_PATH=$BIN/layers VK_INSTANCE_LAYERS=VK_LAYER_SPVRECONV_test_fault
  export VK_LAYER_PATH VK_INSTANCE_LAYERS
  crash=$out/swiftshader/$faults/crash.amber/$both
  mkdir -p "$crash"
  echo old | tee "$crash/failure.json" >"$crash/old.png"
  run 1 run --device=swiftshader --transform=none --artifacts="$out" "$faults/crash.amber"
  crash=$out/swiftshader/$faults/crash.amber/none
  # shellcheck disable=SC2046
  has "$crash" $(module work before)
  tells "$crash" "crash: killed by signal 6 (Aborted)"
  again "$crash"
  echo old >"$crash/old.png"
  run 1 run --device=swiftshader --transform=none --artifacts="$out" "$faults/crash.amber"
  # shellcheck disable=SC2046
  has "$crash" $(module work before)
  [ "$failures" = 0 ]
) || failures=1

printf '#!amber\nBUFER x\n' >"$WORK/it's bad.amber"
run 1 run --device=swiftshader --artifacts="$out" "$WORK/it's bad.amber"
bad="$out/swiftshader$WORK/it's bad.amber/none"
has "$bad"
again "$bad"

# Names that differ only in what a file system may refuse; a folder that a killed run left half written; names of
# JUnit that are not ASCII.
mkdir "$WORK/names"
for name in 'a:b' 'a?b' a_b é; do
  cp $cases/numbers.amber "$WORK/names/$name.amber"
done
half="$out/swiftshader$WORK/names/a_b.amber/none"
mkdir -p "$half"
echo old | tee "$half/rerun.sh" >"$half/old.png"
run 1 run --device=swiftshader --transform=none --artifacts="$out" --junit="$WORK/x.xml" "$WORK/names"
prints "artifacts of 4 failures: $out"
[ "$(find "$out/swiftshader$WORK/names" -name failure.json | wc -l)" = 4 ] ||
  fail "not a folder for each: $(ls "$out/swiftshader$WORK/names")"
jq -r .case "$half/failure.json" | grep -q "a_b.amber" || fail "$half: of $(jq -r .case "$half/failure.json")"
[ ! -e "$half/old.png" ] || fail "a file of a run that was killed is left"
grep -qF "[[ATTACHMENT|$out/swiftshader$WORK/names/é.amber/none/rerun.sh]]" "$WORK/x.xml" ||
  fail "no attachment of é: $(grep 'ATTACHMENT.*rerun' "$WORK/x.xml")"

# The case of a shader is made with the same options again.
cat >"$WORK/shader.comp" <<'EOF'
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() {
  if (data[gl_LocalInvocationIndex] % 2 == PARITY)
    data[gl_LocalInvocationIndex] = gl_LocalInvocationIndex;
  else
    data[gl_LocalInvocationIndex] += 5;
}
EOF
(
  SPV_HARNESS_TEST=flip
  export SPV_HARNESS_TEST
  run 1 run --device=swiftshader --transform=$both --artifacts="$out" -D PARITY=1u --seed=77 "$WORK/shader.comp"
  again "$out/swiftshader$WORK/shader.comp/strip-merges,structurize"
  [ "$failures" = 0 ]
) || failures=1

# ---- what passes has none; paths that cannot be written ------------------------------------------------

rm -r "$out"
run 0 run --device=swiftshader --transform=none --artifacts="$out" "$faults/well.amber"
[ -z "$(ls "$out")" ] || fail "artifacts without a failure: $(ls "$out")"
# No room for the modules: what is written is no whole failure, and that is said.
(
  trap '' XFSZ
  ulimit -f 1
  "$HARNESS" run --device=emu --transform=none --artifacts="$out" $cases/numbers.amber 2>&1 | cat >"$WORK/room"
) 2>"$WORK/err"
grep -q "the artifacts of 1 failure could not be written" "$WORK/room" || fail "no room: $(cat "$WORK/room" "$WORK/err")"
find "$out" -name '*.spvasm' | grep . && fail "a text is torn"
run 1 run --device=swiftshader --artifacts=/nowhere/x $faults && says "/nowhere/x: No such file"
echo file >"$WORK/file"
run 1 run --device=swiftshader --artifacts="$WORK/file" $faults && says "file: Not a directory"
[ ! -s "$WORK/out" ] || fail "cases were run: $(cat "$WORK/out")"
finish
