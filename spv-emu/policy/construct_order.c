/* SPDX-License-Identifier: Apache-2.0 */
/* construct_order: see construct_order.h.
 *
 * For a structured function, LRPO is computed on a graph in which every construct is a cycle
 * whose header is that of the construct; so sr_nest_build keeps the blocks of each construct
 * together, and nests the constructs. For this, back edges are added:
 *
 *   - from each block without a forward successor in its innermost construct, to the header of this
 *     construct;
 *   - from the header of each construct to the header of the construct around it.
 *
 * The target of such an edge dominates its source, so the search has visited it before, and nothing
 * else changes. A construct is entered only through its header, so no edge makes a larger cycle
 * than the construct. Selections are not loops: they are dropped from the nest.
 *
 * construct.h finds the construct of a block. */
#include "spv-emu/policy/construct_order.h"
#include "passes/analysis/graph/cycle.h"
#include "spv-emu/policy/construct.h"

uint32_t *emu_first_parts(SrArena *arena, const EmuBlockTable *table) {
  uint32_t *first = SR_NEW_RAW(arena, uint32_t, table->count);
  for (uint32_t b = 0; b < table->count; b++)
    first[b] = b;
  for (uint32_t b = 0; b < table->count; b++)
    if (table->next[b] != SR_NONE)
      first[table->next[b]] = b;
  for (uint32_t b = 0; b < table->count; b++)
    while (first[first[b]] != first[b])
      first[b] = first[first[b]];
  return first;
}

/* ---- constructs ------------------------------------------------------------------------------ */

typedef SR_VEC(SrEdge) Edges;

/* Does b, directly in its construct, have a successor in that construct from which no path leads
 * back? */
static bool continues_inside(const EmuFunctionBlocks *fn, const EmuConstructs *c, uint32_t b) {
  for (SR_SUCCS(t, fn->graph, b))
    if (!sr_dominates(c->dom, *t, b) && emu_construct_has(c, c->inner[b], *t))
      return true;
  return false;
}

static const SrGraph *hold_together(SrArena *arena, const EmuFunctionBlocks *fn,
                                    const EmuConstructs *c) {
  Edges edges = {0};
  for (uint32_t b = 0; b < fn->count; b++) {
    for (SR_SUCCS(t, fn->graph, b))
      SR_PUSH(arena, &edges, (SrEdge){b, *t});
    if (c->inner[b] != SR_NONE && !continues_inside(fn, c, b))
      SR_PUSH(arena, &edges, (SrEdge){b, c->all.at[c->inner[b]].head});
    if (c->headed[b] != SR_NONE && c->all.at[c->headed[b]].outer != SR_NONE)
      SR_PUSH(arena, &edges, (SrEdge){b, c->all.at[c->all.at[c->headed[b]].outer].head});
  }
  return sr_graph_new(arena, fn->count, edges.at, edges.count);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Adds the order and nest of a function. A cycle with a selection's header is not a loop. */
static void add_function(SrArena *arena, SrArena *scratch, const EmuFunctionBlocks *fn,
                         const SrNest *nest, const EmuConstructs *c, EmuPlaces *p) {
  uint32_t *loop = SR_NEW_RAW(scratch, uint32_t, nest->cycle_count); /* by cycle */
  for (uint32_t i = 0; i < nest->cycle_count; i++) {
    const SrCycle *cycle = &nest->cycles[i];
    uint32_t around = cycle->parent == SR_NONE ? SR_NONE : loop[cycle->parent];
    uint32_t headed = c ? c->headed[cycle->header] : SR_NONE;
    loop[i] = around;
    if (headed != SR_NONE && !c->all.at[headed].loop)
      continue;
    loop[i] = p->loops.count;
    SR_PUSH(arena, &p->loops,
            (EmuLoop){.parent = around,
                      .depth = around == SR_NONE ? 1 : p->loops.at[around].depth + 1,
                      .first = cycle->first,
                      .last = cycle->last,
                      .header = fn->first + cycle->header});
  }
  for (uint32_t b = 0; b < fn->count; b++) {
    p->place[fn->first + b] = nest->rank[b];
    if (nest->inner[b] != SR_NONE)
      p->loop[fn->first + b] = loop[nest->inner[b]];
  }
}

EmuPlaces *emu_places_build(SrArena *arena, const EmuBlockTable *table) {
  EmuPlaces *p = SR_NEW(arena, EmuPlaces, 1);
  p->place = sr_new_none(arena, table->count);
  p->loop = sr_new_none(arena, table->count);
  SrArena scratch = sr_arena_new(arena->heap);
  const uint32_t *first_part = emu_first_parts(&scratch, table);
  for (uint32_t f = 0; f < table->function_count; f++) {
    const EmuFunctionBlocks *fn = &table->functions[f];
    SrMark mark = sr_arena_mark(&scratch);
    const SrGraph *graph = fn->graph;
    EmuConstructs c = {0};
    if (fn->structured) {
      c = emu_constructs_build(&scratch, table, fn, first_part);
      graph = hold_together(&scratch, fn, &c);
    }
    const SrNest *nest = sr_nest_build(&scratch, graph);
    add_function(arena, &scratch, fn, nest, fn->structured ? &c : NULL, p);
    sr_arena_reset(&scratch, mark);
  }
  sr_arena_free(&scratch);
  return p;
}
