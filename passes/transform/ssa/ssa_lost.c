/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_lost: see ssa_lost.h. */
#include "passes/transform/ssa/ssa_lost.h"

#include "passes/base/sort.h"

static void note_use(const SrLost *k, SrUses *uses, SrRef r, uint32_t word, uint32_t block) {
  const SrSsa *ssa = k->ssa;
  uint32_t id = sr_words(ssa->m, r)[word];
  uint32_t name = k->names ? sr_ids_get(k->names, id) : (uint32_t)SR_NONE;
  if (sr_dominates(ssa->dom, 0, block) && sr_def_op(ssa->m, id) != SpvOpLabel &&
      !sr_ssa_reaches_end(ssa, name == SR_NONE ? id : name, block))
    SR_PUSH(ssa->arena, uses, (SrUse){id, r, word, block});
}

static void note_uses(const SrLost *k, SrUses *uses, SrRef r, uint32_t block) {
  const SrModule *m = k->ssa->m;
  bool phi = sr_inst(m, r)->op == SpvOpPhi;
  for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i += 1 + phi)
    if (sr_word_is_id(m, r, i))
      note_use(k, uses, r, i, phi ? sr_block_of(m, sr_words(m, r)[i + 1]) : block);
}

static int by_id(const void *a, const void *b) {
  const SrUse *x = a, *y = b;
  return (x->id > y->id) - (x->id < y->id);
}

SrStatus sr_ssa_repair_lost(const SrLost *k) {
  SrSsa *ssa = k->ssa;
  SrUses uses = {0};
  for (uint32_t b = 0; b < ssa->f->block_count; b++)
    for (SR_EACH(ssa->m, r, ssa->f->blocks[b].list))
      note_uses(k, &uses, r, b);
  SR_CHECK(sr_ssa_rematerialize(ssa, &uses, k->made));
  sr_sort(ssa->arena, uses.at, uses.count, sizeof *uses.at, by_id);
  for (uint32_t i = 0, j; i < uses.count; i = j) {
    for (j = i + 1; j < uses.count && uses.at[j].id == uses.at[i].id; j++)
      ;
    SR_CHECK(k->repair(k->user, &uses.at[i], j - i));
  }
  return SR_OK;
}

void sr_ssa_rewrite(SrSsa *ssa, uint32_t like, const SrUse *use, uint32_t count,
                    const uint32_t *wanted) {
  SrModule *m = ssa->m;
  uint32_t type = sr_inst(m, sr_def(m, like))->type;
  sr_ssa_solve(ssa, wanted, count);
  sr_ssa_make_phis(ssa, type, sr_kept(m, like));
  for (uint32_t i = 0; i < count; i++) {
    uint32_t id = sr_ssa_id(ssa, wanted[i], type);
    sr_words(m, use[i].inst)[use[i].word] = id;
  }
}
