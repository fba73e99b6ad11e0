#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds for 64-bit Windows, with Debian's mingw-w64, the libraries that the tools need, from Debian's source packages.
# zlib is Debian's libz-mingw-w64-dev.
#
#   tools/cross/windows_libraries.sh FOLDER
#
# They are installed below FOLDER/prefix, as static libraries. One that is there already is kept.
set -euo pipefail
cd "$(dirname "$0")/../.."

mkdir -p "$1/prefix/include" "$1/logs"
folder=$(cd "$1" && pwd)
prefix=$folder/prefix
sources=$folder/sources

# build NAME [OPTION...]: configures and builds a source package, or the target $target of it
build() {
  local name=$1
  shift
  cmake -G Ninja -S "$sources/$name/${subfolder:-.}" -B "$folder/libraries/$name" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/toolchain/windows.cmake" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_INSTALL_PREFIX="$prefix" -DBUILD_SHARED_LIBS=OFF "$@" &&
    cmake --build "$folder/libraries/$name" --target "${target:-all}"
}

# library NAME [OPTION...]: fetches, builds and installs a source package once
library() {
  local name=$1
  [ ! -e "$folder/logs/$name.done" ] || return 0
  echo "building $name for Windows"
  tools/cross/source.sh "$sources" "$name" >"$folder/logs/$name" 2>&1
  { build "$@" && "${installs:-cmake}" --install "$folder/libraries/$name"; } >>"$folder/logs/$name" 2>&1 || {
    tail -n 20 "$folder/logs/$name" >&2
    echo "windows_libraries.sh: $name cannot be built; all of its output: $folder/logs/$name" >&2
    exit 1
  }
  touch "$folder/logs/$name.done"
}

# Of SPIRV-Tools only the library with the C interface; its optimizer, which nothing here uses, takes the longest.
install_spirv_tools() {
  mkdir -p "$prefix/lib" &&
    cp "$folder/libraries/spirv-tools/source/libSPIRV-Tools.a" "$prefix/lib/" &&
    cp -r "$sources/spirv-tools/include/spirv-tools" "$prefix/include/"
}

# Headers are the same for all machines: those of Debian's package, alone in a folder.
headers=$folder/headers
mkdir -p "$headers/include"
cp -r --preserve=timestamps /usr/include/spirv "$headers/include/"
cp -r --preserve=timestamps /usr/include/spirv "$prefix/include/"

# SLEEF's generators run on this machine, so that it is built for this machine first.
tools/cross/source.sh "$sources" sleef >"$folder/logs/sleef-native" 2>&1
sleef_options=(-DSLEEF_BUILD_TESTS=OFF -DSLEEF_BUILD_DFT=OFF -DSLEEF_BUILD_QUAD=OFF -DSLEEF_BUILD_GNUABI_LIBS=OFF
  -DSLEEF_BUILD_SCALAR_LIB=OFF -DSLEEF_ENABLE_TLFLOAT=OFF -DSLEEF_ENABLE_TESTER4=OFF -DSLEEF_DISABLE_OPENMP=ON -DSLEEF_BUILD_SHARED_LIBS=OFF)
if [ ! -e "$folder/logs/sleef.done" ]; then
  cmake -G Ninja -S "$sources/sleef" -B "$folder/libraries/sleef-native" "${sleef_options[@]}" \
    >>"$folder/logs/sleef-native" 2>&1
  cmake --build "$folder/libraries/sleef-native" >>"$folder/logs/sleef-native" 2>&1
fi
library sleef -DNATIVE_BUILD_DIR="$folder/libraries/sleef-native" "${sleef_options[@]}"

subfolder=cmake_unofficial library xxhash -DXXHASH_BUILD_XXHSUM=OFF
library jansson -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON -DJANSSON_EXAMPLES=OFF
library libpng1.6 -DPNG_SHARED=OFF -DPNG_TESTS=OFF
library cmocka -DWITH_EXAMPLES=OFF -DWITH_STATIC_LIB=ON
target=SPIRV-Tools-static installs=install_spirv_tools library spirv-tools -DSPIRV-Headers_SOURCE_DIR="$headers" -DSPIRV_SKIP_TESTS=ON -DSPIRV_SKIP_EXECUTABLES=ON -DSPIRV_WERROR=OFF
library glslang -DENABLE_CTEST=OFF -DENABLE_OPT=OFF -DBUILD_EXTERNAL=OFF
