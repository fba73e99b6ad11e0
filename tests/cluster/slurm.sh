#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs random cases as an array on a single-node Slurm that the test starts. spv-harness, and
# once the node with all its processes, are killed at random moments; the results must be those
# of an undisturbed run, and no recorded case is run again.
#
#   tests/cluster/slurm.sh SPV-HARNESS [CASES [KILLS [NODE-KILLS [SEED]]]]
set -u
HARNESS=$(realpath "$1") CASES=${2:-400} KILLS=${3:-2} NODE_KILLS=${4:-1} SEED=${5:-$RANDOM}
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/cluster/slurm.sh.inc
. tests/cluster/slurm.sh.inc
WORK=$(mktemp -d)
RUN=$WORK/run TASKS=6 CLUSTER=$PWD/harness/cluster
trap 'slurm_stop; rm -rf "$WORK"' EXIT
trap 'exit 1' INT TERM
RANDOM=$SEED
echo "seed $SEED"

fail() {
  echo "FAILED: $*"
  tail -n 20 "$WORK"/run/logs/* "$WORK"/slurm/slurmctld.log 2>/dev/null
  exit 1
}

if ! slurm_start "$WORK/slurm"; then
  [ "$(id -u)" -ne 0 ] || [[ $slurm_why == *installed ]] || fail "$slurm_why: $(tail -n 5 "$WORK"/slurm/*.out)"
  echo "skipped: $slurm_why"
  exit 77
fi

# ---- an undisturbed run, without Slurm ----

options=(--device=emu "--transform=none+auto+strip-merges,structurize")
mkdir "$WORK/cases"
"$(dirname "$HARNESS")/gen_cases" "$CASES" 1 "$WORK/cases" >/dev/null || fail "gen_cases"
"$HARNESS" run "${options[@]}" --results="$WORK/whole.sqlite" "$WORK/cases" >"$WORK/out" 2>&1
tail -n 1 "$WORK/out"

# ---- the array ----

submit() {
  SPV_HARNESS=$HARNESS "$CLUSTER/submit.sh" --per-task=$(((CASES + TASKS - 1) / TASKS)) "$@" \
    >"$WORK/submit" 2>&1
}

# The corpus is a folder, or a list of paths, absolute or not.
submit --dry-run "$RUN" "$WORK/cases" "${options[@]}" || fail "dry run: $(cat "$WORK/submit")"
grep -q -- '--array=1-' "$WORK/submit" || fail "a dry run does not print what it would do"
[ ! -e "$RUN" ] || fail "a dry run creates $RUN"
cd "$WORK" || exit 1
find cases -name '*.amber' >list
submit "$RUN" list "${options[@]}" || fail "submit: $(cat "$WORK/submit")"
cat "$WORK/submit"

# ---- kills ----

recorded() {
  cat "$RUN"/parts/*.log 2>/dev/null | cut -f 2 | grep -c '^ran'
}

has_recorded() {
  [ "$(recorded)" -ge "$1" ]
}

# The main processes of spv-harness, not their forked children.
workers() {
  local pid parent
  for pid in $(pids_of spv-harness "$RUN"); do
    parent=$(sed -n 's/^PPid:\t//p' "/proc/$pid/status" 2>/dev/null)
    [ "$(cat "/proc/$parent/comm" 2>/dev/null)" != bash ] || echo "$pid"
  done
}

no_workers() {
  [ -z "$(pids_of spv-harness "$RUN")" ]
}

kill_worker() {
  local pids
  mapfile -t pids < <(workers)
  [ ${#pids[@]} -gt 0 ] || return 1
  kill -KILL "${pids[RANDOM % ${#pids[@]}]}"
}

# Stops the running ones, so that their tasks cannot end before the node dies.
hold_workers() {
  local pids
  mapfile -t pids < <(workers)
  [ ${#pids[@]} -gt 0 ] || return 1
  kill -STOP "${pids[@]}"
}

# Slurm considers the node dead, and restarts its tasks once it is back.
kill_node() {
  slurm_await 20 hold_workers || fail "no task is running on the node"
  slurm_kill slurmd slurmstepd
  slurm_await 5 no_workers || fail "spv-harness outlives its slurmstepd"
  slurm_await 30 slurm_is_down || fail "the node does not go down"
  echo "it is down (after $SECONDS s)"
  slurm_node_start || fail "the node does not come back"
  echo "it is back (after $SECONDS s)"
}

# One kill in each of equal parts of the run; enough is left at the end for the last kill to be in time.
requeue=''
kills=$((KILLS + NODE_KILLS))
for ((i = 1; i <= kills; i++)); do
  at=$((CASES * i / (kills + 3) + RANDOM % (CASES / (kills + 3) + 1)))
  slurm_await 60 has_recorded $at || fail "the run stops before $at cases"
  if ((RANDOM % (kills - i + 1) < NODE_KILLS)); then
    NODE_KILLS=$((NODE_KILLS - 1)) requeue=yes
    echo "at $(recorded) cases: the node is killed (after $SECONDS s)"
    kill_node
  else
    slurm_await 20 kill_worker || fail "no spv-harness to kill at $(recorded) cases"
    echo "at $(recorded) cases: one spv-harness is killed (after $SECONDS s)"
  fi
done

# ---- the results ----

collected() {
  grep -qs 'tasks are done' "$RUN/logs/collect.out"
}

slurm_await 120 collected || fail "the results are not collected: $(squeue)"
echo "collected (after $SECONDS s)"
cat "$RUN/logs/collect.out"
"$CLUSTER/status.sh" "$RUN" || fail "status.sh"
grep -q "^$TASKS of $TASKS tasks are done" "$RUN/logs/collect.out" || fail "tasks are missing"
[ -z "$requeue" ] || ls "$RUN"/parts/*.1.log >/dev/null || fail "no task was requeued"
"$HARNESS" compare "$WORK/whole.sqlite" "$RUN/results.sqlite" || fail "the results differ"
"$HARNESS" dump "$WORK/whole.sqlite" >"$WORK/whole.txt"
"$HARNESS" dump "$RUN/results.sqlite" >"$WORK/killed.txt"
cmp "$WORK/whole.txt" "$WORK/killed.txt" || fail "the dumps differ"
[ "$(wc -l <"$WORK/whole.txt")" = $((3 * CASES)) ] || fail "not three results for each case"

# Each case has one line that says that it ran.
cat "$RUN"/parts/*.log | awk -F '\t' '$2 == "ran" { print $3 }' | sort >"$WORK/ran"
[ "$(sort -u "$WORK/ran" | wc -l)" = "$CASES" ] || fail "$(sort -u "$WORK/ran" | wc -l) cases ran"
[ "$(wc -l <"$WORK/ran")" = "$CASES" ] || fail "recorded, and run again: $(uniq -d "$WORK/ran")"
submit "$RUN" && fail "finished tasks are submitted again"
grep -q "all $TASKS tasks are done" "$WORK/submit" || fail "$(cat "$WORK/submit")"
echo ok
