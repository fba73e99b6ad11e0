#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Captures of the layer (docs/capture.md), under the validation layer, above and below: what the program computes does
# not change, nothing new is said, and each case computes on lavapipe the same bytes, on SwiftShader and in the
# emulator the same numbers within the tolerance, after transforms too.
# shellcheck source=tests/layer/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
app=$BUILD/bin/app_capture
harness=$BUILD/bin/spv-harness
validation=VK_LAYER_KHRONOS_validation layer=VK_LAYER_SPVRECONV_pipeline
use_driver "$LAVAPIPE"

# capture NAME SELECTION SCENE...: runs the scene with a capture into $WORK/NAME; the output, without the layer's
# lines, must be that without the layer
capture() {
  name=$1 selection=$2
  shift 2
  VK_INSTANCE_LAYERS=$validation "$app" "$@" >"$WORK/plain"
  VK_INSTANCE_LAYERS=$validation:$layer:$validation SPVRECONV_CAPTURE=${folder:-$WORK/$name}:$selection \
    SPVRECONV_STATS=0 SPVRECONV_LOG=$WORK/$name.log "$app" "$@" >"$WORK/captured" 2>&1 || fail "$*: exit code $?"
  cmp "$WORK/plain" "$WORK/captured" || fail "$*: the capture changes the program"
}

# cases NAME: how many there are
cases() {
  find "$WORK/$1" -name '*.amber' | wc -l
}

# replays NAME DEVICES: the cases of the capture pass
replays() {
  "$harness" run --device="$2" --validation --transform='none+strip-merges,structurize+best' "$WORK/$1" \
    >"$WORK/out" 2>&1 || fail "$1 on $2: $(cat "$WORK/out")"
}

# replays_exactly NAME: the same bytes on lavapipe
replays_exactly() {
  mkdir "$WORK/$1/exact"
  for case in "$WORK/$1"/*.amber; do
    sed 's/ TOLERANCE .*//; s/RMSE_BUFFER/EQ_BUFFER/; s/BINARY /BINARY ..\//' "$case" >"$WORK/$1/exact/$(basename "$case")"
  done
  replays "$1/exact" lavapipe
  rm -r "$WORK/$1/exact"
}

# said NAME TEXT: the log is one line with this text
said() {
  grep -qF -- "$2" "$WORK/$1.log" || fail "$1: the log does not say '$2': $(cat "$WORK/$1.log")"
  [ "$(wc -l <"$WORK/$1.log")" = 1 ] || fail "$1: more than one line: $(cat "$WORK/$1.log")"
}

# ---- a dispatch with each kind of resource --------------------------------------------------------

for how in '' indirect; do
  # shellcheck disable=SC2086 # nothing, or a word
  capture "everything$how" '' everything $how
  replays_exactly "everything$how"
  [ "$(cases "everything$how")" = 1 ] || fail "everything $how: $(cases "everything$how") cases"
done
replays everything swiftshader,emu
grep -q 'RUN pipeline 8 1 1' "$WORK"/everythingindirect/*.amber || fail "the size of an indirect dispatch"
grep -q 'DESCRIPTOR_SET 0 BINDING 14 SWIZZLE b one identity zero$' "$WORK"/everything/*.amber || fail "a swizzled view"
grep -q 'untouched\|nothing_1_1_after .* FILL 0' "$WORK"/everything/*.amber || fail "zeros are stored"

# A wrong number is found: the case is not one that always passes.
sed 's/SPECIALIZE 1 AS uint32 3/SPECIALIZE 1 AS uint32 4/' "$WORK"/everything/*.amber >"$WORK/everything/wrong.amber"
"$harness" run --device=lavapipe --transform=none "$WORK/everything/wrong.amber" >/dev/null 2>&1 &&
  fail "a wrong constant is not found"

# ---- lives of command buffers, threads ------------------------------------------------------------

for scene in threads destroys again secondary leaves; do
  capture $scene '' $scene
  [ "$(cases $scene)" = 1 ] || fail "$scene: $(cases $scene) cases: $(cat "$WORK/$scene/INDEX.md")"
  [ -s "$WORK/$scene.log" ] && fail "$scene: $(cat "$WORK/$scene.log")"
done
replays_exactly threads
replays_exactly secondary

# ---- what is chosen -------------------------------------------------------------------------------

hash=$(sed -n 's/^- .*module .\([0-9a-f]*\)., .*/\1/p' "$WORK/destroys/INDEX.md")
for selection in 1 main "$(echo "$hash" | cut -c 1-8)" slowest all; do
  capture "chosen-$selection" "$selection" destroys
done
[ "$(cd "$WORK/chosen-1" && echo *.amber)" = "dispatch-1-$(echo "$hash" | cut -c 1-8).amber" ] || fail "number 1"
[ "$(cases chosen-main)" = 1 ] || fail "by name"
[ "$(cases "chosen-$(echo "$hash" | cut -c 1-8)")" = 1 ] || fail "by hash"
[ "$(cases chosen-slowest)" = 1 ] || fail "the slowest: $(cases chosen-slowest)"
[ "$(cases chosen-all)" = 3 ] || fail "all: $(cases chosen-all)"
replays_exactly chosen-all
# Of 2 x 256 numbers in three dispatches, those after one are those before the next, which are stored once.
[ "$(find "$WORK/chosen-all" -name '*.bin' | wc -l)" -lt 6 ] || fail "equal contents are stored twice"

SPVRECONV_CAPTURE_LIMIT=2 capture limited all destroys
[ "$(cases limited)" = 2 ] || fail "--limit: $(cases limited) cases"
said limited '2 dispatches are captured, and no more'

# ---- bad input: one line, and the program goes on -------------------------------------------------

folder=$WORK/missing/folder capture missing '' destroys
said missing 'No such file or directory'
folder=$WORK/plain capture file '' destroys
said file 'Not a directory'
capture never 1000 destroys
said never 'there was no dispatch 1000; the program recorded 3'
capture nameless 'no_such_name' destroys
said nameless "no pipeline is named 'no_such_name'"
capture frameless 'frame=1x' destroys
said frameless "no pipeline is named 'frame=1x'"
SPVRECONV_CAPTURE_MAX_BYTES=1000000 capture large '' large
said large 'larger than --max-bytes'
grep -q 'larger than --max-bytes' "$WORK/large/INDEX.md" || fail "the index does not say why"
# A full disk: no file may be longer than two blocks. What the case that fails has left is deleted.
(
  trap '' XFSZ
  ulimit -f 8
  VK_INSTANCE_LAYERS=$layer SPVRECONV_CAPTURE=$WORK/full SPVRECONV_STATS=0 SPVRECONV_LOG=$WORK/full.log \
    "$app" everything >"$WORK/captured"
) || fail "a full disk: exit code $?"
"$app" everything | cmp - "$WORK/captured" || fail "a full disk changes the program"
said full 'File too large'
[ "$(ls -A "$WORK/full")" = INDEX.md ] || fail "a full disk leaves $(ls -A "$WORK/full")"
mkdir "$WORK/shared"
(flock 9 && capture shared '' destroys) 9<"$WORK/shared"
said shared 'another process captures into this folder'

# ---- the command ----------------------------------------------------------------------------------

command=$BUILD/bin/spvreconv-capture
unset VK_LAYER_PATH
"$command" --dispatch=all --limit=2 -o "$WORK/command" "$app" again >"$WORK/out" 2>"$WORK/said" ||
  fail "spvreconv-capture: exit code $?"
grep -qF "1 captured; see $WORK/command/INDEX.md" "$WORK/said" || fail "spvreconv-capture says: $(cat "$WORK/said")"
"$command" --dispatch=99 -o "$WORK/command" "$app" again >"$WORK/out" 2>"$WORK/said" && fail "nothing was captured"
grep -q 'nothing was captured' "$WORK/said" || fail "spvreconv-capture says: $(cat "$WORK/said")"
"$command" -o "$WORK/command" false 2>"$WORK/said" && fail "the exit code of the program is lost"
grep -q 'made no Vulkan device' "$WORK/said" || fail "spvreconv-capture says: $(cat "$WORK/said")"
"$command" true 2>"$WORK/said"
[ $? = 2 ] || fail "without -o"

# ---- draws ----------------------------------------------------------------------------------------

# With dynamic state, several in a render pass, which is split at each; one is in a query, one tests no depths.
app=$BUILD/bin/app_draws
export VK_LAYER_PATH="$BUILD/share/vulkan/explicit_layer.d:/usr/share/vulkan/explicit_layer.d"
for scene in rendering pass; do
  capture $scene all $scene
  [ "$(cases $scene)" = 4 ] || fail "$scene: $(cases $scene) cases: $(cat "$WORK/$scene/INDEX.md")"
  grep -q depth "$WORK/$scene"/draw-4-* && fail "$scene: depths that the last draw does not test are in its case"
  said $scene 'draw 3 ('
  grep -q 'draw 3, module .*: a draw in a query' "$WORK/$scene/INDEX.md" || fail "$scene: the index does not say why"
  replays_exactly $scene
done
replays pass swiftshader,emu
capture second 1 rendering
[ "$(cd "$WORK/second" && echo *.amber)" = "$(cd "$WORK/rendering" && echo draw-1-*.amber)" ] || fail "draw number 1"
cmp "$WORK"/second/*.amber "$WORK"/rendering/draw-1-*.amber || fail "draw 1 alone is another case"

# The harness draws, with attachments that are loaded; a picture may differ a little elsewhere, but not on lavapipe.
draws='shaders/graphics/two_targets.amber tests/harness/vk/draws.amber shaders/graphics/discard_in_loop.amber'
# shellcheck disable=SC2086 # several files
VK_INSTANCE_LAYERS=$layer SPVRECONV_STATS=0 SPVRECONV_LOG=$WORK/draws.log SPVRECONV_CAPTURE=$WORK/draws \
  "$harness" run --device=lavapipe --jobs=1 --validation --transform=none $draws >"$WORK/out" 2>&1 ||
  fail "draws: $(cat "$WORK/out")"
[ "$(cases draws)" -ge 1 ] || fail "draws: $(cases draws) cases: $(cat "$WORK/draws/INDEX.md")"
replays_exactly draws

if command -v vkcube >/dev/null && command -v xvfb-run >/dev/null; then
  VK_INSTANCE_LAYERS=$validation:$layer:$validation SPVRECONV_STATS=0 SPVRECONV_CAPTURE=$WORK/cube:frame=0 \
    timeout 60 xvfb-run -a vkcube --c 2 --suppress_popups >"$WORK/out" 2>&1 || fail "vkcube: $(cat "$WORK/out")"
  grep -v '^Selected GPU' "$WORK/out" && fail "vkcube: something is said"
  [ "$(cases cube)" = 1 ] || fail "vkcube: $(cases cube) cases: $(cat "$WORK/cube/INDEX.md")"
  replays cube swiftshader,emu
  replays_exactly cube
else
  echo "skipped: vkcube or xvfb-run is not installed"
fi

# OpenGL over zink: depth from -w to w, the last vertex as the provoking one, state that is all dynamic. The validation
# layer complains about zink's modules, so it stays out.
if command -v gst-launch-1.0 >/dev/null && command -v xvfb-run >/dev/null; then
  zink() {
    LIBGL_ALWAYS_SOFTWARE=1 MESA_LOADER_DRIVER_OVERRIDE=zink GST_GL_WINDOW=x11 GST_GL_PLATFORM=glx timeout 60 xvfb-run -a \
      gst-launch-1.0 -q videotestsrc num-buffers=2 ! video/x-raw,format=RGBA,width=64,height=48 ! glupload ! glfiltercube ! \
      gldownload ! video/x-raw,format=RGBA ! filesink location="$1" >"$WORK/out" 2>&1 || fail "zink: $(cat "$WORK/out")"
  }
  zink "$WORK/plain"
  VK_INSTANCE_LAYERS=$layer SPVRECONV_STATS=0 SPVRECONV_CAPTURE=$WORK/zink:all zink "$WORK/captured"
  cmp "$WORK/plain" "$WORK/captured" || fail "zink: the capture changes the picture"
  [ "$(cases zink)" = 6 ] || fail "zink: $(cases zink) cases: $(cat "$WORK/zink/INDEX.md")"
  "$harness" run --device=lavapipe,emu --transform=none "$WORK/zink" >"$WORK/out" 2>&1 || fail "zink: $(cat "$WORK/out")"
else
  echo "skipped: gst-launch-1.0 or xvfb-run is not installed"
fi

# ---- a filter of ffmpeg ---------------------------------------------------------------------------

if command -v ffmpeg >/dev/null && ffmpeg -v quiet -filters | grep -q gblur_vulkan; then
  "$command" -o "$WORK/ffmpeg" ffmpeg -v error -nostdin -init_hw_device vulkan=gpu:0 -filter_hw_device gpu \
    -f lavfi -i testsrc2=s=64x48 -frames:v 1 \
    -vf format=yuv420p,hwupload,gblur_vulkan,hwdownload,format=yuv420p -f null - >"$WORK/out" 2>&1 ||
    fail "ffmpeg: $(cat "$WORK/out")"
  [ "$(cases ffmpeg)" = 2 ] || fail "ffmpeg: $(cases ffmpeg) cases: $(cat "$WORK/ffmpeg/INDEX.md")"
  export VK_LAYER_PATH="$BUILD/share/vulkan/explicit_layer.d:/usr/share/vulkan/explicit_layer.d"
  replays_exactly ffmpeg
  replays ffmpeg emu
else
  echo "skipped: ffmpeg with gblur_vulkan is not installed"
fi
finish
