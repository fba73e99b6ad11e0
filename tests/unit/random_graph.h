/* SPDX-License-Identifier: Apache-2.0 */
/* random_graph: small random graphs for property tests, the same for the same seed. */
#ifndef RANDOM_GRAPH_H
#define RANDOM_GRAPH_H

#include "passes/analysis/graph/cfg.h"

/* xorshift64* (Vigna 2016). */
static inline uint32_t random_next(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return (uint32_t)((*state * 0x2545f4914f6cdd1dull) >> 32);
}
static inline uint32_t random_below(uint64_t *state, uint32_t n) {
  return (uint32_t)((uint64_t)random_next(state) * n >> 32);
}

/* `count` nodes, zero to three successors each, no edge to node 0; mostly to nearby nodes. */
SrGraph *random_graph(SrArena *arena, uint64_t seed, uint32_t count);

#endif
