/* SPDX-License-Identifier: Apache-2.0 */
/* link_forest: see link_forest.h. */
#include "passes/base/link_forest.h"

SrLinkNode *sr_forest_new(SrArena *arena, uint32_t count) {
  SrLinkNode *forest = SR_NEW_RAW(arena, SrLinkNode, count);
  for (uint32_t i = 0; i < count; i++)
    forest[i] = (SrLinkNode){.child = {SR_NONE, SR_NONE}, .up = SR_NONE, .size = 1};
  return forest;
}

static uint32_t size_of(const SrLinkNode *t, uint32_t node) {
  return node == SR_NONE ? 0 : t[node].size;
}

/* Is the node the root of its splay tree? */
static bool is_top(const SrLinkNode *t, uint32_t node) {
  uint32_t up = t[node].up;
  return up == SR_NONE || (t[up].child[0] != node && t[up].child[1] != node);
}

static void measure(SrLinkNode *t, uint32_t node) {
  t[node].size = 1 + size_of(t, t[node].child[0]) + size_of(t, t[node].child[1]);
}

/* Exchanges a node with its parent in the splay tree. */
static void rotate(SrLinkNode *t, uint32_t node) {
  uint32_t above = t[node].up, top = t[above].up;
  int side = t[above].child[1] == node;
  uint32_t inner = t[node].child[!side];
  if (!is_top(t, above))
    t[top].child[t[top].child[1] == above] = node;
  t[above].child[side] = inner;
  if (inner != SR_NONE)
    t[inner].up = above;
  t[node].child[!side] = above;
  t[above].up = node;
  t[node].up = top;
  measure(t, above);
  measure(t, node);
}

static void splay(SrLinkNode *t, uint32_t node) {
  while (!is_top(t, node)) {
    uint32_t above = t[node].up;
    if (!is_top(t, above)) {
      uint32_t top = t[above].up;
      bool straight = (t[above].child[1] == node) == (t[top].child[1] == above);
      rotate(t, straight ? above : node);
    }
    rotate(t, node);
  }
}

/* Makes the path from the root to the node a preferred path that ends at the node, and brings the
 * node to the top of its splay tree. */
static void expose(SrLinkNode *t, uint32_t node) {
  uint32_t below = SR_NONE;
  for (uint32_t at = node; at != SR_NONE; at = t[at].up) {
    splay(t, at);
    t[at].child[1] = below;
    measure(t, at);
    below = at;
  }
  splay(t, node);
}

void sr_forest_link(SrLinkNode *forest, uint32_t node, uint32_t parent) {
  expose(forest, node);
  expose(forest, parent);
  forest[node].up = parent;
}

void sr_forest_cut(SrLinkNode *forest, uint32_t node) {
  expose(forest, node);
  uint32_t above = forest[node].child[0];
  if (above == SR_NONE)
    return;
  forest[above].up = SR_NONE;
  forest[node].child[0] = SR_NONE;
  measure(forest, node);
}

uint32_t sr_forest_depth(SrLinkNode *forest, uint32_t node) {
  expose(forest, node);
  return size_of(forest, forest[node].child[0]);
}
