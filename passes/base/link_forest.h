/* SPDX-License-Identifier: Apache-2.0 */
/* link_forest: rooted trees that are cut and linked, with the depth of any node.
 *
 * Every tree is divided into paths; a splay tree holds each path, ordered by depth (link-cut trees:
 * Sleator and Tarjan, A Data Structure for Dynamic Trees, 1983, in the version with splay trees of
 * 1985). All operations are O(log n) amortized, and none recurses. */
#ifndef SR_LINK_FOREST_H
#define SR_LINK_FOREST_H

#include "passes/base/arena.h"
#include <stdbool.h>

typedef struct SrLinkNode {
  uint32_t child[2]; /* in the splay tree of the path: shallower, deeper; SR_NONE: none */
  uint32_t up;   /* parent in the splay tree; for its root: the node from which the path hangs, or
                    SR_NONE */
  uint32_t size; /* nodes of the splay tree below this one, itself included */
} SrLinkNode;

/* A forest of `count` nodes, each a tree of its own. */
SrLinkNode *sr_forest_new(SrArena *arena, uint32_t count);
/* Makes the root `node` a child of `parent`, which is in another tree. */
void sr_forest_link(SrLinkNode *forest, uint32_t node, uint32_t parent);
/* Separates a node, with everything below it, from its parent. */
void sr_forest_cut(SrLinkNode *forest, uint32_t node);
/* The number of nodes above this one. */
uint32_t sr_forest_depth(SrLinkNode *forest, uint32_t node);

#endif
