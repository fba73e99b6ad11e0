#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The progress of a run: how many tasks are done, and how many cases have been run.
#
#   status.sh FOLDER
set -euo pipefail
folder=$1
echo "$(find "$folder/done" -type f | wc -l) of $(cat "$folder/tasks") tasks are done"
# Results that a task took from an earlier log, or from a copy of the case, are "kept" there.
find "$folder/parts" -name '*.log' -exec cat {} + | cut -f 2 |
  awk -v cases="$(grep -c . "$folder/list")" '
    { count[$1]++ }
    END { print count["ran"] + 0, "cases have been run, copies left out; the list has", cases }'
squeue --me --name=spv-harness,spv-collect 2>/dev/null || true
