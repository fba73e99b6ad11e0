/* SPDX-License-Identifier: Apache-2.0 */
/* thread_values: see thread_values.h. */
#include "passes/transform/undispatch/thread_values.h"

SrThreadValues sr_thread_values_new(const SrThreadGraph *t, const SrThreadPlan *plan) {
  return (SrThreadValues){.t = t, .plan = plan, .at = sr_ids_take(t->m)};
}

void sr_thread_values_end(SrThreadValues *p) {
  sr_ids_give(p->t->m, p->at);
}

/* Phis take their values simultaneously. */
static void take_step(SrThreadValues *p, const SrThreadStep *step) {
  const SrThreadGraph *t = p->t;
  uint32_t first = t->phi_at[step->block], end = t->phi_at[step->block + 1];
  p->taken.count = 0;
  for (uint32_t i = first; i < end; i++)
    SR_PUSH(t->arena, &p->taken,
            sr_thread_values_get(p, t->operand[t->operand_at[i] + step->pred]));
  for (uint32_t i = first; i < end; i++) {
    sr_ids_set(p->at, sr_inst(t->m, t->phi[i])->result, p->value.count);
    SR_PUSH(t->arena, &p->value, p->taken.at[i - first]);
  }
}

void sr_thread_values_follow(SrThreadValues *p, const SrThreadPath *path) {
  sr_ids_clear(p->at);
  p->value.count = 0;
  for (uint32_t i = path->first; i < path->first + path->count; i++)
    take_step(p, &p->plan->step.at[i]);
}

uint32_t sr_thread_values_operand(const SrThreadValues *p, const SrThreadPath *path, uint32_t i) {
  return sr_thread_values_get(p, p->t->operand[p->t->operand_at[i] + path->pred]);
}
