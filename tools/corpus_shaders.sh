#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Converts each kernel of the OpenCL corpora to a Vulkan shader, and prints a table: how many convert and are
# valid, and why the others are refused.
#
#   tools/corpus_shaders.sh [BUILD [PACKAGE...]]     (default: build darktable ufo-filters-data)
#
# Needs the modules that tools/corpus_opencl.sh BUILD PACKAGE leaves in BUILD/corpus/PACKAGE/spv. A kernel is
# converted alone, without the other entry points of its module, since one kernel that is refused refuses the module.
set -eu
build=${1:-build}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- darktable ufo-filters-data
spvreconv=$build/bin/spvreconv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# only ID: the module's text, with this entry point alone
only() {
  awk -v "id=$1" '($1 == "OpEntryPoint" && $3 != id) || ($1 == "OpExecutionMode" && $2 != id) { next } { print }'
}

# reason: the reason in a message of spvreconv, without places and ids
reason() {
  sed -n -e 's/ ([a-z]* [0-9]*)$//' -e 's/.*kernel-to-shader: \(Op[A-Za-z]* %*[A-Za-z0-9_]*: \)*//p' "$work/messages" |
    sed -e 's/%[A-Za-z0-9_]*/…/g' -e 's/;/,/g' | tail -n 1
}

# convert PACKAGE: a line for each kernel, "converts" or why not
convert() {
  for module in "$build/corpus/$1"/spv/*.spv; do
    [ -e "$module" ] || {
      echo "corpus_shaders: no modules of $1: run tools/corpus_opencl.sh $build $1" >&2
      exit 1
    }
    spirv-dis --raw-id --no-header "$module" -o "$work/all.spvasm"
    awk '$1 == "OpEntryPoint" { print $3 }' "$work/all.spvasm" >"$work/kernels"
    while read -r id; do
      only "$id" <"$work/all.spvasm" >"$work/one.spvasm"
      if ! "$spvreconv" "$work/one.spvasm" --to-vulkan -o "$work/one.spv" >"$work/messages" 2>&1; then
        why=$(reason)
        echo "${why:-$(tail -n 1 "$work/messages" | sed 's/^.*one.spvasm: //')}"
      elif spirv-val --target-env vulkan1.1 "$work/one.spv" >/dev/null 2>&1; then
        echo converts
      else
        echo "not valid for vulkan1.1"
      fi
    done <"$work/kernels"
  done
}

echo "| Package | Kernels | Convert, and are valid for Vulkan 1.1 | Refused |"
echo "| --- | ---: | ---: | --- |"
for package; do
  convert "$package" >"$work/results"
  refused=$(grep -vx converts "$work/results" | sort | uniq -c | sort -rn |
    sed 's/^ *\([0-9]*\) \(.*\)/\2 (\1)/' | paste -sd ';' | sed 's/;/; /g')
  echo "| $package | $(wc -l <"$work/results") | $(grep -cx converts "$work/results") | $refused |"
done
