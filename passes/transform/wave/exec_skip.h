/* SPDX-License-Identifier: Apache-2.0 */
/* exec_skip: which skip branches a wave-level program needs.
 *
 * A divergent branch removes the lanes of its primary successor from EXEC, and the wave goes to the
 * other successor, the secondary one. If that empties EXEC, the wave may run the code up to the
 * primary successor without effect, unless something on the path needs a lane: a uniform branch
 * (its condition may be stale, so that a loop never ends), a cycle, a call, an operation that
 * communicates between lanes, a leaf. (LLVM: SIInstrInfo::hasUnwantedEffectsWhenEXECEmpty and
 * mustRetainExeczBranch.)
 *
 * With EXEC empty, the wave goes from each block to one other: to its only successor, to the
 * secondary one or, if the block keeps its skip branch, to the primary one. These paths form a
 * forest: they end at blocks that need a lane, or where they go backward in the layout. A sweep in
 * reverse layout order grows the forest, and finds for each branch whether the path from its
 * secondary successor passes its primary one, in O(log V) (ancestor.h). */
#ifndef SR_EXEC_SKIP_H
#define SR_EXEC_SKIP_H

#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/graph/rejoin.h"

/* By block that ends in a divergent branch: is its skip branch needed? `alive` by block: its
 * contents need a lane. */
SrBits *sr_exec_skip_needed(SrArena *arena, const SrGraph *g, const SrNest *layout,
                            const SrRejoin *r, const SrBits *alive);

#endif
