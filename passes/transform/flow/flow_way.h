/* SPDX-License-Identifier: Apache-2.0 */
/* flow_way: where values need new names on the paths of lanes through reconverge's flow blocks: the
 * implementation of ssa_route.h for a program that is not structured. */
#ifndef SR_FLOW_WAY_H
#define SR_FLOW_WAY_H

#include "passes/transform/flow/flow_route.h"
#include "passes/transform/ssa/ssa_route.h"

typedef struct SrFlowWays {
  /* set by the caller; the new graph's blocks are those of `flow`, in the order of flow->order */
  const SrFlowGraph *flow;
  const SrGraph *graph;   /* the new graph */
  const SrDom *dom;       /* its dominators */
  const uint32_t *place;  /* by flow block: new block */
  const uint32_t *new_of; /* by old block: new block */
  const uint32_t *rank;   /* by old block */
  /* made by sr_flow_way_init */
  SrFlowRoutes ways, names;
} SrFlowWays;

/* Builds `ways` and `names`. O(n log n). */
void sr_flow_way_init(SrFlowWays *w, SrArena *arena);
SrRoutes sr_flow_way_routes(const SrFlowWays *w);

#endif
