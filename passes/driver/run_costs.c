/* SPDX-License-Identifier: Apache-2.0 */
/* run_costs: see run_costs.h. */
#include "passes/driver/run_costs.h"

#include "passes/measure/measure.h"

/* The cost of function i after the change that is measured; NULL: not known, also if no lane gets to
 * an end. */
static const spvreconv_cost *cost_of(const SrReport *r, SrMeasure *k, uint32_t i) {
  const SrFunction *f = &r->m->functions[i];
  SrCost cost = {0};
  bool known = !f->moved && f->unknown == SR_NONE && !f->unread &&
               sr_measure_function(k, i, &cost) && cost.lanes;
  return known ? sr_report_cost(r->out, &cost) : NULL;
}

void sr_run_costs(SrReport *r, const SrModule *before, const SrUniform *u, bool changed) {
  SrMeasure *k = sr_measure_new(r->kept, before, u, NULL);
  uint32_t at = 0;
  sr_measure_module(k, r->kept, before);
  for (uint32_t i = 0; i < before->function_count; i++)
    if (before->functions[i].block_count)
      r->functions[at++].cost_before = cost_of(r, k, i);
  if (changed)
    sr_measure_module(k, r->kept, r->m);
  at = 0;
  for (uint32_t i = 0; i < before->function_count; i++)
    if (before->functions[i].block_count) {
      r->functions[at].cost_after = changed ? cost_of(r, k, i) : r->functions[at].cost_before;
      at++;
    }
}
