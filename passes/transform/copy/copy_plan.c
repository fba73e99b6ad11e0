/* SPDX-License-Identifier: Apache-2.0 */
/* copy_plan: see copy_plan.h. Four walks over the regions, parents first, find: the order; where
 * control goes after each region; where each cycle's exits lead; where each block's branches
 * lead. */
#include "passes/transform/copy/copy_plan.h"
#include "passes/transform/copy/cut.h"

#include <assert.h>

typedef struct Walk {
  const SrControlTree *t;
  SrArena scratch;
  uint32_t *order, count; /* regions, parents first */
  uint32_t *after;        /* by region: the region after it, or SR_NONE */
  uint32_t *cycle;        /* by region: region of the cycle around it, or SR_NONE */
  uint32_t *number;       /* by region of a cycle: the cycle in the plan's nest */
  uint32_t *exit_at;      /* by region of a cycle: its exits in `exit` */
  uint32_t *exit;         /* nodes */
  uint32_t *node;         /* by region of a block: its node */
} Walk;

static const SrRegion *region_at(const Walk *w, uint32_t r) {
  return &w->t->region.at[r];
}

/* Walks the tree, blocks and cycles in their final order. What is pushed last comes first. */
typedef struct Visit {
  Walk *w;
  SrNest *nest;
  SR_VEC(uint32_t) work;
} Visit;

static const uint32_t CLOSE = 0x80000000u; /* set beside the region of a cycle: the cycle ends
                                              here */

static void push(Visit *v, uint32_t r) {
  if (r != SR_NONE)
    SR_PUSH(&v->w->scratch, &v->work, r);
}

static void push_arms(Visit *v, const SrRegion *n) {
  const SrControlTree *t = v->w->t;
  for (uint32_t k = n->arm_count; k-- > 0;) {
    uint32_t arm = t->arm.at[n->slot + k];
    if (arm < SR_ARM_THROUGH && !t->region.at[arm].fallen_into)
      push(v, arm);
  }
}

static void open_cycle(Visit *v, uint32_t r) {
  uint32_t around = v->w->cycle[r], parent = around == SR_NONE ? SR_NONE : v->w->number[around];
  v->w->number[r] = v->nest->cycle_count;
  v->nest->cycles[v->nest->cycle_count++] =
      (SrCycle){.parent = parent,
                .depth = parent == SR_NONE ? 1 : v->nest->cycles[parent].depth + 1,
                .first = v->nest->count,
                .header = v->nest->count,
                .entries = 1};
  push(v, r | CLOSE);
  push(v, region_at(v->w, r)->latch);
  push(v, region_at(v->w, r)->body);
}

static void place_block(Visit *v, uint32_t r) {
  Walk *w = v->w;
  uint32_t node = v->nest->count++;
  w->node[r] = v->nest->order[node] = v->nest->rank[node] = node;
  v->nest->inner[node] = w->cycle[r] == SR_NONE ? SR_NONE : w->number[w->cycle[r]];
}

static void visit(Visit *v, uint32_t r) {
  Walk *w = v->w;
  const SrRegion *n = region_at(w, r);
  w->order[w->count++] = r;
  if (n->parent != SR_NONE)
    w->cycle[r] = n->inside ? n->parent : w->cycle[n->parent];
  push(v, n->next);
  push_arms(v, n);
  if (n->kind == SR_REGION_CYCLE)
    open_cycle(v, r);
  else if (n->kind == SR_REGION_BLOCK)
    place_block(v, r);
}

static SrNest *find_order(Walk *w) {
  const SrControlTree *t = w->t;
  SrNest *nest = SR_NEW(t->arena, SrNest, 1);
  Visit v = {.w = w, .nest = nest};
  nest->order = SR_NEW_RAW(t->arena, uint32_t, t->region.count);
  nest->rank = SR_NEW_RAW(t->arena, uint32_t, t->region.count);
  nest->inner = SR_NEW_RAW(t->arena, uint32_t, t->region.count);
  nest->cycles = SR_NEW_RAW(t->arena, SrCycle, t->region.count);
  w->order = SR_NEW_RAW(&w->scratch, uint32_t, t->region.count);
  w->number = SR_NEW_RAW(&w->scratch, uint32_t, t->region.count);
  w->cycle = sr_new_none(&w->scratch, t->region.count);
  w->node = SR_NEW_RAW(&w->scratch, uint32_t, t->region.count);
  push(&v, t->top);
  while (v.work.count) {
    uint32_t r = SR_POP(&v.work);
    if (r & CLOSE)
      nest->cycles[w->number[r & ~CLOSE]].last = nest->count - 1;
    else
      visit(&v, r);
  }
  return nest;
}

static void find_places(Walk *w) {
  const SrControlTree *t = w->t;
  uint32_t exits = 0;
  w->after = sr_new_none(&w->scratch, t->region.count);
  w->exit_at = SR_NEW_RAW(&w->scratch, uint32_t, t->region.count);
  for (uint32_t i = 0; i < w->count; i++) {
    uint32_t r = w->order[i];
    const SrRegion *n = region_at(w, r);
    w->after[r] = n->next != SR_NONE     ? n->next
                  : n->parent == SR_NONE ? SR_NONE
                                         : w->after[n->parent];
    if (n->kind != SR_REGION_CYCLE)
      continue;
    w->exit_at[r] = exits;
    exits += t->exits[n->of].node.count;
  }
  w->exit = SR_NEW_RAW(&w->scratch, uint32_t, exits);
}

/* The first block of a region. */
static uint32_t first_node(const Walk *w, uint32_t r) {
  const SrRegion *n = region_at(w, r);
  return w->node[n->kind == SR_REGION_CYCLE ? n->body : r];
}

/* The region of the cycle to whose header or continue target an arm of region r jumps. */
static const SrRegion *cycle_of(const Walk *w, uint32_t r) {
  assert(w->cycle[r] != SR_NONE);
  return region_at(w, w->cycle[r]);
}

/* The block that the k-th arm of a region leads to. */
static uint32_t arm_node(const Walk *w, uint32_t r, uint32_t k) {
  uint32_t arm = w->t->arm.at[region_at(w, r)->slot + k];
  switch (arm) {
  case SR_ARM_THROUGH:
    return first_node(w, w->after[r]);
  case SR_ARM_REPEAT:
    return w->node[cycle_of(w, r)->body];
  case SR_ARM_CONTINUE:
    return w->node[cycle_of(w, r)->latch];
  default:
    if (arm >= SR_ARM_LEAVE(0))
      return w->exit[w->exit_at[w->cycle[r]] + (arm - SR_ARM_LEAVE(0))];
    return first_node(w, arm);
  }
}

/* Finds the exits of the cycle of region r. The last arm of each test leads to the next test,
 * except for the last test. */
static void find_exits(Walk *w, uint32_t r) {
  uint32_t n = w->t->exits[region_at(w, r)->of].node.count, at = r;
  for (uint32_t i = 0; i < n; i++) {
    bool last = i + 1 == n;
    w->exit[w->exit_at[r] + i] = arm_node(w, at, last && n > 1 ? 1 : 0);
    if (i + 2 < n)
      at = w->t->arm.at[region_at(w, at)->slot + 1];
  }
}

static void make_graph(Walk *w, SrCopyPlan *plan) {
  const SrControlTree *t = w->t;
  SR_VEC(SrEdge) edges = {0};
  for (uint32_t i = 0; i < w->count; i++) {
    uint32_t r = w->order[i];
    if (region_at(w, r)->kind == SR_REGION_CYCLE)
      find_exits(w, r);
  }
  for (uint32_t i = 0; i < w->count; i++) {
    uint32_t r = w->order[i];
    if (region_at(w, r)->kind == SR_REGION_BLOCK)
      for (uint32_t k = 0; k < region_at(w, r)->arm_count; k++)
        SR_PUSH(&w->scratch, &edges, (SrEdge){w->node[r], arm_node(w, r, k)});
  }
  plan->graph = sr_graph_new(t->arena, plan->nest->count, edges.at, edges.count);
}

static void name_blocks(const Walk *w, SrCopyPlan *plan) {
  const SrControlTree *t = w->t;
  plan->block = SR_NEW_RAW(t->arena, uint32_t, plan->nest->count);
  plan->copy = sr_bits_new(t->arena, plan->nest->count);
  plan->node = sr_new_none(t->arena, plan->old->count);
  for (uint32_t i = 0; i < w->count; i++) {
    const SrRegion *n = region_at(w, w->order[i]);
    if (n->kind != SR_REGION_BLOCK)
      continue;
    uint32_t node = w->node[w->order[i]], block = t->c->block.at[n->of];
    plan->block[node] = block;
    if (n->copy || n->of >= plan->old->count) {
      sr_bit_set(plan->copy, node);
      plan->copies++;
    } else {
      plan->node[block] = node;
    }
  }
}

SrCopyPlan *sr_copy_plan_new(const SrControlTree *t) {
  Walk w = {.t = t, .scratch = sr_arena_new(t->arena->heap)};
  SrCopyPlan *plan = SR_NEW(t->arena, SrCopyPlan, 1);
  plan->old = t->c->old;
  plan->nest = find_order(&w);
  find_places(&w);
  make_graph(&w, plan);
  name_blocks(&w, plan);
  plan->dom = sr_dom_build(t->arena, plan->graph, 0);
  sr_arena_free(&w.scratch);
  return plan;
}

SrCopyPlan *sr_copy_plan_of(SrArena *arena, const SrGraph *old, const SrGraph *nodes,
                            const uint32_t *block) {
  SrNest *nest = sr_nest_build(arena, nodes);
  SrCopyPlan *p = SR_NEW(arena, SrCopyPlan, 1);
  SR_VEC(SrEdge) edges = {0};
  p->old = old;
  p->block = SR_NEW_RAW(arena, uint32_t, nest->count);
  p->node = sr_new_none(arena, old->count);
  p->copy = sr_bits_new(arena, nest->count);
  for (uint32_t n = 0; n < nest->count; n++) {
    uint32_t was = nest->order[n];
    p->block[n] = block[was];
    if (was < old->count)
      p->node[was] = n;
    for (SR_SUCCS(t, nodes, was))
      SR_PUSH(arena, &edges, (SrEdge){n, nest->rank[*t]});
  }
  for (uint32_t n = 0; n < nest->count; n++) {
    if (p->node[p->block[n]] == SR_NONE)
      p->node[p->block[n]] = n;
    if (p->node[p->block[n]] == n)
      continue;
    sr_bit_set(p->copy, n);
    p->copies++;
  }
  p->uses_first = nest->cycle_count && p->copies;
  for (uint32_t c = 0; c < nest->cycle_count; c++)
    p->uses_first |= nest->cycles[c].entries > 1;
  p->graph = sr_graph_new(arena, nest->count, edges.at, edges.count);
  p->dom = sr_dom_build(arena, p->graph, 0);
  return p;
}
