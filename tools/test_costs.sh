#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The processor time of tests, which ctest does not print: runs them one at a time, and prints for each, the dearest first,
# user and system seconds, seconds that passed, exit status and name. Processor time depends far less on what else the machine
# does than the time that passes.
#
#   tools/test_costs.sh BUILD [CTEST-OPTION...]      as in tools/test_costs.sh build -L property
set -euo pipefail
build=$1
shift
TIMEFORMAT='%U %S %R'
log=$(mktemp)
trap 'rm -f "$log"' EXIT
ctest --test-dir "$build" --show-only=json-v1 "$@" | jq -r '.tests[] | select(.command) |
  ([.properties[] | select(.name == "ENVIRONMENT").value[]] | @sh) as $environment |
  "\(.name) env \($environment) \(.command | @sh)"' |
  while read -r name command; do
    status=0
    cost=$({ time eval "$command" </dev/null >"$log" 2>&1; } 2>&1) || status=$?
    echo "$cost $status $name"
  done | awk '{ printf "%8.2f %8.2f %8.2f %4d %s\n", $1, $2, $3, $4, $5 }' | sort -rn
