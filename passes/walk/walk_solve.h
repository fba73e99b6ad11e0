/* SPDX-License-Identifier: Apache-2.0 */
/* walk_solve: finds drawn numbers that make a lane take an edge. */
#ifndef SR_WALK_SOLVE_H
#define SR_WALK_SOLVE_H

#include "passes/walk/walk.h"

enum { SR_WALK_MOST_TARGETS = 4 };

/* Terms and the numbers that they should have. */
typedef struct SrWalkTargets {
  uint64_t term[SR_WALK_MOST_TARGETS], number[SR_WALK_MOST_TARGETS];
  uint32_t count;
} SrWalkTargets;

/* Fills `targets` so that the lane, which is at the end of the edge's source, would take the edge;
 * false if no solution is found. */
bool sr_walk_solve(const SrWalk *w, uint32_t edge, uint64_t random, SrWalkTargets *targets);

#endif
