#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Fetches Tint, compiled to WebAssembly, into ~/.cache/spvreconv/tint: the two files of it that Babylon.js' package brings.
set -eu
folder=${XDG_CACHE_HOME:-$HOME/.cache}/spvreconv/tint
version=9.35.0
[ ! -f "$folder/package.json" ] || ! grep -q "\"version\": \"$version\"" "$folder/package.json" || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder"
npm pack --loglevel=error --pack-destination "$work" "@babylonjs/core@$version" >"$work/name"
tar -xzf "$work/$(tail -n 1 "$work/name")" -C "$folder" --strip-components=1 \
  package/package.json package/assets/twgsl/twgsl.js package/assets/twgsl/twgsl.wasm
