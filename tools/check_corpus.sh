#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Translation validation (docs/check.md) of all modules below a folder, under every transform:
#
#   tools/check_corpus.sh BUILD FOLDER
#
# Each transform runs on the original module, and after unstructure:1 in one list, so that the edges are
# those of the original. Only merge-copies gets the output of unstructure:1 as its input ("unstructure:1 + …"):
# it merges accesses to variables that unstructure added, which in a list the checker treats as values.
#
# The modules are SPIR-V binaries (.spv, or files of any name that begin with SPIR-V's magic number), .spvasm,
# and the shaders of .amber cases. The table has a row for each list of transforms:
#
# modules    that spvreconv reads; the others are named below the table
# refused    modules of these that spvreconv refuses with exit code 1; the reasons are counted below the table
# changed    functions that changed in the other modules; the following columns are about these functions
# edges      and pairs of edges in them, and how many of those some walk took
# differing  modules whose output computes something else, each named below the table with its message
# failed     modules on which spvreconv crashed, or ended with an undocumented exit code
#
# Exit 1 if anything differs or fails, or if nothing was compared: there is no module below the folder, or no
# transform changed one. Two modules at a time.
set -eu

mangle=unstructure:1
transforms='structurize auto strip-merges,structurize reconverge reconverge,structurize struct-copy
  struct-copy,merge-copies linearize guard merge-copies'
here=$(cd "$(dirname "$0")" && pwd)

# ---- one module: check_corpus.sh --one BUILD OUT FILE NAME; writes files OUT.* --------------------

# run LIST FILE [OPTION...]: runs spvreconv; writes $out.json and $out.err
run() {
  list=$1 file=$2
  shift 2
  "$build/bin/spvreconv" --transform="$list" --no-validate --json "$@" "$file" \
    >"$out.json" 2>"$out.err"
}

# outcome_of STATUS
outcome_of() {
  case $1 in
  0) echo passed ;;
  1) echo refused ;;
  3) grep -q -e '--check: ' "$out.err" && echo differing || echo failed ;;
  *) echo failed ;;
  esac
}

# row LABEL STATUS OUTCOME FILE NAME: a row for check_corpus.awk
row() {
  [ "$2" = 0 ] || echo '{}' >"$out.json"
  jq -r --arg list "$1" --arg status "$2" --arg outcome "$3" --arg file "$4" --arg name "$5" \
    --rawfile said "$out.err" -f "$here/check_corpus.jq" "$out.json"
}

# check LABEL LIST FILE NAME
check() {
  status=0
  run "$2" "$3" --check || status=$?
  row "$1" "$status" "$(outcome_of "$status")" "$3" "$4"
}

# check_mangled LIST FILE NAME
check_mangled() {
  case $1 in
  *merge-copies) check "$mangle + $1" "$1" "$out.spv" "$3" ;;
  *) check "$mangle,$1" "$mangle,$1" "$2" "$3" ;;
  esac
}

one_module() {
  build=$1 out=$2
  if ! run none "$3" || ! run "$mangle" "$3" -o "$out.spv"; then
    row none 1 unreadable "$3" "$4" >"$out.rows"
    return
  fi
  for each in $transforms; do
    check "$each" "$each" "$3" "$4"
  done >"$out.rows"
  for each in $transforms; do
    check_mangled "$each" "$3" "$4"
  done >>"$out.rows"
  rm -f "$out.json" "$out.err" "$out.spv"
}

if [ "$1" = --one ]; then
  shift
  one_module "$@"
  exit
fi

# ---- all modules ---------------------------------------------------------------------------------

# shellcheck source=tools/modules.sh.inc
. "$here/modules.sh.inc"
build=$1 folder=${2%/}
[ -d "$folder" ] || {
  echo "check: $folder: no such folder" >&2
  exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# add FILE NAME: writes the arguments of a job, for xargs -0
modules=0
add() {
  modules=$((modules + 1))
  printf '%s\0' "$build" "$work/$(printf %06d "$modules")" "$1" "$2" >>"$work/jobs"
}

# add_case FILE: every shader of an AmberScript
cases=0
add_case() {
  cases=$((cases + 1))
  out=$work/case$cases
  if ! "$build/bin/spv-harness" modules "$1" "$out" >/dev/null 2>"$out.err"; then
    row none 1 unreadable "$1" "$1" >"$out.rows"
    return
  fi
  for shader in "$out"/*.spv; do
    [ ! -e "$shader" ] || add "$shader" "$1 $(basename "$shader" .spv)"
  done
}

# progress PROCESS: shows how many modules are done, while PROCESS runs
progress() {
  while kill -0 "$1" 2>/dev/null; do
    printf '\r%d of %d modules' "$(find "$work" -name '[0-9]*.rows' | wc -l)" "$modules" >&2
    sleep 1
  done
  printf '\r\033[K' >&2
}

: >"$work/jobs"
each_module "$folder" "$work/parts" add add_case :

xargs -0 -r -n 4 -P 2 "$here/check_corpus.sh" --one <"$work/jobs" &
running=$!
[ ! -t 2 ] || progress "$running"
wait "$running"

find "$work" -name '*.rows' | LC_ALL=C sort | xargs -r cat >"$work/rows"
awk -F '\t' -f "$here/check_corpus.awk" "$work/rows"
