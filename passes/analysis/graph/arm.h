/* SPDX-License-Identifier: Apache-2.0 */
/* arm: parts of a cycle that lanes may bypass in an iteration, and an estimate of their cost.
 *
 * An *arm* is a block of a cycle, other than the header, with everything that the block dominates
 * in the cycle. If the block is itself the header of a cycle, its arm belongs to the next outer
 * cycle. The weight of a block is its cost times 8 for each cycle around it: a cycle is assumed to
 * have 8 iterations. */
#ifndef SR_ARM_H
#define SR_ARM_H

#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/graph/dom.h"
#include "passes/base/span.h"

enum { SR_ARM_ITERATIONS = 8 }; /* iterations of a cycle, an estimate */

typedef struct SrArms {
  const SrNest *nest;
  const SrDom *dom;
  uint64_t *before; /* by rank: weight of the blocks with lower ranks; one more entry for the end */
  int64_t *weight;  /* by block: weight of the arm that it begins */
  SrSpan *latches;  /* by cycle: dominator-tree numbers of the sources of its back edges */
} SrArms;

/* The weight of one instruction in a block. */
uint64_t sr_arm_weight(const SrNest *nest, uint32_t block);
/* `cost`: by block, at most 2^32 each. O(E log V). */
SrArms sr_arms_build(SrArena *arena, const SrGraph *g, const SrNest *nest, const SrDom *dom,
                     const uint64_t *cost);
/* The cycle of the arm that begins with this block; SR_NONE: there is none. */
uint32_t sr_arm_cycle(const SrArms *arms, uint32_t block);
int64_t sr_arms_cycle_weight(const SrArms *arms, uint32_t cycle);
/* Is there an iteration of the cycle that does not reach the block? */
bool sr_arms_passed_by(const SrArms *arms, uint32_t cycle, uint32_t block);

#endif
