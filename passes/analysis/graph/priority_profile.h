/* SPDX-License-Identifier: Apache-2.0 */
/* priority_profile: priorities for thread frontiers, chosen from the paths that lanes took.
 *
 * In Diamos et al. the compiler chooses the priorities from the graph alone. With a profile, thread
 * frontiers can be simulated: an order of the blocks and the lanes' paths determine what a subgroup
 * issues. The search starts from a given order and accepts only orders that issue no more, so on
 * the profile's paths the result is never worse than the initial order.
 *
 * A move takes one block, or several consecutive ones, to a different place in the order, as in the
 * local search for the linear ordering problem (Laguna, Martí and Campos, Intensification and
 * diversification with elite tabu search solutions for the linear ordering problem, Computers &
 * Operations Research 26, 1999), but without a tabu list. A move that leaves the number of issues
 * equal is accepted too, so that the search can cross plateaus.
 *
 * Barriers: if under the given order, on some input, no lanes reach a barrier while others wait in
 * other blocks, this must also hold under the result. So if the given order has a block a before a
 * block b, and b can reach a barrier, the result has a before b too. */
#ifndef SR_PRIORITY_PROFILE_H
#define SR_PRIORITY_PROFILE_H

#include "passes/base/arena.h"

#include <stdbool.h>

typedef struct SrPath { /* the path of a lane: the blocks that it ran, at least one */
  const uint32_t *blocks;
  uint32_t count;
} SrPath;

typedef struct SrPaths { /* the paths of a subgroup; equal ones need occur only once */
  const SrPath *at;
  uint32_t count;
} SrPaths;

typedef struct SrProfile {
  uint32_t block_count;        /* blocks are numbered in the initial order of the search */
  const uint32_t *issues;      /* by block: how many of its instructions count */
  const bool *reaches_barrier; /* by block */
  const SrPaths *subgroups;
  uint32_t subgroup_count;
} SrProfile;

/* The number of issues of thread frontiers on the profile's paths; `order` lists the blocks by
 * descending priority. */
uint64_t sr_profile_issues(SrArena *scratch, const SrProfile *profile, const uint32_t *order);

/* The blocks by descending priority. `budget`: limit on the block executions that the search
 * simulates, counted for each lane; 40 million take about a quarter of a second. The same profile
 * and budget give the same order. */
uint32_t *sr_profile_order(SrArena *arena, const SrProfile *profile, uint64_t budget);

#endif
