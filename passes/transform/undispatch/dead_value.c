/* SPDX-License-Identifier: Apache-2.0 */
/* dead_value: see dead_value.h. Values are live if an instruction that must stay needs them,
 * directly or through others; so phis that only feed each other around a cycle are removed, too. */
#include "passes/transform/undispatch/dead_value.h"

#include "passes/ir/edit.h"
#include "passes/ir/id_table.h"
#include "passes/transform/undispatch/selector_value.h"

typedef struct Sweep {
  SrModule *m;
  SrIdTable *live; /* by id */
  SR_VEC(SrRef) work;
  SrArena scratch;
} Sweep;

static bool may_go(const SrModule *m, SrRef r) {
  return sr_inst(m, r)->op == SpvOpPhi || sr_selector_is_computed(m, r);
}

static void need_operands(Sweep *s, SrRef r) {
  const SrModule *m = s->m;
  for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++) {
    uint32_t id = sr_words(m, r)[i];
    if (!sr_word_is_id(m, r, i) || m->home[id] == SR_NONE || sr_ids_get(s->live, id) != SR_NONE)
      continue;
    sr_ids_set(s->live, id, 1);
    if (sr_def(m, id) != SR_NONE && may_go(m, sr_def(m, id)))
      SR_PUSH(&s->scratch, &s->work, sr_def(m, id));
  }
}

/* Dead instructions are found first and removed later, because whether an instruction may go
 * depends on its operands. */
static void find_dead(Sweep *s, const SrList *list) {
  for (SR_EACH(s->m, r, *list))
    if (may_go(s->m, r) && sr_ids_get(s->live, sr_inst(s->m, r)->result) == SR_NONE)
      SR_PUSH(&s->scratch, &s->work, r);
}

static void remove_found(Sweep *s, SrFunction *f) {
  SrModule *m = s->m;
  while (s->work.count) {
    SrRef r = SR_POP(&s->work);
    uint32_t id = sr_inst(m, r)->result;
    sr_remove(m, &f->blocks[m->home[id]].list, r);
    m->def[id] = m->home[id] = SR_NONE;
    m->ids_gone = true;
  }
}

void sr_dead_values(SrModule *m, SrFunction *f) {
  Sweep s = {.m = m, .live = sr_ids_take(m), .scratch = sr_arena_new(m->arena->heap)};
  for (uint32_t b = 0; b < f->block_count; b++)
    for (SR_EACH(m, r, f->blocks[b].list))
      if (!may_go(m, r))
        need_operands(&s, r);
  while (s.work.count)
    need_operands(&s, SR_POP(&s.work));
  for (uint32_t b = 0; b < f->block_count; b++)
    find_dead(&s, &f->blocks[b].list);
  remove_found(&s, f);
  sr_arena_free(&s.scratch);
  sr_ids_give(m, s.live);
}
