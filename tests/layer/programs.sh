#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Programs of Debian through the layer, with two lists of transforms (four with --table): the pictures that they draw or
# compute are, byte for byte, those without the layer, and the layer's line at exit says how many of their
# modules changed. Where the modules change, a driver may contract other operations on floats (SPIR-V forbids that
# only for results decorated NoContraction), as Debian 13's lavapipe does: bytes may differ by 2 then, which is reported.
#
#   tests/layer/programs.sh BUILD [--table]     (--table: the table of docs/layer.md)
#
#   vkcube       the images that it presents, written by a layer of our own below (capture_layer.c)
#   ffmpeg       Vulkan filters, and libplacebo's: compute shaders that are compiled at run time
#   GStreamer    OpenGL effects over zink, Mesa's OpenGL on Vulkan
# shellcheck source=tests/layer/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
lists='strip-merges,structurize unstructure:1,structurize'
[ "${2:-}" != --table ] || lists="$lists guard,structurize reconverge,structurize"
export VK_LAYER_PATH="$VK_LAYER_PATH:$BUILD/bin/layers"
layer=VK_LAYER_SPVRECONV_pipeline
rows=$WORK/rows
: >"$rows"
exec 3>&1 # for the table alone
[ "${2:-}" != --table ] || exec >&2

# ---- the programs: each writes its pictures to the file $1 ---------------------------------------

draw_vkcube() {
  SPV_TEST_CAPTURE=$1 VK_INSTANCE_LAYERS=${VK_INSTANCE_LAYERS:+$VK_INSTANCE_LAYERS:}VK_LAYER_SPVRECONV_test_capture \
    timeout 300 xvfb-run -a vkcube --c 10 --suppress_popups
}

# ffmpeg_filters OUTPUT FILTERS: three frames of a moving test picture
ffmpeg_filters() {
  timeout 300 ffmpeg -v error -nostdin -init_hw_device vulkan=gpu:0 -filter_hw_device gpu \
    -f lavfi -i testsrc2=s=320x240 -frames:v 3 -vf "format=yuv420p,hwupload,$2,hwdownload,format=yuv420p" \
    -f rawvideo "$1"
}

draw_ffmpeg() {
  ffmpeg_filters "$1" avgblur_vulkan=sizeX=5,gblur_vulkan,chromaber_vulkan=dist_x=2:dist_y=-2,scale_vulkan=w=200:h=150
}

draw_libplacebo() {
  ffmpeg_filters "$1" libplacebo=w=400:h=300:upscaler=ewa_lanczos:deband=1:colorspace=bt2020nc:color_trc=smpte2084:tonemapping=5:skip_aa=0:dithering=-1
}

# gstreamer OUTPUT ELEMENT...
gstreamer() {
  out=$1
  shift
  LIBGL_ALWAYS_SOFTWARE=1 MESA_LOADER_DRIVER_OVERRIDE=zink GST_GL_WINDOW=x11 GST_GL_PLATFORM=glx \
    timeout 300 xvfb-run -a gst-launch-1.0 -q "$@" ! gldownload ! video/x-raw,format=RGBA ! filesink "location=$out"
}

draw_mandelbrot() {
  gstreamer "$1" gltestsrc pattern=mandelbrot num-buffers=3 ! \
    'video/x-raw(memory:GLMemory),width=320,height=240' ! gleffects_bulge
}

draw_effects() {
  gstreamer "$1" videotestsrc pattern=smpte num-buffers=3 ! video/x-raw,format=RGBA,width=320,height=240 ! \
    glupload ! gleffects_heat ! gleffects_blur ! gleffects_tunnel ! gleffects_sobel
}

# ---- each with and without the layer -------------------------------------------------------------

# reason FILE: the line that says why a program does not run, or the last one
reason() {
  { grep -iE 'error|fail|cannot|not found' "$1" || cat "$1"; } | tail -n 1 | cut -c 1-160
}

# varies NAME: does one of several more runs without the layer give another picture?
varies() {
  for _ in 1 2 3 4 5 6 7 8; do
    rm -f "$WORK/again"
    "draw_$1" "$WORK/again" >"$WORK/out" 2>&1
    cmp -s "$WORK/plain" "$WORK/again" || return 0
  done
  return 1
}

# largest FILE FILE: how many bytes differ, and by how much at most; nothing where the sizes differ
largest() {
  [ "$(wc -c <"$1")" = "$(wc -c <"$2")" ] || return 0
  cmp -l "$1" "$2" | awk '
    function of_octal(n) { return 64 * int(n / 100) + 8 * (int(n / 10) % 10) + n % 10 }
    { d = of_octal($2) - of_octal($3); d = d < 0 ? -d : d; most = d > most ? d : most }
    END { print NR, most }'
}

# compare DRIVER NAME PROGRAM LIST: the program with the layer
compare() {
  rm -f "$WORK/layered" "$WORK/log"
  VK_INSTANCE_LAYERS=$layer SPVRECONV_LOG=$WORK/log SPVRECONV_TRANSFORM=$4 \
    "draw_$2" "$WORK/layered" >"$WORK/out" 2>&1 || fail "$2 on $1 with $4: $(reason "$WORK/out")"
  if ! cmp "$WORK/plain" "$WORK/layered"; then
    if varies "$2"; then
      echo "skipped: $2 on $1 with $4: its pictures differ from run to run, without the layer"
      return
    fi
    difference=$(largest "$WORK/plain" "$WORK/layered")
    case $difference in
    *' 1' | *' 2') echo "skipped: equal bytes of $2 on $1 with $4: ${difference% *} differ by rounding, at most ${difference#* }" ;;
    *) fail "$2 on $1 with $4: other pictures (bytes, largest difference: $difference)" ;;
    esac
  fi
  line=$(grep -E "^spvreconv: $3: [0-9]+ modules?: " "$WORK/log")
  if [ "$(wc -l <"$WORK/log")" != 1 ] || [ -z "$line" ]; then
    fail "$2 on $1 with $4: not one line at exit: $(cat "$WORK/log")"
  fi
  echo "$1|$2|$4|$(wc -c <"$WORK/plain")|$line" |
    sed -E 's/spvreconv: [^:]*: ([0-9]+) modules?: ([0-9]+) changed, ([0-9]+) unchanged, ([0-9]+) refused.*; ([0-9.]+) ms$/\1|\2|\4|\5/' \
      >>"$rows"
}

# program DRIVER NAME PROGRAM
program() {
  command -v "$3" >/dev/null || {
    echo "skipped: $2 on $1: $3 is not installed"
    return
  }
  rm -f "$WORK/plain"
  if ! "draw_$2" "$WORK/plain" >"$WORK/out" 2>&1 || [ ! -s "$WORK/plain" ]; then
    echo "skipped: $2 on $1: it does not run here, without the layer either: $(reason "$WORK/out")"
    return
  fi
  # A picture of one colour would prove nothing.
  [ "$(tr -d '\000' <"$WORK/plain" | od -An -v -tx1 -w1 | sort -u | wc -l)" -gt 8 ] ||
    fail "$2 on $1: an empty picture"
  for list in $lists; do
    compare "$1" "$2" "$3" "$list"
  done
}

use_driver "$LAVAPIPE"
program lavapipe vkcube vkcube
program lavapipe ffmpeg ffmpeg
program lavapipe libplacebo ffmpeg
program lavapipe mandelbrot gst-launch-1.0
program lavapipe effects gst-launch-1.0
use_driver "$SWIFTSHADER"
program swiftshader vkcube vkcube
echo "skipped: the others on swiftshader: ffmpeg's pictures differ there from run to run, without the layer"

# Something changes in every program with branches whose pictures are compared with every list, and, if
# all programs are there, by every list.
# shellcheck disable=SC2086 # the words of the list are counted
count=$(printf '%s\n' $lists | wc -l)
[ ! -s "$rows" ] || awk -F '|' -v complete="$([ "$(wc -l <"$rows")" = $((6 * count)) ] && echo 1)" -v lists="$count" '
  $2 != "vkcube" { compared[$2]++; changed[$2] += $6; by_list[$3] += $6; refused += $7 }
  END { for (p in changed) if (compared[p] == lists && !changed[p]) { print p ": no module changed"; bad = 1 }
        for (l in by_list) if (complete && !by_list[l]) { print l ": no module changed"; bad = 1 }
        if (refused) { print refused " modules refused"; bad = 1 }
        exit bad }' "$rows" || fail "see above"

if [ "${2:-}" = --table ]; then
  {
    echo '| driver | program | transforms | bytes of pictures | modules | changed | refused | ms in the layer |'
    echo '| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |'
    awk -F '|' '{ printf "| %s | %s | %c%s%c | %s | %s | %s | %s | %s |\n", $1, $2, 96, $3, 96, $4, $5, $6, $7, $8 }' "$rows"
  } >&3
else
  awk -F '|' '{
    printf "%-11s %-10s %-25s %8d bytes the same, %2d modules, %2d changed, %d refused, %s ms\n",
      $1, $2, $3, $4, $5, $6, $7, $8
  }' "$rows"
fi
finish
