/* SPDX-License-Identifier: Apache-2.0 */
/* check_live: which edges of a function, of either side (check.h), walks can take.
 *
 * If every path to a branch has already tested its condition, or the condition is constant there,
 * the branch has only one outcome. This is common in code that was copied for one predecessor. The
 * branch's other edges are *dead*; coverage does not count them, and no walk is steered to them.
 * The outcome of a test is remembered along a chain of blocks that have one predecessor, up to and
 * including the branch at the end of the chain. If a phi brings a constant condition, the outcome
 * is known for each edge to the phi (as in conditional constant propagation: Wegman and Zadeck,
 * TOPLAS 1991, without its lattice). If phis and selects choose a condition from a few constants,
 * as in a state machine, the branch leads only where these constants lead.
 *
 * Linear in blocks, edges and operands of phis. */
#ifndef SR_CHECK_LIVE_H
#define SR_CHECK_LIVE_H

#include "passes/walk/walk_code.h"

typedef struct SrCheckLive {
  uint8_t *live;  /* by edge */
  uint32_t *next; /* by edge: the only edge out of its target that can follow it; SR_NONE: any */
} SrCheckLive;

/* Finds the edges that walks can take. Walks compute comparisons of constants whose ids are
 * `folds_from` or greater. `fact` has room for the module's ids, all SR_NONE, and is left in that
 * state. */
void sr_check_live(SrArena *arena, const SrWalkCode *code, uint32_t folds_from, uint32_t *fact,
                   SrCheckLive *live);

#endif
