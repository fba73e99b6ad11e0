/* SPDX-License-Identifier: Apache-2.0 */
/* linear_order: linearize's block order, dominance compact and loop compact (Moll and Hack 2018,
 * section 4): topological except for back edges; the blocks of a cycle are contiguous, header
 * first, and so are the blocks that a block dominates within one loop.
 *
 * Method: the dominator tree in preorder, children as in LRPO but arms of kept branches first; then
 * each cycle is gathered at its header. An edge into an irreducible cycle counts as an edge to the
 * header and an edge from the header to its target, so that every cycle is entered at its header
 * alone. */
#ifndef SR_LINEAR_ORDER_H
#define SR_LINEAR_ORDER_H

#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/graph/dom.h"

typedef struct SrKeptArms {
  const SrBits *keep; /* by block: its branch stays */
  /* By block: if it begins an arm of a kept branch, the rank of the last block of the arm; else
   * SR_NONE. Only that branch leads to it, back edges aside, and both lie in one loop. */
  uint32_t *last;
  uint32_t *end; /* by block: the last rank of its arms; its own rank if it has no arms */
} SrKeptArms;

/* Returns `nest` in the new order; *arms has the arms of the branches in `keep`. O(E log V). */
SrNest *sr_linear_order(SrArena *arena, const SrGraph *g, const SrNest *nest, const SrBits *keep,
                        SrKeptArms *arms);

#endif
