#!/bin/sh
# Translation validation (docs/check.md) of all modules below a folder, under every transform:
#
#   tools/check_corpus.sh BUILD FOLDER [PREFIX]
#
# PREFIX, if given, replaces the two that each list of transforms gets: none, and "unstructure:1,".
#
# Taken are SPIR-V binaries (.spv, or files of any name that begin with SPIR-V's magic number), .spvasm,
# and the shaders of .amber cases. The table has a row for each list of transforms:
#
# modules    that spvreconv reads; the others are named under the table
# refused    of them: spvreconv says that it cannot, exit 1; the reasons are counted under the table
# changed    functions, of the rest; only those are walked, and all columns of figures mean them
# edges      and pairs of edges in them, and how many of those some walk took
# differing  modules whose output computes something else, each named under the table with its message
# failed     modules on which spvreconv crashed, or ended in another way than its manual page says
#
# Exit 1 if anything differs or fails, or if the folder holds no module. Two modules at a time.
set -eu

# one_module NUMBER FILE NAME: the module through every list of transforms. The rows of NUMBER.rows:
# list, outcome, functions, edges, covered, pairs, covered, milliseconds of the passes and of the check,
# name, message
one_module() {
  out=$CHECK_WORK/$1
  if ! run none "$2"; then
    row none unreadable "$3" >"$out.rows"
    return
  fi
  while IFS= read -r list; do
    outcome=done
    run "$list" "$2" --check || outcome=$(outcome_of "$?" "$out.err")
    row "$list" "$outcome" "$3"
  done <"$CHECK_WORK/lists" >"$out.rows"
  rm "$out.json" "$out.err"
}

# run LIST FILE [OPTION]: to $out.json and $out.err
run() {
  "$CHECK_BUILD/bin/spvreconv" --transform="$1" --no-validate --json ${3+"$3"} -- "$2" \
    >"$out.json" 2>"$out.err"
}

# outcome_of STATUS MESSAGES
outcome_of() {
  case $1 in
  1) echo refused ;;
  3) grep -q -e '--check: ' "$2" && echo differing || echo failed ;;
  *) echo "spvreconv: exit status $1" >>"$2" && echo failed ;;
  esac
}

# row LIST OUTCOME NAME
row() {
  [ "$2" = done ] || echo '{}' >"$out.json"
  jq -r --arg list "$1" --arg outcome "$2" --arg name "$3" --rawfile said "$out.err" \
    -f "$CHECK_HERE/check_corpus.jq" "$out.json"
}

if [ "$1" = --one ]; then
  shift
  one_module "$@"
  exit
fi

build=$1 folder=${2%/}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/modules.sh.inc"
[ -d "$folder" ] || {
  echo "check: $folder: no such folder" >&2
  exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CHECK_WORK="$work" CHECK_BUILD="$build" CHECK_HERE="$here"

transforms='structurize auto strip-merges,structurize reconverge reconverge,structurize struct-copy
  struct-copy,merge-copies linearize guard merge-copies'
for prefix in "${3-}" ${3-unstructure:1,}; do
  for transform in $transforms; do
    echo "$prefix$transform"
  done
done | awk '!seen[$0]++' >"$work/lists"

# add FILE NAME: a job, its three arguments separated by NUL as xargs -0 takes them
modules=0
add() {
  modules=$((modules + 1))
  printf '%06d\0%s\0%s\0' "$modules" "$1" "$2" >>"$work/jobs"
}

# add_case FILE: every shader of an AmberScript
cases=0
add_case() {
  cases=$((cases + 1))
  if ! "$build/bin/spv-harness" modules "$1" "$work/case$cases" >/dev/null 2>"$work/err"; then
    CHECK_WORK=$work out=$work/case$cases
    mv "$work/err" "$out.err"
    row none unreadable "$1" >"$out.rows"
    return
  fi
  for shader in "$work/case$cases"/*.spv; do
    [ ! -e "$shader" ] || add "$shader" "$1 $(basename "$shader" .spv)"
  done
}

# progress: how many modules are done, while process $1 runs
progress() {
  while kill -0 "$1" 2>/dev/null; do
    printf '\r%d of %d modules' "$(find "$work" -name '[0-9]*.rows' | wc -l)" "$modules" >&2
    sleep 1
  done
  printf '\r\033[K' >&2
}

: >"$work/jobs"
find "$folder" -type f -size +0 | LC_ALL=C sort >"$work/files"
while IFS= read -r file; do
  case $file in
  *.amber) add_case "$file" ;;
  *) ! is_module "$file" || add "$file" "$file" ;;
  esac
done <"$work/files"

xargs -0 -r -n 3 -P 2 "$0" --one <"$work/jobs" &
running=$!
[ ! -t 2 ] || progress "$running"
wait "$running"

find "$work" -name '*.rows' | LC_ALL=C sort | xargs -r cat >"$work/rows"
awk -F '\t' -f "$here/check_corpus.awk" "$work/lists" "$work/rows"
