/* SPDX-License-Identifier: Apache-2.0 */
/* reconverge_flow: the reconverging program of a function's graph, before it is written as SPIR-V.
 *
 * Every block is visited once, in a given order, with the open tree (open_tree.h) as the state.
 *
 *   visit(B):
 *     1. armed nodes with an open edge to B whose subtree also has open edges to other blocks:
 *        those subtrees are rerouted through a flow node that leads to B and the rest (condition 1)
 *     2. B is placed below all nodes with an edge to it, and these edges are closed
 *     3. only if B is divergent, with one edge backward to another block and one forward: if the
 *        open edges of B's subtree and of that block's lead to several blocks, both subtrees are
 *        rerouted (condition 2)
 *     4. B's backward edges are closed
 *
 * So when the last edge of a divergent branch is closed, all open edges that lanes can reach from
 * it lead to the same block, which post-dominates it. A flow node has one or two successors: the
 * first of its targets to be visited, and the other target or the next flow node. One integer, the
 * selector (flow.h), holds each lane's target; flow nodes pass it on.
 *
 * After F. Wahlster, Vectorising Divergent Control-Flow for SIMD Applications, TU Munich 2018,
 * sections 4.3 and 5.1. Where we differ: (a) condition 2 applies to divergent branches only, and
 * not to branches that only go backward; open_tree.h's classes keep the invariant there, and
 * condition 1 reroutes later if a divergent branch needs it: so uniform branches stay, and cycles
 * whose last branch is unconditional are handled correctly too; (b) where all open edges of several
 * roots lead to one block anyway, nothing is rerouted; (c) a subtree of condition 1 that needs no
 * reroute is left as it is when a different one is rerouted; (d) one selector instead of one
 * boolean per target, so that the number of phis stays linear.
 *
 * With `one_condition` step 3 is left out, which merges the two conditions, as chapter 6 of the thesis
 * proposes: a divergent branch that goes backward becomes one class with what it leads back to, like
 * any other backward edge, and condition 1 reroutes the class when the branch's other edge is
 * closed. */
#ifndef SR_RECONVERGE_FLOW_H
#define SR_RECONVERGE_FLOW_H

#include "passes/transform/flow/flow.h"
#include "passes/transform/reconverge/open_tree.h"

/* Called after each step, to draw the tree; `node` was visited, or is a new flow node. */
typedef void SrOpenStep(void *user, SrOpenTree *t, uint32_t node);

typedef struct SrReconvergeInput {
  const SrGraph *graph;
  const SrBits *divergent; /* by block; NULL: all branches. Divergent ones have two targets */
  const SrBits *is_switch; /* blocks that end in OpSwitch; NULL: none */
  const uint32_t *order;   /* blocks that the entry reaches; the last one is the exit, and every
                              block reaches it. The exit may lead to others, not listed here */
  uint32_t count;
  bool one_condition; /* condition 1 alone reroutes */
  SrOpenStep *step;   /* or NULL */
  void *user;
} SrReconvergeInput;

/* Properties of the result, for choosing an order. */
typedef struct SrReconvergeCost {
  uint32_t flow_blocks, virtual_blocks;
  uint32_t instructions;     /* instructions added: branches, and what tests need */
  uint32_t cycle_path;       /* the most flow blocks put on one edge inside an innermost cycle */
  uint32_t rerouted_uniform; /* uniform branches that had an edge rerouted */
} SrReconvergeCost;

typedef struct SrReconverged {
  SrFlowGraph *flow;
  const SrGraph *graph; /* of the program: node = flow block */
  const SrNest *nest;   /* of that graph */
  uint32_t *rank;       /* by block of the graph: the rank by which the selector names it */
  SrReconvergeCost cost;
} SrReconverged;

/* The result lives in `arena`. Cost O(E log V). */
SrReconverged sr_reconverge_build(SrArena *arena, const SrReconvergeInput *in);

#endif
