#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds for another machine with Linux, with Debian's cross compiler and Debian's libraries for that machine, into
# build-ARCHITECTURE/tools; scripts in build-ARCHITECTURE/bin run the tools under qemu.
#
#   tools/cross/linux.sh arm64|i386
#
# For i386, which has no 128-bit integers, the emulator is not built.
set -euo pipefail
cd "$(dirname "$0")/../.."

architecture=$1
case $architecture in
arm64) qemu="qemu-aarch64-static" ;;
i386) qemu="qemu-i386-static" ;;
*)
  echo "linux.sh: the architecture is arm64 or i386, not '$architecture'" >&2
  exit 2
  ;;
esac
folder=$PWD/build-$architecture
tools/cross/sysroot.sh "$architecture" "$folder/root" libc6-dev libstdc++-12-dev spirv-tools spirv-headers glslang-dev \
  libjansson-dev libsleef-dev libxxhash-dev libpng-dev libcmocka-dev
cmake -G Ninja -S . -B "$folder/tools" -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/toolchain/$architecture.cmake" \
  -DCMAKE_SYSROOT="$folder/root" -DCMAKE_BUILD_TYPE=Release -DSPVRECONV_TESTS=OFF
cmake --build "$folder/tools"

mkdir -p "$folder/bin"
for tool in "$folder"/tools/bin/*; do
  printf '#!/bin/sh\nexec %s -L "%s" "%s" "$@"\n' "$qemu" "$folder/root" "$tool" >"$folder/bin/${tool##*/}"
  chmod +x "$folder/bin/${tool##*/}"
done
