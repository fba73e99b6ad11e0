/* SPDX-License-Identifier: Apache-2.0 */
/* expansion: which blocks may be issued more than once because lanes reconverge only at immediate
 * post-dominators (Wu, Diamos et al., Characterization and Transformation of Unstructured Control
 * Flow in Bulk Synchronous GPU Applications, 2012, section 4.2.1: the code between an unstructured
 * branch and its immediate post-dominator).
 *
 * If two disjoint paths from a block d meet in a block x before d's immediate post-dominator p, a
 * branch jumps into shared code. Then x and all blocks that x reaches before p are in the *area*.
 * In the paper's example (figure 14) these are B3, B4 and B5. Each iteration of a cycle counts by
 * itself: several back edges to a header are not a join, and the area does not continue past a back
 * edge.
 *
 * Method: d is x's immediate dominator in the graph whose back edges lead to one sink for each
 * header; the area is flooded from each x, outermost post-dominator first, so that each block
 * is visited once. O(E log V). */
#ifndef SR_EXPANSION_H
#define SR_EXPANSION_H

#include "passes/analysis/graph/cycle.h"
#include "passes/base/bitset.h"

/* The blocks of the area. */
SrBits *sr_expansion_area(SrArena *arena, const SrGraph *g, const SrNest *nest);

#endif
