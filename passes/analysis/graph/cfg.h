/* SPDX-License-Identifier: Apache-2.0 */
/* cfg: control-flow graphs as compressed rows.
 *
 * An SrGraph is just nodes 0..count-1 with successor and predecessor rows, so that one dominator
 * builder serves dominators, post-dominators (reversed, with a virtual exit) and the structural
 * dominance of SPIR-V (with edges from headers to merge blocks and continue targets). */
#ifndef SR_CFG_H
#define SR_CFG_H

#include "passes/ir/module.h"

typedef struct SrGraph {
  uint32_t count;           /* nodes */
  uint32_t *succ_at, *succ; /* successors of b: succ[succ_at[b]] … succ[succ_at[b + 1] - 1] */
  uint32_t *pred_at, *pred;
} SrGraph;

typedef struct SrEdge {
  uint32_t from, to;
} SrEdge;

/* for (SR_ROW(t, g->succ_at, g->succ, b)) use *t. `b` is evaluated twice. */
#define SR_ROW(t, at, row, b)                                                                      \
  const uint32_t *t = &(row)[(at)[b]], *t##_end = &(row)[(at)[(b) + 1]];                           \
  t < t##_end;                                                                                     \
  t++
#define SR_SUCCS(t, g, b) SR_ROW(t, (g)->succ_at, (g)->succ, b)
#define SR_PREDS(t, g, b) SR_ROW(t, (g)->pred_at, (g)->pred, b)

static inline uint32_t sr_succ_count(const SrGraph *g, uint32_t b) {
  return g->succ_at[b + 1] - g->succ_at[b];
}
static inline uint32_t sr_pred_count(const SrGraph *g, uint32_t b) {
  return g->pred_at[b + 1] - g->pred_at[b];
}

/* A graph from an edge list; successor rows keep the list's order, repeated edges are dropped. */
SrGraph *sr_graph_new(SrArena *arena, uint32_t count, const SrEdge *edges, uint32_t edge_count);
/* The function's control-flow graph; node = block index; successors in operand order, each once. */
SrGraph *sr_cfg_build(SrArena *arena, const SrModule *m, const SrFunction *f);
/* The same with the edges header → merge block and header → continue target, which come first in
 * each row (SPIR-V 1.6, 2.11.1: structural control flow). */
SrGraph *sr_cfg_structural(SrArena *arena, const SrModule *m, const SrFunction *f);
/* The reversed graph with one more node, the virtual exit (its index is g->count). Edges lead from
 * the exit to all leaves and to one block (the last in reverse post-order) of each endless region,
 * so that the exit reaches every block that the entry reaches. */
SrGraph *sr_graph_reverse_with_exit(SrArena *arena, const SrGraph *g);
/* By the index of an edge in g->pred: its place in the successor row of its source, from 0. */
uint32_t *sr_graph_pred_slots(SrArena *arena, const SrGraph *g);
/* Blocks that `root` reaches. */
SrBits *sr_graph_reachable(SrArena *arena, const SrGraph *g, uint32_t root);
/* Writes the reverse post-order of a depth-first search from `root` to `out`, without unreachable
 * nodes. Successors are visited in row order, or in reverse row order. Returns how many nodes were
 * reached. */
uint32_t sr_graph_rpo(SrArena *arena, const SrGraph *g, uint32_t root, bool reverse_rows,
                      uint32_t *out);

#endif
