/* SPDX-License-Identifier: Apache-2.0 */
/* copy_graph: a function's graph with some blocks occurring several times, before it is written.
 *
 * A node represents a block of the function; nodes 0..block_count-1 are the blocks themselves,
 * later nodes are copies. A node's successors are in the order of its block's successors, whether
 * they are copies or not: the k-th successor is the same branch target in a block and its copies.
 */
#ifndef SR_COPY_GRAPH_H
#define SR_COPY_GRAPH_H

#include "passes/analysis/graph/cfg.h"
#include "passes/base/bitset.h"
#include "passes/base/vec.h"

/* How much a function may grow, in instructions as statistics count them. */
typedef struct SrGrowth {
  SrModule *m;
  const SrFunction *f;
  SrArena *scratch; /* for the message */
  uint32_t percent; /* the limit, as --max-growth */
  uint64_t before, limit, copied;
  const SrBits *fixed; /* by block: it must not be copied */
  uint32_t stopped_by; /* a block whose copy was refused, or SR_NONE */
} SrGrowth;

typedef struct SrCopyGraph {
  const SrGraph *old; /* the function's own */
  SrGraph *graph;
  SR_VEC(uint32_t) block; /* by node: the block it represents */
  uint32_t *size;         /* by block: its instructions */
  SrBits *is_switch;      /* by node: ends in an OpSwitch with several targets */
} SrCopyGraph;

/* The limit for f; the `size` of all its blocks together is 100 percent. */
SrGrowth sr_growth_new(SrModule *m, const SrFunction *f, SrArena *scratch, uint32_t percent,
                       const uint32_t *size, const SrBits *fixed);
/* May this many more instructions be copied? */
static inline bool sr_growth_fits(const SrGrowth *growth, uint64_t instructions) {
  return growth->copied + instructions <= growth->limit;
}
/* To be called before this many instructions are copied. Fails if that would exceed the limit. */
SR_MUST_USE SrStatus sr_growth_add(SrGrowth *growth, uint64_t instructions);
/* To be called before block b is copied, or before copies change which lanes meet in it. If that is
 * not allowed, fails without a message and sets stopped_by. */
SR_MUST_USE SrStatus sr_growth_touch(SrGrowth *growth, uint32_t b);

/* The function's own graph, without copies yet. */
SrCopyGraph sr_copy_graph_new(SrArena *arena, const SrModule *m, const SrFunction *f,
                              const SrGraph *old);
/* Replaces the graph: its nodes are those in `block`, some of them new, and its edges are these. */
void sr_copy_graph_connect(SrArena *arena, SrCopyGraph *c, const SrEdge *edges, uint32_t count);

#endif
