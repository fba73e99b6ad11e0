#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Merges the results of the tasks of a run into FOLDER/results.sqlite. May be run at any time,
# also while tasks are running; exit status 1 if tasks are missing.
#
#   collect.sh FOLDER
set -euo pipefail
folder=$1
tasks=$(cat "$folder/tasks")
mapfile -t parts < <(find "$folder/parts" -name '*.log' | sort -V)
[ ${#parts[@]} -gt 0 ] || {
  echo "no task has begun"
  exit 1
}
"$(cat "$folder/harness")" merge "$folder/results.sqlite" "${parts[@]}"
done=$(find "$folder/done" -type f | wc -l)
echo "$done of $tasks tasks are done; results: $folder/results.sqlite"
[ "$done" -eq "$tasks" ] || {
  echo "submit.sh $folder submits the others"
  exit 1
}
