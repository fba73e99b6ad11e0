/* SPDX-License-Identifier: Apache-2.0 */
/* same_edge: see same_edge.h. Which values phis need is known only when they are written, so
 * thread_layout.h separates edges by all values that may be needed after them. A removed block has
 * one predecessor, and its target has several; so no removed block is the target of another. */
#include "passes/transform/undispatch/same_edge.h"

#include "passes/analysis/graph/cfg.h"
#include "passes/ir/edit.h"

typedef struct Edges {
  SrModule *m;
  SrFunction *f;
  const SrGraph *g;
  SrArena arena;
  SrBits *same;       /* by block: it can go */
  uint32_t *value_of; /* by block: the operand that it brings to the current phi, or 0 */
} Edges;

static uint32_t target_of(const Edges *e, uint32_t b) {
  return e->g->succ[e->g->succ_at[b]];
}

static uint32_t source_of(const Edges *e, uint32_t b) {
  return e->g->pred[e->g->pred_at[b]];
}

/* Is b only a branch on the path from its only predecessor to a block to which the predecessor also
 * has an edge? */
static bool is_apart(const Edges *e, uint32_t b) {
  const SrBlock *block = &e->f->blocks[b];
  if (block->list.first != block->label ||
      sr_inst(e->m, block->label)->next != sr_terminator(block) || sr_succ_count(e->g, b) != 1 ||
      sr_pred_count(e->g, b) != 1 || sr_inst(e->m, sr_terminator(block))->op != SpvOpBranch)
    return false;
  for (SR_SUCCS(t, e->g, source_of(e, b)))
    if (*t == target_of(e, b))
      return true;
  return false;
}

/* Keeps the blocks that give phis of block `to` a value of their own. */
static void compare(Edges *e, uint32_t to) {
  const SrModule *m = e->m;
  for (SR_EACH(m, r, e->f->blocks[to].list)) {
    if (sr_inst(m, r)->op != SpvOpPhi)
      continue;
    const uint32_t *w = sr_words(m, r);
    for (uint32_t i = 3; i + 1 < w[0] >> 16; i += 2)
      e->value_of[sr_block_of(m, w[i + 1])] = w[i];
    for (SR_PREDS(p, e->g, to))
      if (sr_bit(e->same, *p) && e->value_of[*p] != e->value_of[source_of(e, *p)])
        sr_bit_clear(e->same, *p);
  }
}

/* Removes the operands of blocks that go. */
static void narrow(Edges *e, uint32_t to) {
  SrModule *m = e->m;
  SrList *list = &e->f->blocks[to].list;
  for (SR_EACH_PHI(m, r, *list)) {
    const SrInst old = *sr_inst(m, r);
    sr_begin(m, SpvOpPhi, old.type, old.result);
    for (uint32_t i = 3; i + 1 < sr_word_count(m, r); i += 2) {
      if (sr_bit(e->same, sr_block_of(m, sr_words(m, r)[i + 1])))
        continue;
      sr_put_id(m, sr_words(m, r)[i]);
      sr_put_id(m, sr_words(m, r)[i + 1]);
    }
    SrRef phi = sr_end(m);
    sr_inst(m, phi)->added = old.added;
    sr_insert_before(m, list, r, phi);
    sr_remove(m, list, r);
  }
}

/* Lets block `from` lead past the blocks that go. */
static void redirect(Edges *e, uint32_t from) {
  SrModule *m = e->m;
  SrList *list = &e->f->blocks[from].list;
  SrRef end = list->last;
  uint32_t first = 0;
  bool several = false;
  for (uint32_t i = 0; (i = sr_next_target(m, end, i));) {
    uint32_t to = sr_block_of(m, sr_words(m, end)[i]);
    if (sr_bit(e->same, to))
      sr_words(m, end)[i] = e->f->blocks[target_of(e, to)].id;
    first = first ? first : sr_words(m, end)[i];
    several |= sr_words(m, end)[i] != first;
  }
  if (several)
    return;
  bool added = sr_inst(m, end)->added;
  sr_begin(m, SpvOpBranch, 0, 0);
  sr_put_id(m, first);
  SrRef branch = sr_end(m);
  sr_inst(m, branch)->added = added;
  sr_insert_before(m, list, end, branch);
  sr_remove(m, list, end);
}

static void drop_blocks(Edges *e, SrTransformCounts *counts) {
  SrModule *m = e->m;
  SrFunction *f = e->f;
  uint32_t kept = 0;
  for (uint32_t b = 0; b < f->block_count; b++) {
    if (sr_bit(e->same, b)) {
      counts->added_blocks -= f->blocks[b].added;
      counts->added_instructions -= f->blocks[b].added;
      sr_undefine_block(m, &f->blocks[b]);
      continue;
    }
    f->blocks[kept] = f->blocks[b];
    for (SR_EACH(m, r, f->blocks[kept].list))
      if (sr_inst(m, r)->result)
        m->home[sr_inst(m, r)->result] = kept;
    kept++;
  }
  f->block_count = kept;
}

void sr_same_edges(SrModule *m, SrFunction *f, SrTransformCounts *counts) {
  Edges e = {.m = m, .f = f, .arena = sr_arena_new(m->arena->heap)};
  e.g = sr_cfg_build(&e.arena, m, f);
  e.same = sr_bits_new(&e.arena, f->block_count);
  e.value_of = SR_NEW(&e.arena, uint32_t, f->block_count);
  SrBits *from = sr_bits_new(&e.arena, f->block_count), *to = sr_bits_new(&e.arena, f->block_count);
  for (uint32_t b = 0; b < f->block_count; b++)
    if (is_apart(&e, b)) {
      sr_bit_set(e.same, b);
      sr_bit_set(to, target_of(&e, b));
    }
  for (uint32_t b = 0; b < f->block_count; b++)
    if (sr_bit(to, b))
      compare(&e, b);
  for (uint32_t b = 0; b < f->block_count; b++)
    if (sr_bit(e.same, b))
      sr_bit_set(from, source_of(&e, b));
  for (uint32_t b = 0; b < f->block_count; b++) {
    if (sr_bit(to, b))
      narrow(&e, b);
    if (sr_bit(from, b))
      redirect(&e, b);
  }
  drop_blocks(&e, counts);
  sr_arena_free(&e.arena);
}
