#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# OpenCL kernels: cases in the emulator, as written and after every transform, and on PoCL; the two compared; cases with
# made-up arguments. Needs clang and llvm-spirv, and PoCL for the comparison.
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
kernels=tests/harness/kernels
variants=none+strip-merges+structurize+reconverge+struct-copy+linearize+guard+merge-copies+unstructure:1

# Each source is compiled once.
export SPV_HARNESS_KERNELS="$WORK/compiled"
mkdir "$SPV_HARNESS_KERNELS"

# Assembly text needs neither clang nor llvm-spirv.
run 0 run --device=emu --transform=none+structurize $kernels/assembly
prints "none pass; structurize pass"

run 0 run --device=emu --transform=none $kernels/values.amber
if grep -q "needs clang and llvm-spirv" "$WORK/out"; then
  echo "skipped: no clang with llvm-spirv, so OpenCL C cannot be compiled"
  finish
  exit
fi
cases="$kernels/aliases.amber $kernels/atomics.amber $kernels/before_pointer.amber $kernels/borders.amber $kernels/clspv.amber
  $kernels/conversions.amber $kernels/counters.amber
  $kernels/functions.amber $kernels/image_sampler.amber $kernels/local_memory.amber $kernels/packed.amber
  $kernels/values.amber"
# shellcheck disable=SC2086 # a list
run 0 run --device=emu --emu-subgroup-size=4 --transform=$variants --check $cases
[ "$(grep -c 'none pass; .*unstructure:1 ' "$WORK/out")" = 12 ] || fail "not twelve cases: $(cat "$WORK/out")"
prints " passed, 0 failed, 0 skipped"

# A Vulkan driver gets the shader that kernel-to-shader makes, and so does the emulator if it is asked to. SwiftShader
# lacks integers of 8 and 64 bits.
shaders="$kernels/vulkan $kernels/aliases.amber $kernels/atomics.amber $kernels/before_pointer.amber $kernels/borders.amber
  $kernels/clspv.amber $kernels/conversions.amber $kernels/counters.amber $kernels/image_sampler.amber $kernels/local_memory.amber $kernels/packed.amber
  $kernels/values.amber"
# shellcheck disable=SC2086 # a list
run 0 run --device=emu --transform=none+kernel-to-shader,structurize $shaders
[ "$(grep -c 'none pass; kernel-to-shader,structurize pass' "$WORK/out")" = 26 ] || fail "not 26: $(cat "$WORK/out")"
for device in lavapipe:26 swiftshader:14; do
  run 0 list-devices
  if ! grep -q "^${device%:*} .*Vulkan" "$WORK/out"; then
    echo "skipped: ${device%:*} is not installed"
    continue
  fi
  # shellcheck disable=SC2086 # a list
  run 0 run --device=${device%:*} --transform=structurize $shaders
  [ "$(grep -c 'structurize pass' "$WORK/out")" -ge "${device#*:}" ] || fail "not ${device#*:}: $(cat "$WORK/out")"
done
# Pointers in buffers are addresses, which only devices have.
pointers=$kernels/address/pointers.amber
run 0 run --device=emu --transform=none+kernel-to-shader:address,structurize $pointers
prints "none pass; kernel-to-shader:address,structurize skip" && prints "the emulator has no addresses of buffers"
run 0 list-devices
if grep -q "^lavapipe .*Vulkan" "$WORK/out"; then
  run 0 run --device=lavapipe --transform=kernel-to-shader:address,structurize $pointers $kernels/vulkan/copies.amber
  ends "2 passed, 0 failed, 0 skipped"
fi
# What is kept is read instead of being compiled, and only for the same source and options.
mkdir "$WORK/kept"
SPV_HARNESS_KERNELS="$WORK/kept" run 0 run --device=emu --transform=none $kernels/values.amber
kept=$(ls "$WORK/kept")
[ "$(echo "$kept" | wc -w)" = 1 ] || fail "not one module: $kept"
for other in "$SPV_HARNESS_KERNELS"/*; do
  [ "$(basename "$other")" = "$kept" ] || cp "$other" "$WORK/kept/$kept"
done
SPV_HARNESS_KERNELS="$WORK/kept" run 1 run --device=emu --transform=none $kernels/values.amber
sed 's/v.zyx/v.zyx + 0.0f/' $kernels/values.amber >"$WORK/changed.amber"
SPV_HARNESS_KERNELS="$WORK/kept" run 0 run --device=emu --transform=none "$WORK/changed.amber"
# An error is on the line of the script.
sed 's/v.zyx/v.zyw/' $kernels/values.amber >"$WORK/typo.amber"
run 1 run --device=emu --transform=none "$WORK/typo.amber"
prints "fail: line 10: shader scale: vector component access exceeds type"
sed 's/ARG_NAME count/ARG_NAME cuont/' $kernels/values.amber >"$WORK/name.amber"
run 1 run --device=emu --transform=none "$WORK/name.amber"
prints "the argument cuont is none of the kernel's"
sed 's/SPECIALIZE 0 AS uint32 4/SPECIALIZE 1 AS uint32 0/' $kernels/values.amber >"$WORK/empty.amber"
run 1 run --device=emu,pocl --transform=none "$WORK/empty.amber"
prints "line 17: pipeline pipeline: workgroups of 1 x 0 x 1 invocations; each must be 1 or more"
sed 's/-work-dim/-work-dims/' $kernels/clspv.amber >"$WORK/option.amber"
run 1 run --device=emu --transform=none "$WORK/option.amber"
prints "COMPILE_OPTIONS of OpenCL C are -D, -U, -I, -cl-... and some of clspv, not -work-dims"
# What is undefined in OpenCL is an error.
sed 's/int32 3/int32 5/; s/uint32 4/uint32 5/' $kernels/values.amber >"$WORK/outside.amber"
run 1 run --device=emu --transform=none "$WORK/outside.amber"
prints "out of bounds"
sed 's/none, (int2)(3/none, (int2)(4/' $kernels/borders.amber >"$WORK/none.amber"
run 1 run --device=emu --transform=none "$WORK/none.amber"
prints "the sampler has CLK_ADDRESS_NONE, the coordinates are outside"

# Made-up arguments: the same for the same seed, except those that are given.
run 0 kernels $kernels/functions.cl "$WORK/made" -- -DFACTOR=0.5f
prints "$WORK/made/functions.cl.functions.amber"
cp "$WORK/made/functions.cl.functions.amber" "$WORK/first.amber"
run 0 kernels --argument=rounds=7 $kernels/functions.cl "$WORK/made" -- -DFACTOR=0.5f
diff "$WORK/first.amber" "$WORK/made/functions.cl.functions.amber" >"$WORK/diff"
[ "$(grep -c '^[<>]' "$WORK/diff")" = 2 ] || fail "--argument changes more than one line"
grep -q '^>   SET KERNEL ARG_NUMBER 2 AS uint32 7$' "$WORK/diff" || fail "not 7: $(cat "$WORK/diff")"
run 0 run --device=emu --transform=none+structurize "$WORK/made"
prints "none pass"
run 1 kernels $kernels/values.amber "$WORK/made"
says "values.amber: line 1: "
# A name with blanks; two files of one name.
mkdir "$WORK/a folder" "$WORK/other"
cp $kernels/functions.cl "$WORK/a folder/of kernels.cl"
run 0 kernels "$WORK/a folder/of kernels.cl" "$WORK/its cases" -- -DFACTOR=0.5f
run 0 run --device=emu --transform=none "$WORK/its cases"
ends "1 passed, 0 failed, 0 skipped"
cp $kernels/functions.cl "$WORK/other/functions.cl"
run 1 kernels "$WORK/other/functions.cl" "$WORK/made" -- -DFACTOR=0.5f
says "functions.cl.functions.amber: is the case of another file's kernel: choose another folder"
run 2 run --argument=n=3 $kernels
says "--argument does not apply to run"
run 2 run --ulps=3 $kernels
says "--ulps needs --against"

run 0 list-devices
if ! grep -q '^pocl .*PoCL' "$WORK/out"; then
  echo "skipped: no comparison: $(grep '^pocl' "$WORK/out")"
  finish
  exit
fi
export POCL_CACHE_DIR="$WORK/pocl"
# shellcheck disable=SC2086 # a list
run 0 run --device=pocl --transform=none+structurize $cases
ends "12 passed, 0 failed, 12 skipped"
prints "skip: the driver compiles the OpenCL C, not the module"
# shellcheck disable=SC2086 # a list
run 0 run --device=emu --against=pocl --transform=none $cases "$WORK/made"
ends "13 passed, 0 failed, 0 skipped"
# An error that PoCL alone has, on the line of the script.
sed 's/^kernel void scale/#ifdef POCL_DEVICE_ADDRESS_BITS\n#error here\n#endif\n&/' $kernels/values.amber \
  >"$WORK/build.amber"
run 1 run --device=pocl --transform=none "$WORK/build.amber"
prints "fail: line 6: shader scale: here"
sed 's/^kernel void scale/float f(float);\n&/; s/v.zyx + by.w/v.zyx + f(by.w)/' $kernels/values.amber >"$WORK/link.amber"
run 1 run --device=pocl --transform=none "$WORK/link.amber"
prints "Error(s) while linking: Cannot find symbol f"
# What OpenCL lacks.
sed 's/DESCRIPTOR_OFFSET 256/DESCRIPTOR_OFFSET 4/' $kernels/aliases.amber >"$WORK/part.amber"
run 0 run --device=pocl --transform=none "$WORK/part.amber"
prints "skip: line 17: the device has no part of a buffer at byte 4"
sed 's/DATA_TYPE vec4<float> SIZE 8 FILL 9/FORMAT R32G32B32A32_SFLOAT SIZE 8 FILL 9/
     s/BIND BUFFER in AS sampled_image/BIND BUFFER out AS sampled_image/' $kernels/borders.amber >"$WORK/both.amber"
run 0 run --device=pocl --transform=none "$WORK/both.amber"
prints "skip: line 30: OpenCL has no out that is two kinds of argument"
# lacks WHAT EDIT: a sampler
lacks() {
  sed "/^SAMPLER/s/$2/g" $kernels/borders.amber >"$WORK/sampler.amber"
  run 0 run --device=pocl --transform=none "$WORK/sampler.amber"
  prints "skip: line 24: OpenCL has no sampler with $1"
}
lacks "several address modes" "V clamp_to_border/V clamp_to_edge"
lacks "mirrored_clamp_to_edge" "clamp_to_border/mirrored_clamp_to_edge"
lacks "repeats of coordinates that are not normalized" "clamp_to_border/repeat"
lacks "a border that is not transparent" "float_transparent_black/float_opaque_black"
lacks "two filters" "MAG_FILTER linear/MAG_FILTER nearest"
# Without alpha OpenCL's border is opaque; PoCL's is not.
sed 's/five FORMAT R32G32B32A32/five FORMAT R32/; s/112 EQ 0 0 0 0/112 EQ 0 0 0 1/' $kernels/borders.amber \
  >"$WORK/opaque.amber"
run 0 run --device=emu,pocl --transform=none "$WORK/opaque.amber"
prints "skip: line 22: five has no alpha: the border of PoCL is not the opaque one of OpenCL"
ends "1 passed, 0 failed, 1 skipped"
# A difference of 10 units in the last place of a function that may err by 3.
run 1 run --device=emu --against=pocl --transform=none $kernels/differs
prints "on pocl, 1"
ends "0 passed, 1 failed, 0 skipped"
run 0 run --device=emu --against=pocl --ulps=200 --transform=none $kernels/differs
ends "1 passed, 0 failed, 0 skipped"
run 0 run --device=emu --against=pocl --transform=none $kernels/assembly
prints "skip: not compared: pocl: line 4: shader pick is not OPENCL-C"
finish
