/* SPDX-License-Identifier: Apache-2.0 */
/* barrier_plan: see barrier_plan.h. */
#include "spv-emu/policy/barrier/barrier_plan.h"

uint32_t emu_barrier_new(EmuBarrierPlan *p, uint32_t reg, uint32_t point) {
  SR_PUSH(p->keep, &p->out->all, (EmuBarrier){.reg = reg, .point = point});
  return p->out->all.count - 1;
}

void emu_barrier_add(EmuBarrierPlan *p, EmuBarrierOps *ops, EmuBarrierOp op, uint32_t bar) {
  SR_PUSH(p->arena, ops, (EmuBarrierInst){.op = (uint8_t)op, .bar = bar});
}

bool emu_barrier_may_diverge(const EmuBarrierPlan *p, uint32_t block) {
  const EmuBlockTable *t = p->table;
  const EmuFunctionBlocks *fn = &t->functions[t->function[block]];
  bool uniform = t->uniform && t->uniform[block] && !(p->mixed && p->mixed[block]);
  return sr_succ_count(fn->graph, block - fn->first) > 1 && !uniform;
}

uint32_t *emu_barrier_callers_first(EmuBarrierPlan *p) {
  const EmuBlockTable *t = p->table;
  uint32_t *calls = SR_NEW(p->arena, uint32_t, t->function_count), count = 0;
  uint32_t *order = SR_NEW(p->arena, uint32_t, t->function_count);
  for (uint32_t b = 0; b < t->count; b++)
    if (t->callee[b] != SR_NONE)
      calls[t->callee[b]]++;
  for (uint32_t f = 0; f < t->function_count; f++)
    if (!calls[f])
      order[count++] = f;
  for (uint32_t i = 0; i < count; i++) {
    const EmuFunctionBlocks *fn = &t->functions[order[i]];
    for (uint32_t b = fn->first; b < fn->first + fn->count; b++)
      if (t->callee[b] != SR_NONE && !--calls[t->callee[b]])
        order[count++] = t->callee[b];
  }
  return order;
}

void emu_barrier_around_call(EmuBarrierPlan *p, uint32_t block, uint32_t reg) {
  uint32_t bar = emu_barrier_new(p, reg, p->table->next[block]);
  emu_barrier_add(p, &p->end[block], EMU_BARRIER_BSSY, bar);
  emu_barrier_add(p, &emu_barrier_edge(p, block, 0)->ops, EMU_BARRIER_BSYNC, bar);
}
