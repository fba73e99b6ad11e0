/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_stuck: values that no phi may hold and that cannot be rematerialized (ssa_rematerialize.h),
 * so that their definitions must keep dominating all their uses. */
#ifndef SR_SSA_STUCK_H
#define SR_SSA_STUCK_H

#include "passes/analysis/graph/cycle.h"

/* By block: it lies in a cycle and defines such a value, which another block uses. Linear. */
SrBits *sr_ssa_stuck_blocks(SrArena *arena, SrModule *m, const SrFunction *f, const SrNest *nest);

#endif
