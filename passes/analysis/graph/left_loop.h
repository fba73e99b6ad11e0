/* SPDX-License-Identifier: Apache-2.0 */
/* left_loop: blocks that lanes run separately because they left a loop in different iterations.
 *
 * Lanes that leave a loop in different iterations run the break and return blocks of the loop
 * construct separately. The merge instruction causes this: without it, those blocks belong to no
 * cycle, and the lanes would meet there. */
#ifndef SR_LEFT_LOOP_H
#define SR_LEFT_LOOP_H

#include "passes/analysis/graph/cycle.h"
#include "passes/ir/module.h"

/* The reachable blocks of f that are in more loop constructs than in cycles that have a loop
 * construct. `nest`: of the function's graph. Linear. */
SrBits *sr_left_loop_blocks(SrArena *arena, const SrModule *m, const SrFunction *f,
                            const SrNest *nest);

#endif
