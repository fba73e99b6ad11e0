/* SPDX-License-Identifier: Apache-2.0 */
/* copy_blocks: see copy_blocks.h. All ids of a copy are consecutive, its label first, so the place
 * of an id in its block identifies it in every copy. */
#include "passes/transform/copy/copy_blocks.h"
#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/hint.h"
#include "passes/ir/id_table.h"
#include "passes/transform/copy/copy_values.h"

#include <assert.h>

typedef struct Writer {
  SrModule *m;
  SrFunction *f;
  SrArena *arena;
  const SrCopyPlan *plan;
  SrTransformCounts *counts;
  SrIdTable *place;  /* by id of a copied block: its place among the block's ids */
  uint32_t *base;    /* by node that is a copy: its label's id */
  uint32_t *slot_of; /* by block: its index among the successors of the current branch */
  uint32_t *operand, *operand_epoch, epoch; /* by parent block: operand of the current phi */
  SrUses uses;
  uint32_t bound; /* ids from here on belong to rematerialized values */
} Writer;

static bool is_copy(const Writer *w, uint32_t node) {
  return sr_bit(w->plan->copy, node);
}

/* The id that `id` of the original block has in another node. */
static uint32_t id_of(const void *user, uint32_t id, uint32_t node) {
  const Writer *w = user;
  return is_copy(w, node) ? w->base[node] + sr_ids_get(w->place, id) : id;
}

static uint32_t label_of(const Writer *w, uint32_t node) {
  return w->f->blocks[node].id;
}

/* ---- copies ---- */

/* Numbers the ids of a block; its label has number 0, although debug lines may precede the
 * label. */
static void number_block(Writer *w, const SrBlock *b) {
  uint32_t n = 1;
  sr_ids_set(w->place, b->id, 0);
  for (SR_EACH(w->m, r, b->list)) {
    uint32_t id = sr_inst(w->m, r)->result;
    if (id && id != b->id)
      sr_ids_set(w->place, id, n++);
  }
}

/* Makes a copy of instruction r at the end of the list. */
static SrRef copy_instruction(Writer *w, SrRef r, SrList *list) {
  SrModule *m = w->m;
  SrRef c = sr_clone(m, r);
  sr_inst(m, c)->added = sr_inst(m, r)->added;
  sr_append(m, list, c);
  uint32_t from = sr_inst(m, r)->result, to = sr_inst(m, c)->result;
  if (from) {
    sr_copy_decorations(m, from, to);
    sr_copy_name(m, from, to);
  }
  uint32_t *count =
      from >= w->bound ? &w->counts->added_instructions : &w->counts->duplicated_instructions;
  *count += sr_counts(sr_inst(m, c));
  return c;
}

static SrBlock copy_block(Writer *w, const SrBlock *b, uint32_t node) {
  SrBlock copy = {.list = {SR_NONE, SR_NONE}, .added = b->added};
  SR_VEC(SrRef) front = {0}; /* debug lines before the label */
  SrRef r = b->list.first;
  for (; r != b->label; r = sr_inst(w->m, r)->next)
    SR_PUSH(w->arena, &front, r);
  copy.label = copy_instruction(w, r, &copy.list);
  copy.id = w->base[node] = sr_inst(w->m, copy.label)->result;
  for (uint32_t i = 0; i < front.count; i++) {
    SrRef line = sr_clone(w->m, front.at[i]);
    sr_insert_before(w->m, &copy.list, copy.label, line);
  }
  while ((r = sr_inst(w->m, r)->next) != SR_NONE)
    copy_instruction(w, r, &copy.list);
  sr_hint_copy(w->m, b->id, copy.id);
  w->counts->duplicated_blocks++;
  return copy;
}

/* Builds the new block array, and updates m->home. */
static SrStatus lay_out(Writer *w) {
  const SrCopyPlan *p = w->plan;
  SrBlock *blocks = SR_NEW_RAW(w->m->arena, SrBlock, p->graph->count);
  for (uint32_t n = 0; n < p->graph->count; n++)
    if (is_copy(w, n))
      number_block(w, &w->f->blocks[p->block[n]]);
  for (uint32_t n = 0; n < p->graph->count; n++) {
    const SrBlock *b = &w->f->blocks[p->block[n]];
    blocks[n] = is_copy(w, n) ? copy_block(w, b, n) : *b;
    SR_CHECK(sr_check_bound(w->m));
  }
  for (uint32_t b = 0; b < p->old->count; b++)
    if (p->node[b] == SR_NONE)
      sr_undefine_block(w->m, &w->f->blocks[b]);
  w->f->blocks = blocks;
  w->f->block_count = p->graph->count;
  for (uint32_t n = 0; n < p->graph->count; n++)
    for (SR_EACH(w->m, r, blocks[n].list))
      if (sr_inst(w->m, r)->result)
        w->m->home[sr_inst(w->m, r)->result] = n;
  return SR_OK;
}

/* ---- branches, phis, uses ---- */

/* The original block that defines, or defined, an id; SR_NONE: none does, or it was dropped. */
static uint32_t old_home(const Writer *w, uint32_t id) {
  uint32_t node = w->m->home[id];
  return node == SR_NONE ? SR_NONE : w->plan->block[node];
}

/* Replaces the terminator of a node that keeps one of several successors by a branch. */
static void decide(Writer *w, uint32_t node) {
  SrModule *m = w->m;
  SrBlock *b = &w->f->blocks[node];
  for (SR_EACH_SAFE_FROM(m, r, sr_first_ordinary(m, b), SR_NONE)) {
    uint32_t id = sr_inst(m, r)->result;
    if (sr_is_debug_line(sr_inst(m, r)))
      continue;
    sr_remove(m, &b->list, r);
    if (id) {
      m->def[id] = m->home[id] = SR_NONE;
      m->ids_gone = true;
    }
  }
  sr_begin(m, SpvOpBranch, 0, 0);
  sr_put_id(m, label_of(w, w->plan->graph->succ[w->plan->graph->succ_at[node]]));
  sr_append(m, &b->list, sr_end(m));
}

static void retarget(Writer *w, uint32_t node) {
  const SrGraph *g = w->plan->graph;
  SrRef end = sr_terminator(&w->f->blocks[node]);
  for (uint32_t i = g->succ_at[node]; i < g->succ_at[node + 1]; i++)
    w->slot_of[w->plan->block[g->succ[i]]] = g->succ[i];
  uint32_t *words = sr_words(w->m, end);
  for (uint32_t i = 0; (i = sr_next_target(w->m, end, i));)
    words[i] = label_of(w, w->slot_of[old_home(w, words[i])]);
}

static void note_use(Writer *w, SrRef inst, uint32_t word, uint32_t node) {
  SR_PUSH(w->arena, &w->uses, (SrUse){sr_words(w->m, inst)[word], inst, word, node});
}

/* Rebuilds the phi for the predecessors in the plan. */
static SrRef rebuild_phi(Writer *w, uint32_t node, SrRef phi) {
  SrModule *m = w->m;
  SrInst old = *sr_inst(m, phi);
  w->epoch++;
  for (uint32_t i = 3; i + 1 < sr_word_count(m, phi); i += 2) {
    const uint32_t *words = sr_words(m, phi);
    uint32_t from = old_home(w, words[i + 1]);
    if (from == SR_NONE)
      continue;
    w->operand[from] = words[i];
    w->operand_epoch[from] = w->epoch;
  }
  sr_begin(m, SpvOpPhi, old.type, old.result);
  for (SR_PREDS(p, w->plan->graph, node)) {
    uint32_t block = w->plan->block[*p];
    assert(w->operand_epoch[block] == w->epoch);
    sr_put_id(m, w->operand[block]);
    sr_put_id(m, label_of(w, *p));
  }
  SrRef r = sr_end(m);
  sr_inst(m, r)->added = old.added;
  sr_insert_before(m, &w->f->blocks[node].list, phi, r);
  sr_remove(m, &w->f->blocks[node].list, phi);
  return r;
}

static bool has_copies(const Writer *w, uint32_t id) {
  return sr_ids_get(w->place, id) != SR_NONE;
}

static void rename_phi(Writer *w, uint32_t node, SrRef phi) {
  SrRef r = rebuild_phi(w, node, phi);
  uint32_t i = 3;
  for (SR_PREDS(p, w->plan->graph, node)) {
    uint32_t id = sr_words(w->m, r)[i];
    if (has_copies(w, id))
      note_use(w, r, i, *p);
    i += 2;
  }
}

/* Renames uses of values of the same block to those of this copy; collects uses of values of other
 * copied blocks in `uses`. */
static void rename_operands(Writer *w, uint32_t node, SrRef r) {
  const SrModule *m = w->m;
  for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++) {
    uint32_t *word = &sr_words(m, r)[i];
    if (!sr_word_is_id(m, r, i) || !has_copies(w, *word) || sr_def_op(m, *word) == SpvOpLabel)
      continue;
    if (old_home(w, *word) == w->plan->block[node])
      *word = id_of(w, *word, node);
    else
      note_use(w, r, i, node);
  }
}

static void rename_block(Writer *w, uint32_t node) {
  bool decided =
      sr_succ_count(w->plan->graph, node) < sr_succ_count(w->plan->old, w->plan->block[node]);
  if (decided)
    decide(w, node);
  for (SR_EACH_SAFE(w->m, r, w->f->blocks[node].list)) {
    if (sr_inst(w->m, r)->op == SpvOpPhi)
      rename_phi(w, node, r);
    else
      rename_operands(w, node, r);
  }
  if (!decided)
    retarget(w, node);
}

/* ---- all of it ---- */

SrStatus sr_copy_blocks(SrModule *m, SrFunction *f, SrArena *arena, const SrCopyPlan *plan,
                        SrTransformCounts *counts) {
  Writer w = {.m = m, .f = f, .arena = arena, .plan = plan, .counts = counts, .bound = sr_bound(m)};
  SrCopyValues values = sr_copy_values_new(m, f, arena, plan);
  SR_CHECK(sr_copy_values_rematerialize(&values, &counts->added_instructions));
  w.place = sr_ids_take(m);
  w.base = SR_NEW_RAW(arena, uint32_t, plan->graph->count);
  w.slot_of = SR_NEW_RAW(arena, uint32_t, plan->old->count);
  w.operand = SR_NEW_RAW(arena, uint32_t, plan->old->count);
  w.operand_epoch = SR_NEW(arena, uint32_t, plan->old->count);
  SR_CHECK(lay_out(&w));
  for (uint32_t n = 0; n < plan->graph->count; n++)
    rename_block(&w, n);
  SrSsa ssa = {.m = m, .f = f, .graph = plan->graph, .dom = plan->dom, .arena = arena};
  sr_ssa_init(&ssa);
  sr_copy_values_repair(&values, &ssa, &w.uses, id_of, &w);
  sr_ids_give(m, w.place);
  counts->added_phis += ssa.added_phis;
  return SR_OK;
}
