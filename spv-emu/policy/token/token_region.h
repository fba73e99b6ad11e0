/* SPDX-License-Identifier: Apache-2.0 */
/* token_region: the regions in which lanes of divergent branches wait for one another, for the
 * token stack (token_place.h).
 *
 * A *region* has a *point*, the block at which its lanes reconverge, and holds the blocks on the
 * paths to the point. While lanes are in a region, and only then, its token is on the stack: it is
 * pushed on every edge into the region and popped when the last lanes have reached the point. So
 * the tokens on the stack at each block are known: those of the regions around it, which nest.
 *
 * The branches that may diverge and have the same immediate post-dominator R make a region, in
 * these steps:
 *
 *   1. The branches are divided into sets, as large as possible: R post-dominates the nearest
 *      common dominator of a set, and no path from there to a branch of the set passes R. That
 *      dominator is a *head* of the region.
 *   2. The region holds the blocks that the heads' successors reach before R. R post-dominates all
 *      of them. If a head is on a cycle without R, the region includes the head and its cycle: the
 *      token is pushed once, before the cycle.
 *   3. If a region reaches a block of another region whose point is before R, it takes in all of
 *      that region. So regions nest.
 *
 *      A            the heads A (point F) and B (point E): region {B, C, D, E} of F with
 *     / \           the region {C, D} of E inside
 *    |   B
 *    |  / \         Every edge out of a region leads to the point, which post-dominates it, so
 *    | C   D        nothing in it ends a lane.
 *    |  \ /
 *    |   E
 *     \ /
 *      F
 *
 * After Białas and Strzelecki, Benchmarking the cost of thread divergence in CUDA (PPAM 2015),
 * section III, which shows where a compiler places the instructions. Steps 1 to 3 are this
 * project's own. O(E log V). */
#ifndef EMU_TOKEN_REGION_H
#define EMU_TOKEN_REGION_H

#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/graph/dom.h"
#include "passes/base/vec.h"
#include "spv-emu/policy/policy.h"

typedef enum EmuRegionKind {
  EMU_REGION_SYNC,  /* SSY; `.S` carriers */
  EMU_REGION_BREAK, /* PBK; BRK: the point is where lanes continue from a cycle that several
                       branches leave */
  EMU_REGION_CONT,  /* PCNT; CONT: the point is a cycle's continue target that several branches lead
                       to */
} EmuRegionKind;

/* Blocks are those of the function, numbered from 0. */
typedef struct EmuRegion {
  uint32_t point;
  uint32_t outer; /* the region around it, or SR_NONE */
  EmuRegionKind kind;
  uint32_t enter, leave; /* preorder interval in the forest of regions */
} EmuRegion;

typedef struct EmuRegions {
  const SrNest *nest;
  const SrDom *back; /* post-dominators; the virtual exit is the root */
  SR_VEC(EmuRegion) all;
  uint32_t *of;       /* by block: the innermost region that holds it, or SR_NONE */
  uint32_t *far;      /* by block: number of points between it and the function's end */
  bool *leaves_cycle; /* by block: its branch may diverge and leaves its innermost cycle, as other
                    branches of that cycle do */
} EmuRegions;

/* The regions of a function. The nest must not have irreducible cycles. */
EmuRegions *emu_regions_build(SrArena *arena, const EmuBlockTable *table,
                              const EmuFunctionBlocks *fn, const SrNest *nest);

/* Is the block in the region? */
static inline bool emu_region_has(const EmuRegions *r, uint32_t region, uint32_t block) {
  uint32_t in = r->of[block];
  return in != SR_NONE && r->all.at[region].enter <= r->all.at[in].enter &&
         r->all.at[in].leave <= r->all.at[region].leave;
}

#endif
