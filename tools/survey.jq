# SPDX-License-Identifier: Apache-2.0
# A row for each function from survey.sh's stream: a module's name, its group, the JSON of spvreconv, and so on.
def flag: if . then 1 else 0 end;

[inputs] | range(0; length; 3) as $i | .[$i] as $file | .[$i + 1] as $folder |
.[$i + 2].functions[] |
[$folder, $file, .name,
 (.transform.selectors + .transform.dispatch_blocks > 0 or .after.switches > .before.switches | flag),
 (.before.structured | not | flag),
 (.before.irreducible_loops > 0 | flag),
 (.before.multi_exit_loops > 0 | flag),
 (.before.divergent_branches > 0 | flag),
 (.before.branches + .before.switches > 0 | flag),
 (.before.folding_nodes > 1 | flag)] | @csv
