/* SPDX-License-Identifier: Apache-2.0 */
/* exit_copy: see exit_copy.h. Each round copies regions that do not overlap; then the nest is built
 * again. A round that finds a region copies at least one block, so the limit of growth ends them. */
#include "passes/transform/copy/exit_copy.h"

#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/graph/dom.h"

typedef struct Round {
  SrArena scratch;
  SrCopyGraph *c;
  SrGrowth *growth;
  SrExitCopies *done;
  const SrNest *nest;
  const SrDom *pdom;
  uint32_t *to;    /* by edge of the graph, as in its successor rows: its new target */
  uint32_t *epoch; /* by node: the search that reached it last */
  uint32_t search;
  uint32_t *place; /* by node of the current region: its index there */
  SrBits *taken;   /* by node: in a region of this round, or the source of an edge to a copy */
  SR_VEC(uint32_t) region, edge; /* of the current exit: its nodes, and the edges to it */
  SR_VEC(SrEdge) edges;          /* of copies */
} Round;

static bool has(const Round *r, uint32_t cycle, uint32_t node) {
  return cycle == SR_NONE || sr_cycle_has(r->nest, cycle, node);
}

/* ---- the main exit and where lanes meet again ---- */

/* The first successor of a node outside of the cycle, or SR_NONE. */
static uint32_t exit_of(const Round *r, uint32_t cycle, uint32_t node) {
  for (SR_SUCCS(t, r->c->graph, node))
    if (!has(r, cycle, *t))
      return *t;
  return SR_NONE;
}

static bool repeats(const Round *r, uint32_t cycle, uint32_t node) {
  for (SR_SUCCS(t, r->c->graph, node))
    if (*t == r->nest->cycles[cycle].header)
      return true;
  return false;
}

static uint32_t main_exit(const Round *r, uint32_t cycle) {
  const SrCycle *k = &r->nest->cycles[cycle];
  uint32_t exit = exit_of(r, cycle, k->header), last = SR_NONE;
  for (uint32_t rank = k->last; exit == SR_NONE && rank > k->first; rank--)
    if (repeats(r, cycle, r->nest->order[rank]))
      exit = exit_of(r, cycle, r->nest->order[rank]);
  for (uint32_t rank = k->first; exit == SR_NONE && rank <= k->last; rank++) {
    uint32_t x = exit_of(r, cycle, r->nest->order[rank]);
    if (x != SR_NONE && (last == SR_NONE || r->nest->rank[x] > r->nest->rank[last]))
      last = x;
  }
  return exit != SR_NONE ? exit : last;
}

/* The first common node of the chains of post-dominators of x and y: the virtual exit, if no
 * block is. */
static uint32_t common(const SrDom *pdom, uint32_t x, uint32_t y) {
  while (!sr_dominates(pdom, x, y))
    x = pdom->idom[x];
  return x;
}

/* Is the node at the level of `cycle`: in no inner cycle, or the header of one? */
static bool is_level(const Round *r, uint32_t cycle, uint32_t node) {
  uint32_t inner = r->nest->inner[node];
  return inner == cycle || (inner != SR_NONE && r->nest->cycles[inner].header == node &&
                            r->nest->cycles[inner].parent == cycle);
}

/* Where lanes that leave to x meet those that leave to the main exit. */
static uint32_t meeting(const Round *r, uint32_t around, uint32_t x, uint32_t main) {
  uint32_t stop = common(r->pdom, x, main);
  while (stop < r->c->graph->count && !is_level(r, around, stop))
    stop = r->pdom->idom[stop];
  return stop;
}

/* ---- regions ---- */

static void add(Round *r, uint32_t node) {
  r->epoch[node] = r->search;
  r->place[node] = r->region.count;
  SR_PUSH(&r->scratch, &r->region, node);
}

/* Sets the region to the nodes that x reaches before `stop`, in the cycle `around` without its
 * header. False: it overlaps with another one of this round. */
static bool reach(Round *r, uint32_t around, uint32_t x, uint32_t stop) {
  r->search++;
  r->region.count = 0;
  add(r, x);
  for (uint32_t i = 0; i < r->region.count; i++) {
    if (sr_bit(r->taken, r->region.at[i]))
      return false;
    for (SR_SUCCS(t, r->c->graph, r->region.at[i])) {
      bool ends = *t == stop || r->epoch[*t] == r->search || !has(r, around, *t) ||
                  (around != SR_NONE && *t == r->nest->cycles[around].header);
      if (!ends)
        add(r, *t);
    }
  }
  return true;
}

/* Collects the edges from the cycle to x that are to lead to copies: all, but one edge to x has to
 * stay. False: one starts in a region of this round. */
static bool collect(Round *r, uint32_t cycle, uint32_t x) {
  const SrGraph *g = r->c->graph;
  bool stays = false;
  r->edge.count = 0;
  for (SR_PREDS(p, g, x))
    stays |= r->nest->rank[*p] != SR_NONE && !has(r, cycle, *p);
  for (SR_PREDS(p, g, x)) {
    if (r->nest->rank[*p] == SR_NONE || !has(r, cycle, *p))
      continue;
    if (sr_bit(r->taken, *p))
      return false;
    for (uint32_t e = g->succ_at[*p]; e < g->succ_at[*p + 1]; e++)
      if (g->succ[e] == x && stays)
        SR_PUSH(&r->scratch, &r->edge, e);
    stays = true;
  }
  return true;
}

/* A copy of the region for one edge. */
static SrStatus copy_region(Round *r, SrArena *arena, uint32_t edge) {
  SrCopyGraph *c = r->c;
  uint32_t first = c->block.count;
  for (uint32_t i = 0; i < r->region.count; i++) {
    uint32_t block = c->block.at[r->region.at[i]];
    SR_CHECK(sr_growth_touch(r->growth, block));
    SR_CHECK(sr_growth_add(r->growth, c->size[block]));
    SR_PUSH(arena, &c->block, block);
  }
  for (uint32_t i = 0; i < r->region.count; i++)
    for (SR_SUCCS(t, c->graph, r->region.at[i])) {
      uint32_t to = r->epoch[*t] == r->search ? first + r->place[*t] : *t;
      SR_PUSH(&r->scratch, &r->edges, (SrEdge){first + i, to});
    }
  r->to[edge] = first;
  return SR_OK;
}

static void take(Round *r, uint32_t cycle, uint32_t x) {
  for (uint32_t i = 0; i < r->region.count; i++)
    sr_bit_set(r->taken, r->region.at[i]);
  for (SR_PREDS(p, r->c->graph, x))
    if (r->nest->rank[*p] != SR_NONE && has(r, cycle, *p))
      sr_bit_set(r->taken, *p);
}

static SrStatus copy_exit(Round *r, SrArena *arena, uint32_t cycle, uint32_t x, uint32_t main) {
  uint32_t around = r->nest->cycles[cycle].parent;
  uint32_t stop = meeting(r, around, x, main);
  if (stop == x || !collect(r, cycle, x) || !r->edge.count || !reach(r, around, x, stop))
    return SR_OK;
  for (uint32_t i = 0; i < r->edge.count; i++)
    SR_CHECK(copy_region(r, arena, r->edge.at[i]));
  take(r, cycle, x);
  r->done->regions++;
  r->done->edges += r->edge.count;
  return SR_OK;
}

/* The exits of a cycle that lead forward in the cycle around it. */
static SrStatus copy_exits(Round *r, SrArena *arena, uint32_t cycle) {
  const SrCycle *k = &r->nest->cycles[cycle];
  const SrGraph *g = r->c->graph;
  uint32_t main = main_exit(r, cycle), around = k->parent;
  for (uint32_t rank = k->first; rank <= k->last; rank++)
    for (SR_SUCCS(t, g, r->nest->order[rank])) {
      bool forward = !has(r, cycle, *t) && has(r, around, *t) &&
                     (around == SR_NONE || *t != r->nest->cycles[around].header);
      if (forward && *t != main && sr_pred_count(g, *t) > 1)
        SR_CHECK(copy_exit(r, arena, cycle, *t, main));
    }
  return SR_OK;
}

/* ---- rounds ---- */

static SrStatus run_round(Round *r, SrArena *arena, bool *any) {
  const SrGraph *g = r->c->graph;
  uint32_t before = r->done->edges;
  r->nest = sr_nest_build(&r->scratch, g);
  r->pdom = sr_dom_build(&r->scratch, sr_graph_reverse_with_exit(&r->scratch, g), g->count);
  r->to = SR_NEW_RAW(&r->scratch, uint32_t, g->succ_at[g->count]);
  memcpy(r->to, g->succ, g->succ_at[g->count] * sizeof *r->to);
  r->epoch = SR_NEW(&r->scratch, uint32_t, g->count);
  r->place = SR_NEW_RAW(&r->scratch, uint32_t, g->count);
  r->taken = sr_bits_new(&r->scratch, g->count);
  for (uint32_t cycle = r->nest->cycle_count; cycle-- > 0;)
    SR_CHECK(copy_exits(r, arena, cycle));
  *any = r->done->edges > before;
  if (!*any)
    return SR_OK;
  SR_VEC(SrEdge) all = {0};
  for (uint32_t n = 0; n < g->count; n++)
    for (uint32_t e = g->succ_at[n]; e < g->succ_at[n + 1]; e++)
      SR_PUSH(&r->scratch, &all, (SrEdge){n, r->to[e]});
  for (uint32_t i = 0; i < r->edges.count; i++)
    SR_PUSH(&r->scratch, &all, r->edges.at[i]);
  sr_copy_graph_connect(arena, r->c, all.at, all.count);
  return SR_OK;
}

SrStatus sr_exit_copy(SrArena *arena, SrCopyGraph *c, SrGrowth *growth, SrExitCopies *done) {
  *done = (SrExitCopies){0};
  SrStatus status = SR_OK;
  for (bool any = true; any && status == SR_OK;) {
    Round r = {.scratch = sr_arena_new(arena->heap), .c = c, .growth = growth, .done = done};
    status = run_round(&r, arena, &any);
    sr_arena_free(&r.scratch);
  }
  return status;
}
