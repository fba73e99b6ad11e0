#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a corpus of any size as a Slurm array, then merges the results: see docs/scale.md.
#
#   submit.sh [OPTION…] FOLDER CORPUS [RUN-OPTION…]   a new run; creates FOLDER
#   submit.sh [OPTION…] FOLDER                        the unfinished tasks of a run
#
# All nodes must see FOLDER; it gets all files of the run, at the end results.sqlite. CORPUS is a
# folder with *.amber (with --device=none also *.spv and *.spvasm), or a list of files, one path per
# line. RUN-OPTIONs are those of `spv-harness run`. The program is $SPV_HARNESS, or is found in PATH, at
# the same path on all nodes.
#
#   --dry-run         print what would be submitted; create and submit nothing
#   --per-task=N      cases for each task of the array (10000); more if Slurm allows fewer tasks
#   --sbatch=OPTION   pass to sbatch, such as --sbatch=--cpus-per-task=8; may be repeated
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
dry='' per_task=10000 sbatch=()

fail() {
  echo "submit.sh: $*" >&2
  exit 1
}

usage() {
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

while [ $# -gt 0 ]; do
  case $1 in
  --dry-run) dry=yes ;;
  --per-task=*) per_task=${1#*=} ;;
  --sbatch=*) sbatch+=("${1#*=}") ;;
  -*) usage ;;
  *) break ;;
  esac
  shift
done
[ $# -gt 0 ] || usage
[[ $per_task =~ ^[1-9][0-9]*$ ]] || fail "--per-task expects a number, not '$per_task'"
folder=$(realpath -m "$1") corpus=${2-}
shift $(($# < 2 ? $# : 2))

# print_list RUN-OPTION…: each path once, absolute, so that tasks find it from any folder.
print_list() {
  local names=(-name '*.amber') option
  for option; do
    [ "$option" != --device=none ] || names+=(-o -name '*.spv' -o -name '*.spvasm')
  done
  if [ -d "$corpus" ]; then
    find "$(realpath "$corpus")" -type f \( "${names[@]}" \)
  else
    awk 'length { print (/^\// ? "" : ENVIRON["PWD"] "/") $0 }' "$corpus"
  fi | LC_ALL=C sort -u
}

# Slurm numbers the tasks of an array below MaxArraySize.
count_tasks() {
  local cases=$1 most
  most=$(scontrol show config | sed -n 's/^MaxArraySize *= *//p')
  [ -n "$most" ] || fail "Slurm does not answer"
  tasks=$(((cases + per_task - 1) / per_task))
  [ "$tasks" -lt "$most" ] || tasks=$((most - 1))
}

# Writes the files that task.sh reads to $run.
describe() {
  harness=$(command -v "${SPV_HARNESS:-spv-harness}") || fail "spv-harness: not found; set SPV_HARNESS"
  print_list "$@" >"$run/list"
  cases=$(grep -c . "$run/list") || fail "$corpus: there is no case"
  count_tasks "$cases"
  realpath "$harness" >"$run/harness"
  echo "$tasks" >"$run/tasks"
  printf '%s\n' "$@" >"$run/options"
  mkdir "$run/parts" "$run/done" "$run/logs"
}

# The unfinished tasks, in sbatch's syntax: 1-7,9
pending() {
  local task
  for ((task = 1; task <= tasks; task++)); do
    [ -e "$run/done/$task" ] || echo "$task"
  done | awk '
    NR > 1 && $1 == last + 1 { last = $1; next }
    NR > 1 { printf "%s%s,", first, last > first ? "-" last : "" }
    { first = last = $1 }
    END { if (NR) print first (last > first ? "-" last : "") }'
}

# submit ARGUMENT…: calls sbatch with these arguments; leaves the job's number in $job
submit() {
  echo "sbatch $*"
  [ -n "$dry" ] && job=JOB && return
  job=$(sbatch --parsable "$@")
  job=${job%%;*}
}

run=$folder
if [ -n "$corpus" ]; then
  [ ! -e "$folder/tasks" ] || fail "$folder: has a run; to submit its unfinished tasks, leave out the corpus"
  if [ -n "$dry" ]; then
    run=$(mktemp -d)
  else
    mkdir -p "$(dirname "$folder")"
    run=$(mktemp -d "$(dirname "$folder")/.submit.XXXXXX")
  fi
  trap 'rm -rf "$run"' EXIT
  describe "$@"
  if [ -z "$dry" ]; then
    chmod 755 "$run"
    [ ! -e "$folder" ] || rmdir "$folder" || fail "$folder: is not empty"
    mv "$run" "$folder"
    run=$folder
    trap - EXIT
  fi
fi
[ -e "$run/tasks" ] || fail "$folder: has no run; name a corpus to start one"
tasks=$(cat "$run/tasks")
array=$(pending)
[ -n "$array" ] || fail "$folder: all $tasks tasks are done"
cases=$(grep -c . "$run/list")
echo "$cases cases in $tasks tasks, up to $(((cases + tasks - 1) / tasks)) cases each"
submit --job-name=spv-harness --array="$array" --requeue --open-mode=append \
  --output="$folder/logs/%a.out" "${sbatch[@]}" "$here/task.sh" "$folder"
submit --job-name=spv-collect --dependency="afterany:$job" --requeue --open-mode=append \
  --output="$folder/logs/collect.out" "${sbatch[@]}" "$here/collect.sh" "$folder"
