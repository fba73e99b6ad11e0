/* SPDX-License-Identifier: Apache-2.0 */
/* check_live: which edges of a function a walk on the side before can take.
 *
 * A branch whose condition was tested before on every path to it, or is a constant there, has only
 * one outcome: code that was copied for one of its predecessors repeats such tests. Its other edges
 * are *dead*; coverage does not count them, and no walk is steered to them. Facts are followed
 * along chains of blocks with one predecessor, and over one more edge; what constants decide
 * through a phi is known per edge (as in conditional constant propagation: Wegman and Zadeck,
 * TOPLAS 1991, without its lattice). A condition that phis and selects choose from a few constants,
 * as a state machine's, leads only where these do.
 *
 * Linear in blocks, edges and operands of phis. */
#ifndef SR_CHECK_LIVE_H
#define SR_CHECK_LIVE_H

#include "check/check_code.h"

typedef struct SrCheckLive {
  uint8_t *live;  /* by edge */
  uint32_t *next; /* by edge: the only edge out of its target that can follow it; SR_NONE: any */
} SrCheckLive;

/* `folds`: walks compute comparisons of constants (SR_CHECK_COMPUTE_FIXED). `fact` has room for the
 * module's ids, all SR_NONE, and is left in that state. */
void sr_check_live(SrArena *arena, const SrCheckCode *code, bool folds, uint32_t *fact,
                   SrCheckLive *live);

#endif
