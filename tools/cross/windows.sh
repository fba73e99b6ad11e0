#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the tools for 64-bit Windows, and a zip of them: build-windows/spvreconv-VERSION-windows.zip.
#
#   tools/cross/windows.sh [tests]
#
# `tests`: the unit tests, too, into build-windows/tests/bin.
# The zip's bytes depend on the sources only: its files have the time of the last commit, and no owner.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=$PWD/build-windows
tools/cross/windows_libraries.sh "$folder"
cmake -G Ninja -S . -B "$folder/tools" -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/toolchain/windows.cmake" \
  -DCMAKE_PREFIX_PATH="$folder/prefix" -DCMAKE_BUILD_TYPE=Release -DSPVRECONV_TESTS=OFF >"$folder/logs/configure"
if [ "${1:-}" = tests ]; then
  cmake -G Ninja -S . -B "$folder/tests" -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/toolchain/windows.cmake" \
    -DCMAKE_PREFIX_PATH="$folder/prefix" -DCMAKE_BUILD_TYPE=Release >"$folder/logs/configure-tests"
  cmake --build "$folder/tests" --target unit_tests
fi
cmake --build "$folder/tools" --target spvreconv spv-emu spv-graph spvreconv_shared

version=$(sed -n 's/^#define SPVRECONV_VERSION "\(.*\)"/\1/p' passes/include/spvreconv/spvreconv.h)
name=spvreconv-$version-windows
rm -rf "${folder:?}/$name" "$folder/$name.zip"
mkdir -p "$folder/$name/include/spvreconv" "$folder/$name/lib"
cp "$folder"/tools/bin/{spvreconv.exe,spv-emu.exe,spv-graph.exe,libspvreconv.dll} "$folder/$name/"
time=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)
export SOURCE_DATE_EPOCH=$time # strip writes it into the programs
for program in "$folder/$name"/*.exe "$folder/$name"/*.dll; do
  # The linker writes its time into the table of exports.
  at=$(x86_64-w64-mingw32-objdump -h "$program" | awk '$2 == ".edata" { print $6 }')
  [ -z "$at" ] || printf '\0\0\0\0' | dd of="$program" bs=1 seek=$((0x$at + 4)) conv=notrunc status=none
  x86_64-w64-mingw32-strip "$program"
done
cp passes/include/spvreconv/spvreconv.h "$folder/$name/include/spvreconv/"
cp "$folder/tools/lib/libspvreconv.dll.a" "$folder/$name/lib/"
cp README.md LICENSE CHANGELOG.md debian/copyright "$folder/$name/"
mkdir "$folder/$name/licenses"
for source in spirv-tools glslang jansson libpng1.6 xxhash sleef; do
  find "$folder/sources/$source" -maxdepth 1 -iname 'licen[sc]e*' -exec cp {} "$folder/$name/licenses/$source" \;
done

find "$folder/$name" -exec touch -h -d "@$time" {} +
(cd "$folder" && find "$name" -type f | LC_ALL=C sort | TZ=UTC zip -q -X -@ "$name.zip")
echo "made build-windows/$name.zip, $(stat -c %s "$folder/$name.zip") bytes"
