/* SPDX-License-Identifier: Apache-2.0 */
/* priority: thread frontiers. Blocks have priorities by their place in an order: the first block
 * has the highest. Of the blocks where lanes wait, the one of highest priority runs. The frontier
 * of a block is the set of blocks where lanes may wait while it runs (Diamos et al., SIMD
 * Re-convergence at Thread Frontiers, MICRO-44, 2011, Algorithm 1). Two deviations: every target
 * counts, including that of an unconditional branch, since lanes wait there as well; and
 * sr_frontier_sets continues to a fixed point, since one sweep misses lanes that wait across a back
 * edge. */
#ifndef SR_PRIORITY_H
#define SR_PRIORITY_H

#include "passes/analysis/graph/cfg.h"
#include "passes/base/bitset.h"

typedef struct SrFrontierStats {
  uint64_t sum;         /* of the frontiers' sizes */
  uint32_t max;         /* the size of the largest */
  uint32_t join_edges;  /* edges to a block in their source's frontier */
  uint32_t join_blocks; /* how many blocks are targets of such edges */
} SrFrontierStats;

/* One sweep of the algorithm. A block's frontier is the set of blocks that are pending when the
 * sweep reaches the block: targets of edges from earlier blocks, still ahead of the sweep. One set
 * serves for all blocks; of each frontier only the size is kept. Linear. */
SrFrontierStats sr_frontier_sweep(SrArena *scratch, const SrGraph *g, const uint32_t *order,
                                  uint32_t count);

typedef struct SrFrontiers {
  uint32_t words; /* of a row */
  SrBits *rows;   /* by block: its frontier */
} SrFrontiers;

static inline bool sr_in_frontier(const SrFrontiers *f, uint32_t block, uint32_t waiting) {
  return sr_bit(f->rows + (size_t)block * f->words, waiting);
}

/* All frontiers as sets, at the fixed point. For small graphs: the memory is quadratic. */
SrFrontiers sr_frontier_sets(SrArena *arena, const SrGraph *g, const uint32_t *order,
                             uint32_t count);

/* How many blocks are the immediate post-dominator of a block with several successors. */
uint32_t sr_pdom_join_points(SrArena *scratch, const SrGraph *g);

#endif
