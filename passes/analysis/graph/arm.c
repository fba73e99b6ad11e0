/* SPDX-License-Identifier: Apache-2.0 */
/* arm: see arm.h. Weights are added up along the tree of dominators, children first. Blocks outside
 * an inner cycle that its blocks dominate belong to the arm of the cycle's header. */
#include "passes/analysis/graph/arm.h"

enum {
  WEIGHT_BITS = 3, /* SR_ARM_ITERATIONS is 1 << WEIGHT_BITS */
  MOST_DEPTH = 8,  /* deeper cycles weigh as much as these */
};

uint64_t sr_arm_weight(const SrNest *nest, uint32_t block) {
  uint32_t c = nest->inner[block], depth = c == SR_NONE ? 0 : nest->cycles[c].depth;
  return (uint64_t)1 << WEIGHT_BITS * (depth < MOST_DEPTH ? depth : MOST_DEPTH);
}

uint32_t sr_arm_cycle(const SrArms *arms, uint32_t block) {
  uint32_t c = arms->nest->inner[block];
  return c != SR_NONE && arms->nest->cycles[c].header == block ? arms->nest->cycles[c].parent : c;
}

int64_t sr_arms_cycle_weight(const SrArms *arms, uint32_t cycle) {
  const SrCycle *c = &arms->nest->cycles[cycle];
  return (int64_t)(arms->before[c->last + 1] - arms->before[c->first]);
}

bool sr_arms_passed_by(const SrArms *arms, uint32_t cycle, uint32_t block) {
  return arms->latches[cycle].low < arms->dom->enter[block] ||
         arms->latches[cycle].high >= arms->dom->leave[block];
}

static void find_latches(SrArena *arena, SrArms *arms, const SrGraph *g) {
  const SrNest *n = arms->nest;
  arms->latches = sr_spans_new(arena, n->cycle_count);
  for (uint32_t c = 0; c < n->cycle_count; c++)
    for (SR_PREDS(from, g, n->cycles[c].header))
      if (sr_cycle_has(n, c, *from))
        sr_span_widen(&arms->latches[c],
                      (SrSpan){arms->dom->enter[*from], arms->dom->enter[*from]});
}

/* The block to whose arm the weight of b's arm is added; SR_NONE: it lies in no arm. */
static uint32_t holder_of(const SrArms *arms, const SrAncestors *around, uint32_t b) {
  const SrNest *n = arms->nest;
  uint32_t up = arms->dom->idom[b];
  if (up == SR_NONE || n->inner[up] == SR_NONE || sr_cycle_has(n, n->inner[up], b))
    return up;
  uint32_t cycle = sr_arm_cycle(arms, b);
  uint32_t left = sr_ancestors_entered(around, cycle, n->inner[up]);
  if (left == SR_NONE || n->cycles[left].parent != cycle)
    return SR_NONE;
  uint32_t header = n->cycles[left].header;
  return sr_dominates(arms->dom, header, up) ? header : SR_NONE;
}

static void weigh(SrArena *arena, SrArms *arms, const uint64_t *cost) {
  const SrDom *dom = arms->dom;
  SrAncestors around = sr_nest_ancestors(arena, arms->nest);
  arms->weight = SR_NEW(arena, int64_t, dom->count);
  for (uint32_t i = dom->reached; i-- > 0;) {
    uint32_t b = dom->preorder[i], holder = holder_of(arms, &around, b);
    arms->weight[b] += (int64_t)(cost[b] * sr_arm_weight(arms->nest, b));
    if (holder != SR_NONE)
      arms->weight[holder] += arms->weight[b];
  }
}

SrArms sr_arms_build(SrArena *arena, const SrGraph *g, const SrNest *nest, const SrDom *dom,
                     const uint64_t *cost) {
  SrArms arms = {.nest = nest, .dom = dom};
  arms.before = SR_NEW(arena, uint64_t, nest->count + 1);
  for (uint32_t r = 0; r < nest->count; r++) {
    uint32_t b = nest->order[r];
    arms.before[r + 1] = arms.before[r] + cost[b] * sr_arm_weight(nest, b);
  }
  find_latches(arena, &arms, g);
  weigh(arena, &arms, cost);
  return arms;
}
