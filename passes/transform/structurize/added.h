/* SPDX-License-Identifier: Apache-2.0 */
/* added: what structurize's program adds to the graph, so that programs can be compared. */
#ifndef SR_ADDED_H
#define SR_ADDED_H

#include "passes/transform/flow/flow.h"

typedef struct SrAdded {
  uint64_t size;   /* instructions; phis do not count */
  uint64_t issues; /* runs of added blocks, each block counted as often as it is assumed to run:
                      four times in a loop */
} SrAdded;

/* `nest`: the one that the program was made with. O(blocks). */
SrAdded sr_added(SrArena *scratch, const SrFlowGraph *flow, const SrNest *nest);
/* Do both edges of the block lead to the same block? */
bool sr_flow_both_to_one(const SrFlowGraph *flow, const SrFlowBlock *b);

#endif
