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
  uint32_t checks;      /* edges with a re-convergence check, as sr_frontier_checks says */
} SrFrontierStats;

/* Where a sweep is: at the block of rank `at`, before its successors count as pending. */
typedef struct SrFrontierSweep {
  const SrGraph *g;
  const uint32_t *order;
  uint32_t *rank; /* by block; SR_NONE: not in the order */
  uint32_t count, at;
  SrBits *pending; /* by rank: the frontier of the block */
} SrFrontierSweep;

/* Called for each block in turn. */
typedef void SrFrontierVisit(void *user, const SrFrontierSweep *sweep);

/* One sweep of the algorithm. A block's frontier is the set of blocks that are pending when the
 * sweep reaches the block: targets of edges from earlier blocks, still ahead of the sweep. One set
 * serves for all blocks; of each frontier only the size is kept. `visit` may be NULL. Linear,
 * `visit` aside. */
SrFrontierStats sr_frontier_sweep(SrArena *scratch, const SrGraph *g, const uint32_t *order,
                                  uint32_t count, SrFrontierVisit *visit, void *user);

/* Does the k-th edge out of the current block need a check for lanes that wait at its target, if
 * blocks are laid out in the order? So does an edge into the block's frontier; and so does the
 * second edge of a two-way branch, neither of whose targets is the next block, since it needs a
 * branch of its own (Diamos et al. 2011, section 4.1, and the pass of its authors' compiler). */
bool sr_frontier_checks(const SrFrontierSweep *sweep, uint32_t k);

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
