/* SPDX-License-Identifier: Apache-2.0 */
/* counters: see counters.h. */
#include "tests/equiv/policies/counters.h"

#include <stdlib.h>

/* Under `jip` lanes also wait at a JOIN to which the subgroup goes at once, so it pushes more. */
static bool same_figures(const spv_emu_result *a, const spv_emu_result *b) {
  return a->reconvergences == b->reconvergences && a->stack_max_depth == b->stack_max_depth &&
         (a->stack_pushes == b->stack_pushes || strcmp(a->policy, "jip") == 0) &&
         a->memory_transactions == b->memory_transactions;
}

void counters_same(const Case *c, const spv_emu_result *a, const spv_emu_result *b) {
  run_same_blocks(c, a, b);
  if (!same_figures(a, b))
    run_fail(c, "%s and %s issue the same, but other figures differ", a->policy, b->policy);
}

/* tf-stack with the blocks that ran in layout order, which is that of the result. */
void counters_check_minpc(const Case *c, const spv_emu_program *program, const spv_emu_result *r) {
  spv_emu_place *places = calloc(r->part_count + 1, sizeof *places);
  spv_emu_order order = {.places = places};
  for (uint32_t i = 0; i < r->part_count; i++)
    if (r->parts[i].executions)
      places[order.count++] =
          (spv_emu_place){.block = r->blocks[r->parts[i].block].id, .part = r->parts[i].part};
  Outcome *o = malloc(sizeof *o);
  *o = run_with(c, program, "tf-stack", (RunHow){.order = &order});
  counters_same(c, r, o->result);
  spv_emu_result_free(o->result);
  free(o);
  free(places);
}

void counters_check_jip(const Case *c, const spv_emu_result *jip, const spv_emu_result *stackless) {
  counters_same(c, jip, stackless);
  run_sums.jip_joins += jip->issued - stackless->issued;
  run_sums.jip_issued += jip->issued;
}
