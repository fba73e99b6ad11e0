/* exec_skip: which skip branches a wave-level program needs.
 *
 * A divergent branch takes lanes out of EXEC and goes to its other, secondary successor. If that
 * empties EXEC, the wave may run through what lies between there and the primary successor, doing
 * nothing, unless on the way there is something that needs a lane: a uniform branch (its condition
 * may be left over from another time, and a loop never end), a cycle, a call, an operation that
 * communicates between lanes, a leaf. (LLVM: SIInstrInfo::hasUnwantedEffectsWhenEXECEmpty and
 * mustRetainExeczBranch.)
 *
 * With EXEC empty each block leads to one other: its only successor, or the secondary or, where it
 * keeps its own skip branch, the primary one. These ways are a forest: they stop at what needs a
 * lane, or where they lead back in the layout. A sweep in reverse layout order grows it, and asks
 * for each branch whether the way from its secondary successor passes its primary one, in O(log V)
 * (ancestor.h). */
#ifndef SR_EXEC_SKIP_H
#define SR_EXEC_SKIP_H

#include "analysis/cycle.h"
#include "analysis/rejoin.h"

/* By block that ends in a divergent branch: is its skip branch needed? `alive` by block: what it
 * holds needs a lane. */
SrBits *sr_exec_skip_needed(SrArena *arena, const SrGraph *g, const SrNest *layout,
                            const SrRejoin *r, const SrBits *alive);

#endif
