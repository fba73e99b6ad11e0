/* SPDX-License-Identifier: Apache-2.0 */
/* loop_carry: see loop_carry.h. */
#include "passes/transform/iterations/loop_carry.h"

#include "passes/ir/edit.h"
#include "passes/transform/ssa/ssa_lost.h"

typedef struct Carry {
  SrArena *arena;
  SrModule *m;
  SrFunction *f;
  const SrLoopPairs *pairs;
  const SrMergedLoops *loops;
  uint32_t *top; /* by new block: see find_tops */
  SrSsa ssa;
  /* the current value */
  uint32_t id, home;            /* its id, and the new block that defines it */
  uint32_t header, inner, exit; /* of its loop: the new blocks H, B and X */
  uint32_t pair;
  bool leaves;    /* it is used after block X */
  uint32_t *need; /* by new block: the value at its start is needed if this == ssa.epoch */
  SR_VEC(uint32_t) work, wanted;
} Carry;

/* ---- places ---- */

/* The pair that a new block belongs to. An added block that separates an edge belongs to the pair
 * of the edge's source, its dominator. */
static uint32_t pair_of(const Carry *k, uint32_t block) {
  uint32_t old = k->loops->old_of[block];
  if (old == SR_NONE && k->ssa.dom->idom[block] != SR_NONE)
    old = k->loops->old_of[k->ssa.dom->idom[block]];
  return old == SR_NONE ? SR_NONE : k->pairs->pair_of[old];
}

/* For paths around the inner loop: finds the first block in the tree of dominators that does not
 * dominate the inner header. On the rest of the path a value is what it is at the start of that
 * block. Paths from the inner loop may join only there: if they joined later, the block would not
 * dominate the rest of the path. */
static void find_tops(Carry *k) {
  const SrDom *dom = k->ssa.dom;
  for (uint32_t i = 0; i < dom->reached; i++) {
    uint32_t b = dom->preorder[i], up = dom->idom[b], pair = pair_of(k, b);
    bool is_top = up == SR_NONE || pair == SR_NONE ||
                  sr_dominates(dom, up, sr_block_of(k->m, k->loops->at[pair].inner));
    k->top[b] = is_top ? b : k->top[up];
  }
}

/* ---- one value ---- */

static bool dominates(const Carry *k, uint32_t a, uint32_t b) {
  return sr_dominates(k->ssa.dom, a, b);
}

static uint32_t need(Carry *k, uint32_t block) {
  if (k->need[block] != k->ssa.epoch) {
    k->need[block] = k->ssa.epoch;
    SR_PUSH(k->arena, &k->work, block);
  }
  return block;
}

/* The block at whose start the value is the same as at the end of `block`, unless the definition
 * dominates that. */
static uint32_t place_of(const Carry *k, uint32_t block) {
  return dominates(k, k->exit, block)    ? k->exit
         : dominates(k, k->inner, block) ? k->inner
                                         : k->top[block];
}

static void set(Carry *k, uint32_t edge, uint32_t from) {
  uint32_t value = dominates(k, k->home, from) ? k->id : SR_VALUE_AT(need(k, place_of(k, from)));
  sr_ssa_set(&k->ssa, edge, value);
}

/* Did the definition dominate block `b` before the change? */
static bool dominated(const Carry *k, uint32_t b) {
  return sr_dominates(k->pairs->dom, k->loops->old_of[k->home], b);
}

/* Is the value needed on this edge to H? */
static bool is_carried(const Carry *k, const SrMergedEdge *e) {
  switch (e->kind) {
  case SR_MERGED_ENTRY:
    return false;
  case SR_MERGED_BACK:
    return k->home != k->inner && dominated(k, e->target);
  default:
    return k->leaves && dominated(k, e->source);
  }
}

static void set_header(Carry *k) {
  const SrMergedLoop *l = &k->loops->at[k->pair];
  const SrGraph *g = k->ssa.graph;
  for (uint32_t i = 0; i < l->edge.count; i++) {
    uint32_t from = sr_block_of(k->m, l->edge.at[i].from);
    for (uint32_t e = g->pred_at[k->header]; e < g->pred_at[k->header + 1]; e++)
      if (g->pred[e] == from && is_carried(k, &l->edge.at[i]))
        set(k, e, from);
  }
}

static void set_edges(Carry *k) {
  const SrGraph *g = k->ssa.graph;
  while (k->work.count) {
    uint32_t b = SR_POP(&k->work);
    if (b == k->header) {
      set_header(k);
      continue;
    }
    for (uint32_t e = g->pred_at[b]; e < g->pred_at[b + 1]; e++)
      set(k, e, g->pred[e]);
  }
}

static SrStatus repair_value(void *user, const SrUse *use, uint32_t count) {
  Carry *k = user;
  SrModule *m = k->m;
  k->id = use->id;
  k->home = m->home[k->id];
  k->pair = k->pairs->pair_of[k->loops->old_of[k->home]];
  const SrMergedLoop *l = &k->loops->at[k->pair];
  k->header = sr_block_of(m, l->header);
  k->inner = sr_block_of(m, l->inner);
  k->exit = sr_block_of(m, l->exit);
  k->leaves = false;
  k->wanted.count = 0;
  sr_ssa_begin(&k->ssa);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t place = place_of(k, use[i].block);
    k->leaves |= place == k->exit;
    SR_PUSH(k->arena, &k->wanted, need(k, place));
  }
  set_edges(k);
  sr_ssa_rewrite(&k->ssa, k->id, use, count, k->wanted.at);
  return sr_check_bound(m);
}

/* ---- all of them ---- */

SrStatus sr_loop_carry(SrArena *arena, SrModule *m, SrFunction *f, const SrLoopPairs *pairs,
                       const SrMergedLoops *loops, SrTransformCounts *counts) {
  Carry k = {.arena = arena, .m = m, .f = f, .pairs = pairs, .loops = loops};
  const SrGraph *g = sr_cfg_build(arena, m, f);
  k.ssa = (SrSsa){.m = m, .f = f, .graph = g, .dom = sr_dom_build(arena, g, 0), .arena = arena};
  k.need = SR_NEW(arena, uint32_t, f->block_count);
  k.top = SR_NEW(arena, uint32_t, f->block_count);
  find_tops(&k);
  sr_ssa_init(&k.ssa);
  const SrLost lost = {
      .ssa = &k.ssa, .made = &counts->added_instructions, .repair = repair_value, .user = &k};
  SR_CHECK(sr_ssa_repair_lost(&lost));
  counts->added_phis += k.ssa.added_phis;
  return SR_OK;
}
