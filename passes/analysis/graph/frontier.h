/* SPDX-License-Identifier: Apache-2.0 */
/* frontier: iterated dominance frontiers: where a variable that is set in some blocks needs phis
 * (Cytron et al. 1991), by the linear method of V. C. Sreedhar and G. R. Gao, A Linear Time
 * Algorithm for Placing Phi-Nodes, POPL 1995. */
#ifndef SR_FRONTIER_H
#define SR_FRONTIER_H

#include "passes/analysis/graph/dom.h"

/* By block: it is in the iterated dominance frontier of `blocks`, which the root reaches. Linear in
 * the graph. */
SrBits *sr_frontier(SrArena *arena, const SrGraph *g, const SrDom *dom, const uint32_t *blocks,
                    uint32_t count);

#endif
