#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs darktable's kernels as shaders on Vulkan drivers, and prints a table: how many compute what the emulator computes
# with the kernel itself, and why the others do not.
#
#   tools/corpus_drivers.sh [BUILD]      (default: build)
#
# Takes the cases on which tools/corpus_kernels.sh found the emulator and PoCL to agree, in
# BUILD/corpus/darktable/run. Integers are compared exactly, floats within the precision that OpenCL C allows.
set -eu
build=${1:-build}
run=$build/corpus/darktable/run
kernels=$build/corpus/darktable/package/usr/share/darktable/kernels
[ -s "$run/compared" ] || {
  echo "corpus_drivers: no cases: run tools/corpus_kernels.sh $build" >&2
  exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# with_module CASE: the case with the module of its file, which is compiled once and not for each case
with_module() {
  name=$(basename "$1") && file=${name%%.cl.*}
  [ -e "$work/$file.spv" ] ||
    "$build/bin/spvreconv" "$kernels/$file.cl" -I "$kernels" --transform=auto -o "$work/$file.spv"
  sed -e "s|^SHADER compute kernel OPENCL-C FILE .*|SHADER compute kernel SPIRV-BIN FILE $work/$file.spv|" \
    -e '/^  COMPILE_OPTIONS kernel/,/^  END/d' "$1" >"$work/cases/$name"
}

# The case of a name is in the folder of the last seed that has it: later seeds leave out what was compared.
mkdir "$work/cases"
sort -u "$run/compared" | while read -r name; do
  # shellcheck disable=SC2012 # folders are numbers
  with_module "$(ls "$run"/[0-9]/"$name" | tail -n 1)"
done

# reason: a message without places, numbers and names
reason() {
  sed -e 's/^skip: line [0-9]*: //' -e 's/.*kernel-to-shader: \(Op[A-Za-z]* %*[A-Za-z0-9_]*: \)*//' \
    -e 's/^fail: buffer .*/another result/' -e 's/%[A-Za-z0-9_]*/…/g' -e 's/;/,/g' -e 's/ ([a-z]* [0-9]*)$//'
}

# row DEVICE
row() {
  "$build/bin/spv-harness" run --device="$1" --against=emu --transform=structurize --timeout=300 "$work/cases" \
    >"$run/$1.txt" || true
  good=$(grep -c "^$1 .*: structurize pass$" "$run/$1.txt" || true)
  sed -n '/^failures:/q; s/^    //p' "$run/$1.txt" | reason | sort | uniq -c | sort -rn |
    sed 's/^ *\([0-9]*\) \(.*\)/\2 (\1)/' | paste -sd ';' | sed 's/;/; /g' >"$work/why"
  echo "| $1 | $(find "$work/cases" -name "*.amber" | wc -l) | $good | $(cat "$work/why") |"
}

echo "| Driver | Kernels | The same result | The others |"
echo "| --- | ---: | ---: | --- |"
for device in lavapipe swiftshader; do
  row "$device"
done
