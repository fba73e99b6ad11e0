/* SPDX-License-Identifier: Apache-2.0 */
/* order_cdep: an order of blocks by control dependence.
 *
 * Wahlster's thesis (order.h, chapter 6) proposes orders from control dependence graphs and dominator
 * trees. A control dependence graph may have a number of edges that is quadratic in the blocks, so
 * this order uses the tree in which a block hangs below its nearest dominator that it does not
 * post-dominate: below the branch that decides whether it runs. In code of nested selections and loops
 * this tree is the control dependence graph. The order is its preorder, siblings in LRPO; so
 * what a branch decides comes before the block after the branch, and a loop before what follows it.
 * Cost: that of the two dominator trees, plus the steps up the tree. */
#include "passes/analysis/graph/dom.h"
#include "passes/analysis/graph/order.h"

typedef struct Tree {
  const SrDom *dom, *pdom;
  uint32_t *parent; /* by block; SR_NONE: it runs whenever the function does */
  uint32_t *child,
      *next; /* by block: the first child, the next sibling; by `count`: of no parent */
} Tree;

/* Where `b` hangs. If it post-dominates a dominator, it also does all blocks from there up to that
 * dominator's parent. */
static uint32_t find_parent(const Tree *t, uint32_t b) {
  uint32_t up = t->dom->idom[b];
  while (up != SR_NONE && sr_dominates(t->pdom, b, up))
    up = t->parent[up];
  return up;
}

/* Makes `b` the first child. */
static void hang(Tree *t, uint32_t count, uint32_t b) {
  uint32_t up = t->parent[b] == SR_NONE ? count : t->parent[b];
  t->next[b] = t->child[up];
  t->child[up] = b;
}

static uint32_t preorder(SrArena *scratch, const Tree *t, uint32_t nodes, uint32_t *order) {
  uint32_t *stack = SR_NEW_RAW(scratch, uint32_t, (size_t)nodes + 1), depth = 0, count = 0;
  stack[depth++] = t->child[nodes];
  while (depth) {
    uint32_t b = stack[--depth];
    if (b == SR_NONE)
      continue;
    order[count++] = b;
    stack[depth++] = t->next[b];
    stack[depth++] = t->child[b];
  }
  return count;
}

uint32_t sr_order_cdep(SrArena *scratch, const SrGraph *g, uint32_t *order) {
  SrArena arena = sr_arena_new(scratch->heap);
  const SrGraph *reverse = sr_graph_reverse_with_exit(&arena, g);
  Tree t = {.dom = sr_dom_build(&arena, g, 0), .pdom = sr_dom_build(&arena, reverse, g->count)};
  t.parent = sr_new_none(&arena, g->count);
  t.child = sr_new_none(&arena, (size_t)g->count + 1);
  t.next = sr_new_none(&arena, g->count);
  for (uint32_t i = 0; i < t.dom->reached; i++)
    t.parent[t.dom->preorder[i]] = find_parent(&t, t.dom->preorder[i]);
  uint32_t *lrpo = SR_NEW_RAW(&arena, uint32_t, g->count);
  for (uint32_t i = sr_order_lrpo(&arena, g, lrpo); i-- > 0;)
    hang(&t, g->count, lrpo[i]);
  uint32_t count = preorder(&arena, &t, g->count, order);
  sr_arena_free(&arena);
  sr_order_exit_last(g, order, count);
  return count;
}
