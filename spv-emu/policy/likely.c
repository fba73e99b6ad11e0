/* SPDX-License-Identifier: Apache-2.0 */
/* likely: see likely.h. */
#include "spv-emu/policy/likely.h"

#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/graph/dom.h"

enum { MOST_DEPTH = 32 };

typedef SR_VEC(SrEdge) Edges;

typedef struct Region { /* a cycle, or a function */
  const EmuFunctionBlocks *fn;
  const SrNest *nest;
  uint32_t cycle;       /* SR_NONE: the region is the function */
  uint32_t first, last; /* ranks of its blocks */
  uint32_t end;         /* rank of the block where paths that do not leave early end; SR_NONE: they
                           end at back edges */
} Region;

/* The reversed graph of a region, blocks numbered from 0 by rank; the last node is the exit. */
static const SrGraph *reverse(SrArena *arena, const Region *r) {
  Edges edges = {0};
  uint32_t exit = r->last - r->first + 1;
  if (r->end != SR_NONE)
    SR_PUSH(arena, &edges, ((SrEdge){exit, r->end - r->first}));
  for (uint32_t rank = r->first; rank <= r->last; rank++)
    for (SR_SUCCS(t, r->fn->graph, r->nest->order[rank])) {
      uint32_t to = r->nest->rank[*t];
      if (r->cycle != SR_NONE && to == r->first)
        SR_PUSH(arena, &edges, ((SrEdge){exit, rank - r->first}));
      else if (to >= r->first && to <= r->last)
        SR_PUSH(arena, &edges, ((SrEdge){to - r->first, rank - r->first}));
    }
  return sr_graph_new(arena, exit + 1, edges.at, edges.count);
}

/* Finds the points of the branches directly in the region. */
static void find(SrArena *arena, const Region *r, const uint32_t *ipdom, uint32_t *point) {
  SrMark mark = sr_arena_mark(arena);
  uint32_t exit = r->last - r->first + 1;
  const SrDom *dom = sr_dom_build(arena, reverse(arena, r), exit);
  for (uint32_t rank = r->first; rank <= r->last; rank++) {
    uint32_t b = r->nest->order[rank], meet = dom->idom[rank - r->first];
    if (r->nest->inner[b] != r->cycle || sr_succ_count(r->fn->graph, b) < 2 || meet >= exit)
      continue;
    uint32_t block = r->fn->first + r->nest->order[r->first + meet];
    if (block != ipdom[r->fn->first + b])
      point[r->fn->first + b] = block;
  }
  sr_arena_reset(arena, mark);
}

static void in_function(SrArena *arena, const EmuFunctionBlocks *fn, const uint32_t *ipdom,
                        uint32_t *point) {
  const SrNest *nest = sr_nest_build(arena, fn->graph);
  Region all = {fn, nest, SR_NONE, 0, nest->count - 1, SR_NONE};
  for (uint32_t rank = 0; rank < nest->count; rank++)
    if (!sr_succ_count(fn->graph, nest->order[rank]))
      all.end = rank;
  if (all.end != SR_NONE)
    find(arena, &all, ipdom, point);
  for (uint32_t c = 0; c < nest->cycle_count; c++) {
    const SrCycle *cycle = &nest->cycles[c];
    const Region r = {fn, nest, c, cycle->first, cycle->last, SR_NONE};
    if (cycle->depth <= MOST_DEPTH)
      find(arena, &r, ipdom, point);
  }
}

const uint32_t *emu_likely_points(SrArena *arena, const EmuBlockTable *table,
                                  const uint32_t *ipdom) {
  uint32_t *point = sr_new_none(arena, table->count);
  for (uint32_t f = 0; f < table->function_count; f++) {
    SrArena scratch = sr_arena_new(arena->heap);
    in_function(&scratch, &table->functions[f], ipdom, point);
    sr_arena_free(&scratch);
  }
  return point;
}
