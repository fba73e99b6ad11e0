/* SPDX-License-Identifier: Apache-2.0 */
/* added: what structurize's program adds to the graph, to compare programs. */
#ifndef SR_ADDED_H
#define SR_ADDED_H

#include "passes/transform/flow/flow.h"

typedef struct SrAdded {
  uint64_t size;   /* instructions; phis do not count */
  uint64_t issues; /* added blocks, each as often as it is taken to run: four times in a loop */
} SrAdded;

/* `nest`: the one that the program was made with. O(blocks). */
SrAdded sr_added(SrArena *scratch, const SrFlowGraph *flow, const SrNest *nest);
/* Do both edges of the block lead to one? */
bool sr_flow_both_to_one(const SrFlowGraph *flow, const SrFlowBlock *b);

#endif
