#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Collects the modules that programs of Debian hand to Vulkan, through the layer's SPVRECONV_DUMP, into
# BUILD/corpus/programs/PROGRAM, for tools/survey.sh:
#
#   tools/corpus_programs.sh [BUILD]
#
#   ffmpeg       the Vulkan filters: compute shaders, compiled by glslang at run time
#   libplacebo   ffmpeg's filter of that name with many options: fragment shaders, the same
#   gstreamer    all OpenGL effects, over zink: Mesa's compiler writes the SPIR-V
#   glmark2      an OpenGL benchmark's scenes, the same
#   vkcube
#
# Programs that do not run here are named with the reason. Runs on lavapipe, under a virtual X server.
set -eu

build=$(cd "${1:-build}" && pwd)
out=$build/corpus/programs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
VK_DRIVER_FILES=$(echo /usr/share/vulkan/icd.d/lvp_icd*.json)
export VK_DRIVER_FILES VK_ICD_FILENAMES="$VK_DRIVER_FILES" XDG_RUNTIME_DIR="$work"
export VK_LAYER_PATH="$build/share/vulkan/explicit_layer.d" VK_INSTANCE_LAYERS=VK_LAYER_SPVRECONV_pipeline
export SPVRECONV_TRANSFORM=none SPVRECONV_STATS=0
rm -rf "$out"
mkdir -p "$out"

# run PROGRAM COMMAND...
run() {
  program=$1
  shift
  SPVRECONV_DUMP=$out/$program timeout 300 "$@" >"$work/log" 2>&1 </dev/null ||
    echo "$program: $*: $(tail -n 1 "$work/log")"
}

# filter PROGRAM FILTER
filter() {
  run "$1" ffmpeg -v error -init_hw_device vulkan=gpu:0 -filter_hw_device gpu -f lavfi -i testsrc2=s=64x64 \
    -frames:v 2 -vf "format=${3:-yuv420p},hwupload,$2,hwdownload,format=${4:-yuv420p}" -f null -
}

for filter in avgblur_vulkan gblur_vulkan chromaber_vulkan=dist_x=2 scale_vulkan=w=32:h=32 \
  scale_vulkan=w=32:h=32:scaler=nearest flip_vulkan hflip_vulkan vflip_vulkan transpose_vulkan; do
  filter ffmpeg "$filter"
  filter ffmpeg "$filter" rgba rgba
done
for filter in '' deband=1 upscaler=ewa_lanczos upscaler=lanczos upscaler=bilinear downscaler=gaussian \
  colorspace=bt2020nc:color_trc=smpte2084 tonemapping=5 tonemapping=2:gamut_mode=2 dithering=0 dithering=2 \
  peak_detect=0 sigmoid=1:upscaler=spline36 apply_filmgrain=1; do
  filter libplacebo "libplacebo=w=96:h=80${filter:+:$filter}"
  filter libplacebo "libplacebo=w=40:h=30${filter:+:$filter}" p010 p010
done

export LIBGL_ALWAYS_SOFTWARE=1 MESA_LOADER_DRIVER_OVERRIDE=zink GST_GL_WINDOW=x11 GST_GL_PLATFORM=glx
effects=$(gst-inspect-1.0 opengl | sed -n 's/^ *\(gleffects_[a-z]*\):.*/\1/p')
for effect in $effects gldeinterlace glcolorbalance gltransformation glfilterglass glfiltercube; do
  run gstreamer xvfb-run -a gst-launch-1.0 -q videotestsrc num-buffers=2 ! \
    video/x-raw,format=RGBA,width=64,height=64 ! glupload ! "$effect" ! gldownload ! fakesink
done
for pattern in mandelbrot snow checkers-1 circular blink; do
  run gstreamer xvfb-run -a gst-launch-1.0 -q gltestsrc "pattern=$pattern" num-buffers=2 ! gldownload ! fakesink
done
run glmark2 xvfb-run -a glmark2 --off-screen --size 64x64 -b :duration=0.05 -b build -b texture \
  -b texture:texture-filter=mipmap -b shading:shading=gouraud -b shading:shading=blinn-phong-inf \
  -b shading:shading=phong -b shading:shading=cel -b bump:bump-render=high-poly -b bump:bump-render=normals \
  -b bump:bump-render=height -b effect2d:kernel=0,1,0\;1,-4,1\;0,1,0\; -b pulsar -b desktop:effect=blur \
  -b desktop:effect=shadow -b buffer -b ideas -b jellyfish -b terrain -b shadow -b refract \
  -b conditionals:fragment-steps=5:vertex-steps=5 -b function:fragment-complexity=medium:fragment-steps=5 \
  -b loop:fragment-loop=true:fragment-uniform=true:vertex-steps=5:fragment-steps=5 \
  -b loop:fragment-steps=5:fragment-loop=false:vertex-steps=5
run vkcube xvfb-run -a vkcube --c 3 --suppress_popups

rm -f "$out"/*/*.after.spv
for program in "$out"/*; do
  echo "$(basename "$program"): $(find "$program" -name '*.spv' | wc -l) modules"
done
