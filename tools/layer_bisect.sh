#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Finds the modules whose change by the Vulkan layer makes a program fail:
#
#   tools/layer_bisect.sh [--runs=N] [--dump=DIR] COMMAND [ARGUMENT...]
#
# COMMAND runs the program through the layer, with the variables of the caller (VK_INSTANCE_LAYERS,
# SPVRECONV_TRANSFORM, ...), and ends with 0 if the result is good. With --runs it runs N times (1) each time,
# and one failure is enough: for a program that fails only in some runs. --dump writes the modules that are found,
# before and after, to DIR; tools/layer_diff.sh shows them side by side.
#
# The modules that change are sorted by their hash. A search by halves finds the shortest beginning of this
# list with which COMMAND fails; its last module is needed. If COMMAND does not fail with the modules found so
# far alone, the part of the list before the last one is searched in the same way. So for one bad module of N
# there are about log2 N runs, and each further one that is needed adds as many.
#
# Exit code: 0 found, 1 nothing to find (the reason is printed), 2 usage.
set -eu

usage() {
  echo "usage: tools/layer_bisect.sh [--runs=N] [--dump=DIR] COMMAND [ARGUMENT...]"
  echo "The layer must be on: VK_LAYER_PATH, VK_INSTANCE_LAYERS and SPVRECONV_TRANSFORM, see docs/layer.md"
}

fail() {
  echo "bisect: $*" >&2
  exit 1
}

runs=1 dump=''
while [ $# -gt 0 ]; do
  case $1 in
  --runs=[1-9]*) runs=${1#--runs=} ;;
  --dump=?*) dump=${1#--dump=} ;;
  -h | --help) usage && exit ;;
  -*) usage >&2 && exit 2 ;;
  *) break ;;
  esac
  shift
done
[ $# -gt 0 ] || { usage >&2 && exit 2; }
case $runs in *[!0-9]*) usage >&2 && exit 2 ;; esac
command -v "$1" >/dev/null || fail "$1: no such command"
[ -z "${SPVRECONV_ONLY:-}" ] || fail "SPVRECONV_ONLY is set; the search sets it"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export SPVRECONV_LOG="$work/log" SPVRECONV_LOG_LEVEL=info SPVRECONV_STATS=0
unset SPVRECONV_DUMP

# good COMMAND...: does it end well each time? Its output is in $work/out, its last exit code in $code
good() {
  left=$runs
  while [ "$left" -gt 0 ]; do
    code=0
    "$@" >"$work/out" 2>&1 || code=$?
    [ "$code" -eq 0 ] || return 1
    left=$((left - 1))
  done
}

# An environment variable has room for about 3,900 hashes. A longer beginning is a range, which
# includes modules that did not appear in the first run.
MOST=3000

# beginning COUNT: the first modules of the list, and those that were found, as SPVRECONV_ONLY has them
beginning() {
  {
    if [ "$1" -gt "$MOST" ]; then
      echo "0-$(sed -n "$1p" "$work/list")"
    else
      head -n "$1" "$work/list"
    fi
    cat "$work/found"
  } | paste -s -d , -
}

# good_with COUNT COMMAND...: with the first modules of the list, and those that were found
good_with() {
  only=$(beginning "$1")
  shift
  if [ -z "$only" ]; then
    SPVRECONV_TRANSFORM=none good "$@"
  else
    SPVRECONV_ONLY=$only good "$@"
  fi
}

# ---- is there anything to find? ------------------------------------------------------------------

# How the last run ended
ended() {
  echo "exit code $code; its last line: $(tail -n 1 "$work/out")"
}

verdict=good
good "$@" || verdict=bad
[ -s "$work/log" ] ||
  fail "the layer saw no module, and the command is $verdict ($(ended)): set VK_LAYER_PATH and VK_INSTANCE_LAYERS (docs/layer.md)"
sed -n 's/^spvreconv: module \([0-9a-f]*\): changed.*/\1/p' "$work/log" | LC_ALL=C sort -u >"$work/list"
all=$(wc -l <"$work/list")
[ "$all" -gt 0 ] || fail "no module changed, and the command is $verdict ($(ended)): set SPVRECONV_TRANSFORM (docs/layer.md)"
[ "$verdict" = bad ] || fail "the command is good with all $all modules changed"
: >"$work/found"
good_with 0 "$@" || fail "the command is bad without any change too ($(ended))"
echo "modules that change: $all; the command is bad with all of them, and good with none"

# ---- the search ----------------------------------------------------------------------------------

high=$all # bad with so many
while [ ! -s "$work/found" ] || good_with 0 "$@"; do
  if [ "$high" -eq 0 ] || good_with "$high" "$@"; then
    fail "the command is not bad each time; --runs=N repeats it"
  fi
  low=0 # good with so many
  while [ $((high - low)) -gt 1 ]; do
    middle=$(((low + high) / 2))
    if good_with "$middle" "$@"; then
      low=$middle verdict=good
    else
      high=$middle verdict=bad
    fi
    echo "with the first $middle: $verdict"
  done
  module=$(sed -n "${high}p" "$work/list")
  echo "needed: $module"
  echo "$module" >>"$work/found"
  high=$((high - 1))
done

if [ -n "$dump" ]; then
  SPVRECONV_DUMP=$dump SPVRECONV_ONLY=$(paste -s -d , "$work/found") "$@" >/dev/null 2>&1 || true
fi
echo "the command is bad if only these change:"
LC_ALL=C sort "$work/found"
