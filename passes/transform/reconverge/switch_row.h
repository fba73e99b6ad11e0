/* switch_row: a divergent OpSwitch as a row of tests, where its cases meet again in one block.
 *
 *      S: OpSwitch x d 1→a 2→b           S:  x is 1 ?  a : T2        a → T2
 *      a → J                             T2: x is 2 ?  b : T3        b → T3
 *      b → J                      =>     T3: x is 1 or 2 ? J : d     d → J
 *      d → J                             J
 *
 * A lane that has run its case passes the tests behind, for x is what it was, so each test has a
 * block where its lanes meet again, and none needs a flow block. Case by case the OpSwitch would
 * become as many tests, and every case a flow block that tells those who want it from those who
 * had theirs.
 *
 * The cases of a row are blocks that S alone leads to, and what they dominate leads to J only, and
 * back to them. If S also leads elsewhere than to them and J, the row gets an entry of its own (a
 * test as the others), which takes the place of its cases in S. J's phis are handed on from test to
 * test. Not from the document that reconverge is from, which leaves a switch to be split before. */
#ifndef SR_SWITCH_ROW_H
#define SR_SWITCH_ROW_H

#include "analysis/cfg.h"
#include "transform/counts.h"

/* Makes the rows of f. `divergent` by block. New blocks go behind the others, and are divergent.
 * Merge instructions stay. What it makes counts as added. O(E log E), and J's phis for each test.
 */
SR_MUST_USE SrStatus sr_switch_rows(SrArena *arena, SrModule *m, SrFunction *f,
                                    const SrBits *divergent, SrTransformCounts *counts);

#endif
