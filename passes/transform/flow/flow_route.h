/* flow_route: the ways of lanes through reconverge's flow blocks.
 *
 * A lane in a flow block X goes to the block it wants if X leads there, else to the next flow
 * block, which was made later: flow blocks are a forest, and a way is a path up. It ends at the
 * last flow block that was made before the block wanted was visited. Paths are climbed by skip
 * pointers (Myers 1983), O(log n). */
#ifndef SR_FLOW_ROUTE_H
#define SR_FLOW_ROUTE_H

#include "transform/flow/flow.h"

typedef struct SrFlowRoutes {
  const SrFlowGraph *flow;
  uint32_t *up, *skip;   /* by flow block: the next one, or one further up; SR_NONE */
  uint32_t *depth;       /* flow blocks on the path up from it */
  uint32_t *made, count; /* all flow blocks, the last made first */
} SrFlowRoutes;

SrFlowRoutes sr_flow_route_build(SrArena *arena, const SrFlowGraph *flow);
/* May a lane that wants `target` (a flow block of role USER) pass the added block x? */
static inline bool sr_flow_route_passes(const SrFlowGraph *f, uint32_t x, uint32_t target) {
  return f->block.at[x].stamp < f->block.at[target].stamp;
}
/* The last block on the path up from x, x included, for which `holds`; it must hold for x, and
 * must not hold again once it did not. */
uint32_t sr_flow_route_climb(const SrFlowRoutes *r, uint32_t x,
                             bool (*holds)(const void *user, uint32_t x), const void *user);

/* The forest of names, of the same blocks: a value that has its name since flow block x has it on
 * the way as far as x dominates (`reaches`, which must not hold again once it did not); `up` is the
 * flow block behind. Paths are a part of those in `ways`, and are climbed alike. */
SrFlowRoutes sr_flow_route_names(SrArena *arena, const SrFlowRoutes *ways,
                                 bool (*reaches)(const void *user, uint32_t x, uint32_t y),
                                 const void *user);

#endif
