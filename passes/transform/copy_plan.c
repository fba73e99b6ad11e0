/* copy_plan: see copy_plan.h. Three walks over the regions, parents first: where control comes to
 * behind each; where each cycle's exits lead; where each block's branches lead. */
#include "transform/copy_plan.h"
#include "transform/cut.h"

#include <assert.h>

typedef struct Walk {
  const SrControlTree *t;
  SrArena scratch;
  uint32_t *order, count; /* regions, parents first */
  uint32_t *behind;       /* by region: the region behind it, or SR_NONE */
  uint32_t *cycle;        /* by region: region of the cycle around it, or SR_NONE */
  uint32_t *exit_at;      /* by region of a cycle: its exits in `exit` */
  uint32_t *exit;         /* nodes */
  uint32_t *node;         /* by region of a block: its node */
} Walk;

static const SrRegion *region_at(const Walk *w, uint32_t r) {
  return &w->t->region.at[r];
}

static void visit(Walk *w, uint32_t top) {
  SR_VEC(uint32_t) work = {0};
  SR_PUSH(&w->scratch, &work, top);
  while (work.count) {
    uint32_t r = SR_POP(&work);
    w->order[w->count++] = r;
    for (uint32_t k = region_at(w, r)->child; k != SR_NONE; k = region_at(w, k)->sibling)
      SR_PUSH(&w->scratch, &work, k);
  }
}

static void find_order(Walk *w) {
  w->order = SR_NEW_RAW(&w->scratch, uint32_t, w->t->region.count);
  for (uint32_t r = w->t->top; r != SR_NONE; r = region_at(w, r)->next)
    visit(w, r);
}

static void find_places(Walk *w) {
  const SrControlTree *t = w->t;
  uint32_t exits = 0;
  w->behind = sr_new_none(&w->scratch, t->region.count);
  w->cycle = sr_new_none(&w->scratch, t->region.count);
  w->exit_at = SR_NEW_RAW(&w->scratch, uint32_t, t->region.count);
  for (uint32_t i = 0; i < w->count; i++) {
    uint32_t r = w->order[i];
    const SrRegion *n = region_at(w, r);
    w->behind[r] = n->next != SR_NONE     ? n->next
                   : n->parent == SR_NONE ? SR_NONE
                                          : w->behind[n->parent];
    if (n->parent != SR_NONE)
      w->cycle[r] = n->inside ? n->parent : w->cycle[n->parent];
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

/* The block that the k-th arm of a region leads to. */
static uint32_t arm_node(const Walk *w, uint32_t r, uint32_t k) {
  uint32_t arm = w->t->arm.at[region_at(w, r)->slot + k];
  const SrRegion *cycle = w->cycle[r] == SR_NONE ? NULL : region_at(w, w->cycle[r]);
  switch (arm) {
  case SR_ARM_THROUGH:
    return first_node(w, w->behind[r]);
  case SR_ARM_REPEAT:
    return w->node[cycle->body];
  case SR_ARM_CONTINUE:
    return w->node[cycle->latch];
  default:
    if (arm >= SR_ARM_LEAVE(0))
      return w->exit[w->exit_at[w->cycle[r]] + (arm - SR_ARM_LEAVE(0))];
    return first_node(w, arm);
  }
}

/* The last arm of each test, but for the last test, leads to the next. */
static void find_exits(Walk *w, uint32_t r) {
  uint32_t n = w->t->exits[region_at(w, r)->of].node.count, at = r;
  for (uint32_t i = 0; i < n; i++) {
    bool last = i + 1 == n;
    w->exit[w->exit_at[r] + i] = arm_node(w, at, last && n > 1 ? 1 : 0);
    if (i + 2 < n)
      at = w->t->arm.at[region_at(w, at)->slot + 1];
  }
}

/* The nodes in the order in which their regions are visited, and their edges. */
static SrGraph *make_graph(Walk *w, SrCopyGraph *nodes) {
  const SrControlTree *t = w->t;
  SR_VEC(SrEdge) edges = {0};
  w->node = SR_NEW_RAW(&w->scratch, uint32_t, t->region.count);
  for (uint32_t i = 0; i < w->count; i++) {
    const SrRegion *n = region_at(w, w->order[i]);
    if (n->kind != SR_REGION_BLOCK)
      continue;
    w->node[w->order[i]] = nodes->block.count;
    SR_PUSH(&w->scratch, &nodes->block, t->c->block.at[n->of]);
  }
  for (uint32_t i = 0; i < w->count; i++)
    if (region_at(w, w->order[i])->kind == SR_REGION_CYCLE)
      find_exits(w, w->order[i]);
  for (uint32_t i = 0; i < w->count; i++) {
    uint32_t r = w->order[i];
    if (region_at(w, r)->kind == SR_REGION_BLOCK)
      for (uint32_t k = 0; k < region_at(w, r)->arm_count; k++)
        SR_PUSH(&w->scratch, &edges, (SrEdge){w->node[r], arm_node(w, r, k)});
  }
  return sr_graph_new(&w->scratch, nodes->block.count, edges.at, edges.count);
}

/* Puts the nodes into LRPO. */
static void renumber(const Walk *w, const SrCopyGraph *nodes, const SrGraph *g, SrCopyPlan *plan) {
  SrArena *arena = w->t->arena;
  const SrNest *nest = sr_nest_build(arena, g);
  assert(nest->count == g->count);
  SR_VEC(SrEdge) edges = {0};
  plan->block = SR_NEW_RAW(arena, uint32_t, g->count);
  for (uint32_t i = 0; i < g->count; i++) {
    plan->block[i] = nodes->block.at[nest->order[i]];
    for (SR_SUCCS(s, g, nest->order[i]))
      SR_PUSH(arena, &edges, (SrEdge){i, nest->rank[*s]});
  }
  plan->graph = sr_graph_new(arena, g->count, edges.at, edges.count);
  plan->copy = sr_bits_new(arena, g->count);
  plan->node = sr_new_none(arena, w->t->c->old->count);
  for (uint32_t i = 0; i < w->count; i++) {
    const SrRegion *n = region_at(w, w->order[i]);
    if (n->kind != SR_REGION_BLOCK)
      continue;
    uint32_t node = nest->rank[w->node[w->order[i]]];
    if (!n->copy && n->of < w->t->c->old->count) {
      plan->node[plan->block[node]] = node;
      continue;
    }
    sr_bit_set(plan->copy, node);
    plan->copies++;
  }
}

SrCopyPlan *sr_copy_plan_new(const SrControlTree *t) {
  Walk w = {.t = t, .scratch = sr_arena_new(t->arena->heap)};
  SrCopyGraph nodes = {0};
  SrCopyPlan *plan = SR_NEW(t->arena, SrCopyPlan, 1);
  plan->old = t->c->old;
  find_order(&w);
  find_places(&w);
  renumber(&w, &nodes, make_graph(&w, &nodes), plan);
  plan->dom = sr_dom_build(t->arena, plan->graph, 0);
  sr_arena_free(&w.scratch);
  return plan;
}
