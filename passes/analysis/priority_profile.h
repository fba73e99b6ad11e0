/* SPDX-License-Identifier: Apache-2.0 */
/* priority_profile: priorities for thread frontiers, chosen from the paths that lanes took.
 *
 * Diamos et al. leave the priorities to the compiler, by the graph alone. With a profile, thread
 * frontiers can be simulated: an order of the blocks and the lanes' paths tell what a subgroup
 * would issue. The search starts from a given order and only ever moves to one that issues no more,
 * so on the paths of the profile the result is never worse than the start.
 *
 * Moves: one block, or several in a row, go to another place in the order; the local search for the
 * linear ordering problem (Laguna, Martí and Campos, Intensification and diversification with elite
 * tabu search solutions for the linear ordering problem, Computers & Operations Research 26, 1999)
 * without its tabu list. Moves without gain are made too: they lead along a plateau.
 *
 * Barriers: on no input may lanes reach a barrier while others wait elsewhere. A block that can
 * reach a barrier keeps all blocks before it that the start has before it. */
#ifndef SR_PRIORITY_PROFILE_H
#define SR_PRIORITY_PROFILE_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct SrTrail { /* of a lane: the blocks that it ran, at least one */
  const uint32_t *blocks;
  uint32_t count;
} SrTrail;

typedef struct SrTrails { /* of a subgroup; equal ones need occur only once */
  const SrTrail *at;
  uint32_t count;
} SrTrails;

typedef struct SrProfile {
  uint32_t block_count;        /* numbered in the order to start from */
  const uint32_t *issues;      /* by block: its instructions that count */
  const bool *reaches_barrier; /* by block */
  const SrTrails *subgroups;
  uint32_t subgroup_count;
} SrProfile;

/* The number of issues of thread frontiers on the profile's paths, with the blocks by falling
 * priority. */
uint64_t sr_profile_issues(SrArena *scratch, const SrProfile *profile, const uint32_t *order);

/* The blocks by falling priority. `budget`: how many blocks the search may run, each for one lane;
 * 40 million take about a quarter of a second. The same profile and budget give the same order. */
uint32_t *sr_profile_order(SrArena *arena, const SrProfile *profile, uint64_t budget);

#endif
