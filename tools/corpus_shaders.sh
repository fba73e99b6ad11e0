#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Converts the kernels of the OpenCL corpora to Vulkan shaders, and prints a table: how many convert and are
# valid, and why the others are refused.
#
#   tools/corpus_shaders.sh [BUILD [PACKAGE[:LEVEL]...]]
#                      (default: build darktable darktable:O2 darktable:O0 ufo-filters-data hashcat-data)
#
# Needs the modules that tools/corpus_opencl.sh BUILD PACKAGE leaves in BUILD/corpus/PACKAGE/spv. With a LEVEL, clang-22
# compiles the package's files itself, for spirv64 and with this optimization.
set -eu
build=${1:-build}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- darktable darktable:O2 darktable:O0 ufo-filters-data hashcat-data
spvreconv=$build/bin/spvreconv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# compile PACKAGE LEVEL FOLDER: the package's files by clang-22
compile() {
  mkdir -p "$3"
  find "$build/corpus/$1/package" -name '*.cl' | sort | while read -r source; do
    clang-22 --target=spirv64 "-$2" -cl-std=CL2.0 -fgnu89-inline -w -I "$(dirname "$source")" -x cl -c "$source" \
      -o "$3/$(basename "$source" .cl).spv"
  done
}

# reasons: those in the messages of spvreconv, one per line, without places and ids
reasons() {
  sed -n -e 's/ ([^()]*)$//' -e 's/.*kernel-to-shader: \(Op[A-Za-z]* *%*[A-Za-z0-9_]*: \)*//p' "$work/messages" |
    sed -e 's/%[A-Za-z0-9_]*/…/g' -e 's/;/,/g'
}

# convert FOLDER: a line for each kernel, "converts" or why not
convert() {
  for module in "$1"/*.spv; do
    [ -e "$module" ] || {
      echo "corpus_shaders: no modules in $1: run tools/corpus_opencl.sh $build PACKAGE" >&2
      exit 1
    }
    all=$(spirv-dis --no-header "$module" | grep -c '^ *OpEntryPoint' || true)
    rm -f "$work/out.spv"
    "$spvreconv" "$module" --to-vulkan -o "$work/out.spv" 2>"$work/messages" || true
    reasons >"$work/reasons"
    left=$((all - $(wc -l <"$work/reasons")))
    result=converts
    if [ ! -e "$work/out.spv" ]; then
      result=$(tail -n 1 "$work/messages" | sed 's/^[^:]*: [^:]*: //')
    elif [ "$all" -gt 0 ] && ! spirv-val --target-env vulkan1.1 "$work/out.spv" >/dev/null 2>&1; then
      result="not valid for vulkan1.1"
    fi
    cat "$work/reasons"
    while [ "$left" -gt 0 ]; do
      echo "$result"
      left=$((left - 1))
    done
  done
}

echo "| Kernels of | Kernels | Convert, and are valid for Vulkan 1.1 | Refused |"
echo "| --- | ---: | ---: | --- |"
for corpus; do
  package=${corpus%:*} name=$package folder=$build/corpus/$package/spv
  if [ "$package" != "$corpus" ]; then
    level=${corpus#*:}
    folder=$work/$package-$level name="$package, by clang-22 -$level"
    compile "$package" "$level" "$folder"
  fi
  convert "$folder" >"$work/results"
  refused=$(grep -vx converts "$work/results" | sort | uniq -c | sort -rn |
    sed 's/^ *\([0-9]*\) \(.*\)/\2 (\1)/' | paste -sd ';' | sed 's/;/; /g')
  echo "| $name | $(wc -l <"$work/results") | $(grep -cx converts "$work/results") | $refused |"
done
