/* SPDX-License-Identifier: Apache-2.0 */
/* promise: see promise.h. A worklist passes promises on to callees; a function is on it at most
 * once for each promise. */
#include "passes/ir/promise.h"
#include "passes/ir/newer.h"

static unsigned promise_of(uint32_t mode) {
  switch (mode) {
  case SR_MODE_MAXIMALLY_RECONVERGES:
    return SR_PROMISE_MAXIMAL;
  case SpvExecutionModeSubgroupUniformControlFlowKHR:
    return SR_PROMISE_SUBGROUP;
  case SR_MODE_QUAD_DERIVATIVES:
  case SR_MODE_REQUIRE_FULL_QUADS:
    return SR_PROMISE_QUADS;
  default:
    return 0;
  }
}

typedef struct Walk {
  SrModule *m;
  SrArena scratch;
  uint32_t *function_at; /* by id of OpFunction: its index */
  SR_VEC(uint32_t) work;
} Walk;

static void add(Walk *w, uint32_t id, unsigned promises) {
  uint32_t at = w->function_at[id];
  if (at == SR_NONE || (w->m->functions[at].promises & promises) == promises)
    return;
  w->m->functions[at].promises |= (uint8_t)promises;
  SR_PUSH(&w->scratch, &w->work, at);
}

static void add_callees(Walk *w, SrList list, unsigned promises) {
  for (SR_EACH(w->m, r, list))
    if (sr_inst(w->m, r)->op == SpvOpFunctionCall)
      add(w, sr_words(w->m, r)[3], promises);
}

static void walk(SrModule *m) {
  Walk w = {.m = m, .scratch = sr_arena_new(m->arena->heap)};
  w.function_at = sr_new_none(&w.scratch, sr_bound(m));
  for (uint32_t f = 0; f < m->function_count; f++)
    w.function_at[m->functions[f].id] = f;
  for (SR_EACH(m, r, m->globals))
    if (sr_inst(m, r)->op == SpvOpExecutionMode && promise_of(sr_words(m, r)[2]))
      add(&w, sr_words(m, r)[1], promise_of(sr_words(m, r)[2]));
  while (w.work.count) {
    const SrFunction *f = &m->functions[SR_POP(&w.work)];
    add_callees(&w, f->head, f->promises); /* all instructions of an unread function, calls
                                              included, are in its head */
    for (uint32_t b = 0; b < f->block_count; b++)
      add_callees(&w, f->blocks[b].list, f->promises);
  }
  sr_arena_free(&w.scratch);
}

void sr_promises_read(SrModule *m) {
  unsigned promises = 0;
  for (SR_EACH(m, r, m->globals))
    if (sr_inst(m, r)->op == SpvOpExecutionMode)
      promises |= promise_of(sr_words(m, r)[2]);
  if (promises)
    walk(m);
}

const char *sr_promise_name(unsigned promises) {
  return promises & SR_PROMISE_MAXIMAL    ? "MaximallyReconvergesKHR"
         : promises & SR_PROMISE_SUBGROUP ? "SubgroupUniformControlFlowKHR"
                                          : "whole quads (SPV_KHR_quad_control)";
}
