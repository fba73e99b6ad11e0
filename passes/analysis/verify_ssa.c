/* SPDX-License-Identifier: Apache-2.0 */
/* verify_ssa: see verify_ssa.h. One dominator tree, then one visit to every operand. Near-linear. Blocks
 * that the entry does not reach are not checked, as in spirv-val. */
#include "passes/analysis/verify_ssa.h"
#include "passes/analysis/graph/dom.h"

typedef struct Check {
  const SrModule *m;
  const SrFunction *f;
  const SrGraph *g;
  const SrDom *dom;
  SrArena *arena;
  uint32_t *seen;  /* by block: the last phi that named it as a parent */
  uint32_t *place; /* by id of the current block: its position, to find uses before definitions */
  uint32_t block;
} Check;

static SrWhere where(const Check *c, SrRef r) {
  const SrInst *in = sr_inst(c->m, r);
  return (SrWhere){.function = sr_function_name(c->m, c->arena, c->f),
                   .block = c->f->blocks[c->block].id,
                   .word = in->added ? SR_NONE : 5 + in->at};
}

static bool is_parent(const Check *c, uint32_t block) {
  for (SR_SUCCS(t, c->g, block))
    if (*t == c->block)
      return true;
  return false;
}

static SrStatus check_phi(Check *c, SrRef r) {
  const SrModule *m = c->m;
  uint32_t parents = 0, phi = sr_inst(m, r)->result;
  for (uint32_t i = 3; i + 1 < sr_word_count(m, r); i += 2, parents++) {
    uint32_t id = sr_words(m, r)[i], label = sr_words(m, r)[i + 1], p = sr_block_of(m, label);
    if (c->seen[p] == r || !is_parent(c, p))
      return sr_fail(m->diag, SR_BAD_INPUT, where(c, r), "OpPhi %%%u names block %%%u, which is %s",
                     phi, label, c->seen[p] == r ? "there twice" : "not a predecessor");
    c->seen[p] = r;
    uint32_t home = m->home[id];
    if (home != SR_NONE && c->dom->enter[p] != SR_NONE && !sr_dominates(c->dom, home, p))
      return sr_fail(m->diag, SR_BAD_INPUT, where(c, r),
                     "OpPhi %%%u: its operand %%%u does not dominate its parent %%%u", phi, id,
                     label);
  }
  if (parents != sr_pred_count(c->g, c->block))
    return sr_fail(m->diag, SR_BAD_INPUT, where(c, r),
                   "OpPhi %%%u has %u operands for %u predecessors: it needs one for each", phi,
                   parents, sr_pred_count(c->g, c->block));
  return SR_OK;
}

static SrStatus check_operands(Check *c, SrRef r, uint32_t place) {
  const SrModule *m = c->m;
  uint32_t at = sr_inst(m, r)->at, count = sr_word_count(m, r);
  for (uint32_t w = sr_inst(m, r)->first; w < count; w++) {
    if (!sr_bit(m->is_id, at + w))
      continue;
    uint32_t id = m->pool.at[at + w], home = m->home[id];
    if (home == SR_NONE)
      continue;
    bool label = sr_inst(m, m->def[id])->op == SpvOpLabel;
    bool early = home == c->block && c->place[id] >= place;
    if (!label && (early || !sr_dominates(c->dom, home, c->block)))
      return sr_fail(m->diag, SR_BAD_INPUT, where(c, r),
                     "%%%u is used where its definition does not dominate", id);
  }
  return SR_OK;
}

static SrStatus check_block(Check *c) {
  const SrModule *m = c->m;
  uint32_t place = 0;
  for (SR_EACH(m, r, c->f->blocks[c->block].list))
    if (sr_inst(m, r)->result)
      c->place[sr_inst(m, r)->result] = place++;
  place = 0;
  for (SR_EACH(m, r, c->f->blocks[c->block].list)) {
    if (sr_inst(m, r)->op == SpvOpPhi)
      SR_CHECK(check_phi(c, r));
    else
      SR_CHECK(check_operands(c, r, place));
    place += sr_inst(m, r)->result != 0;
  }
  return SR_OK;
}

SrStatus sr_verify_ssa(const SrModule *m, SrArena *scratch, const SrFunction *f) {
  SrGraph *g = sr_cfg_build(scratch, m, f);
  Check c = {.m = m,
             .f = f,
             .g = g,
             .dom = sr_dom_build(scratch, g, 0),
             .arena = scratch,
             .seen = sr_new_none(scratch, f->block_count),
             .place = SR_NEW_RAW(scratch, uint32_t, sr_bound(m))};
  for (c.block = 0; c.block < f->block_count; c.block++)
    if (c.dom->enter[c.block] != SR_NONE)
      SR_CHECK(check_block(&c));
  return SR_OK;
}

bool sr_blocks_in_order(const SrModule *m, SrArena *scratch, const SrFunction *f) {
  SrMark mark = sr_arena_mark(scratch);
  const SrDom *dom = sr_dom_build(scratch, sr_cfg_build(scratch, m, f), 0);
  bool in_order = true;
  for (uint32_t b = 0; b < f->block_count; b++)
    in_order &= dom->idom[b] == SR_NONE || dom->idom[b] < b;
  sr_arena_reset(scratch, mark);
  return in_order;
}
