#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/arrows.sh on the tree and its build, which must pass; and on a copy of the sources with an
# include against the order, one between files in a circle, and a folder that the table does not
# name, where it must fail.
# Usage: arrows.sh BUILD-DIRECTORY
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $*"
  exit 1
}

tools/arrows.sh . "$build" || fail "arrows that tools/arrows.txt does not allow"

# refuses TEXT: in the copy, and TEXT is what is said; then the copy is as before
refuses() {
  if tools/arrows.sh "$work" >"$work/said"; then
    fail "not refused: $1"
  fi
  grep -qxF "$1" "$work/said" || fail "not said: $1"
  rm -r "$work/passes"
  cp -r passes "$work"
}

cp -r passes spv-emu spv-graph harness "$work"
tools/arrows.sh "$work" || fail "the copy is not as the tree"

echo '#include "driver/pass.h"' >>"$work/passes/base/sort.c"
refuses "passes/base/sort.c uses passes/driver/pass.h: passes/base may not use passes/driver"

echo '#include "base/planted_b.h"' >"$work/passes/base/planted_a.h"
echo '#include "base/planted_a.h"' >"$work/passes/base/planted_b.h"
if tools/arrows.sh "$work" >"$work/said"; then
  fail "a circle of files is not refused"
fi
grep -q '^circle: passes/base/planted' "$work/said" || fail "a circle of files is not named"
rm "$work/passes/base/planted_a.h" "$work/passes/base/planted_b.h"

mkdir "$work/passes/planted"
echo '#include "base/sort.h"' >"$work/passes/planted/planted.c"
refuses "passes/planted: not named in arrows.txt (passes/planted/planted.c)"
echo ok
