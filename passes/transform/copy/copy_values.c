/* SPDX-License-Identifier: Apache-2.0 */
/* copy_values: see copy_values.h. Cost: for each value its copies, uses, and the joins that come no
 * later than its last use, with their edges; O(n log n). */
#include "passes/transform/copy/copy_values.h"

#include "passes/base/sort.h"
#include "passes/ir/constants.h"

#include <assert.h>

/* ---- frontiers ---- */

typedef SR_VEC(SrEdge) Pairs;

/* Adds join y to the frontiers of all nodes that dominate a predecessor of y, but not y itself. */
static void climb(const SrCopyPlan *p, SrArena *scratch, Pairs *pairs, uint32_t *last, uint32_t y) {
  for (SR_PREDS(from, p->graph, y)) {
    if (*from >= y && !p->uses_first)
      continue; /* a back edge */
    for (uint32_t b = *from; b != p->dom->idom[y] && last[b] != y; b = p->dom->idom[b]) {
      last[b] = y;
      SR_PUSH(scratch, pairs, (SrEdge){b, y});
    }
  }
}

static void find_frontiers(SrCopyValues *v) {
  const SrCopyPlan *p = v->plan;
  SrArena scratch = sr_arena_new(v->arena->heap);
  uint32_t *last = sr_new_none(&scratch, p->graph->count);
  Pairs pairs = {0};
  for (uint32_t y = 0; y < p->graph->count; y++)
    if (sr_pred_count(p->graph, y) > 1)
      climb(p, &scratch, &pairs, last, y);
  const SrGraph *rows = sr_graph_new(v->arena, p->graph->count, pairs.at, pairs.count);
  v->frontier_at = rows->succ_at;
  v->frontier = rows->succ;
  sr_arena_free(&scratch);
}

static void find_nodes(SrCopyValues *v) {
  const SrCopyPlan *p = v->plan;
  v->nodes_at = SR_NEW(v->arena, uint32_t, (size_t)p->old->count + 2);
  v->nodes = SR_NEW_RAW(v->arena, uint32_t, p->graph->count);
  for (uint32_t n = 0; n < p->graph->count; n++)
    v->nodes_at[p->block[n] + 2]++;
  for (uint32_t b = 2; b < p->old->count + 2; b++)
    v->nodes_at[b] += v->nodes_at[b - 1];
  for (uint32_t n = 0; n < p->graph->count; n++)
    v->nodes[v->nodes_at[p->block[n] + 1]++] = n;
}

SrCopyValues sr_copy_values_new(SrModule *m, SrFunction *f, SrArena *arena,
                                const SrCopyPlan *plan) {
  SrCopyValues v = {.m = m, .f = f, .arena = arena, .plan = plan, .marks = {.dom = plan->dom}};
  find_nodes(&v);
  find_frontiers(&v);
  v.seen = SR_NEW(arena, uint32_t, plan->graph->count);
  return v;
}

/* ---- marks ---- */

static bool is_copied(const SrCopyValues *v, uint32_t block) {
  return v->nodes_at[block + 1] - v->nodes_at[block] > 1;
}

static bool defines(const SrCopyValues *v, uint32_t block, uint32_t node) {
  return v->plan->block[node] == block;
}

static void mark(SrCopyValues *v, uint32_t node, uint32_t last) {
  if (node > last || v->seen[node] == v->epoch)
    return;
  v->seen[node] = v->epoch;
  SR_PUSH(v->arena, &v->marks.block, node);
}

/* Finds the nodes of `block`, and the joins of their values, no later than node `last`. */
static void find_marks(SrCopyValues *v, uint32_t block, uint32_t last) {
  v->epoch++;
  v->marks.block.count = 0;
  for (SR_ROW(n, v->nodes_at, v->nodes, block))
    mark(v, *n, last);
  for (uint32_t i = 0; i < v->marks.block.count; i++)
    for (SR_ROW(y, v->frontier_at, v->frontier, v->marks.block.at[i]))
      mark(v, *y, last);
  sr_dom_set_sort(v->arena, &v->marks);
}

/* The nearest mark that dominates the end of the node, or SR_NONE. */
static uint32_t nearest(const SrCopyValues *v, uint32_t node) {
  uint32_t i = sr_dom_set_nearest(&v->marks, node);
  return i == SR_NONE ? SR_NONE : v->marks.block.at[i];
}

/* ---- values that no phi may hold ---- */

/* Does a use in `block` need a phi, in any of its copies? */
static bool needs_phi(const SrCopyValues *v, uint32_t home, uint32_t block) {
  for (SR_ROW(n, v->nodes_at, v->nodes, block))
    if (!defines(v, home, nearest(v, *n)))
      return true;
  return false;
}

static int by_id(const void *a, const void *b) {
  const SrUse *x = a, *y = b;
  if (x->id != y->id)
    return x->id < y->id ? -1 : 1;
  return (x->inst > y->inst) - (x->inst < y->inst);
}

static int by_place(const void *a, const void *b) {
  const SrUse *x = a, *y = b;
  if (x->block != y->block)
    return x->block < y->block ? -1 : 1;
  return (x->inst > y->inst) - (x->inst < y->inst);
}

static void note_fixed(const SrCopyValues *v, SrRef inst, uint32_t word, uint32_t block,
                       SrUses *uses) {
  SrModule *m = v->m;
  uint32_t id = sr_words(m, inst)[word], home = m->home[id];
  if (home == SR_NONE || home == block || !is_copied(v, home) || sr_def_op(m, id) == SpvOpLabel)
    return;
  if (!sr_type_can_phi(m, sr_inst(m, sr_def(m, id))->type))
    SR_PUSH(v->arena, uses, (SrUse){id, inst, word, block});
}

/* Finds the uses of values that copied blocks define and no phi may hold, in other blocks. (A phi
 * of the input that takes such a value is not valid, and stays unchanged.) */
static void find_fixed(const SrCopyValues *v, SrUses *uses) {
  for (uint32_t b = 0; b < v->f->block_count; b++) {
    if (v->plan->node[b] == SR_NONE)
      continue; /* unreachable */
    for (SR_EACH(v->m, i, v->f->blocks[b].list))
      for (uint32_t w = sr_inst(v->m, i)->first; w < sr_word_count(v->m, i); w++)
        if (sr_inst(v->m, i)->op != SpvOpPhi && sr_word_is_id(v->m, i, w))
          note_fixed(v, i, w, b, uses);
  }
}

/* Keeps only the uses that need a phi. */
static void keep_joined(SrCopyValues *v, SrUses *uses) {
  uint32_t kept = 0;
  sr_sort(v->arena, uses->at, uses->count, sizeof *uses->at, by_id);
  for (uint32_t i = 0; i < uses->count; i++) {
    uint32_t home = v->m->home[uses->at[i].id];
    if (i == 0 || uses->at[i].id != uses->at[i - 1].id)
      find_marks(v, home, v->plan->graph->count);
    if (needs_phi(v, home, uses->at[i].block))
      uses->at[kept++] = uses->at[i];
  }
  uses->count = kept;
  sr_sort(v->arena, uses->at, kept, sizeof *uses->at, by_place);
}

/* Each round rematerializes the operands of what the previous round rematerialized, so the number
 * of rounds is the length of the longest chain of address computations. */
SrStatus sr_copy_values_rematerialize(SrCopyValues *v, uint32_t *made) {
  SrSsa ssa = {.m = v->m, .f = v->f, .graph = v->plan->old, .arena = v->arena};
  ssa.dom = sr_dom_build(v->arena, v->plan->old, 0);
  for (;;) {
    SrUses uses = {0};
    find_fixed(v, &uses);
    keep_joined(v, &uses);
    if (uses.count == 0)
      return SR_OK;
    SR_CHECK(sr_ssa_rematerialize(&ssa, &uses, made));
  }
}

/* ---- all others ---- */

typedef struct Repair {
  SrCopyValues *v;
  SrSsa *ssa;
  uint32_t (*id_of)(const void *user, uint32_t id, uint32_t node);
  const void *user;
  SR_VEC(uint32_t) wanted;
} Repair;

/* Sets the value on the edges into its joins. */
static void set_edges(Repair *k, uint32_t id, uint32_t home) {
  SrCopyValues *v = k->v;
  const SrGraph *g = v->plan->graph;
  for (uint32_t i = 0; i < v->marks.block.count; i++) {
    uint32_t y = v->marks.block.at[i];
    if (defines(v, home, y))
      continue;
    for (uint32_t e = g->pred_at[y]; e < g->pred_at[y + 1]; e++) {
      uint32_t at = nearest(v, g->pred[e]);
      if (at != SR_NONE)
        sr_ssa_set(k->ssa, e, defines(v, home, at) ? k->id_of(k->user, id, at) : SR_VALUE_AT(at));
    }
  }
}

static void repair(Repair *k, SrUse *use, uint32_t count) {
  SrCopyValues *v = k->v;
  uint32_t id = use->id, home = v->plan->block[v->m->home[id]], last = 0;
  uint32_t type = sr_inst(v->m, sr_def(v->m, id))->type;
  for (uint32_t i = 0; i < count; i++)
    last = use[i].block > last ? use[i].block : last;
  find_marks(v, home, v->plan->uses_first ? v->plan->graph->count : last);
  k->wanted.count = 0;
  for (uint32_t i = 0; i < count; i++) {
    use[i].block = nearest(v, use[i].block);
    assert(use[i].block != SR_NONE);
    if (defines(v, home, use[i].block))
      sr_words(v->m, use[i].inst)[use[i].word] = k->id_of(k->user, id, use[i].block);
    else
      SR_PUSH(v->arena, &k->wanted, use[i].block);
  }
  if (k->wanted.count == 0)
    return;
  sr_ssa_begin(k->ssa);
  set_edges(k, id, home);
  sr_ssa_solve(k->ssa, k->wanted.at, k->wanted.count);
  sr_ssa_make_phis(k->ssa, type, sr_kept(v->m, id));
  for (uint32_t i = 0; i < count; i++)
    if (!defines(v, home, use[i].block))
      sr_words(v->m, use[i].inst)[use[i].word] = sr_ssa_id(k->ssa, use[i].block, type);
}

void sr_copy_values_repair(SrCopyValues *v, SrSsa *ssa, SrUses *uses,
                           uint32_t (*id_of)(const void *user, uint32_t id, uint32_t node),
                           const void *user) {
  Repair k = {.v = v, .ssa = ssa, .id_of = id_of, .user = user};
  sr_sort(v->arena, uses->at, uses->count, sizeof *uses->at, by_id);
  for (uint32_t i = 0, j; i < uses->count; i = j) {
    for (j = i + 1; j < uses->count && uses->at[j].id == uses->at[i].id; j++)
      ;
    repair(&k, &uses->at[i], j - i);
  }
}
