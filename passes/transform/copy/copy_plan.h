/* SPDX-License-Identifier: Apache-2.0 */
/* copy_plan: the graph that a control tree describes: how often each block occurs in it, and where
 * each occurrence branches to.
 *
 * Nodes are in the order of the tree, which is LRPO with ties broken so that all arms of a region
 * come before the blocks that they lead to. So where arms meet, structurize finds all lanes headed
 * for one block, and needs no tests. */
#ifndef SR_COPY_PLAN_H
#define SR_COPY_PLAN_H

#include "passes/analysis/graph/dom.h"
#include "passes/base/bitset.h"
#include "passes/transform/copy/region.h"

/* A node with fewer successors than its block has only one: its branch is decided. Other blocks use
 * the values of such a node's block only in phis (thread_tests.h). */
typedef struct SrCopyPlan {
  const SrGraph *old; /* the function's graph */
  SrGraph *graph;     /* of the nodes; rows as in the copy graph */
  SrNest *nest;       /* nest of `graph`, in whose order nodes are numbered; NULL in the plan of a
                         graph (sr_copy_plan_of) */
  SrDom *dom;
  uint32_t *block; /* by node: the block that it is, or copies */
  uint32_t *node;  /* by block: the node that is the block itself, SR_NONE if unreachable */
  SrBits *copy;    /* by node: is it a copy? */
  uint32_t copies; /* number of copies */
  bool uses_first; /* in the order of the nodes, a value may be defined after a use of it: some
                      cycle has several entries, or has another first node because copies lead
                      into it */
} SrCopyPlan;

/* The plan, in t's arena. Cost O(E log V). */
SrCopyPlan *sr_copy_plan_new(const SrControlTree *t);
/* The plan of a graph of nodes, in the graph's LRPO; node n represents block block[n] of `old`. The
 * first old->count nodes are the blocks themselves; if the entry no longer reaches one of them, its
 * first copy replaces it. */
SrCopyPlan *sr_copy_plan_of(SrArena *arena, const SrGraph *old, const SrGraph *nodes,
                            const uint32_t *block);

#endif
