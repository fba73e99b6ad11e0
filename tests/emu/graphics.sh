#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Draws: every case of shaders/graphics under `none` and three other policies, in turn (EXPECTs hold, and so the picture is
# the same), by threads and in other subgroups; helper lanes and broken quads in the figures. With ALL=1 in the
# environment under every policy.
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
  case $((n / 3 % 3))${ALL:-} in
    0) policies=scalar,structured,exec ;;
    1) policies=pdom,tf-stack,opt ;;
    2) policies=tf-sandy,maximal,ssy ;;
    *) policies=scalar,pdom,tf-stack,tf-sandy,structured,maximal,ssy,exec,opt ;;
  esac
  run 0 --policy=$policies "$how" "$case"
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

# Options that are meant for one shader reach the fragment shader only: a trace has its issues, all of one block here,
# and none of the vertex shader; a profile is its own.
draw=shaders/graphics/helper_derivative.amber
run 0 --policy=pdom --trace-stack="$WORK/stack.csv" "$draw"
[ "$(sed 1d "$WORK/stack.csv" | cut -d , -f 4 | uniq | wc -l)" = 1 ] ||
  fail "a trace of two shaders: $(cat "$WORK/stack.csv")"
run 0 --profile="$WORK/profile.json" --policy=tf-stack "$draw"
run 0 --priority=profile:"$WORK/profile.json" --policy=tf-stack "$draw"

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
run 0 --policy=structured "$WORK/broken.amber" && prints "quad breaks" &&
  prints "quad breaks: derivatives where only some lanes of a quad are active; --check=vuid"
run 1 --check=vuid --policy=structured "$WORK/broken.amber" && prints "OpDPdx"
grep -q "quad breaks: derivatives" "$WORK/out" && fail "it names --check=vuid, which is given"
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

# Interlock: no pixel is twice in a subgroup, and subgroups follow each other.
run 0 --policy=scalar,none,pdom,opt --pack=draw --threads=2 shaders/graphics/interlock.amber

# Geometry shaders take other primitives than the draw has.
sed 's/AS LINE_LIST/AS TRIANGLE_LIST/; s/COUNT 8/COUNT 6/' shaders/graphics/geometry_lines.amber >"$WORK/shape.amber"
run 1 --policy=pdom "$WORK/shape.amber"
says "the geometry shader takes lines, and the draw has triangles"

# What a draw cannot have. `draw VERTEX_OUT FRAGMENT_OUT FORMAT` writes one; the outputs are GLSL.
draw() {
  cat >"$WORK/bad.amber" <<CASE
#!amber
SHADER vertex place GLSL
#version 450
layout(location = 0) in vec2 at;
$1
END
SHADER fragment paint GLSL
#version 450
$2
END
BUFFER picture FORMAT $3
BUFFER corner DATA_TYPE ${4:-vec2<float>} DATA
0 0 1 0 0 1
END
PIPELINE graphics p
  ATTACH place
  ATTACH paint
  FRAMEBUFFER_SIZE 4 4
  BIND BUFFER picture AS color LOCATION 0
  VERTEX_DATA corner LOCATION 0
END
RUN p DRAW_ARRAY AS TRIANGLE_LIST START_IDX 0 COUNT 3
CASE
}
plain='void main() { gl_Position = vec4(at, 0.0, 1.0); }'
white='layout(location = 0) out vec4 c; void main() { c = vec4(1.0); }'
draw "$plain" "$white" R8G8B8A8_UNORM
run 0 --policy=pdom "$WORK/bad.amber"
draw "$plain" "$white" R32_SINT
run 1 --policy=pdom "$WORK/bad.amber"
says "the fragment shader writes floats to location 0, where an attachment R32_SINT has signed integers"
draw "$plain" 'layout(location = 0) out uint c; void main() { c = 1u; }' R32_SINT
run 1 --policy=pdom "$WORK/bad.amber"
says "the fragment shader writes unsigned integers to location 0, where an attachment R32_SINT has"
draw "$plain" "$white" R8G8B8A8_UNORM 'vec2<uint32>'
run 1 --policy=pdom "$WORK/bad.amber"
says "the vertex shader reads floats at location 0, where the format R32G32_UINT has unsigned integers"
draw "layout(location = 32) out float v; void main() { v = 0.0; }" "$white" R8G8B8A8_UNORM
run 1 --policy=pdom "$WORK/bad.amber"
says "location 32; inputs and outputs have locations 0 to 31"
draw "layout(location = 30) out mat4 v; void main() { v = mat4(0.0); }" "$white" R8G8B8A8_UNORM
run 1 --policy=pdom "$WORK/bad.amber"
says "inputs and outputs have locations 0 to 31"
draw "$plain" 'layout(location = 8) out vec4 c; void main() { c = vec4(1.0); }' R8G8B8A8_UNORM
run 1 --policy=pdom "$WORK/bad.amber"
says "location 8; a fragment shader's outputs have locations 0 to 7"
distances=$(printf %s "$plain" | sed 's/void main() {/& gl_ClipDistance[5] = gl_CullDistance[2] = 1.0;/')
draw "out float gl_ClipDistance[6]; out float gl_CullDistance[3]; $distances" "$white" R8G8B8A8_UNORM
run 1 --policy=pdom "$WORK/bad.amber"
says "9 clip and cull distances; at most 8 are possible"

# Limits of a draw: vertices of all instances; issues of all its batches; quads that take few issues.
draw "$plain" "$white" R8G8B8A8_UNORM
sed -i 's/COUNT 3$/& INSTANCE_COUNT 4294967294/' "$WORK/bad.amber"
run 1 --policy=pdom "$WORK/bad.amber"
says "a draw of 4294967294 instances of 3 vertices; at most 268435456 vertices are possible together"
sed -i 's/INSTANCE_COUNT .*/INSTANCE_COUNT 1000/' "$WORK/bad.amber"
run 0 --policy=pdom "$WORK/bad.amber"
cat >"$WORK/slow.frag" <<'GLSL'
#version 450
layout(location = 0) out vec4 c;
void main() {
  c = vec4(0.0);
  for (int i = 0; i < 20; i++)
    c += gl_FragCoord * float(i);
}
GLSL
run 1 --policy=pdom --framebuffer=512x512 --max-issues=2000000 "$WORK/slow.frag"
prints "pdom: limit: more than 2000000 instructions issued (--max-issues)"
echo "#version 450
$white" >"$WORK/fast.frag"
run 1 --policy=pdom --framebuffer=64x64 --subgroup-size=1024 --max-issues=100 "$WORK/fast.frag"
prints "pdom: limit: more than 100 times 8 quads covered, which count as instructions (--max-issues)"
run 0 --policy=pdom --framebuffer=64x64 --subgroup-size=1024 --max-issues=140 "$WORK/fast.frag"
finish
