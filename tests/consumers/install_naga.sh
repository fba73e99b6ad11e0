#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Fetches naga, compiled to WebAssembly, into ~/.cache/spvreconv/naga.
set -eu
folder=${XDG_CACHE_HOME:-$HOME/.cache}/spvreconv/naga
version=30.1.0 # of the package; its tag `latest` is empty
[ ! -f "$folder/node_modules/naga-wasm/package.json" ] ||
  ! grep -q "\"version\": \"$version\"" "$folder/node_modules/naga-wasm/package.json" || exit 0
mkdir -p "$folder"
npm install --prefix "$folder" --no-audit --no-fund --loglevel=error "naga-wasm@$version"
