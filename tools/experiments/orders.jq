# SPDX-License-Identifier: Apache-2.0
# Figures of one order for orders.sh, from the JSON of a case's modules (jq -s).
def sum(name): map(.functions[].transform[name]) | add;

[sum("flow_blocks"), sum("virtual_blocks"), sum("added_instructions"), sum("added_phis"),
 (map(.functions[].before.uniform_branches) | add), sum("rerouted_uniform_branches")] | @csv
