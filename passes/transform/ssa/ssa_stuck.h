/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_stuck: values that have to stay where all their uses are dominated by them: no phi may hold
 * them, and they cannot be rematerialized (ssa_rematerialize.h). */
#ifndef SR_SSA_STUCK_H
#define SR_SSA_STUCK_H

#include "passes/analysis/graph/cycle.h"

/* By block: it lies in a cycle and has such a value, which another block uses. Linear. */
SrBits *sr_ssa_stuck_blocks(SrArena *arena, SrModule *m, const SrFunction *f, const SrNest *nest);

#endif
