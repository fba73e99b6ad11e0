#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Shows how the Vulkan layer changed modules, from the files that SPVRECONV_DUMP writes: one line for each
# module, and with --text the disassembly of those that changed, before and after side by side.
#
#   tools/layer_diff.sh [--text] DIR [HASH...]     (a HASH may be its first digits; default: all)
#
# The text is $COLUMNS wide (160).
set -eu

text=no
[ "${1:-}" != --text ] || {
  text=yes
  shift
}
[ $# -gt 0 ] || {
  echo "usage: tools/layer_diff.sh [--text] DIR [HASH...]" >&2
  exit 2
}
folder=$1
shift
[ -d "$folder" ] || {
  echo "layer_diff: $folder: no such folder" >&2
  exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# words FILE
words() {
  echo $(($(wc -c <"$1") / 4))
}

# side_by_side BEFORE AFTER. The ids are those of the module: transforms keep them.
side_by_side() {
  spirv-dis --raw-id --no-header --no-color "$1" -o "$work/before"
  spirv-dis --raw-id --no-header --no-color "$2" -o "$work/after"
  diff -y -t -W "${COLUMNS:-160}" "$work/before" "$work/after" || true
  echo
}

# show BEFORE
show() {
  hash=$(basename "$1" .before.spv) after=${1%.before.spv}.after.spv
  if [ ! -e "$after" ]; then
    echo "$hash $(words "$1") words: refused; the log says why"
  elif cmp -s "$1" "$after"; then
    echo "$hash $(words "$1") words: unchanged"
  else
    echo "$hash $(words "$1") words: changed, to $(words "$after")"
    [ "$text" = no ] || side_by_side "$1" "$after"
  fi
}

[ $# -gt 0 ] || set -- ''
for hash; do
  found=no
  for before in "$folder/$hash"*.before.spv; do
    [ -e "$before" ] || continue
    found=yes
    show "$before"
  done
  [ "$found" = yes ] || {
    echo "layer_diff: $folder has no module ${hash:-at all}" >&2
    exit 1
  }
done
