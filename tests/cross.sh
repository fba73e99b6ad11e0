#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tools built for another machine do what those of this one do: golden and bad modules; modules, cases of shaders/ and
# several modules in one command, whose output, messages and JSON are the same, byte for byte.
# Usage: cross.sh BUILD BIN, from the top of the tree: BUILD has the tools of this machine and golden_runner, BIN scripts
# spvreconv, spv-emu and spv-graph that run the others in an emulator
set -euo pipefail
build=$(cd "$1" && pwd)
bin=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

passed=0 failed=0
# expect WHAT COMMAND...: counts
expect() {
  local what=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $what"
  fi
}

for folder in bad golden; do
  expect "tests/$folder" "$build/bin/golden_runner" --jobs="$(nproc)" "$bin/spvreconv" "tests/$folder"
done

# same TOOL ARGUMENT...: what both print, and their exit codes
same() {
  local tool=$1 here=0 there=0
  shift
  "$build/bin/$tool" "$@" >"$work/here" 2>"$work/here.err" </dev/null || here=$?
  "$bin/$tool" "$@" >"$work/there" 2>"$work/there.err" </dev/null || there=$?
  [ "$here" = "$there" ] && cmp "$work/here" "$work/there" && cmp "$work/here.err" "$work/there.err"
}

while read -r module; do
  expect "$module" same spvreconv "$module" -o -
  expect "$module --explain" same spvreconv "$module" --explain --json
done < <(find tests/golden/structurize -name '*.spvasm' | LC_ALL=C sort | head -n 10)
# 32-bit machines have no emulator.
while [ -e "$bin/spv-emu" ] && read -r case; do
  expect "$case" same spv-emu "$case" --json
done < <(find shaders -name '*.amber' | LC_ALL=C sort | awk 'NR % 8 == 1')
expect "several modules" same spvreconv tests/golden/structurize --explain
expect "a batch with failures" same spvreconv tests/bad/*.spvasm --explain
expect "a graph" same spv-graph --help

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
