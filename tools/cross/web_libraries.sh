#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds for WebAssembly, with Debian's emscripten, the libraries that the tools need, from Debian's source packages.
#
#   tools/cross/web_libraries.sh FOLDER
#
# They are installed below FOLDER/prefix, as static libraries, with their licences in FOLDER/prefix/licenses. One that is
# there already is kept.
set -euo pipefail
cd "$(dirname "$0")/../.."

mkdir -p "$1/prefix/include" "$1/prefix/lib" "$1/prefix/licenses" "$1/logs"
folder=$(cd "$1" && pwd)
prefix=$folder/prefix
sources=$folder/sources
headers=$folder/headers
toolchain=/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake
flags="-msimd128 -Os -DNDEBUG"

# once NAME COMMAND...: fetches a source package and runs the command, which builds and installs it, unless that was done
once() {
  local name=$1
  shift
  [ ! -e "$folder/logs/$name.done" ] || return 0
  echo "building $name for WebAssembly"
  if ! (set -e && tools/cross/source.sh "$sources" "$name" && "$@" && keep_licence "$name") >"$folder/logs/$name" 2>&1; then
    tail -n 20 "$folder/logs/$name" >&2
    echo "web_libraries.sh: $name cannot be built; all of its output: $folder/logs/$name" >&2
    exit 1
  fi
  touch "$folder/logs/$name.done"
}

keep_licence() {
  cp "$sources/$1/debian/copyright" "$prefix/licenses/$1" || cp "$sources/$1"/LICENSE* "$prefix/licenses/$1"
}

# with_cmake TARGET SOURCE [OPTION...]
with_cmake() {
  local target=$1 source=$sources/$2 build=$folder/libraries/$2
  shift 2
  cmake -G Ninja -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_TOOLCHAIN_FILE=$toolchain -DCMAKE_FIND_ROOT_PATH="$prefix" -DCMAKE_INSTALL_PREFIX="$prefix" \
    -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_C_FLAGS_RELEASE="$flags" -DCMAKE_CXX_FLAGS_RELEASE="$flags" \
    -DBUILD_SHARED_LIBS=OFF "$@" &&
    cmake --build "$build" --target "$target"
}

# archive LIBRARY SOURCE...: compiles the sources, which need no configuration, in the working folder
archive() {
  local library=$1 source objects=()
  shift
  for source in "$@"; do
    # shellcheck disable=SC2086 # several options
    emcc $flags -I. -I"$prefix/include" -c "$source" -o "$source.o" || return
    objects+=("$source.o")
  done
  emar crs "$prefix/lib/$library" "${objects[@]}"
}

build_xxhash() {
  cd "$sources/xxhash" && archive libxxhash.a xxhash.c && cp xxhash.h xxh3.h "$prefix/include/"
}

build_zlib() {
  cd "$sources/zlib" &&
    archive libz.a adler32.c compress.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c uncompr.c zutil.c &&
    cp zlib.h zconf.h "$prefix/include/"
}

build_libpng() {
  cd "$sources/libpng1.6" && cp scripts/pnglibconf.h.prebuilt pnglibconf.h &&
    archive libpng.a png.c pngerror.c pngget.c pngmem.c pngpread.c pngread.c pngrio.c pngrtran.c pngrutil.c pngset.c \
      pngtrans.c pngwio.c pngwrite.c pngwtran.c pngwutil.c &&
    cp png.h pngconf.h pnglibconf.h "$prefix/include/"
}

# Its program compiles HLSL, as a function; the library of default limits is part of the programs.
build_glslang() {
  with_cmake install glslang -DENABLE_GLSLANG_BINARIES=OFF -DENABLE_CTEST=OFF -DENABLE_OPT=OFF -DBUILD_EXTERNAL=OFF \
    -DENABLE_GLSLANG_JS=OFF -DENABLE_PCH=OFF -DENABLE_SPVREMAPPER=OFF && build_glslang_program
}

build_glslang_program() {
  local made=$folder/libraries/glslang/include
  cd "$sources/glslang" && mkdir -p "$made/glslang" &&
    python3 gen_extension_headers.py -i glslang/ExtensionHeaders -o "$made/glslang/glsl_intrinsic_header.h" &&
    cd StandAlone && flags="$flags -I.. -I../glslang/Public -I$made" &&
    archive libglslang-default-resource-limits.a ResourceLimits.cpp resource_limits_c.cpp &&
    flags="$flags -DENABLE_HLSL -DENABLE_OPT=0 -Dmain=glslang_validator_main" &&
    archive libglslang-validator.a StandAlone.cpp
}

# SLEEF's functions for vectors of 128 bits, which emscripten compiles from SSE2's intrinsics. Its own build would also
# build it for this machine.
build_sleef() {
  local names=$folder/libraries/sleef vectors="cinz_ 2 4"
  mkdir -p "$names" && cd "$sources/sleef/src/libm" && cc -o "$names/mkrename" mkrename.c || return
  # shellcheck disable=SC2086 # several arguments
  "$names/mkrename" $vectors sse2 >"$names/renamesse2.h" || return
  # shellcheck disable=SC2086
  {
    printf '#include <emmintrin.h>\n#define SLEEF_IMPORT extern\n#define SLEEF_CONST __attribute__((const))\n'
    "$names/mkrename" $vectors __m128d __m128 __m128i __m128i __SSE2__ sse2
  } >"$prefix/include/sleef.h" || return
  echo '#include <emmintrin.h>' >"$names/x86intrin.h"
  : >"$names/sleef-config.h"
  local options="-msse2 -O2 -ffunction-sections -ffp-contract=off -fno-math-errno -DENABLE_SSE2 -DDORENAME
    -I$names -I../arch -I../common -I../../include"
  cp sleefsimdsp.c sleefdetsp.c && cp sleefsimddp.c sleefdetdp.c && flags="$flags $options" &&
    archive libsleef.a rempitab.c sleefsimdsp.c sleefsimddp.c && flags="$flags -DDETERMINISTIC=1" &&
    archive libsleef.a sleefdetsp.c sleefdetdp.c
}

build_spirv_tools() {
  with_cmake SPIRV-Tools-static spirv-tools -DSPIRV-Headers_SOURCE_DIR="$headers" -DSPIRV_SKIP_TESTS=ON \
    -DSPIRV_SKIP_EXECUTABLES=ON -DSPIRV_WERROR=OFF &&
    cp "$folder/libraries/spirv-tools/source/libSPIRV-Tools.a" "$prefix/lib/" &&
    cp -r "$sources/spirv-tools/include/spirv-tools" "$prefix/include/"
}

# Headers are the same for all machines: those of Debian's package, alone in a folder.
mkdir -p "$headers/include"
cp -r --preserve=timestamps /usr/include/spirv "$headers/include/"
cp -r --preserve=timestamps /usr/include/spirv "$prefix/include/"
cp /usr/share/doc/spirv-headers/copyright "$prefix/licenses/spirv-headers"

once xxhash build_xxhash
once zlib build_zlib
once libpng1.6 build_libpng
once sleef build_sleef
once jansson with_cmake install jansson -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON -DJANSSON_EXAMPLES=OFF
once spirv-tools build_spirv_tools
once glslang build_glslang
