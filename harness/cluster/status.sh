#!/usr/bin/env bash
# How far a run is: tasks that are done, and cases that have been run by all of them.
#
#   status.sh FOLDER
set -euo pipefail
folder=$1
echo "$(find "$folder/done" -type f | wc -l) of $(cat "$folder/tasks") tasks are done"
# What a task took over from a log before it, or from a copy of the case, is "kept" there.
find "$folder/parts" -name '*.log' -exec cat {} + | cut -f 2 |
  awk -v cases="$(grep -c . "$folder/list")" '
    { count[$1]++ }
    END { print count["ran"] + 0, "cases have been run, copies left out; the list has", cases }'
squeue --me --name=spv-harness,spv-collect 2>/dev/null || true
