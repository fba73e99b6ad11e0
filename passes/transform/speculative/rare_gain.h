/* SPDX-License-Identifier: Apache-2.0 */
/* rare_gain: what loops issue on recorded paths, before and after their arms are moved out.
 *
 * The lanes of a subgroup that enter a loop together are followed iteration by iteration. Before
 * the change, all lanes begin each iteration together. After the change, lanes begin each iteration
 * of the outer loop together. Each lane stays in the inner loop until it needs the arm, and then
 * the lanes that need it run it together. In an iteration of the outer loop, a block is issued as
 * often as the lane that runs it most runs it. */
#ifndef SR_RARE_GAIN_H
#define SR_RARE_GAIN_H

#include "passes/transform/speculative/rare_arm.h"

/* The issues before and after, by arm. `cost`: by block. Cost: O(n log n) in the length of the
 * paths, times the lanes of a subgroup at worst. */
SrLoopIssues *sr_rare_gain(SrArena *arena, const SrRareArms *arms, uint32_t block_count,
                           const uint64_t *cost, const SrLoopPaths *paths);

#endif
