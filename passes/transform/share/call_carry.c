/* SPDX-License-Identifier: Apache-2.0 */
/* call_carry: see call_carry.h. */
#include "passes/transform/share/call_carry.h"

#include "passes/analysis/graph/frontier.h"
#include "passes/ir/edit.h"
#include "passes/transform/ssa/ssa_lost.h"

typedef struct Carry {
  SrArena *arena;
  SrModule *m;
  SrFunction *f;
  const SrJoinedCalls *calls;
  const SrDom *before; /* dominators in the graph before: each head leads to its tail, and there are
                          no blocks C */
  SrBits *is_call;     /* by block: it is a block C */
  uint32_t *top;       /* by block: the nearest block with a phi that dominates it, or SR_NONE */
  SrSsa ssa;
  uint32_t max_growth;
  uint64_t limit; /* limit on the module's pool of words */
  /* the current value */
  uint32_t id, home; /* its current id, and the block that defines it */
  uint32_t was;      /* the block that defined it in the graph before */
  uint32_t *need;    /* by block: the value at its start is needed if this == ssa.epoch */
  SR_VEC(uint32_t) work, wanted;
} Carry;

static uint32_t name_of(const Carry *k, uint32_t id) {
  uint32_t name = sr_ids_get(k->calls->name, id);
  return name == SR_NONE ? id : name;
}

static bool dominates(const Carry *k, uint32_t a, uint32_t b) {
  return sr_dominates(k->ssa.dom, a, b);
}

/* ---- graphs ---- */

static SrDom *dominators_before(Carry *k) {
  const SrGraph *g = k->ssa.graph;
  SR_VEC(SrEdge) edge = {0};
  SrBits *is_head = sr_bits_new(k->arena, g->count);
  for (uint32_t i = 0; i < k->calls->site.count; i++) {
    const SrJoinedSite *s = &k->calls->site.at[i];
    uint32_t head = sr_block_of(k->m, s->head);
    sr_bit_set(is_head, head);
    SR_PUSH(k->arena, &edge, (SrEdge){head, sr_block_of(k->m, s->tail)});
  }
  for (uint32_t b = 0; b < g->count; b++)
    for (SR_SUCCS(t, g, b))
      if (!sr_bit(is_head, b) && !sr_bit(k->is_call, b))
        SR_PUSH(k->arena, &edge, (SrEdge){b, *t});
  return sr_dom_build(k->arena, sr_graph_new(k->arena, g->count, edge.at, edge.count), 0);
}

static void find_tops(Carry *k) {
  SR_VEC(uint32_t) blocks = {0};
  for (uint32_t b = 0; b < k->ssa.graph->count; b++)
    if (sr_bit(k->is_call, b))
      SR_PUSH(k->arena, &blocks, b);
  const SrDom *dom = k->ssa.dom;
  const SrBits *joins = sr_frontier(k->arena, k->ssa.graph, dom, blocks.at, blocks.count);
  k->top = sr_new_none(k->arena, k->ssa.graph->count);
  for (uint32_t i = 0; i < dom->reached; i++) {
    uint32_t b = dom->preorder[i], up = dom->idom[b];
    if (sr_bit(k->is_call, b) || sr_bit(joins, b))
      k->top[b] = b;
    else if (up != SR_NONE)
      k->top[b] = k->top[up];
  }
}

static void build_graphs(Carry *k) {
  const SrGraph *g = sr_cfg_build(k->arena, k->m, k->f);
  k->ssa = (SrSsa){
      .m = k->m, .f = k->f, .graph = g, .dom = sr_dom_build(k->arena, g, 0), .arena = k->arena};
  sr_ssa_init(&k->ssa);
  k->is_call = sr_bits_new(k->arena, g->count);
  for (uint32_t i = 0; i < k->calls->site.count; i++)
    sr_bit_set(k->is_call, sr_block_of(k->m, k->calls->site.at[i].call));
  k->before = dominators_before(k);
  find_tops(k);
}

/* ---- one value ---- */

static uint32_t need(Carry *k, uint32_t block) {
  if (k->need[block] != k->ssa.epoch) {
    k->need[block] = k->ssa.epoch;
    SR_PUSH(k->arena, &k->work, block);
  }
  return block;
}

/* Sets the value on an edge from block `from`. */
static void set(Carry *k, uint32_t edge, uint32_t from) {
  uint32_t value = dominates(k, k->home, from) ? k->id : SR_VALUE_AT(need(k, k->top[from]));
  sr_ssa_set(&k->ssa, edge, value);
}

static void set_edges(Carry *k) {
  const SrGraph *g = k->ssa.graph;
  while (k->work.count) {
    uint32_t b = SR_POP(&k->work);
    for (uint32_t e = g->pred_at[b]; e < g->pred_at[b + 1]; e++)
      if (sr_dominates(k->before, k->was, g->pred[e]))
        set(k, e, g->pred[e]);
  }
}

static SrStatus check_growth(const Carry *k) {
  if (k->m->pool.count <= k->limit)
    return sr_check_bound(k->m);
  SrWhere where = {.function = sr_function_name(k->m, k->arena, k->f), .word = SR_NONE};
  return sr_fail(
      k->m->diag, SR_BAD_INPUT, where,
      "share-calls would add phis of more than %u %% of its words: raise --max-growth, or "
      "leave the calls as they are",
      k->max_growth);
}

static SrStatus repair_value(void *user, const SrUse *use, uint32_t count) {
  Carry *k = user;
  SrModule *m = k->m;
  uint32_t site = sr_ids_get(k->calls->site_of, use->id);
  k->id = name_of(k, use->id);
  k->home = m->home[k->id];
  k->was = site == SR_NONE ? k->home : sr_block_of(m, k->calls->site.at[site].tail);
  k->wanted.count = 0;
  sr_ssa_begin(&k->ssa);
  for (uint32_t i = 0; i < count; i++)
    SR_PUSH(k->arena, &k->wanted, need(k, k->top[use[i].block]));
  set_edges(k);
  sr_ssa_rewrite(&k->ssa, k->id, use, count, k->wanted.at);
  return check_growth(k);
}

/* ---- names ---- */

static void rename_uses(const Carry *k) {
  const SrModule *m = k->m;
  for (uint32_t b = 0; b < k->f->block_count; b++)
    for (SR_EACH(m, r, k->f->blocks[b].list))
      for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++)
        if (sr_word_is_id(m, r, i))
          sr_words(m, r)[i] = name_of(k, sr_words(m, r)[i]);
}

static void forget(const Carry *k, uint32_t id) {
  k->m->def[id] = k->m->home[id] = SR_NONE;
  k->m->ids_gone = true;
}

/* Drops what was renamed: variables, and results of calls, which are no longer in any block. */
static void drop_renamed(const Carry *k) {
  SrModule *m = k->m;
  SrList *entry = &k->f->blocks[0].list;
  for (SR_EACH_SAFE(m, r, *entry)) {
    uint32_t id = sr_inst(m, r)->result;
    if (!id || name_of(k, id) == id)
      continue;
    sr_remove(m, entry, r);
    forget(k, id);
  }
  for (uint32_t i = 0; i < k->calls->site.count; i++) {
    uint32_t id = k->calls->site.at[i].result;
    if (name_of(k, id) != id)
      forget(k, id);
  }
}

/* ---- all of them ---- */

static SrStatus repair(Carry *k, SrTransformCounts *counts) {
  const SrLost lost = {.ssa = &k->ssa,
                       .names = k->calls->name,
                       .made = &counts->added_instructions,
                       .repair = repair_value,
                       .user = k};
  k->limit = k->m->pool.count + sr_count_words(k->m, k->f) * k->max_growth / 100;
  SR_CHECK(sr_ssa_repair_lost(&lost));
  counts->added_phis += k->ssa.added_phis;
  return SR_OK;
}

SrStatus sr_call_carry(SrArena *arena, SrModule *m, SrFunction *f, const SrJoinedCalls *calls,
                       uint32_t max_growth, SrTransformCounts *counts) {
  Carry k = {.arena = arena, .m = m, .f = f, .calls = calls, .max_growth = max_growth};
  build_graphs(&k);
  k.need = SR_NEW(arena, uint32_t, f->block_count);
  SR_CHECK(repair(&k, counts));
  rename_uses(&k);
  drop_renamed(&k);
  return SR_OK;
}
