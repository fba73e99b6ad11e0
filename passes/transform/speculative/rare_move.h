/* SPDX-License-Identifier: Apache-2.0 */
/* rare_move: moves arms out of their loops.
 *
 *   before                     after
 *
 *       entry                      entry
 *         |                          |
 *         v                          v
 *   +---> h: leave? --> exit   +---> H'
 *   |     |                    |     |
 *   |     b: rare?             |     v
 *   |     |    \               | +-> h: leave? --> exit
 *   |     |     L              | |   |
 *   |     v    /               | |   b: rare? --> L      lanes gather here, as all
 *   +---- T <-+                | |   |            |      others have left the inner loop
 *                              | +-- T            |
 *                              +------ copy of T -+
 *
 * Back edges of lanes that have run the arm L lead to a new header H' of an outer loop. The other
 * back edges stay and make an inner loop, which no longer contains L. Code that both run before the
 * back edge is copied. Each lane runs the same blocks in the same order as before. */
#ifndef SR_RARE_MOVE_H
#define SR_RARE_MOVE_H

#include "passes/transform/counts.h"
#include "passes/transform/speculative/rare_arm.h"

/* Needs and keeps SSA. Drops the function's merge instructions. Adds to `counts`. Near-linear. */
SR_MUST_USE SrStatus sr_rare_move(SrArena *arena, SrModule *m, SrFunction *f,
                                  const SrRareArms *arms, SrTransformCounts *counts);

#endif
