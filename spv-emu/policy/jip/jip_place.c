/* SPDX-License-Identifier: Apache-2.0 */
/* jip_place: see jip_place.h. */
#include "spv-emu/policy/jip/jip_place.h"

#include "passes/base/rank_set.h"
#include "spv-emu/policy/layout.h"

typedef struct Place {
  SrArena *arena; /* for temporary data */
  const EmuBlockTable *table;
  const EmuFunctionBlocks *fn;
  EmuJips *jips;
  const SrGraph *later; /* an edge from s to t means that t becomes active at s */
  SrRankSets sets;
  bool fits;       /* the layout keeps iterations apart, so that proven branches are uniform */
  uint32_t active; /* the set of active joins, as blocks of the function numbered from 0 */
} Place;

static bool is_uniform(const Place *p, uint32_t b) {
  return p->fits && p->table->uniform && p->table->uniform[p->fn->first + b];
}

static uint32_t least_successor(const Place *p, uint32_t b) {
  uint32_t least = SR_NONE;
  for (SR_SUCCS(t, p->fn->graph, b))
    least = *t < least ? *t : least;
  return least;
}

/* Adds the joins that become active at b, or before it, because of the branch of b. */
static void add_branch(Place *p, uint32_t b, SrEdge *edges, uint32_t *count) {
  uint32_t least = least_successor(p, b), from = least < b ? least : b;
  for (SR_SUCCS(t, p->fn->graph, b)) {
    if (*t != least && !is_uniform(p, b))
      edges[(*count)++] = (SrEdge){from, *t};
    if (*t <= b && b + 1 < p->fn->count)
      edges[(*count)++] = (SrEdge){*t, b + 1};
  }
}

static void collect(Place *p) {
  uint32_t count = 0, most = 0;
  for (uint32_t b = 0; b < p->fn->count; b++)
    most += 2 * sr_succ_count(p->fn->graph, b);
  SrEdge *edges = SR_NEW_RAW(p->arena, SrEdge, most + 1);
  for (uint32_t b = 0; b < p->fn->count; b++)
    add_branch(p, b, edges, &count);
  p->later = sr_graph_new(p->arena, p->fn->count, edges, count);
}

static uint32_t next_join(const Place *p) {
  return sr_ranks_empty(&p->sets, p->active) ? SR_NONE : sr_ranks_min(&p->sets, p->active);
}

static uint32_t as_block(const Place *p, uint32_t b) {
  return b == SR_NONE ? SR_NONE : p->fn->first + b;
}

/* Adds the targets of the branch of b that lie after a join. */
static void add_far_targets(Place *p, uint32_t b) {
  for (SR_SUCCS(t, p->fn->graph, b))
    if (*t > b + 1 && next_join(p) < *t)
      sr_ranks_add(&p->sets, p->active, *t);
}

static bool is_jump(const Place *p, uint32_t b) {
  uint32_t leave = p->jips->leave[p->fn->first + b];
  for (SR_SUCCS(t, p->fn->graph, b))
    if (*t > b + 1 && p->fn->first + *t >= leave)
      return false;
  return sr_succ_count(p->fn->graph, b) < 2 || is_uniform(p, b);
}

static void place_function(Place *p) {
  collect(p);
  p->sets = (SrRankSets){.arena = p->arena};
  p->active = sr_ranks_new(&p->sets);
  for (uint32_t b = 0; b < p->fn->count; b++) {
    uint32_t block = p->fn->first + b;
    p->jips->join[block] = next_join(p) == b;
    sr_ranks_drop(&p->sets, p->active, b);
    p->jips->empty[block] = as_block(p, next_join(p));
    for (SR_SUCCS(t, p->later, b))
      if (*t > b)
        sr_ranks_add(&p->sets, p->active, *t);
    add_far_targets(p, b);
    p->jips->leave[block] = as_block(p, next_join(p));
    p->jips->jump[block] = is_jump(p, b);
  }
}

EmuJips *emu_jips_new(SrArena *arena, uint32_t blocks) {
  EmuJips *jips = SR_NEW(arena, EmuJips, 1);
  jips->join = SR_NEW(arena, bool, blocks);
  jips->jump = SR_NEW(arena, bool, blocks);
  jips->empty = sr_new_none(arena, blocks);
  jips->leave = sr_new_none(arena, blocks);
  return jips;
}

const EmuJips *emu_jips_place(SrArena *arena, const EmuBlockTable *table) {
  EmuJips *jips = emu_jips_new(arena, table->count);
  for (uint32_t f = 0; f < table->function_count; f++) {
    SrArena scratch = sr_arena_new(arena->heap);
    Place p = {.arena = &scratch, .table = table, .fn = &table->functions[f], .jips = jips};
    p.fits = emu_layout_fits(&scratch, p.fn, NULL);
    place_function(&p);
    sr_arena_free(&scratch);
  }
  return jips;
}
