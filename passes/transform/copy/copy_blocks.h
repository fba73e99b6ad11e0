/* SPDX-License-Identifier: Apache-2.0 */
/* copy_blocks: writes a plan of copies into the module.
 *
 * The original blocks keep their ids. A copy gets fresh ones, with the names, decorations and debug
 * lines of its original; it counts as user code, not as added. Blocks come in the order of the
 * plan; blocks that the entry does not reach are dropped. Merge instructions are copied unchanged,
 * for their control hints: their targets are not valid until structurize has replaced them. */
#ifndef SR_COPY_BLOCKS_H
#define SR_COPY_BLOCKS_H

#include "passes/transform/copy/copy_plan.h"
#include "passes/transform/counts.h"

/* Needs and keeps SSA. Adds to `counts`: blocks and instructions that were duplicated, phis and
 * other instructions that were added. */
SR_MUST_USE SrStatus sr_copy_blocks(SrModule *m, SrFunction *f, SrArena *arena,
                                    const SrCopyPlan *plan, SrTransformCounts *counts);

#endif
