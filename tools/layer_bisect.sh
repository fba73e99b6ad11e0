#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Finds the modules whose change by the Vulkan layer makes a program fail; see usage below. CMake writes it, with
# the version, as the command spvreconv-layer-bisect.
#
# The modules that change are sorted by their hash. A search by halves finds the shortest beginning
# of this list with which COMMAND fails; its last module is needed. If COMMAND does not fail with
# the modules found so far alone, the part of the list before the last of these is searched in the
# same way. So for one bad module of N there are about log2 N runs, and each further module that is
# needed adds as many.
set -eu

usage() {
  cat <<'END'
Usage: spvreconv-layer-bisect [--runs=N] [--dump=DIR] [--hang[=SECONDS]]
                              COMMAND [ARGUMENT...]

COMMAND runs a program that fails with the Vulkan layer, and ends with 0 if the
result is good. It is repeated with fewer and fewer of the modules changed, as
SPVRECONV_ONLY says, until those are found whose change makes it fail. The
layer's other variables, such as SPVRECONV_TRANSFORM, are those of the caller.
The layer is turned on if VK_INSTANCE_LAYERS does not name it.

  --runs=N             run N times each time; one failure is enough: for a
                       program that fails only in some runs (1)
  --dump=DIR           write the modules that are found, before and after;
                       spvreconv-layer-diff DIR shows them side by side
  --hang[=SECONDS]     COMMAND hangs: it does not end within SECONDS (20). Find
                       the loop that lanes do not leave, where the device can
                       tell, else the modules whose loops have to be bounded.
                       Without bound-loops in SPVRECONV_TRANSFORM, it is
                       bound-loops:100000
  -h, --help           print the options, and exit
  --version            print the version and the licence, and exit

Example:
  SPVRECONV_TRANSFORM=guard,structurize spvreconv-layer-bisect ./program
  spvreconv-layer-bisect --hang=5 ./program

Exit status: 0 found; 1 nothing to find, with the reason; 2 wrong usage.
END
}

version() {
  echo "spvreconv-layer-bisect @PROJECT_VERSION@"
  echo "Apache-2.0, without warranty; https://www.apache.org/licenses/LICENSE-2.0"
}

fail() {
  echo "spvreconv-layer-bisect: $*" >&2
  exit 1
}

# wrong WHAT
wrong() {
  echo "spvreconv-layer-bisect: $*; --help prints the options" >&2
  exit 2
}

runs=1 dump='' hang='' is='is ' is_good=good is_bad=bad is_not='is not bad'
while [ $# -gt 0 ]; do
  case $1 in
  --runs=[1-9]*) runs=${1#--runs=} ;;
  --dump=?*) dump=${1#--dump=} ;;
  --hang) hang=20 ;;
  --hang=[1-9]*) hang=${1#--hang=} ;;
  -h | --help) usage && exit ;;
  --version) version && exit ;;
  -*) wrong "unknown option, or one without its value: $1" ;;
  *) break ;;
  esac
  shift
done
[ $# -gt 0 ] || wrong "no COMMAND"
case $runs in *[!0-9]*) wrong "--runs=$runs is not a number" ;; esac
case $hang in *[!0-9]*) wrong "--hang=$hang is not a number" ;; esac
command -v "$1" >/dev/null || fail "$1: no such command"
[ -z "${SPVRECONV_ONLY:-}" ] || fail "SPVRECONV_ONLY is set; the search sets it"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export SPVRECONV_LOG="$work/log" SPVRECONV_LOG_LEVEL=info SPVRECONV_STATS=0
unset SPVRECONV_DUMP
if [ -n "$dump" ]; then # COMMAND may run in another folder
  mkdir -p "$dump" || exit 1
  dump=$(cd "$dump" && pwd)
fi

# The layer of the build tree, or of the prefix, that this command is in; an installed one is found without.
case ${VK_INSTANCE_LAYERS:-} in
*VK_LAYER_SPVRECONV_pipeline*) ;;
*) export VK_INSTANCE_LAYERS="VK_LAYER_SPVRECONV_pipeline${VK_INSTANCE_LAYERS:+:$VK_INSTANCE_LAYERS}" ;;
esac
here=$(dirname "$(command -v -- "$0")")
if manifests=$(cd "$here/../share/vulkan/explicit_layer.d" 2>/dev/null && pwd); then
  # The loader ignores VK_ADD_LAYER_PATH if VK_LAYER_PATH is set.
  export VK_ADD_LAYER_PATH="$manifests${VK_ADD_LAYER_PATH:+:$VK_ADD_LAYER_PATH}"
fi

# The search is for what makes the command end where it hangs otherwise.
if [ -n "$hang" ]; then
  is='' is_good=hangs is_bad=ends is_not='does not end'
  case ,${SPVRECONV_TRANSFORM:-} in
  *,bound-loops*) ;;
  *) export SPVRECONV_TRANSFORM="${SPVRECONV_TRANSFORM:+$SPVRECONV_TRANSFORM,}bound-loops:100000" ;;
  esac
fi

# ends_well COMMAND...: with --hang, does it not end?
ends_well() {
  code=0
  if [ -n "$hang" ]; then
    timeout "$hang" "$@" >"$work/out" 2>&1 || code=$?
    [ "$code" -eq 124 ] # the status of timeout
  else
    "$@" >"$work/out" 2>&1 || code=$?
    [ "$code" -eq 0 ]
  fi
}

# good COMMAND...: does it end well each time? Its output is in $work/out, its last exit code in $code
good() {
  left=$runs
  while [ "$left" -gt 0 ]; do
    ends_well "$@" || return 1
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

# dump_found COMMAND...: writes the modules that were found
dump_found() {
  [ -n "$dump" ] || return 0
  [ -z "$hang" ] || set -- timeout "$hang" "$@"
  SPVRECONV_DUMP=$dump SPVRECONV_ONLY=$(paste -s -d , "$work/found") "$@" >/dev/null 2>&1 || true
  while read -r module; do
    [ -e "$dump/$module.before.spv" ] ||
      fail "$dump/$module.before.spv was not written: does COMMAND set SPVRECONV_DUMP itself?"
  done <"$work/found"
}

# ---- is there anything to find? ------------------------------------------------------------------

# How the last run ended
ended() {
  echo "exit code $code; its last line: $(tail -n 1 "$work/out")"
}

verdict=$is_good
good "$@" || verdict=$is_bad
[ -s "$work/log" ] ||
  fail "the layer saw no module, and the command $is$verdict ($(ended)): it ends before it makes a shader, or the layer is not found, or COMMAND sets VK_INSTANCE_LAYERS, VK_LAYER_PATH or SPVRECONV_LOG itself (docs/layer.md)"
sed -n 's/^spvreconv: module \([0-9a-f]*\): changed.*/\1/p' "$work/log" | LC_ALL=C sort -u >"$work/list"
all=$(wc -l <"$work/list")
[ "$all" -gt 0 ] || fail "no module changed, and the command $is$verdict ($(ended)): set SPVRECONV_TRANSFORM (docs/layer.md)"
[ "$verdict" = "$is_bad" ] || fail "the command $is$is_good with all $all modules changed"

# The device has told which loops lanes were taken out of.
sed -n 's/^spvreconv: \(module [0-9a-f]*: .*: bound-loops took .*\)/\1/p' "$work/log" | LC_ALL=C sort -u >"$work/loops"
if [ -n "$hang" ] && [ -s "$work/loops" ]; then
  cat "$work/loops"
  sed 's/^module \([0-9a-f]*\).*/\1/' "$work/loops" | LC_ALL=C sort -u >"$work/found"
  dump_found "$@"
  exit 0
fi

: >"$work/found"
good_with 0 "$@" || fail "the command $is$is_bad without any change too ($(ended))"
echo "modules that change: $all; the command $is$is_bad with all of them, and $is_good with none"

# ---- the search ----------------------------------------------------------------------------------

high=$all # bad with so many
while [ ! -s "$work/found" ] || good_with 0 "$@"; do
  if [ "$high" -eq 0 ] || good_with "$high" "$@"; then
    fail "the command $is_not each time; --runs=N repeats it"
  fi
  low=0 # good with so many
  while [ $((high - low)) -gt 1 ]; do
    middle=$(((low + high) / 2))
    if good_with "$middle" "$@"; then
      low=$middle verdict=$is_good
    else
      high=$middle verdict=$is_bad
    fi
    echo "with the first $middle: $verdict"
  done
  module=$(sed -n "${high}p" "$work/list")
  echo "needed: $module"
  echo "$module" >>"$work/found"
  high=$((high - 1))
done

echo "the command $is$is_bad if only these change:"
LC_ALL=C sort "$work/found"
dump_found "$@"
