#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/arrows.sh on the tree and its build, which must pass; and on a copy of the sources with an
# include against the order, one between files in a circle, a folder that the table does not name, and a
# guard, a type and a header's name that another file has, where it must fail.
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

echo '#include "passes/driver/pass.h"' >>"$work/passes/base/sort.c"
refuses "passes/base/sort.c uses passes/driver/pass.h: passes/base may not use passes/driver"

echo '#include "passes/base/planted_b.h"' >"$work/passes/base/planted_a.h"
echo '#include "passes/base/planted_a.h"' >"$work/passes/base/planted_b.h"
if tools/arrows.sh "$work" >"$work/said"; then
  fail "a circle of files is not refused"
fi
grep -q '^circle: passes/base/planted' "$work/said" || fail "a circle of files is not named"
rm "$work/passes/base/planted_a.h" "$work/passes/base/planted_b.h"

echo '#include "sort.h"' >"$work/passes/base/planted.h"
refuses 'passes/base/planted.h includes "sort.h": write the path from the repository'"'"'s root'

mkdir "$work/passes/planted"
echo '#include "passes/base/sort.h"' >"$work/passes/planted/planted.c"
refuses "passes/planted: not named in arrows.txt (passes/planted/planted.c)"

planted() { # planted GUARD TYPE FILE
  printf '#ifndef %s\n#define %s\ntypedef struct %s {\n  int x;\n} %s;\n#endif\n' "$1" "$1" "$2" "$2" >"$work/passes/$3"
}
planted SR_SORT_H SrPlanted base/planted.h
refuses "passes/base/planted.h and passes/base/sort.h: guard SR_SORT_H in both"
planted SR_PLANTED_H SrArena base/planted.h
refuses "passes/base/arena.h and passes/base/planted.h: type SrArena in both"
echo 'typedef uint32_t SrArena;' >>"$work/passes/base/sort.c"
refuses "passes/base/arena.h and passes/base/sort.c: type SrArena in both"
echo 'typedef bool (*SrArena)(void *user,' >>"$work/passes/base/sort.c"
refuses "passes/base/arena.h and passes/base/sort.c: type SrArena in both"
planted SR_ANALYSIS_SORT_H SrPlanted analysis/sort.h
refuses "passes/analysis/sort.h and passes/base/sort.h: file sort.h in both"
echo ok
