/* SPDX-License-Identifier: Apache-2.0 */
/* meld_side: see meld_side.h. */
#include "passes/transform/meld/meld_side.h"

#include "passes/analysis/uniform/cross_lane.h"
#include "passes/analysis/uniform/speculate.h"
#include "passes/ir/constants.h"
#include "passes/ir/integer.h"
#include "passes/source/source_walk.h"
#include "passes/transform/meld/meld_cost.h"
#include "passes/transform/ssa/ssa_rematerialize.h"

bool sr_meld_in_side(const SrMeld *k, const SrMeldSide *s, uint32_t id) {
  uint32_t home = id < sr_bound(k->m) ? k->m->home[id] : SR_NONE;
  return home != SR_NONE && home < k->graph->count && sr_def_op(k->m, id) != SpvOpFunction &&
         k->mark[home] == s->stamp;
}

/* ---- instructions ---- */

/* Is the value bound to its place: no phi may hold it, and it cannot be rematerialized after a
 * guard? */
static bool is_bound(SrModule *m, SrRef r) {
  const SrInst *in = sr_inst(m, r);
  return in->type && sr_def_op(m, in->type) != SpvOpTypeVoid && !sr_type_can_phi(m, in->type) &&
         !sr_ssa_can_rematerialize(m, r);
}

static bool is_merge(uint16_t op) {
  return op == SpvOpSelectionMerge || op == SpvOpLoopMerge;
}

/* Does meld move the instruction? It does unless it is a label, phi, merge, terminator or debug
 * line. */
static bool is_item(const SrModule *m, SrRef r) {
  const SrInst *in = sr_inst(m, r);
  return in->op != SpvOpLabel && in->op != SpvOpPhi && in->op != SpvOpNop && !is_merge(in->op) &&
         !sr_is_terminator(in->op) && (!sr_is_debug_line(in) || sr_prints(m, r));
}

/* Is the result undefined for some operands? Lanes of the other side may have any operands. */
static bool has_range(const SrModule *m, SrRef r) {
  uint32_t from;
  SrInteger ignored;
  switch (sr_inst(m, r)->op) {
  case SpvOpShiftLeftLogical:
  case SpvOpShiftRightLogical:
  case SpvOpShiftRightArithmetic:
  case SpvOpBitFieldSExtract:
  case SpvOpBitFieldUExtract:
    from = 4;
    break;
  case SpvOpBitFieldInsert:
    from = 5;
    break;
  default:
    return false;
  }
  for (uint32_t i = from; i < sr_word_count(m, r); i++)
    if (!sr_integer_constant(m, sr_words(m, r)[i], &ignored))
      return true;
  return false;
}

/* Adds the block to the side, its instructions to `items`. */
static bool add_block(SrMeld *k, SrMeldSide *s, uint32_t b, SrMeldItems *items) {
  SrModule *m = k->m;
  SrBlock *block = &k->f->blocks[b];
  if (k->mark[b] == s->stamp || sr_bit(k->touched, b))
    return false;
  k->mark[b] = s->stamp;
  SR_PUSH(k->arena, &s->block, b);
  s->cost += SR_MELD_BRANCH;
  SrApplied applied = SR_NOT_APPLIED;
  for (SR_EACH(m, r, block->list)) {
    if (k->work == 0 || is_bound(m, r))
      return false;
    k->work--;
    sr_applied_step(m, r, &applied);
    if (!is_item(m, r))
      continue;
    SrMeldItem item = {.inst = r, .block = b, .cost = sr_meld_cost(m, r), .applied = applied};
    item.guarded = item.cost > SR_MELD_CHEAP || !sr_may_speculate(m, r) || has_range(m, r);
    s->cost += item.cost;
    SR_PUSH(k->arena, items, item);
  }
  k->end_line[b] = applied;
  if (!sr_has_cross_lane(m, k->cross_lane, block))
    return true;
  k->apart = k->apart == SR_NONE ? block->id : k->apart;
  return false;
}

/* ---- regions ---- */

enum { STOP = INT32_MAX, SELECTION = 1, LOOP };

/* The outermost cycle that block b heads and that does not hold the branch; SR_NONE: none. *odd:
 * whether there is a cycle that b does not head, or that has several entries. */
static uint32_t cycle_of(SrMeld *k, uint32_t branch, uint32_t b, bool *odd) {
  uint32_t found = SR_NONE;
  for (uint32_t c = k->nest->inner[b]; c != SR_NONE && !sr_cycle_has(k->nest, c, branch);
       c = k->nest->cycles[c].parent) {
    found = c;
    k->work -= k->work > 0;
  }
  *odd = found != SR_NONE &&
         (k->nest->cycles[found].header != b || k->nest->cycles[found].entries > 1);
  return found;
}

static bool is_part(const SrMeld *k, const SrMeldSide *s, const SrMeldRegion *r, uint32_t b) {
  return k->mark[b] == s->stamp && k->number[b] < r->parts &&
         s->part.at[r->part + k->number[b]].block == b;
}

/* The number of a label in the region's shape; SR_NONE: it is elsewhere. */
static uint32_t number_of(const SrMeld *k, const SrMeldSide *s, const SrMeldRegion *r,
                          uint32_t label) {
  uint32_t b = sr_block_of(k->m, label);
  if (b == r->stop)
    return STOP;
  return is_part(k, s, r, b) ? k->number[b] : SR_NONE;
}

static bool sign_label(SrMeld *k, SrMeldSide *s, const SrMeldRegion *r, uint32_t label) {
  uint32_t number = number_of(k, s, r, label);
  SR_PUSH(k->arena, &s->sign, number);
  return number != SR_NONE;
}

/* Adds how block b ends to the shape: its merge instruction and terminator. */
static bool sign_end(SrMeld *k, SrMeldSide *s, const SrMeldRegion *r, uint32_t b) {
  const SrModule *m = k->m;
  SrRef end[2] = {sr_merge_inst(m, &k->f->blocks[b]), sr_terminator(&k->f->blocks[b])};
  for (int i = 0; i < 2; i++) {
    if (end[i] == SR_NONE)
      continue;
    SR_PUSH(k->arena, &s->sign, sr_words(m, end[i])[0]);
    for (uint32_t w = 1; w < sr_word_count(m, end[i]); w++) {
      uint32_t word = sr_words(m, end[i])[w];
      if (!sr_word_is_id(m, end[i], w))
        SR_PUSH(k->arena, &s->sign, word);
      else if (sr_def_op(m, word) == SpvOpLabel && !sign_label(k, s, r, word))
        return false;
    }
  }
  return true;
}

/* Must a structured region have a merge instruction at its start that names its end? */
static bool merges_at_stop(const SrMeld *k, const SrMeldRegion *r, uint32_t head) {
  SrRef merge = sr_merge_inst(k->m, &k->f->blocks[head]);
  if (merge == SR_NONE)
    return !k->structured;
  return sr_block_of(k->m, sr_words(k->m, merge)[1]) == r->stop &&
         (sr_inst(k->m, merge)->op == SpvOpLoopMerge) == r->loop;
}

static bool add_part(SrMeld *k, SrMeldSide *s, SrMeldRegion *r, uint32_t b) {
  SrMeldPart part = {.block = b, .first = s->inner.count};
  if (!add_block(k, s, b, &s->inner))
    return false;
  part.count = s->inner.count - part.first;
  k->number[b] = r->parts++;
  SR_PUSH(k->arena, &s->part, part);
  return true;
}

/* Adds the blocks from `head` to the stop in the order in which a depth-first search finds them. */
static bool add_parts(SrMeld *k, SrMeldSide *s, SrMeldRegion *r, uint32_t head) {
  SR_VEC(uint32_t) work = {0};
  if (r->loop)
    SR_PUSH(k->arena, &work, head);
  else
    for (uint32_t i = k->graph->succ_at[head + 1]; i-- > k->graph->succ_at[head];)
      SR_PUSH(k->arena, &work, k->graph->succ[i]);
  while (work.count) {
    uint32_t b = SR_POP(&work);
    if (b == r->stop || is_part(k, s, r, b))
      continue;
    if (!add_part(k, s, r, b))
      return false;
    for (uint32_t i = k->graph->succ_at[b + 1]; i-- > k->graph->succ_at[b];)
      SR_PUSH(k->arena, &work, k->graph->succ[i]);
  }
  return true;
}

/* `head`: the chain block that heads the loop, or ends with the selection's branch. */
static bool add_region(SrMeld *k, SrMeldSide *s, SrMeldRegion r, uint32_t head) {
  uint32_t before = s->cost;
  r.part = s->part.count;
  r.sign = s->sign.count;
  SR_PUSH(k->arena, &s->sign, r.loop ? LOOP : SELECTION);
  if (!merges_at_stop(k, &r, head) || !add_parts(k, s, &r, head))
    return false;
  if (!r.loop && !sign_end(k, s, &r, head))
    return false;
  for (uint32_t i = 0; i < r.parts; i++)
    if (!sign_end(k, s, &r, s->part.at[r.part + i].block))
      return false;
  r.signs = s->sign.count - r.sign;
  r.cost = s->cost - before;
  SrMeldItem item = {.inst = SR_NONE, .region = s->region.count, .cost = r.cost, .guarded = true};
  SR_PUSH(k->arena, &s->region, r);
  SR_PUSH(k->arena, &s->top, item);
  return true;
}

/* ---- the chain ---- */

/* The only predecessor outside of the loop of a loop's header; SR_NONE: there are several. */
static uint32_t outside_pred(const SrMeld *k, uint32_t cycle, uint32_t head) {
  uint32_t found = SR_NONE, count = 0;
  for (SR_PREDS(p, k->graph, head))
    if (!sr_cycle_has(k->nest, cycle, *p)) {
      found = *p;
      count++;
    }
  return count == 1 ? found : SR_NONE;
}

/* Adds chain block b and what follows it; *next: the next chain block. */
static bool add_link(SrMeld *k, SrMeldSide *s, uint32_t branch, uint32_t b, bool after_region,
                     uint32_t *next, bool *is_region) {
  bool odd;
  uint32_t cycle = cycle_of(k, branch, b, &odd);
  *next = k->pdom->idom[b];
  while (cycle != SR_NONE && *next != k->graph->count && sr_cycle_has(k->nest, cycle, *next)) {
    *next = k->pdom->idom[*next];
    k->work -= k->work > 0;
  }
  if (odd || *next == SR_NONE || *next == k->graph->count || k->work == 0)
    return false;
  *is_region = cycle != SR_NONE || sr_succ_count(k->graph, b) != 1;
  SrMeldRegion r = {.loop = cycle != SR_NONE, .pre = b, .stop = *next};
  if (r.loop) {
    r.pre = outside_pred(k, cycle, b);
    return r.pre != SR_NONE && !after_region && add_region(k, s, r, b);
  }
  if (!*is_region &&
      sr_merge_inst(k->m, &k->f->blocks[b]) != SR_NONE) /* a loop that never repeats */
    return false;
  if ((!after_region && sr_has_phis(k->m, &k->f->blocks[b])) || !add_block(k, s, b, &s->top))
    return false;
  k->number[b] = SR_NONE;
  return !*is_region || add_region(k, s, r, b);
}

/* Is the side entered only by the branch? */
static bool is_closed(const SrMeld *k, const SrMeldSide *s, uint32_t branch, uint32_t entry) {
  for (uint32_t i = 0; i < s->block.count; i++) {
    uint32_t b = s->block.at[i];
    for (SR_PREDS(p, k->graph, b))
      if (k->mark[*p] != s->stamp && !(b == entry && *p == branch))
        return false;
  }
  return true;
}

bool sr_meld_side(SrMeld *k, uint32_t branch, uint32_t entry, uint32_t join, SrMeldSide *s) {
  *s = (SrMeldSide){.stamp = ++k->stamp};
  bool region = false;
  for (uint32_t b = entry, next; b != join; b = next) {
    s->last = b;
    if (!add_link(k, s, branch, b, region, &next, &region))
      return false;
  }
  return !region && is_closed(k, s, branch, entry);
}
