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
[ -s "$run/compared" ] || {
  echo "corpus_drivers: no cases: run tools/corpus_kernels.sh $build" >&2
  exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The case of a name is in the folder of the last seed that has it: later seeds leave out what was compared.
sort -u "$run/compared" | while read -r name; do
  # shellcheck disable=SC2012 # folders are numbers
  ls "$run"/[0-9]/"$name" | tail -n 1
done >"$work/cases"

# reason: a message without places, numbers and names
reason() {
  sed -e 's/^skip: line [0-9]*: //' -e 's/.*kernel-to-shader: \(Op[A-Za-z]* %*[A-Za-z0-9_]*: \)*//' \
    -e 's/^fail: buffer .*/another result/' -e 's/%[A-Za-z0-9_]*/…/g' -e 's/;/,/g' -e 's/ ([a-z]* [0-9]*)$//'
}

# row DEVICE
row() {
  xargs "$build/bin/spv-harness" run --device="$1" --against=emu --transform=structurize --timeout=300 \
    <"$work/cases" >"$work/said" || true
  good=$(grep -c "^$1 .*: structurize pass$" "$work/said" || true)
  sed -n '/^failures:/q; s/^    //p' "$work/said" | reason | sort | uniq -c | sort -rn |
    sed 's/^ *\([0-9]*\) \(.*\)/\2 (\1)/' | paste -sd ';' | sed 's/;/; /g' >"$work/why"
  echo "| $1 | $(wc -l <"$work/cases") | $good | $(cat "$work/why") |"
}

echo "| Driver | Kernels | The same result | The others |"
echo "| --- | ---: | ---: | --- |"
for device in lavapipe swiftshader; do
  row "$device"
done
