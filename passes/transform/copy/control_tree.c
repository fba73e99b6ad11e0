/* SPDX-License-Identifier: Apache-2.0 */
/* control_tree: see control_tree.h. */
#include "passes/transform/copy/control_tree.h"

#include "passes/transform/copy/cut.h"
#include "passes/transform/copy/region_reduce.h"

#include <assert.h>

static SrStatus reduce_block(SrControlTree *t, uint32_t node) {
  const SrGraph *g = t->c->graph;
  uint32_t r = sr_region_new(t, SR_REGION_BLOCK, node, sr_succ_count(g, node));
  for (uint32_t k = 0; k < sr_succ_count(g, node); k++)
    t->arm.at[t->region.at[r].slot + k] =
        sr_cut_arm(t, t->nest->inner[node], g->succ[g->succ_at[node] + k]);
  t->region_of[node] = r;
  return sr_region_reduce(t, r);
}

/* Links the regions that lie in no arm, from the top region on. */
static void link_top(SrControlTree *t) {
  t->top = t->region_of[t->nest->order[0]];
  for (uint32_t r = t->top; r != SR_NONE; r = t->region.at[r].next) {
    assert(r == t->top || t->region.at[r].refs == 1);
    t->region.at[r].next = t->region.at[r].exit;
  }
}

SrStatus sr_control_tree_build(SrControlTree *t, SrArena *arena, SrCopyGraph *c, SrGrowth *growth,
                               SrCopyRule rule) {
  *t = (SrControlTree){.arena = arena, .c = c, .growth = growth, .rule = rule};
  t->nest = sr_nest_build(arena, c->graph);
  t->region_of = sr_new_none(arena, c->graph->count);
  uint32_t *refs = SR_NEW(arena, uint32_t, c->graph->count);
  SR_CHECK(sr_cut_find_exits(t, refs));
  for (uint32_t rank = t->nest->count; rank-- > 0;) {
    uint32_t node = t->nest->order[rank], cycle = t->nest->inner[node];
    SR_CHECK(reduce_block(t, node));
    if (cycle != SR_NONE && t->nest->cycles[cycle].header == node)
      SR_CHECK(sr_cut_cycle(t, cycle, &t->region_of[node]));
    t->region.at[t->region_of[node]].refs = refs[node];
  }
  link_top(t);
  return SR_OK;
}
