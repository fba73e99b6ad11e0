#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# How many findings does `spvreconv --lint` have in the modules below a folder? A line for each module with some: how
# many by each rule, and its name; then the sum. docs/lint.md has those of shaders/ and of the survey's corpora.
#
#   tools/lint_corpus.sh BUILD FOLDER
#
# The modules are those that tools/survey.sh reads, each once.
set -eu

build=$1 folder=${2%/}
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tools/modules.sh.inc
. "$here/modules.sh.inc"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/seen"

# module FILE NAME
module() {
  copy=$work/seen/$(md5sum <"$1" | cut -d ' ' -f 1)
  [ ! -e "$copy" ] || return 0
  : >"$copy"
  "$build/bin/spvreconv" --lint --json --no-validate "$1" 2>"$work/err" |
    jq -r --arg name "$2" '.lint // [] | group_by(.rule) | map("\(length) \(.[0].rule)") | select(length > 0) |
      "\(join(", "))\t\($name)"' >>"$work/found"
}

case_of() {
  rm -rf "$work/modules"
  "$build/bin/spv-harness" modules "$1" "$work/modules" >/dev/null 2>&1 || return 0
  for shader in "$work"/modules/*.spv; do
    [ ! -e "$shader" ] || module "$shader" "$1"
  done
}

left_out() {
  :
}

: >"$work/found"
each_module "$folder" "$work/parts" module case_of left_out
cat "$work/found"
awk -F '\t' '{ n = split($1, rules, ", "); for (i = 1; i <= n; i++) sum += rules[i] } END { print sum + 0 " findings" }' "$work/found"
