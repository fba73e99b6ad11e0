/* SPDX-License-Identifier: Apache-2.0 */
/* block_order: puts the blocks of a function in an order that SPIR-V allows: each after its
 * immediate dominator (SPIR-V 1.6, section 2.4). */
#ifndef SR_BLOCK_ORDER_H
#define SR_BLOCK_ORDER_H

#include "passes/ir/module.h"

/* A dominator that comes too late moves up, before the first block that needs it; all others keep
 * their order. Returns whether a block has moved. O(E log V). */
bool sr_order_blocks(SrModule *m, SrArena *scratch, SrFunction *f);
/* Is the function structured, with its blocks in an order that SPIR-V allows? */
bool sr_is_laid_out(const SrModule *m, SrArena *scratch, const SrFunction *f);

#endif
