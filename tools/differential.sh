#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Differential testing: random programs on two drivers and the emulator, as written and transformed.
#
#   tools/differential.sh BUILD [COUNT [SEED [LOG.csv]]]
#
# Of ten programs six are GLSL (gen_glsl), two GLSL optimized by spirv-opt -O, and two raw SPIR-V with random
# control flow (gen_cases), with consecutive seeds. With PROGRAMS=fragment in the environment all are draws
# with a fragment shader in GLSL (gen_frag), every fourth optimized; with PROGRAMS=kernel all are OpenCL kernels
# (gen_kernel), which also run on PoCL, up to GROUP (8) in a case, and on the drivers after kernel-to-shader. expect_emu runs each under all policies; then
# spv-harness runs it in all variants; judge.jq distinguishes agreement, bugs of spvreconv and driver
# bugs; a difference that disappears when loops get a second exit is a known driver bug
# (tests/diff/known.sh, docs/driver-bugs.md). Cases that differ are kept in BUILD/differential/ (or in
# KEPT), with the reason in findings.txt; tests/diff/reduce.sh reduces them. Exit code 1 if the emulator or
# a transform differs. The counts become a line of LOG.csv, also if the run is interrupted.
set -u
cd "$(dirname "$0")/.." || exit 1
if [ $# -lt 1 ] || [ $# -gt 4 ]; then
  echo "usage: $0 BUILD [COUNT [SEED [LOG.csv]]]" >&2
  exit 2
fi
BUILD=$1 count=${2:-100} seed=${3:-1} log=${4:-}
PROGRAMS=${PROGRAMS:-}
# shellcheck source=tests/diff/common.sh.inc
. tests/diff/common.sh.inc
# Each variant's modules are compared with the case's as well, without being run (docs/check.md).
export SPVRECONV_CHECK="${SPVRECONV_CHECK-1}"
# Kernels come in groups (gen_kernel), of which a batch has several of each class.
BATCH=${BATCH:-$([ "$PROGRAMS" = kernel ] && echo 64 || echo 50)}
kept=${KEPT:-$BUILD/differential}
mkdir -p "$kept"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/all"

# optimise FOLDER CASE: the case with its module optimized by spirv-opt
optimise() {
  name=$(basename "$2" .amber | sed 's/glsl/optimised/; s/frag/optimised_frag/')
  mkdir "$work/modules"
  "$BIN/spv-harness" modules "$2" "$work/modules" >/dev/null &&
    spirv-opt -O --target-env=vulkan1.1 "$work/modules/$(subject "$2").spv" -o "$1/$name.spv" &&
    frame "$2" "$name.spv" >"$1/$name.amber"
  rm -r "$work/modules"
}

# optimise_fourths FOLDER: every fourth of its GLSL cases
optimise_fourths() {
  for case in "$1"/*.amber; do
    number=${case##*_}
    case $case in
    */glsl_* | */frag_*) [ $((${number%.amber} % 4)) != 0 ] || { optimise "$1" "$case" && rm "$case"; } ;;
    esac
  done
}

# batch COUNT SEED FOLDER: the programs
batch() {
  if [ "$PROGRAMS" = kernel ]; then
    "$BIN/gen_kernel" "$1" "$2" "$3" || exit 1
    return
  fi
  if [ "$PROGRAMS" = fragment ]; then
    "$BIN/gen_frag" "$1" "$2" "$3" || exit 1
    optimise_fourths "$3"
    return
  fi
  raw=$(($1 / 5)) glsl=$(($1 - $1 / 5))
  "$BIN/gen_glsl" "$glsl" "$2" "$3" || exit 1
  [ "$raw" = 0 ] || "$BIN/gen_cases" "$raw" "$2" "$3" >/dev/null || exit 1
  optimise_fourths "$3"
}

# expect FOLDER: one line for each case; a crash of the emulator fails the current case
expect() {
  find "$1" -name '*.amber' | sort >"$work/left"
  while [ -s "$work/left" ]; do
    xargs "$BIN/expect_emu" <"$work/left" >"$work/said" 2>/dev/null
    cat "$work/said"
    sed -i "1,$(wc -l <"$work/said")d" "$work/left"
    [ -s "$work/left" ] || break
    echo "$(head -n 1 "$work/left"): differs: the emulator died"
    sed -i 1d "$work/left"
  done
}

# compare FOLDER: lines as judge.jq writes them, of all its cases
compare() {
  expect "$1" >"$work/expected"
  # Cases on which the policies disagree, or that the emulator refuses, do not run on drivers.
  sed -n 's/^\([^:]*\): differs: \(.*\)/\1\tpolicies\t\2\t0/p; s/^\([^:]*\): refused: \(.*\)/\1\trefused\temulator: \2\t0/p' \
    "$work/expected" >"$work/lines"
  mkdir "$work/gone"
  cut -f 1 "$work/lines" | xargs -r mv -t "$work/gone"
  judge "$1" >>"$work/lines"
  find "$work/gone" -name '*.amber' -exec mv -t "$1" {} +
  rmdir "$work/gone"
  # A case without any line is a bug of the tools.
  cut -f 1 "$work/lines" | sort -u >"$work/known"
  find "$1" -name '*.amber' | sort | comm -23 - "$work/known" | sed 's/$/\tours\tno result\t0/'
  cat "$work/lines"
}

# seeds_of GROUP: those of its kernels, one a line
seeds_of() {
  sed -n '/^# What:/ { s/.*seed //p; q; }' "$1" | tr ' ' '\n'
}

# with_expects GROUP FOLDER: appends to a case with several kernels the EXPECTs of the cases of each; one with a single
# kernel, whose names have no number, becomes that case
with_expects() {
  if [ "$(seeds_of "$1" | wc -l)" = 1 ]; then
    cp "$2/$(basename "$1")" "$1"
    return
  fi
  seeds_of "$1" | while read -r one; do
    sed -n '/^EXPECT/,$p' "$2/kernel_$one.amber" | sed "s/^EXPECT [a-z]*/&_$one/"
  done >"$work/expects"
  cat "$work/expects" >>"$1"
}

# compare_pocl FOLDER COUNT SEED: the lines of judge.jq for each of its kernels that differs on PoCL. PoCL takes most of a
# second to start, so it gets cases with several kernels, and those that do not agree one by one.
compare_pocl() {
  mkdir "$work/groups" "$work/single"
  "$BIN/gen_kernel" "$2" "$3" "$work/groups" "${GROUP:-8}" || exit 1
  for group in "$work/groups"/*.amber; do
    with_expects "$group" "$1"
  done
  VARIANTS=none judge "$work/groups" pocl >"$work/grouped"
  for group in "$work/groups"/*.amber; do
    grep -q "^$group	agree" "$work/grouped" || seeds_of "$group"
  done | while read -r one; do
    cp "$1/kernel_$one.amber" "$work/single"
  done
  set -- "$1" "$work/single"/*
  [ ! -e "$2" ] || VARIANTS=none judge "$work/single" pocl | sed "s|^$work/single/|$1/|" | awk -F '\t' '$2 != "agree"'
  rm -r "$work/groups" "$work/single"
}

# compare_kernels FOLDER COUNT SEED: as compare, with PoCL apart
compare_kernels() {
  case $DEVICES in
  *,pocl) ;;
  *)
    compare "$1"
    return
    ;;
  esac
  everything=$DEVICES
  DEVICES=${DEVICES%,pocl}
  compare "$1" >"$work/others"
  DEVICES=$everything
  compare_pocl "$1" "$2" "$3" >"$work/on_pocl"
  awk -F '\t' -v OFS='\t' '
    FILENAME == ARGV[1] { line[$1] = $0; next }
    $2 != "refused" && $1 in line {
      split(line[$1], pocl)
      $3 = $3 ($3 == "" ? "" : "; ") pocl[3]
      $2 = $2 == "agree" ? pocl[2] : $2 ~ /^driver/ ? "drivers" : $2
    }
    $2 != "refused" { $4++ }
    { print }' "$work/on_pocl" "$work/others"
}

# attribute: lines of judge.jq, with class `known` for known errors
attribute() {
  while IFS= read -r line; do
    case=${line%%	*}
    rest=${line#*	}
    class=${rest%%	*}
    case "$class/ ${rest#*	}" in
    ours/*" emu "*) ;;
    ours/* | driver*) ! tests/diff/known.sh "$BUILD" "$cases/$case" "${rest#*	}" </dev/null || class=known ;;
    esac
    printf '%s\t%s\t%s\n' "$case" "$class" "${rest#*	}"
  done
}

# file_findings FOLDER: cases of the batch that differ are moved to $kept
file_findings() {
  awk -F '\t' '$2 != "agree" && $2 != "refused" && $2 != "known"' "$work/batch" |
    while IFS='	' read -r case class detail _; do
      cp "$1/$case" "$kept/"
      [ ! -f "$1/${case%.amber}.spv" ] || cp "$1/${case%.amber}.spv" "$kept/"
      printf '%s: %s: %s\n' "$case" "$class" "$detail" | tee -a "$kept/findings.txt"
    done
}

cases=$work/cases ran=0 compare=compare
[ "$PROGRAMS" != kernel ] || compare=compare_kernels
# What is compiled of kernels is kept until the end of the batch.
export POCL_CACHE_DIR="$work/pocl" SPV_HARNESS_KERNELS="$work/compiled"
trap 'count=0' INT TERM # at the end of the batch
while [ "$ran" -lt "$count" ]; do
  size=$((count - ran < BATCH ? count - ran : BATCH))
  mkdir "$cases" "$SPV_HARNESS_KERNELS"
  batch "$size" "$((seed + ran))" "$cases"
  "$compare" "$cases" "$size" "$((seed + ran))" | sed "s|^$cases/||" | attribute >"$work/batch"
  file_findings "$cases"
  cat "$work/batch" >>"$work/all"
  rm -rf "$cases" "$POCL_CACHE_DIR" "$SPV_HARNESS_KERNELS"
  ran=$((ran + size))
  echo "$ran programs: $(cut -f 2 "$work/all" | sort | uniq -c | awk '{ printf "%s%s %s", between, $1, $2; between = ", " }')"
done

awk -F '\t' '$2 == "refused"' "$work/all" | sed 's/[0-9][0-9]*/N/g' | cut -f 3 | sort | uniq -c | sort -rn | head -n 20
# Counts runs of spv-harness, without the policies of expect_emu.
awk -F '\t' -v OFS=, -v date="$(date +%F)" -v commit="$(git rev-parse --short HEAD 2>/dev/null)" -v seed="$seed" -v count="$ran" -v kind="${PROGRAMS:+$PROGRAMS }" '
  $2 == "refused" { refused++; next }
  { programs++; runs += $4; class[$2 ~ /^driver/ ? "drivers" : $2]++ }
  END {
    print date, commit, kind seed "-" (seed + count - 1), programs + 0, runs + 0, class["agree"] + 0,
          class["ours"] + class["policies"] + 0, class["drivers"] + class["known"] + 0, refused + 0, class["known"] + 0
  }' "$work/all" >"$work/line"
cat "$work/line"
[ -z "$log" ] || cat "$work/line" >>"$log"
! awk -F '\t' '$2 == "ours" || $2 == "policies" { found = 1 } END { exit !found }' "$work/all"
