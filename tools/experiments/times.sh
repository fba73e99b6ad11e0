#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# How long the applications run on the drivers after each transform, as CSV: nanoseconds of all dispatches,
# the least of several runs. Variants whose times are not used come first and warm up the driver: the first
# run in a process takes longer. A variant with the module of an earlier one (`same`) gets its time.
#
#   times.sh BUILD RUNS CASE.amber... >TIMES.csv
# shellcheck source=tools/experiments/experiment.sh.inc
. "$(dirname "$0")/experiment.sh.inc"
runs=$2
shift 2

# Those of lists.sh that need no profile.
lists=strip-merges,undispatch,structurize+strip-merges,merge-iterations,structurize+strip-merges,meld,structurize+strip-merges,best

i=0
while [ $i -lt "$runs" ]; do
  "$bin/spv-harness" run --device=lavapipe,swiftshader --jobs=1 --json \
    --transform=none+strip-merges,guard+strip-merges,struct-copy:any+strip-merges,structurize+reconverge,structurize+$lists "$@" \
    2>/dev/null >"$work/$i.json" || true # what failed says its outcome
  i=$((i + 1))
done
echo "program,device,variant,outcome,runs,nanoseconds,message"
[ "$runs" -gt 0 ] || exit 0
jq -rs -f "$here/times.jq" "$work"/*.json
