/* priority_profile: priorities for thread frontiers, chosen from the paths that lanes took.
 *
 * Diamos et al. leave the priorities to the compiler, by the graph alone. Where a profile is at
 * hand, thread frontiers can be tried out on it: an order of the blocks and the lanes' paths say
 * what a subgroup would issue. The search starts from a given order and only ever goes to one that
 * issues no more, so the result is never worse than the start on the paths of the profile.
 *
 * Moves: a block, or several in a row, go to another place in the order; the local search for the
 * linear ordering problem (Laguna, Martí and Campos, Intensification and diversification with elite
 * tabu search solutions for the linear ordering problem, Computers & Operations Research 26, 1999)
 * without its tabu list. Moves that change nothing are made too: they lead along a plateau.
 *
 * Barriers. Lanes must not come to a barrier while others wait elsewhere, with no input. A block
 * that can reach a barrier keeps all blocks before it that the start has before it. */
#ifndef SR_PRIORITY_PROFILE_H
#define SR_PRIORITY_PROFILE_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct SrTrail { /* of a lane: the blocks that it ran; at least one */
  const uint32_t *blocks;
  uint32_t count;
} SrTrail;

typedef struct SrTrails { /* of a subgroup; equal ones need be there only once */
  const SrTrail *at;
  uint32_t count;
} SrTrails;

typedef struct SrProfile {
  uint32_t block_count;        /* numbered by the order to start from */
  const uint32_t *issues;      /* by block: its instructions that count */
  const bool *reaches_barrier; /* by block */
  const SrTrails *subgroups;
  uint32_t subgroup_count;
} SrProfile;

/* What thread frontiers issue on the profile's paths, with the blocks by falling priority. */
uint64_t sr_profile_issues(SrArena *scratch, const SrProfile *profile, const uint32_t *order);

/* The blocks by falling priority. `budget`: how many blocks of lanes the search may run; 40 million
 * take about a quarter of a second. The same profile and budget give the same order. */
uint32_t *sr_profile_order(SrArena *arena, const SrProfile *profile, uint64_t budget);

#endif
