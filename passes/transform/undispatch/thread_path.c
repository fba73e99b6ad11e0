/* SPDX-License-Identifier: Apache-2.0 */
/* thread_path: see thread_path.h. */
#include "passes/transform/undispatch/thread_path.h"

SrThreadPath sr_thread_path_new(const SrThreadGraph *t, const SrThreadPlan *plan) {
  return (SrThreadPath){.t = t, .plan = plan, .at = sr_ids_take(t->m)};
}

void sr_thread_path_end(SrThreadPath *p) {
  sr_ids_give(p->t->m, p->at);
}

/* Phis take their values simultaneously. */
static void take_step(SrThreadPath *p, const SrThreadStep *step) {
  const SrThreadGraph *t = p->t;
  uint32_t first = t->phi_at[step->block], end = t->phi_at[step->block + 1];
  p->taken.count = 0;
  for (uint32_t i = first; i < end; i++)
    SR_PUSH(t->arena, &p->taken,
            sr_thread_path_value(p, t->operand[t->operand_at[i] + step->pred]));
  for (uint32_t i = first; i < end; i++) {
    sr_ids_set(p->at, sr_inst(t->m, t->phi[i])->result, p->value.count);
    SR_PUSH(t->arena, &p->value, p->taken.at[i - first]);
  }
}

void sr_thread_path_follow(SrThreadPath *p, const SrThreadWay *way) {
  sr_ids_clear(p->at);
  p->value.count = 0;
  for (uint32_t i = way->first; i < way->first + way->count; i++)
    take_step(p, &p->plan->step.at[i]);
}

uint32_t sr_thread_path_operand(const SrThreadPath *p, const SrThreadWay *way, uint32_t i) {
  return sr_thread_path_value(p, p->t->operand[p->t->operand_at[i] + way->pred]);
}
