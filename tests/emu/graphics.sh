#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Draws: every case of shaders/graphics under every policy (EXPECTs hold, and so the picture is the
# same), by threads and in other subgroups; helper lanes and broken quads in the figures.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

# Cases with several threads, in subgroups of another size, and with mixed quads, in turn. Policy none
# never reconverges: it may fail an EXPECT, but only where it breaks quads.
n=0
for case in shaders/graphics/*.amber; do
  [ "$case" = shaders/graphics/irreducible.amber ] && continue # not structured: no policy by default
  n=$((n + 1))
  case $((n % 3)) in
    0) how=--threads=2 ;;
    1) how=--subgroup-size=8 ;;
    *) how=--pack=draw ;;
  esac
  run 0 --policy=scalar,pdom,tf-stack,tf-sandy,structured,maximal,ssy,exec,opt "$how" "$case"
  "$EMU" --json --policy=none "$how" "$case" >"$WORK/out" 2>"$WORK/err"
  got=$?
  [ "$got" = 0 ] || [ "$(figure quad_breaks)" -gt 0 ] ||
    fail "$case $how: none fails without a broken quad: $(cat "$WORK/out")"
done
[ "$n" -ge 30 ] || fail "only $n cases"
run 1 --policy=none shaders/graphics/derivative_after_branch.amber && prints "quad breaks"

# A triangle leaves helper lanes; its figures are in the table and in JSON. Compute runs have none.
run 0 --policy=structured shaders/graphics/helper_derivative.amber && prints "helper"
run 0 --json --policy=structured shaders/graphics/helper_derivative.amber
[ "$(figure helper_instructions)" -gt 0 ] || fail "no helper lanes: $(figure helper_instructions)"
[ "$(figure quad_breaks)" = 0 ] || fail "broken quads: $(figure quad_breaks)"
run 0 --json shaders/loop/collatz.amber
grep -q helper_instructions "$WORK/out" && fail "a compute run has helper lanes"

# A derivative that only some lanes of a quad take is counted, one for each quad and instruction.
cat >"$WORK/broken.amber" <<'CASE'
#!amber
SHADER vertex corners PASSTHROUGH
SHADER fragment paint GLSL
#version 450
layout(location = 0) out vec4 color;
void main() {
  float v = gl_FragCoord.x;
  color = vec4(0.0);
  if (int(gl_FragCoord.x) % 2 == 1)
    color = vec4(dFdx(v * v));
}
END
BUFFER picture FORMAT R8G8B8A8_UNORM
PIPELINE graphics p
  ATTACH corners
  ATTACH paint
  FRAMEBUFFER_SIZE 8 4
  BIND BUFFER picture AS color LOCATION 0
END
CLEAR p
RUN p DRAW_RECT POS 0 0 SIZE 8 4
CASE
run 0 --policy=structured "$WORK/broken.amber" && prints "quad breaks"
run 0 --json --policy=structured --pack=draw "$WORK/broken.amber"
quads=$(figure quad_breaks)
# 8 quads; those that both triangles of the rectangle touch are shaded twice
if [ "$quads" -lt 8 ] || [ "$quads" -gt 16 ]; then
  fail "$quads broken quads"
fi

# A lane alone has no quad.
run 0 --policy=scalar shaders/graphics/derivative_plane.amber
prints "scalar: skip: the fragment shader has derivatives or quad operations, which need 4 lanes"
run 1 --subgroup-size=6 shaders/graphics/derivative_plane.amber
says "fragments in subgroups of 6 lanes: they must be a multiple of 4, quads"
finish
