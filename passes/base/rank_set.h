/* SPDX-License-Identifier: Apache-2.0 */
/* rank_set: sets of pending targets, for sweeps over blocks.
 *
 * A set is a mergeable min-heap of ranks (pairing heap, Fredman, Sedgewick, Sleator and Tarjan
 * 1986), together with its maximum. A union-find forest finds the frame on the sweep's stack that
 * holds the set (transform/flow/sweep_state.h). All operations are O(log n) amortized; sets are
 * named by dense indices. */
#ifndef SR_RANK_SET_H
#define SR_RANK_SET_H

#include "passes/base/vec.h"
#include <stdbool.h>

typedef struct SrRankNode {
  uint32_t rank, child, sibling;
} SrRankNode;

typedef struct SrRankSet {
  uint32_t heap;  /* root node, or SR_NONE if empty */
  uint32_t max;   /* largest rank; meaningless while the set is empty */
  uint32_t up;    /* the set this one was joined into, or SR_NONE */
  uint32_t frame; /* the frame that holds it; SR_NONE: the sweep's current point holds it */
} SrRankSet;

typedef struct SrRankSets {
  SrArena *arena;
  SR_VEC(SrRankNode) node;
  SR_VEC(SrRankSet) set;
  SR_VEC(uint32_t) pairs; /* temporary, for sr_ranks_drop */
} SrRankSets;

uint32_t sr_ranks_new(SrRankSets *s);
void sr_ranks_add(SrRankSets *s, uint32_t set, uint32_t rank);
/* The root of the union that a set is now part of: itself if it was not joined into another. */
uint32_t sr_ranks_find(SrRankSets *s, uint32_t set);
/* Joins two roots and returns the new root; if one is SR_NONE, returns the other. If neither is,
 * `b` must not be used as a root afterwards. */
uint32_t sr_ranks_join(SrRankSets *s, uint32_t a, uint32_t b);
/* Removes all ranks up to `last`. */
void sr_ranks_drop(SrRankSets *s, uint32_t set, uint32_t last);

static inline bool sr_ranks_empty(const SrRankSets *s, uint32_t set) {
  return s->set.at[set].heap == SR_NONE;
}
static inline uint32_t sr_ranks_min(const SrRankSets *s, uint32_t set) {
  return s->node.at[s->set.at[set].heap].rank;
}
static inline uint32_t sr_ranks_max(const SrRankSets *s, uint32_t set) {
  return s->set.at[set].max;
}

#endif
