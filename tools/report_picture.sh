#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/report_picture.sh BUILD OUT.png: the picture of docs/report.md, the upper half of a page of spv-emu --report.
# Needs chromium.
set -eu
[ $# = 2 ] || { echo "usage: tools/report_picture.sh BUILD OUT.png" >&2 && exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1/bin/spv-emu" --report="$work/page.html" --policy=pdom,tf-stack,maximal,opt --subgroup-size=64 \
  shaders/frontier/mandelbrot.amber >"$work/out"
HOME=$work chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/profile" \
  --window-size=1200,1560 --screenshot="$work/picture.png" "file://$work/page.html" 2>"$work/err" ||
  { cat "$work/err" >&2 && exit 1; }
mv "$work/picture.png" "$2"
