/* SPDX-License-Identifier: Apache-2.0 */
/* folding: is a graph structured by the definitions of Sabne, Sakdhnagool and Eigenmann?
 *
 * A. Sabne, P. Sakdhnagool, R. Eigenmann, Formalizing Structured Control Flow Graphs, LCPC 2016, as F.
 * Wahlster's thesis (order.h) gives them, definitions 3 and 7 to 14. A *condition node* has several
 * successors. A base pattern is replaced by one node, as long as there is one:
 *
 *   sequence   a node and its only successor, which has no other predecessor
 *   selection  a condition node, its immediate post-dominator X, and on each way to X at most one node;
 *              nothing else leads to these nodes, nor to X
 *   loop       a condition node with an edge to itself, or with a successor that only leads back to it
 *
 * What is left is the *maximal folding*. The graph is structured if this is one node. By this
 * definition, exits of loops (break), arms that share code, and loops without an exit are
 * unstructured, although SPIR-V allows most of them. If there are several leaves, they get one
 * common successor, as in the thesis.
 *
 * Method: after a fold, only these nodes can newly match a pattern: the node itself, its only
 * predecessor, and the predecessors of a node that has lost back edges. They are tried again. A
 * node that absorbs others keeps its in-edges and takes the out-edges of the last, so no other
 * node's number of edges changes. Cost: near linear. */
#ifndef SR_FOLDING_H
#define SR_FOLDING_H

#include "passes/analysis/graph/cfg.h"

typedef struct SrFolding {
  uint32_t nodes;      /* of the maximal folding, the common successor of leaves included */
  uint32_t conditions; /* of these, condition nodes: at least one of them is unstructured */
} SrFolding;

/* Folds what node 0 reaches. */
SrFolding sr_folding_build(SrArena *scratch, const SrGraph *g);

#endif
