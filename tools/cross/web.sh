#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the commands for WebAssembly with emscripten, and from them the page and the npm package.
#
#   tools/cross/web.sh FOLDER
#
# FOLDER/site: the page, static files; FOLDER/spvreconv-VERSION.tgz: the package. FOLDER keeps what was built for the next
# time.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=$1
tools/cross/web_libraries.sh "$folder"
folder=$(cd "$folder" && pwd)
# Node is not always Debian's, and emscripten's scripts need packages that Debian has for its own.
export NODE_PATH=/usr/share/nodejs${NODE_PATH:+:$NODE_PATH}
cmake -G Ninja -S . -B "$folder/build" -DCMAKE_BUILD_TYPE=Release -DSPVRECONV_TESTS=OFF -DSPVRECONV_STATIC=OFF \
  -DSPVRECONV_LLD=OFF -DCMAKE_TOOLCHAIN_FILE=/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake \
  -DCMAKE_FIND_ROOT_PATH="$folder/prefix" -DCMAKE_C_FLAGS="-msimd128 -msse2" | { grep -e '^-- Not built' || true; }
cmake --build "$folder/build" --target spvreconv-web spvreconv-node
rm -rf "$folder/site"
node web/pack.js "$folder/build/bin" "$folder/prefix/licenses" "$folder/site" "$folder/package"
rm -f "$folder"/spvreconv-*.tgz
version=$(node -p 'require(process.argv[1]).version' "$folder/package/package.json")
# As npm packs: the same bytes each time.
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime='1985-10-26 08:15:00Z' -C "$folder" -cf - package |
  gzip -9n >"$folder/spvreconv-$version.tgz"
du -h "$folder/site/index.html" "$folder/site/engine.js" "$folder"/spvreconv-*.tgz
