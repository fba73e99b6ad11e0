/* SPDX-License-Identifier: Apache-2.0 */
/* check_laps: walks that take an edge of a cycle several times before they look for open edges.
 *
 * A loop may count its iterations, and a later switch may test that count: then the number of
 * iterations, not a drawn number, decides which case a lane takes. Walks that take every edge of
 * the loop once and then leave it never reach such a case. A *plan* is an edge that closed a cycle
 * on an earlier walk, and a number of laps, both drawn from the walk's seed. If a walk with a plan
 * covers something new, the next walks follow the same plan, because there is probably no other way
 * to the blocks beyond. */
#ifndef SR_CHECK_LAPS_H
#define SR_CHECK_LAPS_H

#include "passes/walk/walk_code.h"

typedef struct SrCheckLaps {
  SrArena *arena;
  SR_VEC(uint32_t) edge; /* edges by which a lane reached a block again */
  uint8_t *known;        /* by edge: is it one of these? */
  uint32_t *entered;     /* by block: the walk (its epoch) that entered it last */
  uint32_t by;           /* the plan: an edge, */
  uint32_t count;        /* how often a walk takes it; 0: there is no plan */
  uint32_t left;         /* how often this walk still has to */
} SrCheckLaps;

void sr_check_laps_init(SrArena *arena, const SrWalkCode *code, SrCheckLaps *laps);
/* Draws a plan; there is none if no lane has closed a cycle. */
void sr_check_laps_plan(SrCheckLaps *laps, uint64_t random);
/* The lane of walk `epoch` takes an edge to block `to`. Returns whether that was the last lap. */
bool sr_check_laps_take(SrCheckLaps *laps, uint32_t epoch, uint32_t edge, uint32_t to);

#endif
