/* SPDX-License-Identifier: Apache-2.0 */
/* open_tree: the visited blocks of a function that still have open edges, as a tree: below a block
 * is everything that lanes can reach from it through visited blocks.
 *
 * After F. Wahlster, Vectorising Divergent Control-Flow for SIMD Applications, TU Munich 2018,
 * section 4.3. Blocks are visited in an order; an edge is *open* until both of its ends have been
 * visited. A node is a block of the function, a *virtual* node (which takes over the branch of a
 * block whose edges both go backward) or a *flow* node (made by reroute, which gives it all open
 * edges of some subtrees). A node is *armed* if its branch is divergent, one edge is closed, and
 * another is open.
 *
 *       A            visited A, B, D:  A is armed (A→B is closed, A→C open), D is armed
 *      / \           (D→D closed, D→F open), B was closed and removed. `:` is an open edge.
 *     D   :C         reroute(A) leads A→C and D→F to a new flow node: A→X, D→X, X→C, X→F.
 *     :F
 *
 * Invariant (definition 16, in its strict form): a closed edge leads into the subtree of its
 * source; so an open edge that lanes can reach from a visited block is an open edge of the block's
 * subtree. In the thesis, a reroute ensures this, but only at some backward edges. Here, closing a
 * backward edge makes the nodes from its target down to its source one class, with one subtree,
 * since lanes can cycle among them.
 *
 * A node without open edges, in or out, is removed. The tree is a dynamic tree (dynamic_tree.h),
 * the span of a node covers the ranks that its open edges lead to, and a flow node's edges are a
 * mergeable set (rank_set.h). So edges are never visited one by one, and everything together costs
 * O(E log V). */
#ifndef SR_OPEN_TREE_H
#define SR_OPEN_TREE_H

#include "passes/analysis/graph/cfg.h"
#include "passes/base/rank_set.h"
#include "passes/transform/reconverge/dynamic_tree.h"

typedef enum SrOpenKind { SR_OPEN_ROOT, SR_OPEN_BLOCK, SR_OPEN_VIRTUAL, SR_OPEN_FLOW } SrOpenKind;

typedef struct SrOpenEdge {
  uint32_t target_rank; /* rank of the block that it led to in the input: the target of its lanes */
  uint32_t to; /* node: that block, or the flow node that the edge was rerouted to; SR_NONE: open */
} SrOpenEdge;

typedef struct SrOpenNode {
  SrOpenKind kind;
  bool divergent, visited;
  bool busy; /* has open edges, in or out, or is being visited */
  bool in_tree;
  uint32_t block;       /* its own block, or the block whose branch the virtual node has */
  uint32_t rank;        /* position in the sequence of visits; SR_NONE for flow nodes */
  uint32_t stamp;       /* when it was visited, counting flow nodes */
  uint32_t edge, edges; /* of a block or a virtual node: its edges in `edge` */
  uint32_t closed;      /* number of its closed edges */
  uint32_t to[2];       /* of a flow node: the targets closed so far, as nodes */
  uint32_t low;         /* of a flow node: rank of to[0], if that is not a flow node */
  uint32_t rest; /* of a rerouted flow node: the rank that all rerouted edges led to; SR_NONE: they
                    led to several, or it was not rerouted */
  uint32_t set;  /* ranks that its open edges lead to; SR_NONE: they were rerouted */
  uint32_t incoming; /* edges into it from nodes not visited yet */
  uint32_t up;       /* union-find: the class that holds it */
  uint32_t alive;    /* of a class: number of its busy nodes */
} SrOpenNode;

/* An edge that was put into a set. The entries of one target's rank form a list that starts at
 * `entry_at`. */
typedef struct SrOpenEntry {
  uint32_t set, node, edge, next;
} SrOpenEntry;

typedef struct SrOpenTree {
  SrArena *arena;
  SR_VEC(SrOpenNode) node; /* 0 is the root, block b is node b + 1 */
  SR_VEC(SrOpenEdge) edge;
  SR_VEC(SrOpenEntry) entry;
  uint32_t *entry_at; /* by rank: its first SrOpenEntry */
  uint32_t *sequence; /* by rank: node */
  uint32_t ranks;
  uint32_t clock;
  SrRankSets ranks_of; /* sets; the `frame` of a set is the node that holds it */
  SrDynamicTree tree;
  SrDynamicTreeNodes holders; /* temporary, for one call */
  SR_VEC(uint32_t) mark;      /* by node: it is in `holders` if this == epoch */
  uint32_t epoch, held;       /* held: the node being visited */
  uint32_t flows, virtuals;   /* nodes of these kinds */
  uint32_t rerouted_uniform;  /* blocks with a uniform branch, one of whose edges was rerouted */
} SrOpenTree;

static inline SrOpenNode *sr_open_at(const SrOpenTree *t, uint32_t node) {
  return &t->node.at[node];
}
static inline bool sr_open_is_open(const SrOpenTree *t, uint32_t node) {
  uint32_t set = sr_open_at(t, node)->set;
  return set != SR_NONE && !sr_ranks_empty(&t->ranks_of, set);
}
static inline bool sr_open_is_armed(const SrOpenTree *t, uint32_t node) {
  return sr_open_at(t, node)->divergent && sr_open_at(t, node)->closed && sr_open_is_open(t, node);
}
/* The node of a block of the graph. */
static inline uint32_t sr_open_node(uint32_t block) {
  return block + 1;
}

/* The tree before the first visit. `sequence` holds blocks in the order of their visits;
 * `divergent` is by block; edges to blocks not in the sequence do not count. Divergent branches
 * have two targets. A divergent block whose edges both go backward gets a virtual node, which takes
 * over its branch and is visited before all blocks. */
SrOpenTree *sr_open_tree_new(SrArena *arena, const SrGraph *g, const SrBits *divergent,
                             const uint32_t *sequence, uint32_t count);

/* The visited nodes with an open edge to the node of that rank, each once; valid until the next
 * call. */
const SrDynamicTreeNodes *sr_open_holders(SrOpenTree *t, uint32_t rank);
/* The representative of a node's class. */
uint32_t sr_open_class(const SrOpenTree *t, uint32_t node);
/* The smallest span that covers the ranks to which open edges in the subtree of the node's class
 * lead. */
SrSpan sr_open_span(SrOpenTree *t, uint32_t node);

/* Redirects all open edges in the subtrees of the nodes' classes to a new flow node, which counts
 * as visited; returns it. */
uint32_t sr_open_reroute(SrOpenTree *t, const uint32_t *nodes, uint32_t count);
/* Puts a node below all nodes that have an open edge to it, and closes these edges. The node's own
 * edges to nodes not visited yet become open. */
void sr_open_visit(SrOpenTree *t, uint32_t node);
/* Closes the last visited node's edges to nodes visited before, and to itself; ends its visit. */
void sr_open_close_backward(SrOpenTree *t, uint32_t node);

#ifndef NDEBUG
/* Checks the invariant edge by edge; aborts if it does not hold. O(V E). */
void sr_open_tree_check(SrOpenTree *t);
#endif

#endif
