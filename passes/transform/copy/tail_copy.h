/* SPDX-License-Identifier: Apache-2.0 */
/* tail_copy: copies small tails in place of the guards that structurize would give them.
 *
 * A guard is needed where lanes headed for a block meet lanes that are not. If each edge to that
 * block leads to a copy of its own, with everything that only this block leads to (tail.h), no
 * lanes meet there:
 *
 *     b1                  b1                        b1
 *    /  \                /  \                      /  \
 *   |    b2             |    b2                   |    b2
 *   |   /  \            |   /                     v   /  \
 *    v      |            guard                    |  v'   |
 *     \    /     with   /    \      or, copied,    \  \  /
 *      exit     a guard v     |     with none       exit
 *                        \   /
 *                         exit
 *
 * The lanes of v and of v' run one after the other, so cross-lane operations are not copied. */
#ifndef SR_TAIL_COPY_H
#define SR_TAIL_COPY_H

#include "passes/ir/module.h"
#include "passes/transform/counts.h"
#include "passes/transform/goal.h"

typedef struct SrTailOptions {
  uint32_t most; /* most instructions of a tail; 0: nothing is copied */
  SrGoal goal;   /* ISSUES: copies may need more instructions than the guards that they replace */
  uint32_t max_growth; /* percent; tails that would exceed it keep their guards, with a notice */
  SrStructureForm structure;
} SrTailOptions;

/* Reads "N", "N:size" or "N:issues" into `most` and `goal`, and "portable" or "any", alone or after
 * them and a colon, into `structure`. False: the text is none of these. */
bool sr_tail_options_read(const char *text, SrTailOptions *options);

/* Makes the copies; structurize does the rest. Needs and keeps SSA; merge instructions are not
 * valid afterwards. `cross_lane`: see sr_cross_lane_functions. Adds to `counts`. Cost: that of a
 * few sweeps, and of the copies. */
SR_MUST_USE SrStatus sr_copy_tails(SrModule *m, SrFunction *f, const SrBits *cross_lane,
                                   const SrTailOptions *options, SrTransformCounts *counts);

#endif
