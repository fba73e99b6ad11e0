#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Listing 5 of Bialas and Strzelecki, the single loop with a clock in it (shaders/divergence/timed_loop.amber), under the
# token stack, for each number M of lanes that leave early, as CSV. Times are those that lane 0 wrote, which makes all 32
# iterations. `loop`: cycles from before the loop to its last iteration; `unwinding`: from there to after the barrier.
#
#   timeline.sh BUILD >TIMELINE.csv
# shellcheck source=tools/experiments/experiment.sh.inc
. "$(dirname "$0")/experiment.sh.inc"
"$bin/spv-harness" modules "$root/shaders/divergence/timed_loop.amber" "$work" >/dev/null
echo "model,m,loop,unwinding"
for model in kepler maxwell; do
  for m in $(seq 0 31); do
    "$bin/spv-emu" --policy=ssy --cost=$model --spec="M=$m" --spec=SHOWN=1 --buffer='0:0:u32[32]=0' --buffer='0:1:u32[1088]=0' \
      --buffer='0:2:u32[32]=1' --dump-buffer="0:1:$work/times" "$work/timed.spv" >/dev/null 2>&1
    od -An -v -t u4 -w4 "$work/times" |
      awk -v row="$model,$m" '(NR - 1) % 32 == 0 { time[(NR - 1) / 32] = $1 }
        END { print row "," time[32] - time[0] "," time[33] - time[32] }'
  done
done
