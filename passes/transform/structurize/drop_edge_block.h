/* SPDX-License-Identifier: Apache-2.0 */
/* drop_edge_block: drops the blocks that portable structure puts on edges for the sake of phis, if
 * those phis turn out not to exist. */
#ifndef SR_DROP_EDGE_BLOCK_H
#define SR_DROP_EDGE_BLOCK_H

#include "passes/ir/module.h"
#include "passes/transform/counts.h"

/* `first_added`: the lowest id of the blocks that structurize added to f. Subtracts from `counts`.
 * O(blocks + edges). */
void sr_drop_edge_blocks(SrModule *m, SrFunction *f, uint32_t first_added,
                         SrTransformCounts *counts);

#endif
