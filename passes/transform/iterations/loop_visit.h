/* SPDX-License-Identifier: Apache-2.0 */
/* loop_visit: recorded paths, cut into the visits that the lanes of a subgroup make to loops
 * together. */
#ifndef SR_LOOP_VISIT_H
#define SR_LOOP_VISIT_H

#include "passes/analysis/graph/priority_profile.h"

/* Paths through a function. */
typedef struct SrLoopPaths {
  const SrPaths *subgroups;
  uint32_t subgroup_count;
} SrLoopPaths;

typedef struct SrLoopIssues {
  uint64_t before, after;
} SrLoopIssues;

/* Why a loop stays as it is, in `arena`. */
const char *sr_loop_no_gain(SrArena *arena, const SrLoopIssues *issues);

/* A lane, and its place on its path: the block that it runs next. */
typedef struct SrLoopLane {
  const SrPath *path;
  uint32_t at;
} SrLoopLane;

static inline uint32_t sr_lane_block(const SrLoopLane *l) {
  return l->path->blocks[l->at];
}
/* Is the lane in this loop? `loop_of`: by block. */
static inline bool sr_lane_in(const SrLoopLane *l, const uint32_t *loop_of, uint32_t loop) {
  return l->at < l->path->count && loop_of[sr_lane_block(l)] == loop;
}

/* Loops that do not overlap. */
typedef struct SrLoopVisits {
  const uint32_t *loop_of; /* by block: its loop, or SR_NONE */
  uint32_t count;
  /* Called with the lanes that enter a loop together, at its first block. */
  void (*visit)(void *user, uint32_t loop, const SrLoopLane *lanes, uint32_t count);
  void *user;
} SrLoopVisits;

/* Calls `visit` for each visit. Lanes of a subgroup that enter a loop for the n-th time are assumed
 * to enter it together. Cost: O(n log n) in the length of the paths, and the calls. */
void sr_loop_visits(SrArena *arena, const SrLoopVisits *visits, const SrLoopPaths *paths);

#endif
