/* SPDX-License-Identifier: Apache-2.0 */
/* expansion: see expansion.h. In the graph without back edges, node count + c is the sink of cycle
 * c. */
#include "passes/analysis/graph/expansion.h"
#include "passes/analysis/graph/dom.h"

/* A join before the immediate post-dominator of its branch; the flood stops at `end`. */
typedef struct Join {
  uint32_t block, end;
} Join;

typedef SR_VEC(SrEdge) Edges;
typedef SR_VEC(Join) Joins;

/* By block: the cycle of which it is the header, or SR_NONE. */
static uint32_t *headers(SrArena *arena, const SrGraph *g, const SrNest *n) {
  uint32_t *header = sr_new_none(arena, g->count);
  for (uint32_t c = 0; c < n->cycle_count; c++)
    header[n->cycles[c].header] = c;
  return header;
}

static SrGraph *without_back_edges(SrArena *arena, const SrGraph *g, const SrNest *n) {
  uint32_t *header = headers(arena, g, n);
  Edges edges = {0};
  for (uint32_t r = 0; r < n->count; r++)
    for (SR_SUCCS(t, g, n->order[r])) {
      uint32_t to = n->rank[*t] > r ? *t : g->count + header[*t];
      SR_PUSH(arena, &edges, (SrEdge){n->order[r], to});
    }
  return sr_graph_new(arena, g->count + n->cycle_count, edges.at, edges.count);
}

/* The joins that come before the immediate post-dominator of their branch. */
static Joins find_joins(SrArena *arena, const SrGraph *g, const SrNest *n, const SrDom *pdom) {
  const SrGraph *forward = without_back_edges(arena, g, n);
  const SrDom *dom = sr_dom_build(arena, forward, 0);
  Joins joins = {0};
  for (uint32_t x = 0; x < g->count; x++) {
    uint32_t d = dom->idom[x];
    if (sr_pred_count(forward, x) > 1 && d != SR_NONE && pdom->idom[d] != x)
      SR_PUSH(arena, &joins, (Join){x, pdom->idom[d]});
  }
  return joins;
}

/* Joins in the order of their ends in the post-dominator tree, ancestors first. */
static Joins sort_joins(SrArena *arena, const Joins *joins, const SrDom *pdom) {
  uint32_t *at = SR_NEW(arena, uint32_t, (size_t)pdom->count + 1);
  Joins sorted = {0};
  SR_RESERVE(arena, &sorted, joins->count);
  for (uint32_t i = 0; i < joins->count; i++)
    at[pdom->enter[joins->at[i].end] + 1]++;
  for (uint32_t i = 1; i <= pdom->count; i++)
    at[i] += at[i - 1];
  for (uint32_t i = 0; i < joins->count; i++)
    sorted.at[at[pdom->enter[joins->at[i].end]]++] = joins->at[i];
  sorted.count = joins->count;
  return sorted;
}

/* Adds the blocks that the join reaches before its end. Blocks already in the area were flooded up
 * to an end after this one. */
static void flood(const SrGraph *g, const SrNest *n, Join join, SrBits *area, uint32_t *stack) {
  uint32_t depth = 0;
  if (sr_bit(area, join.block))
    return;
  stack[depth++] = join.block;
  sr_bit_set(area, join.block);
  while (depth) {
    uint32_t b = stack[--depth];
    for (SR_SUCCS(t, g, b))
      if (*t != join.end && n->rank[*t] > n->rank[b] && !sr_bit(area, *t)) {
        sr_bit_set(area, *t);
        stack[depth++] = *t;
      }
  }
}

SrBits *sr_expansion_area(SrArena *arena, const SrGraph *g, const SrNest *nest) {
  SrBits *area = sr_bits_new(arena, g->count);
  SrArena scratch = sr_arena_new(arena->heap);
  const SrDom *pdom = sr_dom_build(&scratch, sr_graph_reverse_with_exit(&scratch, g), g->count);
  Joins found = find_joins(&scratch, g, nest, pdom);
  Joins joins = sort_joins(&scratch, &found, pdom);
  uint32_t *stack = SR_NEW_RAW(&scratch, uint32_t, g->count);
  for (uint32_t i = 0; i < joins.count; i++)
    flood(g, nest, joins.at[i], area, stack);
  sr_arena_free(&scratch);
  return area;
}
