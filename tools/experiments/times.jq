# SPDX-License-Identifier: Apache-2.0
# Rows for times.sh from the JSON of its runs (jq -s): each variant of a case on a device, and the least time of
# its module.
[.[].results[]] | group_by([.case, .device])[] |
(map(select(.outcome == "pass")) | group_by(.module_hash) |
  map({key: .[0].module_hash, value: (map(.gpu_ns) | min)}) | from_entries) as $least |
group_by(.variant)[] | . as $runs | $runs[0] |
select(.variant | IN("strip-merges,struct-copy:any", "strip-merges,structurize", "reconverge,structurize",
  "strip-merges,undispatch,structurize", "strip-merges,merge-iterations,structurize", "strip-merges,meld,structurize", "strip-merges,best")) |
[(.case | ltrimstr("shaders/") | rtrimstr(".amber")), .device, .variant, .outcome, ($runs | length),
 $least[.module_hash] // 0, .message] | @csv
