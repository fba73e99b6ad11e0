#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Fetches Debian packages whose programs and libraries hold SPIR-V modules, into BUILD/corpus/binaries/PACKAGE,
# for tools/survey.sh:
#
#   tools/corpus_binaries.sh [BUILD [PACKAGE...]]     (default: build, and the packages below)
#
# The modules were compiled when the packages were built, mostly by glslang from GLSL: of drivers (radix sort
# and acceleration structures of radv), of layers (overlays, SMAA, validation on the GPU), of a compositor, of
# GStreamer's Vulkan elements, of demos.
set -eu

build=${1:-build}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- gamescope gstreamer1.0-plugins-bad libgulkan-utils libopenxr-utils libxrdesktop-0.15-0 \
  mangohud mesa-vulkan-drivers vkbasalt vulkan-tools vulkan-validationlayers
mkdir -p "$build/corpus/binaries" "$build/corpus/deb"
cd "$build/corpus"

for package; do
  [ ! -d "binaries/$package" ] || continue
  (cd deb && apt-get download -q "$package" >log 2>&1) || {
    echo "corpus: $package: $(tail -n 1 deb/log)" >&2
    exit 1
  }
  rm -rf "$package.new"
  dpkg -x "$(find deb -name "${package}_*.deb" | sort | tail -n 1)" "$package.new"
  mv "$package.new" "binaries/$package"
done
for package in binaries/*; do
  find "deb" -name "$(basename "$package")_*.deb" -exec basename {} .deb \; | sort | tail -n 1
done
