#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Fragment and vertex shaders without a case: what they are drawn with, that the draw is the one that a
# case describes, and what is refused.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

# tells TEXT: standard error holds it
tells() {
  grep -qF -- "$1" "$WORK/err" || fail "no '$1' in: $(cat "$WORK/err")"
}

{
  printf '#!amber\nSHADER vertex corners PASSTHROUGH\nSHADER fragment paint GLSL\n'
  cat "$WORK/rings.frag"
  cat <<'SCRIPT'
END
BUFFER picture FORMAT R8G8B8A8_UNORM
BUFFER triangle DATA_TYPE vec4<float> DATA
  -1 -1 0 1  3 -1 0 1  -1 3 0 1
END
PIPELINE graphics p
  ATTACH corners
  ATTACH paint
  VERTEX_DATA triangle LOCATION 0
  FRAMEBUFFER_SIZE 64 48
  BIND BUFFER picture AS color LOCATION 0
END
CLEAR p
RUN p DRAW_ARRAY AS TRIANGLE_LIST START_IDX 0 COUNT 3
SCRIPT
} >"$WORK/rings.amber"

# The figures are those of the case without its vertex shader, which issues a few instructions for 3 lanes;
# the picture is the same, under every policy.
run 0 --json --policy=pdom --framebuffer=64x48 --image="$WORK/rings.png" "$WORK/rings.frag"
issued=$(figure issued) lanes=$(figure lane_instructions) helper=$(figure helper_instructions)
run 0 --json --policy=pdom --image="$WORK/case.png" "$WORK/rings.amber"
[ "$helper" = 0 ] || fail "$helper instructions of helper lanes: an edge runs through the picture"
[ "$helper" = "$(figure helper_instructions)" ] || fail "helper: $helper, in the case $(figure helper_instructions)"
vertex=$(($(figure issued) - issued))
{ [ "$vertex" -ge 3 ] && [ "$vertex" -le 20 ]; } || fail "the case issues $vertex more"
[ $(($(figure lane_instructions) - lanes)) = $((3 * vertex)) ] || fail "3 vertices: $(figure lane_instructions), $lanes"
cmp "$WORK/rings.png" "$WORK/case.png" || fail "the picture is not the case's"
run 0 --policy=all --framebuffer=64x48 --image="$WORK/all.png" "$WORK/rings.frag"
cmp "$WORK/rings.png" "$WORK/all.png" || fail "with all policies it is another picture"
prints "rings.frag: 64 x 48 pixels, "
prints "helper"

# The same as a module: its stage is the entry point's.
if command -v glslangValidator >/dev/null; then
  glslangValidator -V -o "$WORK/rings.spv" "$WORK/rings.frag" >/dev/null
  run 0 --json --policy=pdom --framebuffer=64x48 --image="$WORK/spv.png" "$WORK/rings.spv"
  [ "$(figure issued)" = "$issued" ] || fail "as a module it issues $(figure issued), not $issued"
  cmp "$WORK/rings.png" "$WORK/spv.png" || fail "as a module it draws another picture"
  echo 'float4 main(float2 uv : TEXCOORD0) : SV_Target { return uv.x < 0.5 ? float4(uv, 0, 1) : 0; }' >"$WORK/half.hlsl"
  run 0 --stage=frag --framebuffer=8x8 "$WORK/half.hlsl" && tells "fragment input at location 0"
else
  echo "skipped: modules and HLSL: glslangValidator is not installed"
fi

# ---- what is made up -------------------------------------------------------------------------------

# It draws green where all that is made up is as it says.
cat >"$WORK/all.frag" <<'END'
#version 450
layout(location = 0) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) flat in uint material;
layout(location = 0) out vec4 color;
layout(location = 1) out uvec4 id;
layout(binding = 0) uniform Params { mat4 turn; vec2 resolution; float time; };
layout(binding = 1) uniform sampler2D texels;
layout(push_constant) uniform Push { vec4 tint; };
void main() {
  bool right = turn == mat4(1.0) && resolution == vec2(40, 30) && material == 0u && normal == vec3(uv, 0);
  vec2 want = gl_FragCoord.xy / resolution;
  vec4 wrong = vec4(1, 0, 0, 1) + texture(texels, uv) * tint * time;
  color = right && distance(uv, want) < 1e-5 ? vec4(0, 1, 0, 1) : wrong;
  id = uvec4(gl_FragCoord.x, 7u, 0u, 1u);
  gl_FragDepth = uv.x;
}
END
printf '#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(0, 1, 0, 1); }\n' >"$WORK/green.frag"
run 0 --policy=pdom --framebuffer=40x30 --image="$WORK/green.png" "$WORK/green.frag"
run 0 --policy=pdom --framebuffer=40x30 --image="$WORK/all.png" "$WORK/all.frag"
cmp "$WORK/all.png" "$WORK/green.png" || fail "inputs or uniforms have other values than it says"
tells "made up with --seed=1, as these options would give it"
tells "--buffer=0:0:f32[19]=1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1,40,30,"
tells "--buffer=0:1:R32G32B32A32_SFLOAT[40x30]=random:1  # texels"
tells "--push-constant=f32[4]="
tells "# fragment input at location 0 (normal): x and y across the framebuffer, 0 to 1; z is 0"
tells "# fragment input at location 2 (uv): x and y across the framebuffer, 0 to 1"
tells "# fragment input at location 3 (material): 0"
for file in all.png all-1.png all-depth.png; do
  [ -s "$WORK/$file" ] || fail "no $file"
done
[ -e "$WORK/green-1.png" ] && fail "a picture of an attachment that there is not"
run 0 --policy=pdom "$WORK/green.frag" && tells "--framebuffer=256x256" && prints "256 x 256 pixels"

# The options that it prints give the same run; another seed gives another.
run 0 --json --policy=pdom --framebuffer=40x30 "$WORK/all.frag"
cp "$WORK/out" "$WORK/first"
sed -n 's/^  \(--[a-z-]*=[^ ]*\).*/\1/p' "$WORK/err" >"$WORK/options"
run 0 --json --policy=pdom --framebuffer=40x30 --buffers=given @"$WORK/options" "$WORK/all.frag"
cmp "$WORK/first" "$WORK/out" || fail "the options that are printed give another run"
run 0 --json --policy=pdom --framebuffer=40x30 --seed=5 "$WORK/all.frag"
cmp -s "$WORK/first" "$WORK/out" && fail "the seed changes nothing"
run 1 --buffers=given "$WORK/all.frag" && tells "the buffer at set 0, binding 0 is not given"

# ---- vertex shaders --------------------------------------------------------------------------------

cat >"$WORK/mesh.vert" <<'END'
#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec2 texcoord;
layout(location = 2) in int number;
layout(location = 0) out vec3 normal;
layout(location = 2) out vec2 uv;
layout(location = 3) flat out uint material;
layout(binding = 5) uniform Camera { mat4 mvp; };
void main() {
  normal = vec3(texcoord, 0);
  uv = texcoord;
  material = uint(number < 0);
  gl_Position = mvp * vec4(position, 1);
}
END
run 0 --policy=pdom --framebuffer=40x30 --vertex="$WORK/mesh.vert" --image="$WORK/vertex.png" "$WORK/all.frag"
cmp "$WORK/vertex.png" "$WORK/green.png" || fail "with a vertex shader the inputs have other values"
tells "--buffer=0:5:f32[16]=1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1  # Camera"
tells "# vertex input at location 0 (position): corners of a triangle over the framebuffer, -1 or 3; z is 0"
tells "# vertex input at location 1 (texcoord): x and y of these corners across the framebuffer, 0 or 2"
tells "# vertex input at location 2 (number): number of the vertex"
run 0 --json --policy=pdom "$WORK/mesh.vert" && tells "--vertices=384"
[ "$(figure subgroups)" = 12 ] || fail "384 vertices are $(figure subgroups) subgroups"
tells "# vertex input at location 0 (position): random, -1 to 1; z 0 to 1, w is 1"
tells "# vertex input at location 2 (number): random, below 64"
run 0 --json --policy=pdom --vertices=33 "$WORK/mesh.vert"
[ "$(figure subgroups)" = 2 ] || fail "33 vertices are $(figure subgroups) subgroups"
run 0 --policy=pdom --vertices=60 --vertex="$WORK/mesh.vert" "$WORK/all.frag" &&
  tells "location 1 (texcoord): random, 0 to 1"
run 1 --vertex="$WORK/green.frag" "$WORK/all.frag" &&
  tells "green.frag: entry point 'main' is a fragment shader, and not a vertex shader, which is needed here"
run 0 --policy=pdom --buffer=Camera:f32[16]=0.5 --buffers=auto --vertex="$WORK/mesh.vert" "$WORK/all.frag"
grep -q "# Camera" "$WORK/err" && fail "a buffer that is given is made up"

# ---- the other options -----------------------------------------------------------------------------

run 0 --policy=pdom --annotate --profile="$WORK/p.json" --framebuffer=64x48 "$WORK/rings.frag" &&
  prints "for (; n < 40 && dot(p, p) < 4.0; n++)"
run 0 --policy=pdom --priority=profile:"$WORK/p.json" --framebuffer=64x48 "$WORK/rings.frag"
run 0 --policy=pdom --subgroup-size=8,16 --pack=draw --framebuffer=64x48 "$WORK/rings.frag" && prints "16 lanes"
run 0 --policy=exec --transform=reconverge --framebuffer=64x48 "$WORK/rings.frag" && prints "exec"
run 0 --policy=pdom --trace-stack="$WORK/trace.csv" --framebuffer=64x48 "$WORK/rings.frag"
[ "$(wc -l <"$WORK/trace.csv")" -gt 100 ] || fail "a trace of $(wc -l <"$WORK/trace.csv") lines"
run 1 --before="$WORK/rings.frag" --after="$WORK/green.frag" --policy=pdom --framebuffer=64x48 && prints "before" && prints "results: differ"
run 0 --policy=pdom,tf-stack --report="$WORK/page.html" --framebuffer=64x48 "$WORK/rings.frag"

# ---- memory of attachments and images --------------------------------------------------------------

# One triangle over 8 x 4 pixels of 4 bytes is one subgroup, and one transaction of 128 bytes; with --segment=32 four.
cat >"$WORK/whole.vert" <<'END'
#version 450
void main() { gl_Position = vec4(vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2) * 2.0 - 1.0, 0, 1); }
END
attachments() {
  run 0 --json --policy=pdom --framebuffer=8x4 --vertex="$WORK/whole.vert" --vertices=3 "$@"
  echo "$(figure attachment_issues) $(figure attachment_transactions)"
}
# Depth is read, and written: two more.
[ "$(attachments "$WORK/green.frag")" = "3 3" ] || fail "attachments of 8 x 4 pixels: $(attachments "$WORK/green.frag")"
[ "$(attachments --segment=32 "$WORK/green.frag")" = "3 12" ] || fail "segments of 32 bytes: $(attachments --segment=32 "$WORK/green.frag")"
[ "$(figure memory.transactions)" = "" ] || fail "attachments count as buffers"
run 0 --json --policy=pdom --framebuffer=40x30 "$WORK/all.frag"
[ "$(figure image_issues)" -gt 0 ] || fail "texture() does not count"
run 0 --json "$WORK/module.spvasm"
grep -qE '"(image|attachment)_' "$WORK/out" && fail "a module without images has their figures"

# ---- heat maps -------------------------------------------------------------------------------------

# sums FILE: issues, lost, and the difference, over all pixels
sums() {
  awk -F , 'NR > 1 { issues += $3; lost += $4 } END { print issues, lost, issues - lost }' "$1"
}

# Used issues are the lane instructions without those of helpers, under every policy; all issues times lanes are at
# pixels, outside of the picture, or of lanes without a quad. Threads and --pack change no sum.
for how in "" --threads=3 --pack=draw; do
  # shellcheck disable=SC2086 # none or one
  run 0 --json --policy=all --transform=reconverge $how --framebuffer=37x21 --heat-map="$WORK/heat.csv" --lost-map="$WORK/lost.png" "$WORK/rings.frag"
  awk -F '[":, ]+' '
    $2 == "policy" { policy = $3; pixels = 0 }
    $2 == "subgroup_size" { size = $3 }
    $2 ~ /^(issued|lane_instructions|helper_instructions|outside|unused|issues|lost)$/ { f[$2] = $3 }
    $2 == "unused" {
      good = f["issued"] * size == f["issues"] + f["outside"] + f["unused"]
      print policy, f["issues"], f["lost"], f["lane_instructions"] - f["helper_instructions"], good ? "whole" : "PART"
    }' "$WORK/out" >"$WORK/maps"
  [ "$(wc -l <"$WORK/maps")" -ge 7 ] || fail "$how: heat maps of $(wc -l <"$WORK/maps") policies"
  grep PART "$WORK/maps" && fail "$how: issues times lanes are not the sum"
  while read -r policy issues lost used _; do
    [ "$(sums "$WORK/heat-$policy.csv")" = "$issues $lost $used" ] ||
      fail "$how, $policy: $(sums "$WORK/heat-$policy.csv"), not $issues $lost $used"
    [ -s "$WORK/lost-$policy.png" ] || fail "$how: no picture for $policy"
  done <"$WORK/maps"
  [ "$(wc -l <"$WORK/heat-pdom.csv")" = $((37 * 21 + 1)) ] || fail "the file has $(wc -l <"$WORK/heat-pdom.csv") lines"
done
# One triangle covers the framebuffer: without divergence all pixels cost the same, and nothing is lost.
run 0 --policy=pdom --framebuffer=8x8 --heat-map="$WORK/green.csv" "$WORK/green.frag"
[ "$(awk -F , 'NR > 1 { print $3, $4 }' "$WORK/green.csv" | sort -u | wc -l)" = 1 ] ||
  fail "pixels do not cost the same: $(cat "$WORK/green.csv")"
[ "$(awk -F , 'NR > 1 && $4 > 0' "$WORK/green.csv" | wc -l)" = 0 ] || fail "something is lost: $(cat "$WORK/green.csv")"
run 0 --policy=pdom --framebuffer=64x48 --heat-map="$WORK/heat.png" "$WORK/rings.frag"
tells "heat.png: black is 0, light yellow "
run 1 --policy=opt --heat-map="$WORK/opt.png" "$WORK/rings.frag" &&
  tells "no heat map: nothing ran under a policy that has a schedule"
run 2 --heat-map=heat.jpg "$WORK/rings.frag" && says "--heat-map expects FILE.png or FILE.csv, not 'heat.jpg'"
run 2 --lost-map=lost.jpg "$WORK/rings.frag" && says "--lost-map expects FILE.png or FILE.csv, not 'lost.jpg'"

# ---- what is refused -------------------------------------------------------------------------------

of="is a fragment shader"
run 2 --dispatch=2 "$WORK/rings.frag" && says "--dispatch applies to compute shaders; $WORK/rings.frag $of"
run 2 --local-size=2,1,1 "$WORK/mesh.vert" && says "--local-size applies to compute shaders; $WORK/mesh.vert is"
run 2 --framebuffer=8x8 "$WORK/module.spvasm" &&
  says "--framebuffer applies to fragment and vertex shaders; $WORK/module.spvasm is a compute shader"
run 2 --framebuffer=8x8 "$WORK/case.amber" && says "--framebuffer applies to modules; $WORK/case.amber is an AmberScript"
run 2 --image="$WORK/v.png" "$WORK/mesh.vert" && says "--image applies to fragment shaders; $WORK/mesh.vert is a vertex"
run 1 --image="$WORK/c.png" "$WORK/module.spvasm" && tells "--image: nothing was drawn that can be written"
run 2 --vertices=3 "$WORK/rings.frag" && says "--vertices needs --vertex=SHADER"
for size in 0x8 8x0 8 x8 8x 16385x1 8x8x8 -1x8 99999999999x1; do
  run 2 --framebuffer=$size "$WORK/rings.frag" &&
    says "--framebuffer expects WIDTHxHEIGHT, in pixels, 1x1 to 16384x16384, not '$size'"
done
run 2 --vertices=0 "$WORK/mesh.vert" && says "--vertices expects a number, 1 to 1048576, not '0'"
run 2 --image=picture.jpg "$WORK/rings.frag" && says '--image=picture.jpg: expected a file to write, FILE.png'
run 2 --subgroup-size=8,16 --image=picture.png "$WORK/rings.frag" && says "--image is for one module, list of transforms and subgroup size"
run 2 --sweep=N:1..2 --image=picture.png "$WORK/rings.frag" && says "--sweep reports figures; --image cannot be used with it"
run 1 --vertex=missing.vert "$WORK/rings.frag" && says "missing.vert: No such file or directory"
run 1 --subgroup-size=6 "$WORK/rings.frag" && tells "fragments in subgroups of 6 lanes: they must be a multiple of 4, quads"

finish
