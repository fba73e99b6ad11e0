/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_part: see ssa_part.h. */
#include "passes/transform/ssa/ssa_part.h"
#include "passes/base/map.h"
#include "passes/ir/constants.h"
#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/transform/ssa/ssa_rematerialize.h"

typedef struct Leaving {
  SrSsa *ssa;
  const uint32_t *part, *tail; /* by block */
  SrUses uses; /* uses outside of the part that defines the value, or separated from the definition
                  (is_torn_off) */
} Leaving;

/* Is the value used in another block, although it may be used only in its own? */
static bool is_torn_off(const SrModule *m, uint32_t id, uint32_t block) {
  return m->home[id] != block && sr_def_op(m, id) == SpvOpSampledImage;
}

static void note_uses(Leaving *l, SrRef r, uint32_t b) {
  const SrModule *m = l->ssa->m;
  const SrInst *in = sr_inst(m, r);
  bool phi = in->op == SpvOpPhi;
  for (uint32_t i = in->first; i < sr_word_count(m, r); i++) {
    uint32_t id = sr_words(m, r)[i];
    if (!sr_word_is_id(m, r, i) || (phi && i % 2 == 0) || sr_def_op(m, id) == SpvOpLabel)
      continue;
    uint32_t home = m->home[id], block = phi ? sr_block_of(m, sr_words(m, r)[i + 1]) : b;
    bool leaves = home != SR_NONE && l->part[home] != SR_NONE && l->part[home] != l->part[block];
    if ((leaves && sr_def_op(m, id) != SpvOpFunction) || is_torn_off(m, id, block))
      SR_PUSH(l->ssa->arena, &l->uses, (SrUse){id, r, i, block});
  }
}

static uint32_t make_phi(Leaving *l, uint32_t id, uint32_t tail) {
  SrModule *m = l->ssa->m;
  SrBlock *b = &l->ssa->f->blocks[tail];
  uint32_t part = l->part[m->home[id]], type = sr_inst(m, sr_def(m, id))->type;
  uint32_t undef = sr_undef(m, type), phi = sr_fresh_id(m);
  sr_begin(m, SpvOpPhi, type, phi);
  for (int own = 1; own >= 0; own--)
    for (SR_PREDS(p, l->ssa->graph, tail)) {
      if ((l->part[*p] == part) != own)
        continue;
      sr_put_id(m, own ? id : undef);
      sr_put_id(m, l->ssa->f->blocks[*p].id);
    }
  sr_insert_before(m, &b->list, sr_inst(m, b->label)->next, sr_end(m));
  sr_keep(m, phi, sr_kept(m, id));
  m->home[phi] = tail;
  return phi;
}

SrStatus sr_ssa_leave_parts(SrSsa *ssa, const uint32_t *part, const uint32_t *tail) {
  SrModule *m = ssa->m;
  Leaving l = {.ssa = ssa, .part = part, .tail = tail};
  for (uint32_t b = 0; b < ssa->graph->count; b++)
    for (SR_EACH(m, r, ssa->f->blocks[b].list))
      note_uses(&l, r, b);
  uint32_t made = 0;
  SR_CHECK(sr_ssa_rematerialize(ssa, &l.uses, &made));
  SrMap phi_of = {.arena = ssa->arena};
  for (uint32_t i = 0; i < l.uses.count; i++) {
    SrUse u = l.uses.at[i];
    uint32_t phi = sr_map_get(&phi_of, u.id);
    if (phi == SR_NONE) {
      phi = make_phi(&l, u.id, tail[m->home[u.id]]);
      sr_map_set(&phi_of, u.id, phi);
    }
    sr_words(m, u.inst)[u.word] = phi;
  }
  return sr_check_bound(m);
}
