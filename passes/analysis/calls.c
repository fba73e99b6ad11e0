/* SPDX-License-Identifier: Apache-2.0 */
/* calls: see calls.h. */
#include "passes/analysis/calls.h"

typedef struct Walk {
  uint32_t *function_at; /* by id */
  uint32_t *first;       /* by function: where its calls begin in `callees`; one more for the end */
  SR_VEC(uint32_t) callees;
  SR_VEC(uint32_t) work; /* visited functions whose calls have not been followed yet */
  uint32_t *root;        /* by function: the last walk that reached it, from 1 */
  uint32_t walks;
  uint64_t followed, limit;
} Walk;

static void index_calls(Walk *w, SrArena *scratch, const SrModule *m) {
  w->function_at = sr_new_none(scratch, sr_bound(m));
  for (uint32_t f = 0; f < m->function_count; f++)
    w->function_at[m->functions[f].id] = f;
  w->first = SR_NEW(scratch, uint32_t, (size_t)m->function_count + 1);
  for (uint32_t f = 0; f < m->function_count; f++) {
    for (uint32_t b = 0; b < m->functions[f].block_count; b++)
      for (SR_EACH(m, r, m->functions[f].blocks[b].list))
        if (sr_inst(m, r)->op == SpvOpFunctionCall && w->function_at[sr_words(m, r)[3]] != SR_NONE)
          SR_PUSH(scratch, &w->callees, w->function_at[sr_words(m, r)[3]]);
    w->first[f + 1] = w->callees.count;
  }
}

static void go_to(Walk *w, SrArena *scratch, uint32_t function) {
  if (w->root[function] == w->walks)
    return;
  w->root[function] = w->walks;
  SR_PUSH(scratch, &w->work, function);
}

/* Counts the calls to follow from a function; stops when the limit is exceeded. */
static void walk_from(Walk *w, SrArena *scratch, uint32_t function) {
  w->walks++;
  w->work.count = 0;
  go_to(w, scratch, function);
  while (w->work.count && w->followed <= w->limit) {
    uint32_t f = SR_POP(&w->work);
    w->followed += w->first[f + 1] - w->first[f];
    for (uint32_t i = w->first[f]; i < w->first[f + 1]; i++)
      go_to(w, scratch, w->callees.at[i]);
  }
}

bool sr_calls_exceed(SrArena *scratch, const SrModule *m, uint64_t limit) {
  SrArena arena = sr_arena_new(scratch->heap);
  Walk w = {.limit = limit};
  index_calls(&w, &arena, m);
  w.root = SR_NEW(&arena, uint32_t, m->function_count);
  for (uint32_t f = 0; f < m->function_count; f++)
    walk_from(&w, &arena, f);
  for (SR_EACH(m, r, m->globals))
    if (sr_inst(m, r)->op == SpvOpEntryPoint && w.function_at[sr_words(m, r)[2]] != SR_NONE)
      walk_from(&w, &arena, w.function_at[sr_words(m, r)[2]]);
  sr_arena_free(&arena);
  return w.followed > limit;
}
