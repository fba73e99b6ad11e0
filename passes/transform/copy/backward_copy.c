/* SPDX-License-Identifier: Apache-2.0 */
/* backward_copy: see backward_copy.h. Each round peels the outermost irreducible cycles; then the
 * nest is built again. */
#include "passes/transform/copy/backward_copy.h"
#include "passes/analysis/graph/cycle.h"

typedef struct Round {
  SrArena scratch;
  SrCopyGraph *c;
  SrGrowth *growth;
  SrBackwardCopies *done;
  const SrNest *nest;
  uint32_t *copy; /* by node: its copy of this round, or SR_NONE */
  SR_VEC(uint32_t) work;
  SR_VEC(SrEdge) edges;
} Round;

static bool has_node(const Round *r, uint32_t cycle, uint32_t node) {
  return sr_cycle_has(r->nest, cycle, node);
}

static SrStatus copy_node(Round *r, SrArena *arena, uint32_t node) {
  if (r->copy[node] != SR_NONE)
    return SR_OK;
  uint32_t block = r->c->block.at[node];
  SR_CHECK(sr_growth_add(r->growth, r->c->size[block]));
  r->copy[node] = r->c->block.count;
  SR_PUSH(arena, &r->c->block, block);
  SR_PUSH(&r->scratch, &r->work, node);
  return SR_OK;
}

/* Copies the blocks of the cycle that the other entries reach before the header. Lanes that come
 * from the copy meet others at the header, so all blocks of the cycle count as touched
 * (sr_growth_touch). */
static SrStatus peel(Round *r, SrArena *arena, uint32_t cycle) {
  const SrCycle *k = &r->nest->cycles[cycle];
  const SrGraph *g = r->c->graph;
  for (uint32_t rank = k->first; rank <= k->last; rank++) {
    uint32_t node = r->nest->order[rank], entered = 0;
    SR_CHECK(sr_growth_touch(r->growth, r->c->block.at[node]));
    for (SR_PREDS(p, g, node))
      entered += r->nest->rank[*p] != SR_NONE && !has_node(r, cycle, *p);
    if (node == k->header || !entered)
      continue;
    r->done->entries++;
    r->done->in_edges += entered;
    SR_CHECK(copy_node(r, arena, node));
  }
  while (r->work.count) {
    uint32_t node = SR_POP(&r->work);
    for (SR_SUCCS(t, g, node))
      if (has_node(r, cycle, *t) && *t != k->header)
        SR_CHECK(copy_node(r, arena, *t));
  }
  return SR_OK;
}

static bool is_irreducible(const Round *r, uint32_t cycle) {
  return r->nest->cycles[cycle].entries > 1;
}

/* By node: the outermost irreducible cycle around it, or SR_NONE. */
static uint32_t *find_peeled(Round *r, bool *any) {
  uint32_t *outer = sr_new_none(&r->scratch, r->nest->cycle_count);
  uint32_t *of = sr_new_none(&r->scratch, r->c->graph->count);
  for (uint32_t c = 0; c < r->nest->cycle_count; c++) {
    uint32_t parent = r->nest->cycles[c].parent;
    outer[c] = parent == SR_NONE ? SR_NONE : outer[parent];
    if (outer[c] == SR_NONE && is_irreducible(r, c))
      outer[c] = c;
    *any |= outer[c] == c;
  }
  for (uint32_t b = 0; b < r->c->graph->count; b++)
    if (r->nest->inner[b] != SR_NONE)
      of[b] = outer[r->nest->inner[b]];
  return of;
}

/* Adds the edges out of a node, or with `of_copy` out of its copy. An edge from outside to an
 * entry, and any edge of a copy except those to the header, leads to a copy. */
static void add_edges(Round *r, const uint32_t *peeled, uint32_t node, bool of_copy) {
  for (SR_SUCCS(t, r->c->graph, node)) {
    uint32_t cycle = peeled[*t], to = *t;
    bool enters = of_copy || peeled[node] != cycle;
    if (cycle != SR_NONE && enters && r->copy[to] != SR_NONE)
      to = r->copy[to];
    SR_PUSH(&r->scratch, &r->edges, (SrEdge){of_copy ? r->copy[node] : node, to});
  }
}

static SrStatus peel_round(Round *r, SrArena *arena, bool *any) {
  uint32_t count = r->c->graph->count;
  r->nest = sr_nest_build(&r->scratch, r->c->graph);
  r->copy = sr_new_none(&r->scratch, count);
  const uint32_t *peeled = find_peeled(r, any);
  if (!*any)
    return SR_OK;
  for (uint32_t c = 0; c < r->nest->cycle_count; c++)
    if (peeled[r->nest->cycles[c].header] == c)
      SR_CHECK(peel(r, arena, c));
  for (uint32_t b = 0; b < count; b++)
    add_edges(r, peeled, b, false);
  for (uint32_t b = 0; b < count; b++)
    if (r->copy[b] != SR_NONE)
      add_edges(r, peeled, b, true);
  sr_copy_graph_connect(arena, r->c, r->edges.at, r->edges.count);
  return SR_OK;
}

SrStatus sr_backward_copy(SrArena *arena, SrCopyGraph *c, SrGrowth *growth,
                          SrBackwardCopies *done) {
  *done = (SrBackwardCopies){0};
  SrStatus status = SR_OK;
  for (bool any = true; any && status == SR_OK;) {
    any = false;
    Round r = {.scratch = sr_arena_new(arena->heap), .c = c, .growth = growth, .done = done};
    status = peel_round(&r, arena, &any);
    sr_arena_free(&r.scratch);
  }
  return status;
}
