/* SPDX-License-Identifier: Apache-2.0 */
/* likely: likely convergence points (Fung and Aamodt, Thread Block Compaction for Efficient SIMT
 * Control Flow, HPCA 2011, section 4.2).
 *
 * The immediate post-dominator of a branch may be far away: a path that leaves the loop early moves
 * it out of the loop, even if hardly a lane takes that path. The likely convergence point is where
 * the sides of the branch meet if no lane takes such a path. The paper leaves the choice to the
 * compiler or a profile; here it is the immediate post-dominator in the innermost cycle around the
 * branch, with edges that leave the cycle dropped and back edges redirected to a virtual exit.
 * Outside of cycles it is the immediate post-dominator if only the last of the function's ends, in
 * LRPO, is kept.
 *
 * Cost O(depth * E log V) for cycles nested `depth` deep; branches deeper than 32 get none. */
#ifndef EMU_LIKELY_H
#define EMU_LIKELY_H

#include "spv-emu/policy/block_table.h"

/* By block: the likely convergence point of its branch; SR_NONE: there is none before the block's
 * immediate post-dominator, given by `ipdom`. */
const uint32_t *emu_likely_points(SrArena *arena, const EmuBlockTable *table,
                                  const uint32_t *ipdom);

#endif
