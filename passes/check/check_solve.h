/* SPDX-License-Identifier: Apache-2.0 */
/* check_solve: finds drawn numbers that make a lane take an edge. */
#ifndef SR_CHECK_SOLVE_H
#define SR_CHECK_SOLVE_H

#include "check/check_walk.h"

enum { SR_CHECK_MOST_TARGETS = 4 };

/* Terms and the numbers that they should have. */
typedef struct SrCheckTargets {
  uint64_t term[SR_CHECK_MOST_TARGETS], number[SR_CHECK_MOST_TARGETS];
  uint32_t count;
} SrCheckTargets;

/* Fills `targets` so that the lane, which is at the end of the edge's source, would take the edge;
 * false if no solution is found. */
bool sr_check_solve(const SrCheckWalk *w, uint32_t edge, uint64_t random, SrCheckTargets *targets);

#endif
