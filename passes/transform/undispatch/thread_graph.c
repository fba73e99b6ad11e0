/* SPDX-License-Identifier: Apache-2.0 */
/* thread_graph: see thread_graph.h. */
#include "passes/transform/undispatch/thread_graph.h"

#include "passes/base/sort.h"
#include "passes/ir/integer.h"
#include "passes/transform/undispatch/selector_value.h"

/* Limit on the instructions of an empty block besides phis, because each path through it computes
 * them. */
enum { MOST_CODE = 32 };

/* ---- which blocks are empty ---- */

static void note_uses(SrThreadGraph *t, SrIdTable *outside) {
  const SrModule *m = t->m;
  for (uint32_t b = 0; b < t->f->block_count; b++)
    for (SR_EACH(m, r, t->f->blocks[b].list))
      for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++) {
        uint32_t id = sr_words(m, r)[i];
        if (sr_word_is_id(m, r, i) && m->home[id] != SR_NONE &&
            (m->home[id] != b || sr_inst(m, r)->op == SpvOpPhi) && sr_def_op(m, id) != SpvOpLabel)
          sr_ids_set(outside, id, 1);
      }
}

static bool only_steers(const SrThreadGraph *t, const SrIdTable *outside, uint32_t b) {
  const SrModule *m = t->m;
  const SrBlock *block = &t->f->blocks[b];
  SrRef end = sr_terminator(block);
  uint16_t op = sr_inst(m, end)->op;
  uint32_t code = 0;
  if (b == 0 || t->nest->rank[b] == SR_NONE ||
      (op != SpvOpBranch && op != SpvOpBranchConditional && op != SpvOpSwitch))
    return false;
  for (SR_EACH(m, r, block->list)) {
    const SrInst *in = sr_inst(m, r);
    if (r == end || in->op == SpvOpLabel || in->op == SpvOpPhi || in->op == SpvOpSelectionMerge ||
        in->op == SpvOpLoopMerge || in->op == SpvOpNop ||
        (sr_is_debug_line(in) && !sr_prints(m, r)))
      continue;
    if (!sr_selector_is_computed(m, r) || sr_ids_get(outside, in->result) != SR_NONE ||
        ++code > MOST_CODE)
      return false;
  }
  return true;
}

static void classify(SrThreadGraph *t) {
  SrIdTable *outside = sr_ids_take(t->m);
  note_uses(t, outside);
  t->empty = sr_bits_new(t->arena, t->g->count);
  t->exports = sr_bits_new(t->arena, t->g->count);
  t->decides = sr_bits_new(t->arena, t->g->count);
  for (uint32_t b = 0; b < t->g->count; b++) {
    if (only_steers(t, outside, b))
      sr_bit_set(t->empty, b);
    if (sr_succ_count(t->g, b) > 1)
      sr_bit_set(t->decides, b);
    for (SR_EACH(t->m, r, t->f->blocks[b].list)) {
      uint32_t id = sr_inst(t->m, r)->result;
      if (id && sr_ids_get(outside, id) != SR_NONE)
        sr_bit_set(t->exports, b);
    }
  }
  sr_ids_give(t->m, outside);
}

/* ---- phis ---- */

uint32_t *sr_thread_graph_preds(SrArena *arena, const SrGraph *g) {
  const uint32_t *slot = sr_graph_pred_slots(arena, g);
  uint32_t *pred = SR_NEW_RAW(arena, uint32_t, g->succ_at[g->count]);
  for (uint32_t b = 0; b < g->count; b++)
    for (uint32_t e = g->pred_at[b]; e < g->pred_at[b + 1]; e++)
      pred[g->succ_at[g->pred[e]] + slot[e]] = e - g->pred_at[b];
  return pred;
}

static void read_phi(SrThreadGraph *t, SrRef r, uint32_t *operand, const uint32_t *slot_of) {
  const SrModule *m = t->m;
  const uint32_t *w = sr_words(m, r);
  for (uint32_t i = 3; i + 1 < w[0] >> 16; i += 2) {
    uint32_t from = sr_block_of(m, w[i + 1]);
    if (from != SR_NONE && slot_of[from] != SR_NONE)
      operand[slot_of[from]] = w[i];
  }
}

static void read_phis(SrThreadGraph *t) {
  const SrModule *m = t->m;
  const SrGraph *g = t->g;
  uint32_t *slot_of = sr_new_none(t->arena, g->count); /* by block: place among the predecessors */
  SR_VEC(SrRef) phi = {0};
  SR_VEC(uint32_t) at = {0};
  uint32_t words = 0;
  t->phi_at = SR_NEW(t->arena, uint32_t, (size_t)g->count + 1);
  for (uint32_t b = 0; b < g->count; b++) {
    for (SR_EACH(m, r, t->f->blocks[b].list))
      if (sr_inst(m, r)->op == SpvOpPhi) {
        SR_PUSH(t->arena, &phi, r);
        SR_PUSH(t->arena, &at, words);
        words += sr_pred_count(g, b);
      }
    t->phi_at[b + 1] = phi.count;
  }
  t->phi = phi.at;
  t->operand_at = at.at;
  t->operand = SR_NEW(t->arena, uint32_t, words);
  for (uint32_t b = 0; b < g->count; b++) {
    if (t->phi_at[b] == t->phi_at[b + 1])
      continue;
    for (uint32_t e = g->pred_at[b]; e < g->pred_at[b + 1]; e++)
      slot_of[g->pred[e]] = e - g->pred_at[b];
    for (uint32_t i = t->phi_at[b]; i < t->phi_at[b + 1]; i++)
      read_phi(t, t->phi[i], &t->operand[t->operand_at[i]], slot_of);
    for (SR_PREDS(p, g, b))
      slot_of[*p] = SR_NONE;
  }
}

/* ---- switches ---- */

static int by_literal(const void *a, const void *b) {
  const SrThreadCase *x = a, *y = b;
  return (x->literal > y->literal) - (x->literal < y->literal);
}

static void read_switches(SrThreadGraph *t) {
  const SrModule *m = t->m;
  const SrGraph *g = t->g;
  uint32_t *slot_of = SR_NEW_RAW(t->arena, uint32_t, g->count);
  SR_VEC(SrThreadCase) cases = {0};
  t->case_at = SR_NEW(t->arena, uint32_t, (size_t)g->count + 1);
  for (uint32_t b = 0; b < g->count; b++) {
    SrRef end = sr_terminator(&t->f->blocks[b]);
    uint32_t first = cases.count;
    if (sr_inst(m, end)->op == SpvOpSwitch) {
      const uint32_t *w = sr_words(m, end);
      uint32_t type = sr_inst(m, sr_def(m, w[1]))->type;
      uint32_t step = sr_integer_width(m, type) > 32 ? 3 : 2;
      for (uint32_t e = g->succ_at[b]; e < g->succ_at[b + 1]; e++)
        slot_of[g->succ[e]] = e - g->succ_at[b];
      for (uint32_t i = 3; i + step <= w[0] >> 16; i += step) {
        SrInteger literal = {0};
        sr_integer_read(m, type, w + i, &literal);
        SR_PUSH(t->arena, &cases,
                (SrThreadCase){literal.bits, slot_of[sr_block_of(m, w[i + step - 1])]});
      }
      if (cases.count > first)
        sr_sort(t->arena, &cases.at[first], cases.count - first, sizeof *cases.at, by_literal);
    }
    t->case_at[b + 1] = cases.count;
  }
  t->cases = cases.at;
}

uint32_t sr_thread_graph_case(const SrThreadGraph *t, uint32_t block, uint64_t selector) {
  uint32_t low = t->case_at[block], high = t->case_at[block + 1];
  while (low < high) {
    uint32_t i = low + (high - low) / 2;
    if (t->cases[i].literal < selector)
      low = i + 1;
    else
      high = i;
  }
  if (low < t->case_at[block + 1] && t->cases[low].literal == selector)
    return t->cases[low].slot;
  const uint32_t *w = sr_words(t->m, sr_terminator(&t->f->blocks[block]));
  return sr_thread_graph_slot(t, block, sr_block_of(t->m, w[2]));
}

/* The targets of an OpBranchConditional, and the default of an OpSwitch, are among the first
 * two. */
uint32_t sr_thread_graph_slot(const SrThreadGraph *t, uint32_t block, uint32_t target) {
  uint32_t slot = 0;
  while (t->g->succ[t->g->succ_at[block] + slot] != target)
    slot++;
  return slot;
}

SrThreadGraph *sr_thread_graph_new(SrArena *arena, SrModule *m, SrFunction *f) {
  SrThreadGraph *t = SR_NEW(arena, SrThreadGraph, 1);
  *t = (SrThreadGraph){.m = m, .f = f, .arena = arena};
  t->g = sr_cfg_build(arena, m, f);
  t->nest = sr_nest_build(arena, t->g);
  classify(t);
  t->pred_slot = sr_thread_graph_preds(arena, t->g);
  read_phis(t);
  read_switches(t);
  return t;
}
