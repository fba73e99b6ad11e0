/* SPDX-License-Identifier: Apache-2.0 */
/* switch_row: turns a divergent OpSwitch whose cases meet again in one block into a row of tests.
 *
 *      S: OpSwitch x d 1→a 2→b           S:  x is 1 ?  a : T2        a → T2
 *      a → J                             T2: x is 2 ?  b : T3        b → T3
 *      b → J                      =>     T3: x is 1 or 2 ? J : d     d → J
 *      d → J                             J
 *
 * A lane that has run its case takes no other one, since x has not changed. So each test has a
 * block where its lanes reconverge, and none needs a flow block. Splitting the OpSwitch case by
 * case would make as many tests, and every case would need a flow block to separate the lanes
 * headed for it from those that have run theirs.
 *
 * The cases of a row are blocks to which only S leads; what a case dominates leads only to J and
 * back to the case. If S has other targets besides these cases and J, the row gets an entry of its
 * own (a test like the others), which replaces the cases in S. J's phis are passed on from test to
 * test. Rows are not in Wahlster's thesis (reconverge.h), which requires switches to be split
 * beforehand. */
#ifndef SR_SWITCH_ROW_H
#define SR_SWITCH_ROW_H

#include "passes/analysis/graph/cfg.h"
#include "passes/transform/counts.h"

/* Makes the rows of f. `divergent` by block. New blocks follow the others, and are divergent. Merge
 * instructions stay. New blocks and instructions count as added. O(E log E), and J's phis for each
 * test. */
SR_MUST_USE SrStatus sr_switch_rows(SrArena *arena, SrModule *m, SrFunction *f,
                                    const SrBits *divergent, SrTransformCounts *counts);

#endif
