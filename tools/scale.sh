#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The time that a corpus of ten million modules takes: measures a module, a list and a merge, and
# computes the total on clusters. Prints the tables of docs/scale.md.
#
#   tools/scale.sh BUILD [CASES [CORES]]
#
# CASES random cases (400) are measured on each device; CORES are those of a node (64). Times are CPU
# time, user and system, of all processes, which other load on the machine hardly changes.
set -euo pipefail
bin=$(realpath "$1/bin") cases=${2:-400} cores=${3:-64}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%U %S'

# spent COMMAND…: seconds of CPU; the command may fail
spent() {
  { time "$@" >"$work/out" 2>&1 || true; } 2>"$work/time"
  awk '{ print $1 + $2 }' "$work/time"
}

# peak COMMAND…: its peak memory, in MB
peak() {
  local most=0 now
  "$@" >/dev/null 2>&1 &
  while now=$(awk '$1 == "VmHWM:" { print $2 }' "/proc/$!/status" 2>/dev/null) && [ -n "$now" ]; do
    most=$now
    sleep 0.05
  done
  wait
  echo $((most / 1000))
}

mkdir "$work/cases"
"$bin/gen_cases" "$cases" 1 "$work/cases" >/dev/null
find "$work/cases" -name '*.amber' | sort >"$work/amber"
find "$work/cases" -name '*.spv' | sort >"$work/spv"
words=$(find "$work/cases" -name '*.spv' -printf '%s\n' | awk '{ n += $1 } END { print int(n / NR / 4) }')

echo "Random modules of the tests' generator, $words words on average, and cases that run them; $(nproc) cores."
echo
echo "| Steps for each module | CPU time |"
echo "| --- | --- |"

# row DEVICE LIST WHAT RUN-OPTION…: prints a row of the table and adds a line to $work/costs
row() {
  local device=$1 list=$2 what=$3 count seconds
  shift 3
  count=$(wc -l <"$list")
  seconds=$(spent "$bin/spv-harness" run --device="$device" --list="$list" "$@")
  tail -n 1 "$work/out" | grep -q skipped || { cat "$work/out" >&2 && exit 1; }
  echo "$seconds $count $what" >>"$work/costs"
  awk -v s="$seconds" -v n="$count" -v what="$what" \
    'BEGIN { printf "| %s | %.1f ms |\n", what, 1000 * s / n }'
}
row none "$work/spv" "one transform, validation (\`--device=none --transform=strip-merges,structurize\`)" \
  --transform=strip-merges,structurize
row none "$work/spv" "the three default variants, validation (\`--device=none\`)"
row emu "$work/amber" "the same, run on the emulator (\`--device=emu\`)"
row swiftshader "$work/amber" "the same, run on SwiftShader"
row lavapipe "$work/amber" "the same, run on lavapipe"
row none "$work/spv" "recorded before" --resume --results="$work/recorded.log" >/dev/null
row none "$work/spv" "nothing: the result is in a log (\`--resume\`)" --resume --results="$work/recorded.log"
sed -i '/recorded before/d' "$work/costs"
fork_seconds=$(tail -n 1 "$work/costs" | awk '{ print $1 / $2 }')
"$bin/spv-harness" merge "$work/recorded.sqlite" "$work/recorded.log"
row none "$work/spv" "nothing: the result is in a merged database (\`--reuse\`)" --reuse="$work/recorded.sqlite" \
  --results="$work/reused.log"

echo
echo "| Cases in 100 logs | logs | merge: CPU | memory | database |"
echo "| --- | --- | --- | --- | --- |"
for count in 10000 100000 1000000; do
  mkdir "$work/logs"
  "$bin/gen_results" $count 100 "$work/logs"
  merge_seconds=$(spent "$bin/spv-harness" merge "$work/merged.sqlite" "$work"/logs/*.log)
  size=$(stat -c %s "$work/merged.sqlite") logs=$(cat "$work"/logs/*.log | wc -c)
  rm "$work/merged.sqlite"
  memory=$(peak "$bin/spv-harness" merge "$work/merged.sqlite" "$work"/logs/*.log)
  rm -r "$work/logs" "$work/merged.sqlite"
  awk -v n=$count -v l="$logs" -v s="$merge_seconds" -v m="$memory" -v d="$size" \
    'BEGIN { printf "| %d | %.0f MB | %.2f s | %d MB | %.0f MB |\n", n, l / 1e6, s, m, d / 1e6 }'
done

# A list of a million lines, in a shard that gets one of them.
awk 'BEGIN { for (i = 0; i < 1000000; i++) printf "/corpus/part-%03d/module-%08d.spv\n", i % 1000, i }' \
  >"$work/list"
list_seconds=$(spent "$bin/spv-harness" run --device=none --list="$work/list" --shard=1/1000000)
echo
echo "A task reads a list of a million lines in $list_seconds s."

echo
echo "| Steps for ten million modules | CPU time | 1 node of $cores cores | 100 nodes | 1,000 nodes |"
echo "| --- | --- | --- | --- | --- |"
awk -v cores="$cores" -v merge="$merge_seconds" -v list="$list_seconds" -v fork="$fork_seconds" '
  function span(s) {
    if (s < 5400)
      return sprintf("%.0f minutes", s / 60)
    return s < 172800 ? sprintf("%.1f hours", s / 3600) : sprintf("%.1f days", s / 86400)
  }
  # A thousand tasks of 10,000 cases share the cores. Each reads the list, and its one process forks
  # all children; finally one process merges.
  function total(s, nodes,    run) {
    run = s / (nodes * cores)
    if (run < 10000 * fork)
      run = 10000 * fork
    return span(run + 10 * list + 10 * merge)
  }
  {
    seconds = 1e7 * $1 / $2
    $1 = $2 = ""
    printf "|%s | %.0f hours | %s | %s | %s |\n", substr($0, 2), seconds / 3600, total(seconds, 1),
      total(seconds, 100), total(seconds, 1000)
  }' "$work/costs"
