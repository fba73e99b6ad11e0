/* SPDX-License-Identifier: Apache-2.0 */
/* policy_place: see policy_place.h.
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
 * The construct of a block follows from a walk down the dominator tree of the graph with edges from
 * headers to merge blocks and continue targets, in which a header is its merge block's parent. */
#include "policy/policy_place.h"
#include "analysis/cycle.h"
#include "analysis/dom.h"

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

/* Blocks are those of the function, numbered from 0. */
typedef struct Construct {
  uint32_t head;  /* its header */
  uint32_t merge; /* its merge block */
  uint32_t outer; /* the construct around it, or SR_NONE */
  bool loop;
} Construct;

typedef struct Constructs {
  SR_VEC(Construct) all;
  uint32_t *headed; /* by block: the construct that it heads, or SR_NONE */
  uint32_t *merged; /* by block: the construct whose merge block it is, or SR_NONE */
  uint32_t *inner;  /* by block: the innermost construct that it is in, or SR_NONE */
  SrDom *dom;       /* structural */
} Constructs;

static void find_headers(SrArena *arena, const EmuBlockTable *table, const EmuFunctionBlocks *fn,
                         const uint32_t *first_part, Constructs *c) {
  c->headed = sr_new_none(arena, fn->count);
  c->merged = sr_new_none(arena, fn->count);
  for (uint32_t b = 0; b < fn->count; b++) {
    uint32_t merge = table->merge[fn->first + b];
    if (merge == SR_NONE)
      continue;
    bool loop = table->cont[fn->first + b] != SR_NONE;
    uint32_t head = loop ? first_part[fn->first + b] - fn->first : b;
    c->headed[head] = c->merged[merge - fn->first] = c->all.count;
    SR_PUSH(arena, &c->all, (Construct){head, merge - fn->first, SR_NONE, loop});
  }
}

typedef SR_VEC(SrEdge) Edges;

static void structural_dominators(SrArena *arena, const EmuBlockTable *table,
                                  const EmuFunctionBlocks *fn, Constructs *c) {
  Edges edges = {0};
  for (uint32_t b = 0; b < fn->count; b++) {
    if (table->merge[fn->first + b] != SR_NONE)
      SR_PUSH(arena, &edges, (SrEdge){b, table->merge[fn->first + b] - fn->first});
    if (table->cont[fn->first + b] != SR_NONE)
      SR_PUSH(arena, &edges, (SrEdge){b, table->cont[fn->first + b] - fn->first});
    for (SR_SUCCS(t, fn->graph, b))
      SR_PUSH(arena, &edges, (SrEdge){b, *t});
  }
  c->dom = sr_dom_build(arena, sr_graph_new(arena, fn->count, edges.at, edges.count), 0);
}

static void nest_constructs(SrArena *arena, const EmuFunctionBlocks *fn, Constructs *c) {
  c->inner = sr_new_none(arena, fn->count);
  for (uint32_t i = 0; i < c->dom->reached; i++) {
    uint32_t b = c->dom->preorder[i], left = c->merged[b], headed = c->headed[b];
    uint32_t in = b == 0 ? SR_NONE : c->inner[c->dom->idom[b]];
    if (left != SR_NONE)
      in = c->all.at[left].outer;
    if (headed != SR_NONE) {
      c->all.at[headed].outer = in;
      in = headed;
    }
    c->inner[b] = in;
  }
}

/* Does b, directly in its construct, have a successor in that construct from which no path leads
 * back? */
static bool continues_inside(const EmuFunctionBlocks *fn, const Constructs *c, uint32_t b) {
  const Construct *in = &c->all.at[c->inner[b]];
  for (SR_SUCCS(t, fn->graph, b))
    if (!sr_dominates(c->dom, *t, b) && sr_dominates(c->dom, in->head, *t) &&
        !sr_dominates(c->dom, in->merge, *t))
      return true;
  return false;
}

static const SrGraph *hold_together(SrArena *arena, const EmuFunctionBlocks *fn,
                                    const Constructs *c) {
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

/* Adds the order and nest of a function; a cycle with a selection's header is not a loop. */
static void add_function(SrArena *arena, SrArena *scratch, const EmuFunctionBlocks *fn,
                         const SrNest *nest, const Constructs *c, EmuPlaces *p) {
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
    Constructs c = {0};
    if (fn->structured) {
      find_headers(&scratch, table, fn, first_part, &c);
      structural_dominators(&scratch, table, fn, &c);
      nest_constructs(&scratch, fn, &c);
      graph = hold_together(&scratch, fn, &c);
    }
    const SrNest *nest = sr_nest_build(&scratch, graph);
    add_function(arena, &scratch, fn, nest, fn->structured ? &c : NULL, p);
    sr_arena_reset(&scratch, mark);
  }
  sr_arena_free(&scratch);
  return p;
}
