#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One task of the array that submit.sh submits: every N-th case of the list, into a log of its own.
#
# No recorded result is lost or computed again, whatever dies: a killed spv-harness is started
# again here; a task that Slurm requeues, or that is submitted again, reads the logs of the earlier
# ones. No two processes write the same log, because its name contains job and restart.
#
#   sbatch --array=1-N task.sh FOLDER
set -euo pipefail
# Dies with the slurmstepd that started it, as spv-harness dies with this script: processes that outlived
# them would run the same cases as the requeued task.
[ -n "${SPV_TIED-}" ] || SPV_TIED=yes exec setpriv --pdeathsig KILL "$BASH" "$0" "$@"

folder=$1 task=$SLURM_ARRAY_TASK_ID
tasks=$(cat "$folder/tasks") harness=$(cat "$folder/harness")
mapfile -t options <"$folder/options"
log=$folder/parts/$task.$SLURM_ARRAY_JOB_ID.${SLURM_RESTART_COUNT:-0}.log
out=$(mktemp)
trap 'rm -f "$out"' EXIT

arguments=(run "--list=$folder/list" "--shard=$task/$tasks" "--jobs=${SLURM_CPUS_PER_TASK:-1}")
for option in "${options[@]}"; do
  [ -z "$option" ] || arguments+=("$option")
done
arguments+=("--results=$log" --resume)
for earlier in "$folder/parts/$task".*.log; do
  [ "$earlier" = "$log" ] || [ ! -e "$earlier" ] || arguments+=("--reuse=$earlier")
done

recorded() {
  stat -c %s "$log" 2>/dev/null || echo 0
}

# Up to three deaths in a row without a result in between.
for ((stuck = 0; stuck < 3; )); do
  before=$(recorded)
  code=0
  setpriv --pdeathsig KILL "$harness" "${arguments[@]}" >"$out" &
  wait $! || code=$?
  if tail -n 1 "$out" | grep -q ' passed, .* skipped$'; then
    echo "$(date -u +%FT%TZ) $(hostname): $(tail -n 1 "$out")"
    : >"$folder/done/$task"
    exit 0
  fi
  echo "$(date -u +%FT%TZ) $(hostname): spv-harness ended with exit code $code"
  [ "$code" -gt 128 ] || exit "$code" # it has printed the reason
  stuck=$(($(recorded) > before ? 0 : stuck + 1))
done
exit 1
