#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures the corpus and writes DOCS/results.md, the summary, and the pages, data and pictures of DOCS/results/.
#
#   tools/experiments/run.sh BUILD DOCS WORK [PROGRAM...]
#
# WORK keeps the measurements (a CSV for each program and experiment) and their database. Named
# programs (shaders/PROGRAM.amber) replace the whole corpus. RUNS (5) is how often the drivers run each
# variant, 0 for not at all; GRAPHS is a folder of control-flow graphs to measure (graphs.sh), without it the numbers
# of the last such run stay; JOBS (the processors) the number of programs measured in parallel; SIZES are the
# sizes of subgroups (counts.sh); MODULES and KERNELS name graphs in place of all (modules.sh; frontiers.sh, sandy.sh, amdgpu.sh); SURVEY is the folder of table 1 of Wu et al. (shaders). ONLY=lists measures only the
# lists of transforms, ONLY=schemes only the schemes, and writes their pages.
set -eu

cd "$(dirname "$0")/../.."
here=tools/experiments
build=$1 docs=$2 work=$3
shift 3
JOBS=${JOBS:-$(nproc)} RUNS=${RUNS:-5} SURVEY=${SURVEY:-shaders}

# The corpus: all compute cases except the benchmarks of the emulator's speed.
programs() {
  if [ $# -gt 0 ]; then
    printf '%s\n' "$@"
  else
    find shaders -name '*.amber' ! -path 'shaders/graphics/*' ! -path 'shaders/raster/*' ! -path 'shaders/output/*' ! -path 'shaders/bench/*' |
      sed 's|^shaders/||; s|\.amber$||' | LC_ALL=C sort
  fi
}

# measured EXPERIMENT PROGRAM...: runs EXPERIMENT.sh for each, JOBS of them in parallel
measured() {
  experiment=$1
  shift
  mkdir -p "$work/$experiment"
  # shellcheck disable=SC2016 # for the inner shell
  printf '%s\n' "$@" | xargs -P "$JOBS" -I '{}' sh -c '
    out=$4/$2/$(echo "$5" | tr / @).csv
    "$1/$2.sh" "$3" "shaders/$5.amber" "$5" >"$out"' - "$here" "$experiment" "$build" "$work" '{}'
  # One table; programs that the tools refuse have left an empty file.
  find "$work/$experiment" -name '*.csv' -size +0 | LC_ALL=C sort | xargs awk 'FNR > 1 || !n++' \
    >"$work/$experiment.csv"
  echo "$experiment: $(($(wc -l <"$work/$experiment.csv") - 1)) rows" >&2
}

rm -rf "$work"
mkdir -p "$work"
programs "$@" >"$work/programs"
# shellcheck disable=SC2046 # a word each
{
  set -- $(cat "$work/programs")
  applications=$(cut -d , -f 1 "$here/applications.csv" | grep -F -x -f "$work/programs" || true)
}
if [ "${ONLY:-}" = lists ]; then
  measured lists "$@"
  # shellcheck disable=SC2046,SC2086 # a word each
  "$here/times.sh" "$build" "$RUNS" $(printf 'shaders/%s.amber\n' ${applications:-"$1"}) >"$work/times.csv"
  "$here/results.sh" "$work" "$docs" lists
  exit
fi
if [ "${ONLY:-}" = schemes ]; then
  measured schemes "$@"
  "$here/results.sh" "$work" "$docs" schemes
  exit
fi
measured counts "$@"
measured static "$@"
measured schemes "$@"
measured lists "$@"
# shellcheck disable=SC2086 # a word each
measured orders ${applications:-"$1"}
# shellcheck disable=SC2086
measured blocks ${applications:-"$1"}
# shellcheck disable=SC2086
measured sandy_programs ${applications:-"$1"}
mv "$work/sandy_programs.csv" "$work/measured_sandy_programs.csv"
# shellcheck disable=SC2086
measured merge_back ${applications:-"$1"}
mv "$work/merge_back.csv" "$work/measured_merge_back.csv"
"$here/tokens.sh" "$build" >"$work/measured_tokens.csv"
"$here/timeline.sh" "$build" >"$work/measured_timeline.csv"
"$here/llvm_blocks.sh" "$build" shaders/render/vr_lighting.amber render/vr_lighting >"$work/llvm_blocks.csv"
"$here/flow_blocks.sh" "$build" "$here/published/flow_blocks.csv" >"$work/flow_blocks.csv"
# These use one processor each, so two of them run at a time.
# shellcheck disable=SC2086 # a word each
{
  "$here/modules.sh" "$build" ${MODULES:-} >"$work/measured_modules.csv"
  "$here/frontiers.sh" "$build" ${KERNELS:-} >"$work/frontiers.csv"
  "$here/amdgpu.sh" "$build" ${KERNELS:-} >"$work/measured_amdgpu.csv"
} &
aside=$!
# shellcheck disable=SC2086
"$here/sandy.sh" "$build" ${KERNELS:-} >"$work/measured_sandy.csv"
tools/survey.sh "$build" "$SURVEY" "$work/survey.csv" >"$work/survey.txt"
wait $aside
# shellcheck disable=SC2046,SC2086 # a word each
"$here/times.sh" "$build" "$RUNS" $(printf 'shaders/%s.amber\n' ${applications:-"$1"}) >"$work/times.csv"
[ -z "${GRAPHS:-}" ] || "$here/graphs.sh" "$build" "$GRAPHS" "$docs/results"
"$here/results.sh" "$work" "$docs"
