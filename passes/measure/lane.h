/* SPDX-License-Identifier: Apache-2.0 */
/* lane: the path of one lane through a function, before and after a transform.
 *
 * A transform keeps what a lane computes, so a lane that makes certain decisions in the input takes
 * a certain path in the output. The checker's walks (walk/walk.h) find it: in the input,
 * instructions are uninterpreted, and the numbers that they produce are chosen so that the lane
 * takes the wanted edges; the walk through the output gets the same numbers. What transforms add,
 * such as the selectors of dispatch blocks, is computed.
 *
 * The edges wanted in the input are those of a recorded path, or supposed ones. Supposed edges are
 * as frequent as in the recording. If nothing was recorded, all edges of a branch are equally
 * likely, except that a lane leaves a cycle in one iteration of four. At uniform branches all lanes
 * take the same edge. If the input's own constants decide a branch, as in a state machine, the lane
 * follows them.
 *
 * Cost: a lane with supposed edges enters a number of blocks linear in the function's size, a
 * recorded lane a few times the blocks of its path. In the output it enters a small multiple of
 * that, or is given up. */
#ifndef SR_LANE_H
#define SR_LANE_H

#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/graph/priority_profile.h"
#include "passes/analysis/uniform/uniform.h"
#include "passes/walk/walk.h"

typedef struct SrLanes {
  SrArena *arena;
  SrWalk walk;
  const SrBits *uniform;    /* blocks whose branch is uniform */
  const SrNest *nest;       /* of the input */
  const uint32_t *homeward; /* by block before: its edge on a shortest path to the end; SR_NONE:
                               none */
  uint32_t *visits;         /* by block before: visits on the current walk */
  uint32_t *taken;          /* by edge before: how often recorded paths take it; or NULL */
  uint64_t size;            /* of the input */
} SrLanes;

/* Begins with a function; `walk` has both sides and the draw. */
void sr_lanes_init(SrArena *arena, const SrUniform *u, const SrWalk *walk, SrLanes *lanes);
/* Counts a recorded path's edges: from now on, supposed decisions have these frequencies. */
void sr_lanes_count(SrLanes *lanes, const SrPath *path);
/* Walks through the input with supposed decisions, which the lane's number determines. */
void sr_lane_suppose(SrLanes *lanes, uint32_t lane);
/* Walks through the input along a recorded path of its blocks. False if the path is not one of this
 * function, or if no numbers are found that lead the lane along it. */
bool sr_lane_replay(SrLanes *lanes, const SrPath *path);
/* Walks through the output. *path: the blocks entered, in `arena`; cut off where the walk through
 * the input was. False if input and output do not compute the same, as far as is known, or if the
 * path is too long. */
bool sr_lane_after(SrLanes *lanes, SrArena *arena, SrPath *path);

#endif
