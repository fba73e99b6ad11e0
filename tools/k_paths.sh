#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints a table of docs/schemes.md: what a subgroup of 32 lanes issues when a switch sends them to K paths of equal length,
# beside the model T(K) = s K with s = T(1), and the lanes that are active, beside 32/K (arXiv 2607.23402).
#
#   tools/k_paths.sh [build/bin/spv-emu]
set -eu
cd "$(dirname "$0")/.."
EMU=${1:-build/bin/spv-emu}
POLICIES=pdom,structured,tf-stack,stackless,barrier
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

awk 'BEGIN {
  print "#version 450\nlayout(local_size_x = 32) in;\nlayout(constant_id = 0) const uint K = 1u;"
  print "layout(binding = 0) buffer B { uint data[]; };\nvoid main() {\n  uint i = gl_LocalInvocationID.x, x = data[i];"
  print "  switch (i % K) {"
  for (path = 0; path < 32; path++)
    printf "  case %du: for (uint k = 0u; k < 64u; k++) x = x * %du + k; break;\n", path, 2 * path + 3
  print "  }\n  data[i] = x;\n}"
}' >"$WORK/paths.comp"

# csv K: K, policy, issues and activity, a line each
csv() {
  "$EMU" --policy=$POLICIES --spec=K="$1" --dispatch=1,1,1 --buffer=0:0:'u32[32]=0' --csv "$WORK/paths.comp" |
    awk -F, -v k="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
      { print k, $at["policy"], $at["issued"], $at["activity_factor"] }'
}

for k in 1 2 4 8 16 32; do
  csv $k
done | awk '
  { issued[$1, $2] = $3; active[$1, $2] = 32 * $4 }
  $1 == 1 { policy[++policies] = $2; head = head " `" $2 "` |"; rule = rule " ---: |" }
  $1 != last { k[++n] = last = $1 }
  END {
    print "| K | s K |" head " active | 32/K |"
    print "| ---: | ---: |" rule " ---: | ---: |"
    for (i = 1; i <= n; i++) {
      line = "| " k[i] " | " issued[1, policy[1]] * k[i] " |"
      for (p = 1; p <= policies; p++)
        line = line " " issued[k[i], policy[p]] " |"
      print line sprintf(" %.2f | %g |", active[k[i], policy[1]], 32 / k[i])
    }
  }'
