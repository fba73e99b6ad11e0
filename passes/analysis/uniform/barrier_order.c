/* SPDX-License-Identifier: Apache-2.0 */
/* barrier_order: see barrier_order.h.
 *
 * `soonest` of a block is the least place in the order among the barriers that the block leads to
 * (and the blocks that count as barriers because of their back edges). Blocks are visited in
 * reversed LRPO, so the targets of a block's forward edges are done before it. So are the targets
 * of edges that leave the cycles around it, because a cycle's blocks are contiguous in LRPO, and
 * these targets come after them. An edge that leaves cycles is listed at the outermost one that it
 * leaves, and a cycle passes its result on to its inner cycles. A lane that enters a cycle, at
 * whatever block, can reach all of it. */
#include "passes/analysis/uniform/barrier_order.h"

#include "passes/analysis/graph/cycle.h"
#include "passes/base/vec.h"

typedef struct Exit { /* an edge that leaves a cycle */
  SrEdge edge;
  uint32_t next;
} Exit;

typedef struct Look {
  const SrGraph *g;
  const SrNest *nest;
  const uint32_t *place; /* by block: its place in the order */
  uint32_t *soonest;     /* by block; includes a barrier in the block itself */
  uint32_t *within;      /* by cycle: the least place over its blocks */
  uint32_t
      *beyond;     /* by cycle: the least place over the edges that leave it or a cycle around it */
  uint32_t *exits; /* by cycle: the first of the edges listed at it */
  SR_VEC(Exit) edges;
} Look;

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static void keep_exit(Look *l, SrArena *arena, uint32_t from, uint32_t to) {
  uint32_t left = SR_NONE;
  for (uint32_t c = l->nest->inner[from]; c != SR_NONE && !sr_cycle_has(l->nest, c, to);
       c = l->nest->cycles[c].parent)
    left = c;
  if (left == SR_NONE || l->nest->rank[to] < l->nest->rank[from])
    return;
  SR_PUSH(arena, &l->edges, (Exit){{from, to}, l->exits[left]});
  l->exits[left] = l->edges.count - 1;
}

/* The place of the first barrier that an edge leads to. */
static uint32_t soonest_over(const Look *l, uint32_t from, uint32_t to) {
  uint32_t entered = SR_NONE;
  for (uint32_t c = l->nest->inner[to]; c != SR_NONE && !sr_cycle_has(l->nest, c, from);
       c = l->nest->cycles[c].parent)
    entered = c;
  return entered == SR_NONE ? l->soonest[to] : l->within[entered];
}

/* Opens the cycles that end at `rank`, outer ones first; all higher ranks are done. */
static void open_cycles(Look *l, const uint32_t *ends, const uint32_t *other, uint32_t rank) {
  for (uint32_t c = ends[rank]; c != SR_NONE; c = other[c]) {
    uint32_t parent = l->nest->cycles[c].parent;
    l->beyond[c] = parent == SR_NONE ? SR_NONE : l->beyond[parent];
    for (uint32_t e = l->exits[c]; e != SR_NONE; e = l->edges.at[e].next)
      l->beyond[c] =
          least(l->beyond[c], soonest_over(l, l->edges.at[e].edge.from, l->edges.at[e].edge.to));
  }
}

static uint32_t look_ahead(const Look *l, uint32_t b) {
  uint32_t inner = l->nest->inner[b];
  uint32_t soonest = inner == SR_NONE ? SR_NONE : l->beyond[inner];
  for (SR_SUCCS(t, l->g, b))
    if (l->nest->rank[*t] > l->nest->rank[b])
      soonest = least(soonest, soonest_over(l, b, *t));
  return soonest;
}

/* Block b is done: passes its result, and the results of the cycles that begin with it, to the
 * cycles around. */
static void close_cycles(Look *l, uint32_t b) {
  uint32_t c = l->nest->inner[b], rank = l->nest->rank[b];
  if (c == SR_NONE)
    return;
  l->within[c] = least(l->within[c], l->soonest[b]);
  for (uint32_t out; l->nest->cycles[c].first == rank; c = out) {
    out = l->nest->cycles[c].parent;
    if (out == SR_NONE)
      return;
    l->within[out] = least(l->within[out], l->within[c]);
  }
}

/* By cycle: does it hold a barrier? */
static SrBits *cycles_with(SrArena *arena, const SrNest *nest, const SrBits *barriers) {
  SrBits *with = sr_bits_new(arena, nest->cycle_count);
  for (uint32_t r = 0; r < nest->count; r++) {
    uint32_t b = nest->order[r];
    for (uint32_t c = sr_bit(barriers, b) ? nest->inner[b] : SR_NONE;
         c != SR_NONE && !sr_bit(with, c); c = nest->cycles[c].parent)
      sr_bit_set(with, c);
  }
  return with;
}

/* Does the edge go back to the header of a cycle that holds a barrier? */
static bool repeats_barrier(const SrNest *nest, const SrBits *with, uint32_t from, uint32_t to) {
  uint32_t c = nest->rank[to] <= nest->rank[from] ? nest->inner[from] : SR_NONE;
  while (c != SR_NONE && nest->cycles[c].header != to)
    c = nest->cycles[c].parent;
  return c != SR_NONE && sr_bit(with, c);
}

/* The barriers, and the blocks whose back edges lead to them again. */
static SrBits *with_back_edges(SrArena *arena, const SrGraph *g, const SrNest *nest,
                               const SrBits *barriers) {
  const SrBits *with = cycles_with(arena, nest, barriers);
  SrBits *all = sr_bits_new(arena, g->count);
  for (uint32_t r = 0; r < nest->count; r++) {
    uint32_t b = nest->order[r];
    bool counts = sr_bit(barriers, b);
    for (SR_SUCCS(t, g, b))
      counts = counts || repeats_barrier(nest, with, b, *t);
    if (counts)
      sr_bit_set(all, b);
  }
  return all;
}

static Look look_new(SrArena *arena, const SrGraph *g, const uint32_t *order, uint32_t count) {
  uint32_t *place = sr_new_none(arena, g->count);
  for (uint32_t i = 0; i < count; i++)
    place[order[i]] = i;
  const SrNest *nest = sr_nest_build(arena, g);
  Look l = {.g = g,
            .nest = nest,
            .place = place,
            .soonest = sr_new_none(arena, g->count),
            .within = sr_new_none(arena, nest->cycle_count),
            .beyond = sr_new_none(arena, nest->cycle_count),
            .exits = sr_new_none(arena, nest->cycle_count)};
  for (uint32_t r = 0; r < nest->count; r++)
    for (SR_SUCCS(t, g, nest->order[r]))
      keep_exit(&l, arena, nest->order[r], *t);
  return l;
}

uint32_t sr_barrier_order_breach(SrArena *scratch, const SrGraph *g, const SrBits *barriers,
                                 const uint32_t *order, uint32_t count) {
  SrArena arena = sr_arena_new(scratch->heap);
  Look l = look_new(&arena, g, order, count);
  const SrNest *nest = l.nest;
  const SrBits *stops = with_back_edges(&arena, g, nest, barriers);
  uint32_t *ends = sr_new_none(&arena, nest->count), found = SR_NONE;
  uint32_t *other = sr_new_none(&arena, nest->cycle_count);
  for (uint32_t c = nest->cycle_count; c-- > 0;) { /* parents come before children */
    other[c] = ends[nest->cycles[c].last];
    ends[nest->cycles[c].last] = c;
  }
  for (uint32_t r = nest->count; r-- > 0 && found == SR_NONE;) {
    uint32_t b = nest->order[r];
    open_cycles(&l, ends, other, r);
    l.soonest[b] = look_ahead(&l, b);
    if (l.place[b] != SR_NONE && l.soonest[b] < l.place[b])
      found = b;
    if (sr_bit(stops, b))
      l.soonest[b] = least(l.soonest[b], l.place[b]);
    close_cycles(&l, b);
  }
  sr_arena_free(&arena);
  return found;
}
