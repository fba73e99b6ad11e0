/* SPDX-License-Identifier: Apache-2.0 */
/* order: the block orders that transforms and thread-frontier priorities use.
 *
 *   df      depth-first preorder, successors in row order
 *   dfpd    depth-first; a block waits until it post-dominates no other block still to be visited
 *   dfpd-oldest  the same, but then the block that was found first, as in figure A.1 of the thesis
 *   bf      breadth-first
 *   bfpd    nearest first; a block waits until its predecessors (except itself) are visited; if
 *           all wait, the nearest that is not the exit
 *   bfpd-successor  the same, but first a successor of the block just visited that does not
 *           post-dominate it: the order of figure 4.15 of the thesis
 *   rpo     reversed post-order
 *   domreg  dominator tree in preorder, the subtree that holds the exit last
 *   lrpo    loop-contiguous reverse post-order (cycle.h)
 *   cdep    by control dependence (order_cdep.c)
 *   ocelot  the priorities of GPU Ocelot: by a tree of the reversed graph (order_ocelot.c)
 *
 * order_list.h adds orders that the user gives as lists.
 *
 * After F. Wahlster, Vectorising Divergent Control-Flow for SIMD Applications, TU Munich 2018,
 * section 4.3.1. In all orders but rpo and lrpo the exit, if there is exactly one reachable leaf,
 * comes last. Orders hold the blocks that node 0 reaches. All cost O(E log V) or less. */
#ifndef SR_ORDER_H
#define SR_ORDER_H

#include "passes/analysis/graph/cfg.h"

/* Writes the order to `order` (room for g->count) and returns how many blocks it holds. */
typedef uint32_t SrOrderFn(SrArena *scratch, const SrGraph *g, uint32_t *order);

SrOrderFn sr_order_df, sr_order_dfpd, sr_order_bf, sr_order_bfpd, sr_order_rpo, sr_order_domreg,
    sr_order_lrpo, sr_order_ocelot, sr_order_dfpd_oldest, sr_order_bfpd_successor, sr_order_cdep;
/* The name at `index`, from 0; NULL after the last of those that choices between all orders try, which
 * dfpd-oldest, bfpd-successor and cdep are not. */
const char *sr_order_name(size_t index);
/* The order of that name; NULL if there is none. */
SrOrderFn *sr_order_find(const char *name);
/* The leaf among the blocks, if there is exactly one, else SR_NONE. */
uint32_t sr_order_exit(const SrGraph *g, const uint32_t *order, uint32_t count);
/* Moves the leaf to the end, if there is exactly one. */
void sr_order_exit_last(const SrGraph *g, uint32_t *order, uint32_t count);

#endif
