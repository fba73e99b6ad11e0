/* SPDX-License-Identifier: Apache-2.0 */
/* live_variable: see live_variable.h. */
#include "passes/transform/undispatch/live_variable.h"

SrLiveVariable sr_live_variable_new(SrSsa *ssa) {
  return (SrLiveVariable){.ssa = ssa, .stamp = SR_NEW(ssa->arena, uint32_t, ssa->graph->count)};
}

static void need(SrLiveVariable *v, uint32_t block) {
  if (v->stamp[block] == v->epoch)
    return;
  v->stamp[block] = v->epoch;
  SR_PUSH(v->ssa->arena, &v->work, block);
}

uint32_t sr_live_variable_solve(SrLiveVariable *v, const uint32_t *wanted, uint32_t count) {
  const SrGraph *g = v->ssa->graph;
  uint32_t live = 0;
  v->epoch++;
  for (uint32_t i = 0; i < count; i++)
    need(v, wanted[i]);
  while (v->work.count) {
    uint32_t b = SR_POP(&v->work);
    live++;
    for (uint32_t e = g->pred_at[b]; e < g->pred_at[b + 1]; e++) {
      if (sr_ssa_is_set(v->ssa, e))
        continue;
      sr_ssa_set(v->ssa, e, SR_VALUE_AT(g->pred[e]));
      need(v, g->pred[e]);
    }
  }
  sr_ssa_solve(v->ssa, wanted, count);
  return live;
}
