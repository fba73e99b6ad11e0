#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs darktable's kernels as shaders on Vulkan drivers, and prints a table: how many compute what the emulator computes
# with the kernel itself, and why the others do not.
#
#   tools/corpus_drivers.sh [BUILD]      (default: build; tools/corpus_opencl.sh fetches and compiles the package)
#
# Arguments are made up as by tools/corpus_kernels.sh, which compares the emulator with PoCL. For each kernel the first seed
# is taken with which the emulator reads nothing outside of a buffer and something changes. Integers are compared exactly,
# floats within the precision that OpenCL C allows. A run that was interrupted goes on where it was, as long as the tools
# are the same; BUILD/corpus/darktable/drivers has the cases, and what was said of each.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:-build}
harness=$build/bin/spv-harness
corpus=$build/corpus/darktable
kernels=$corpus/package/usr/share/darktable/kernels
work=$corpus/drivers
last_seed=5
# shellcheck source=tools/kernel_cases.sh.inc
. "$here/kernel_cases.sh.inc"
[ -d "$corpus/spv" ] || {
  echo "corpus_drivers: no modules in $corpus/spv: run tools/corpus_opencl.sh $build" >&2
  exit 1
}
mkdir -p "$work/cases"
: >"$work/compared"

# run FOLDER OPTION...: the results of its cases; those of an earlier run count
run() {
  folder=$1
  shift
  "$harness" run "$@" --timeout=300 --results="$work/results.sqlite" --resume "$folder" || true
}

# with_modules: the cases of a seed get the module of their file, which is compiled once and not for each case; llvm-spirv
# may have written its blocks in a wrong order
with_modules() {
  for module in "$corpus/spv"/*.spv; do
    "$build/bin/spvreconv" --transform=auto "$module" -o "$work/$seed/$(basename "$module")"
  done
  for case in "$work/$seed"/*.amber; do
    name=$(basename "$case")
    sed -i -e "s|^SHADER compute kernel OPENCL-C FILE .*|SHADER compute kernel SPIRV-BIN FILE ${name%%.cl.*}.spv|" \
      -e '/^  COMPILE_OPTIONS kernel/,/^  END/d' "$case"
  done
}

# Which seed: the emulator is compared with itself, which fails if it reads outside of a buffer, and is skipped if nothing
# changes.
seed=0
while [ "$seed" -le "$last_seed" ]; do
  if [ ! -e "$work/$seed.made" ]; then
    rm -rf "${work:?}/$seed"
    make_cases
    with_modules
    : >"$work/$seed.made"
  fi
  run "$work/$seed" --device=emu --against=emu --transform=none >"$work/$seed.txt"
  sed -n 's|^emu .*/\([^/]*\): none pass$|\1|p' "$work/$seed.txt" >"$work/now"
  while read -r name; do
    cp "$work/$seed/$name" "$work/$seed/${name%%.cl.*}.spv" "$work/cases/"
  done <"$work/now"
  cat "$work/now" >>"$work/compared"
  seed=$((seed + 1))
done

# reason: a message without places, numbers and names
reason() {
  sed -e 's/^skip: line [0-9]*: //' -e 's/.*kernel-to-shader: \(Op[A-Za-z]* %*[A-Za-z0-9_]*: \)*//' \
    -e 's/^fail: line [0-9]*: //' -e 's/^fail: buffer .*/another result/' -e 's/%[A-Za-z0-9_]*/…/g' -e 's/;/,/g' -e 's/ ([a-z]* [0-9]*)$//'
}

# row DEVICE
row() {
  run "$work/cases" --device="$1" --against=emu --transform=structurize >"$work/$1.txt"
  good=$(grep -c "^$1 .*: structurize pass$" "$work/$1.txt" || true)
  sed -n '/^failures:/q; s/^    //p' "$work/$1.txt" | reason | sort | uniq -c | sort -rn |
    sed 's/^ *\([0-9]*\) \(.*\)/\2 (\1)/' | paste -sd ';' | sed 's/;/; /g' >"$work/why"
  echo "| $1 | $(find "$work/cases" -name "*.amber" | wc -l) | $good | $(cat "$work/why") |"
}

echo "| Driver | Kernels | The same result | The others |"
echo "| --- | ---: | ---: | --- |"
for device in lavapipe swiftshader; do
  row "$device"
done
