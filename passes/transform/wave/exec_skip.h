/* SPDX-License-Identifier: Apache-2.0 */
/* exec_skip: which skip branches a wave-level program needs.
 *
 * A divergent branch removes lanes from EXEC and goes to its other, secondary successor. If that
 * empties EXEC, the wave may run through the code up to the primary successor without effect,
 * unless something on the way needs a lane: a uniform branch (its condition may be stale, so that a
 * loop never ends), a cycle, a call, an operation that communicates between lanes, a leaf. (LLVM:
 * SIInstrInfo::hasUnwantedEffectsWhenEXECEmpty and mustRetainExeczBranch.)
 *
 * With EXEC empty each block leads to one other: its only successor, or the secondary or, if it
 * keeps its own skip branch, the primary one. These paths form a forest: they end at blocks that
 * need a lane, or where they go backward in the layout. A sweep in reverse layout order grows it,
 * and finds for each branch whether the path from its secondary successor passes its primary one,
 * in O(log V) (ancestor.h). */
#ifndef SR_EXEC_SKIP_H
#define SR_EXEC_SKIP_H

#include "analysis/cycle.h"
#include "analysis/rejoin.h"

/* By block that ends in a divergent branch: is its skip branch needed? `alive` by block: its
 * contents need a lane. */
SrBits *sr_exec_skip_needed(SrArena *arena, const SrGraph *g, const SrNest *layout,
                            const SrRejoin *r, const SrBits *alive);

#endif
