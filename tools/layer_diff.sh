#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Shows how the Vulkan layer changed modules; see usage below. CMake writes it, with the version, as the command
# spvreconv-layer-diff.
set -eu

usage() {
  cat <<'END'
Usage: spvreconv-layer-diff [--text] DIR [HASH...]

Shows how the Vulkan layer changed modules, from the files that it writes with
SPVRECONV_DUMP=DIR: one line for each module. A HASH may be its first digits;
without one, all are shown.

  --text               also the disassembly of those that changed, before and
                       after side by side, $COLUMNS wide (160)
  -h, --help           print the options, and exit
  --version            print the version and the licence, and exit

Exit status: 0 shown; 1 there is no such folder or module; 2 wrong usage.
END
}

version() {
  echo "spvreconv-layer-diff @PROJECT_VERSION@"
  echo "Apache-2.0, without warranty; https://www.apache.org/licenses/LICENSE-2.0"
}

text=no
case ${1:-} in
--text) text=yes && shift ;;
-h | --help) usage && exit ;;
--version) version && exit ;;
esac
case ${1:--} in
-*)
  echo "spvreconv-layer-diff: ${1:-no DIR}${1:+: unknown option}; --help prints the options" >&2
  exit 2
  ;;
esac
folder=$1
shift
[ -d "$folder" ] || {
  echo "spvreconv-layer-diff: $folder: no such folder" >&2
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
    echo "spvreconv-layer-diff: $folder has no module ${hash:-at all}" >&2
    exit 1
  }
done
