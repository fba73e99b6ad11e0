/* SPDX-License-Identifier: Apache-2.0 */
/* barrier_order: does an order of blocks let lanes reach a barrier while other lanes, which will
 * reach the barrier too, wait at a block that is later in the order?
 *
 *   A: B C    B: D    C: D    D (barrier)      A B D C: lanes of B reach D while those of C wait
 *
 * The rule of Diamos et al., SIMD Re-convergence at Thread Frontiers, MICRO-44, 2011, section 4.2:
 * a block with a barrier has lower priority than every block on a path to it. Only paths within one
 * iteration of the cycles around both blocks count. If a cycle on the path does not hold the
 * barrier, all its blocks count, since lanes may run more iterations of the cycle first.
 *
 * A block with a back edge of a cycle that holds a barrier counts as if it had one: lanes that pass
 * it early reach the barrier in the next iteration, while the others are still in this one.
 *
 *   H: B (barrier)    B: C D    C: E    D: E    E: H      H B C E D: lanes of C reach B again */
#ifndef SR_BARRIER_ORDER_H
#define SR_BARRIER_ORDER_H

#include "passes/analysis/graph/cfg.h"
#include "passes/base/bitset.h"

/* A block that leads to a block with a barrier but comes after that block in the order; SR_NONE:
 * there is none. `barriers`: by block, whether it has a barrier; `order` holds the blocks that node
 * 0 reaches. Cost O(E log V). */
uint32_t sr_barrier_order_breach(SrArena *scratch, const SrGraph *g, const SrBits *barriers,
                                 const uint32_t *order, uint32_t count);

#endif
