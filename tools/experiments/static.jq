# SPDX-License-Identifier: Apache-2.0
# One row of static.sh from the JSON of a case's modules (jq -s).
def sum_before(name): map(.functions[].before[name]) | add;
def sum_after(name): map(.functions[].after[name]) | add;
def sum_done(name): map(.functions[].transform[name]) | add;
def milliseconds: map(.passes[] | select(.name == $transform) | .milliseconds) | add;
def weighted: (map(.functions[].before | .frontier_average * .blocks) | add) / sum_before("blocks");

[$name, $transform, "ok", $branches,
 sum_before("divergent_branches"), sum_before("multi_exit_loops"), sum_before("irreducible_loops"),
 sum_before("instructions"), sum_after("instructions"), sum_done("forward_copies"),
 sum_done("backward_copies"), sum_done("cuts"), sum_done("selectors"), weighted,
 (map(.functions[].before.frontier_max) | max), sum_before("frontier_join_blocks"),
 sum_before("frontier_join_edges"), sum_before("pdom_join_points"), sum_before("expansion_area"),
 milliseconds] | @csv
