/* SPDX-License-Identifier: Apache-2.0 */
/* rare_gain: what loops issue on recorded paths, as they are and with their arms moved out.
 *
 * The lanes of a subgroup that enter a loop together are followed turn by turn. As it is, all lanes
 * begin each turn together. After the change they begin a turn of the outer loop together: each
 * turns in the inner loop until it needs the arm; then those that do run it together. In a turn a
 * block is issued as often as the lane runs it that runs it most often. */
#ifndef SR_RARE_GAIN_H
#define SR_RARE_GAIN_H

#include "passes/transform/speculative/rare_arm.h"

/* By arm. `cost`: by block. Cost: O(n log n) in the length of the paths, times the lanes of a
 * subgroup at worst. */
SrLoopIssues *sr_rare_gain(SrArena *arena, const SrRareArms *arms, uint32_t block_count,
                           const uint64_t *cost, const SrLoopPaths *paths);

#endif
