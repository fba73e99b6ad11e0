/* SPDX-License-Identifier: Apache-2.0 */
/* thread_layout: the graph that a plan of threads describes. Its nodes are the blocks that still
 * run, and two kinds of added blocks without code: a fork below another branch, and a block that
 * separates two edges between the same blocks because phis have different values on them. */
#ifndef SR_THREAD_LAYOUT_H
#define SR_THREAD_LAYOUT_H

#include "passes/analysis/graph/dom.h"
#include "passes/transform/undispatch/thread_walk.h"

typedef struct SrThreadNode {
  uint32_t block;     /* of the function, or SR_NONE: added */
  uint32_t owner;     /* an added block is on an edge of this node's block; else the node itself */
  uint32_t condition; /* id of the condition of a fork, or 0 */
  uint32_t out_at; /* its edges in SrThreadLayout.to: a kept terminator has one for each successor
                      in the old graph, a fork has two (true, false), and any other node has one */
  uint32_t out_count;
} SrThreadNode;

/* An edge of the graph on which lanes bypass empty blocks, or enter a block with phis. */
typedef struct SrThreadEdge {
  uint32_t from, path; /* node; index in the plan */
  uint32_t edge;       /* index in graph->pred */
} SrThreadEdge;

typedef struct SrThreadLayout {
  SR_VEC(SrThreadNode) node; /* in the final order of blocks, LRPO */
  SR_VEC(uint32_t) to;       /* nodes */
  uint32_t *node_of;         /* by block before; SR_NONE: dropped */
  SR_VEC(SrThreadEdge) edge; /* by node */
  const SrGraph *graph;
  const SrDom *dom;
  uint32_t added; /* nodes */
} SrThreadLayout;

SrThreadLayout *sr_thread_layout(const SrThreadGraph *t, const SrThreadPlan *plan);

#endif
