#!/bin/sh
# How long the applications run on the drivers after each transform, as CSV: nanoseconds of all dispatches,
# the least of several runs.
#
#   times.sh BUILD RUNS CASE.amber... >TIMES.csv
set -eu

build=$1 runs=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

i=0
while [ $i -lt "$runs" ]; do
  "$build/bin/spv-harness" run --device=lavapipe,swiftshader --jobs=1 --json \
    --transform=strip-merges,struct-copy+strip-merges,structurize+reconverge,structurize "$@" \
    2>/dev/null >"$work/$i.json" || true # what failed says its outcome
  i=$((i + 1))
done
echo "program,device,variant,outcome,nanoseconds"
[ "$runs" -gt 0 ] || exit 0
jq -rs '[.[].results[]] | group_by([.case, .device, .variant])[] |
  [(.[0].case | ltrimstr("shaders/") | rtrimstr(".amber")), .[0].device,
   .[0].variant, .[0].outcome, (map(.gpu_ns) | min)] | @csv' "$work"/*.json
