/* SPDX-License-Identifier: Apache-2.0 */
/* flow_names: where values need new names on the paths of lanes through reconverge's flow blocks.
 * Implements ssa_path.h for a program that is not structured. */
#ifndef SR_FLOW_NAMES_H
#define SR_FLOW_NAMES_H

#include "passes/transform/flow/flow_path.h"
#include "passes/transform/ssa/ssa_path.h"

typedef struct SrFlowNames {
  /* set by the caller; the new graph's blocks are those of `flow`, in the order of flow->order */
  const SrFlowGraph *flow;
  const SrGraph *graph;   /* the new graph */
  const SrDom *dom;       /* its dominators */
  const uint32_t *place;  /* by flow block: new block */
  const uint32_t *new_of; /* by old block: new block */
  const uint32_t *rank;   /* by old block */
  /* made by sr_flow_names_init */
  SrFlowPaths paths, names;
} SrFlowNames;

/* Builds `paths` and `names`. O(n log n). */
void sr_flow_names_init(SrFlowNames *w, SrArena *arena);
SrSsaPaths sr_flow_names_paths(const SrFlowNames *w);

#endif
