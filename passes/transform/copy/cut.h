/* SPDX-License-Identifier: Apache-2.0 */
/* cut: gives a cycle with several exits a single one (Wu, Diamos et al. 2012, section 3, Cut).
 *
 *     +-> h --> x1               +-> h --+
 *     |   |                      |   |   |
 *     |   b --> x2       =>      |   b --+--> is it x1? --> x1
 *     |   |                      |   |            `-> is it x2? --> x2
 *     +---+                      +---+                      `-> …
 *
 * In the control tree, the tests are regions after the cycle's region. As in structurize, the first
 * tests are for exits that are also jumps in the parent cycle (to its header or continue target, or
 * out of it). Tests for other targets follow, in LRPO. Structurize writes the flags and tests
 * themselves (its selector, at the loop's merge block); here the tests only show Forward Copy what
 * it has to do after the cycle.
 *
 * A cycle whose exits all lead to one block is not cut: they are breaks. */
#ifndef SR_CUT_H
#define SR_CUT_H

#include "passes/transform/copy/region.h"

typedef struct SrCycleExits {
  SR_VEC(uint32_t) node; /* targets: first jumps in the parent cycle, then others by rank */
  uint32_t latch;        /* node of the continue target that edges jump to, or SR_NONE */
} SrCycleExits;

/* Finds the exits of all cycles, and counts in `refs`, by node, the edges to the node from its own
 * level. (The level of a node is its innermost cycle.) */
SR_MUST_USE SrStatus sr_cut_find_exits(SrControlTree *t, uint32_t *refs);
/* The index of `node` among the exits of the cycle. */
uint32_t sr_cut_exit(const SrControlTree *t, uint32_t cycle, uint32_t node);
/* The arm that an edge from the level of cycle `level` (SR_NONE: outside of cycles) to `node`
 * makes: a region, or a jump. */
uint32_t sr_cut_arm(const SrControlTree *t, uint32_t level, uint32_t node);
/* Makes the region of a cycle, whose blocks have been reduced, with the tests after it, and reduces
 * that region. */
SR_MUST_USE SrStatus sr_cut_cycle(SrControlTree *t, uint32_t cycle, uint32_t *region);

#endif
