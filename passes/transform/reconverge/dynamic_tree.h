/* SPDX-License-Identifier: Apache-2.0 */
/* dynamic_tree: a rooted tree in which subtrees can be moved, with queries about whole subtrees.
 *
 * The tree is kept as its Euler tour, a sequence of brackets, in a splay tree (Sleator and Tarjan
 * 1985; Euler tours after Henzinger and King 1995):
 *
 *        r
 *       / \        r( a( c( ) ) b( ) )      a subtree is contiguous in the sequence;
 *      a   b                                a node that is removed leaves its children to
 *      |                                    its parent when its two brackets are removed
 *      c
 *
 * Each node has a span of numbers, or none; the span of a subtree is the smallest that covers those
 * of its nodes. All operations are O(log n) amortized. Nodes are small numbers that the caller
 * chooses; node 0 is the root and stays. */
#ifndef SR_DYNAMIC_TREE_H
#define SR_DYNAMIC_TREE_H

#include "passes/base/span.h"
#include "passes/base/vec.h"

#include <stdbool.h>

/* A bracket: 2 * node opens, 2 * node + 1 closes. */
typedef struct SrBracket {
  uint32_t up, left, right; /* in the splay tree */
  uint32_t size; /* size of its subtree in the splay tree, to which the fields below, except `own`,
                    refer, too */
  int32_t sum;   /* brackets opened less those closed */
  int32_t least; /* the least sum of a nonempty prefix */
  int32_t most;  /* the greatest sum of a nonempty suffix */
  SrSpan own, span;
} SrBracket;

typedef struct SrDynamicTree {
  SrArena *arena;
  SR_VEC(SrBracket) bracket;
} SrDynamicTree;

typedef SR_VEC(uint32_t) SrDynamicTreeNodes;

/* A tree with only the root. */
SrDynamicTree sr_dynamic_tree_new(SrArena *arena);
/* Adds a leaf below `parent`, with no span. */
void sr_dynamic_tree_add(SrDynamicTree *t, uint32_t node, uint32_t parent);
/* Removes a node; its children become its parent's. */
void sr_dynamic_tree_remove(SrDynamicTree *t, uint32_t node);
/* Attaches the subtree of `top` below `under`, which is not in it. */
void sr_dynamic_tree_move(SrDynamicTree *t, uint32_t top, uint32_t under);
uint32_t sr_dynamic_tree_parent(SrDynamicTree *t, uint32_t node);
/* Is b in the subtree of a (which holds a)? */
bool sr_dynamic_tree_holds(SrDynamicTree *t, uint32_t a, uint32_t b);
/* For two nodes in different branches: the top of the branch that holds b, a child of their nearest
 * common ancestor. */
uint32_t sr_dynamic_tree_branch(SrDynamicTree *t, uint32_t a, uint32_t b);
void sr_dynamic_tree_set(SrDynamicTree *t, uint32_t node, SrSpan span);
SrSpan sr_dynamic_tree_span(SrDynamicTree *t, uint32_t node);
/* Appends the nodes of a subtree that have a span, in the order of the tour. */
void sr_dynamic_tree_collect(SrDynamicTree *t, uint32_t node, SrDynamicTreeNodes *out);

#endif
