/* SPDX-License-Identifier: Apache-2.0 */
/* cycle: the nest of cycles, including irreducible ones, and the block order LRPO.
 *
 * Order and nest are built together. The strongly connected components of the graph are put in
 * topological order; ties are broken by the reverse post-order of a search that visits successors
 * in reverse. A component that is a cycle is replaced by its blocks. They are ordered in the same
 * way, after the cycle's back edges (edges from inside to its header) have been dropped. So the
 * blocks of a cycle are contiguous, header first. (After Havlak 1997 and Ramalingam 2002; the
 * header is the cycle's first entry in the search's order.) Cost O(E log V). */
#ifndef SR_CYCLE_H
#define SR_CYCLE_H

#include "passes/analysis/graph/cfg.h"
#include "passes/base/ancestor.h"

typedef struct SrCycle {
  uint32_t parent;      /* enclosing cycle, or SR_NONE */
  uint32_t depth;       /* 1 for an outermost cycle */
  uint32_t first, last; /* the ranks of its blocks: order[first..last] */
  uint32_t header;      /* target of its back edges */
  uint32_t entries;     /* number of blocks entered from outside; irreducible if > 1 */
} SrCycle;

typedef struct SrNest {
  uint32_t count;  /* blocks that the entry reaches */
  uint32_t *order; /* LRPO: block at each rank */
  uint32_t *rank;  /* by block; SR_NONE if unreachable */
  uint32_t *inner; /* by block: innermost cycle, or SR_NONE */
  SrCycle *cycles; /* parents before children, by first rank */
  uint32_t cycle_count;
} SrNest;

SrNest *sr_nest_build(SrArena *arena, const SrGraph *g);
/* Tables for finding the cycles around a cycle. */
SrAncestors sr_nest_ancestors(SrArena *arena, const SrNest *n);
static inline bool sr_cycle_has(const SrNest *n, uint32_t cycle, uint32_t block) {
  uint32_t r = n->rank[block];
  return r != SR_NONE && n->cycles[cycle].first <= r && r <= n->cycles[cycle].last;
}

#endif
