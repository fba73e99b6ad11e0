/* SPDX-License-Identifier: Apache-2.0 */
/* repack: see repack.h. */
#include "tests/equiv/policies/repack.h"

#include "tests/equiv/policies/counters.h"

#include <stdlib.h>

void repack_check_dwf(const Case *c, const spv_emu_program *program, const Outcome *scalar,
                      const spv_emu_result *minpc) {
  static const char *const orders[] = {"minority", "time-stamp", "pc"};
  const char *order = minpc->subgroups == 1 ? "pc" : orders[c->seed % 3];
  Outcome *o = malloc(sizeof *o);
  *o = run_with(c, program, "dwf", (RunHow){.dwf_order = order});
  run_same_memory(c, "scalar and dwf in another order", &scalar->memory, &o->memory);
  if (o->result->lane_instructions != minpc->lane_instructions)
    run_fail(c, "dwf, %s enables %llu lanes in sum, minpc %llu", order,
             (unsigned long long)o->result->lane_instructions,
             (unsigned long long)minpc->lane_instructions);
  if (minpc->subgroups == 1)
    run_same_blocks(c, o->result, minpc);
  spv_emu_result_free(o->result);
  free(o);
}

void repack_check_tbc(const Case *c, const spv_emu_result *tbc, const spv_emu_result *pdom) {
  if (tbc->issued > pdom->issued || tbc->memory_issues > pdom->memory_issues)
    run_fail(c, "tbc issues %llu, %llu to memory, pdom %llu and %llu",
             (unsigned long long)tbc->issued, (unsigned long long)tbc->memory_issues,
             (unsigned long long)pdom->issued, (unsigned long long)pdom->memory_issues);
  if (tbc->subgroups == 1) {
    counters_same(c, tbc, pdom);
    if (tbc->memory_issues != pdom->memory_issues ||
        tbc->divergent_branches != pdom->divergent_branches)
      run_fail(c, "tbc with one subgroup is not pdom");
  }
  run_sums.tbc_issued += tbc->issued;
  run_sums.tbc_pdom += pdom->issued;
}
