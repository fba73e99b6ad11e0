/* SPDX-License-Identifier: Apache-2.0 */
/* order_ocelot: the order of GPU Ocelot, the emulator in which Diamos et al. (MICRO-44, 2011)
 * measured thread frontiers.
 *
 * The paper says "reverse post-order"; Ocelot (class ThreadFrontierAnalysis, as described in its
 * header of May 2011) orders blocks by a tree of the reversed graph. After the idea of that class:
 *
 *   1. The tree. A depth-first search from the exit along edges to predecessors. When the search
 *      leads from a block b to a finished block p that would be deeper below b than where it is, p
 *      moves below b with its subtree. So "depth" approaches the length of the longest path.
 *   2. The numbers. The tree is walked from the exit. Before a block gets its number, all blocks
 *      that it dominates and that are known as children of numbered blocks are walked. The child
 *      that falls through to the block comes before the others.
 *
 * The order is by descending number: a block comes before those that it dominates, unless these
 * leave the function only through it, like the body of a while loop, which comes before the loop's
 * header. The exit is last. Ocelot leaves open which of several dominated blocks comes first (it
 * iterates over a hash table): here, the first in the preorder of the dominator tree. A block falls
 * through to its last successor. Edges to the entry, which Ocelot's graphs do not have, may put
 * blocks before the entry; it is moved to the front.
 *
 * While the search is at b, the blocks on its stack are the ancestors of b in the tree: only
 * finished blocks move. Depths come from a forest (link_forest.h), so the cost is O(E log V). */
#include "passes/analysis/graph/dom.h"
#include "passes/analysis/graph/order.h"
#include "passes/base/link_forest.h"

#include <assert.h>
#include <string.h>

enum { NEW, OPEN, FINISHED };

typedef struct Tree {
  const SrGraph *g, *reverse;
  const SrDom *dom;
  uint32_t root;              /* the virtual exit */
  uint32_t *parent;           /* by block, like the next four; SR_NONE: none */
  uint32_t *child, *last;     /* the first and the last child */
  uint32_t *before, *sibling; /* the previous and the next child of the parent */
} Tree;

/* ---- the tree -------------------------------------------------------------------------------- */

static void add_child(Tree *t, uint32_t parent, uint32_t node) {
  t->parent[node] = parent;
  t->before[node] = t->last[parent];
  t->sibling[node] = SR_NONE;
  *(t->last[parent] == SR_NONE ? &t->child[parent] : &t->sibling[t->last[parent]]) = node;
  t->last[parent] = node;
}

static void remove_child(Tree *t, uint32_t node) {
  uint32_t parent = t->parent[node], before = t->before[node], after = t->sibling[node];
  *(before == SR_NONE ? &t->child[parent] : &t->sibling[before]) = after;
  *(after == SR_NONE ? &t->last[parent] : &t->before[after]) = before;
}

static void build_tree(SrArena *arena, Tree *t) {
  uint32_t count = t->reverse->count, depth = 0;
  uint8_t *state = SR_NEW(arena, uint8_t, count);
  uint32_t *next = SR_NEW(arena, uint32_t, count); /* predecessors tried so far */
  uint32_t *stack = SR_NEW_RAW(arena, uint32_t, count);
  SrLinkNode *forest = sr_forest_new(arena, count);
  stack[depth++] = t->root;
  state[t->root] = OPEN;
  while (depth) {
    uint32_t b = stack[depth - 1];
    if (next[b] == sr_succ_count(t->reverse, b)) {
      state[b] = FINISHED;
      depth--;
      continue;
    }
    uint32_t p = t->reverse->succ[t->reverse->succ_at[b] + next[b]++];
    if (t->dom->enter[p] == SR_NONE || state[p] == OPEN ||
        (state[p] == FINISHED && sr_forest_depth(forest, p) >= depth))
      continue;
    if (state[p] == FINISHED) {
      sr_forest_cut(forest, p);
      remove_child(t, p);
    } else {
      state[p] = OPEN;
      stack[depth++] = p;
    }
    add_child(t, b, p);
    sr_forest_link(forest, p, b);
  }
}

/* ---- known blocks, by their place in the preorder of the dominator tree ---------------------- */

/* A tree of flags: is any place below a node set? */
typedef struct Known {
  uint32_t size;
  bool *any;
} Known;

static Known known_new(SrArena *arena, uint32_t count) {
  Known k = {.size = 1};
  while (k.size < count)
    k.size *= 2;
  k.any = SR_NEW(arena, bool, (size_t)2 * k.size);
  return k;
}

static void known_set(Known *k, uint32_t place, bool value) {
  size_t i = (size_t)place + k->size;
  for (k->any[i] = value; i > 1; i /= 2)
    k->any[i / 2] = k->any[i] || k->any[i ^ 1];
}

/* The first known place at or after `place`, or SR_NONE. */
static uint32_t known_from(const Known *k, uint32_t place) {
  size_t i = (size_t)place + k->size;
  while (!k->any[i]) {
    while (i & 1)
      i /= 2;
    if (i == 0)
      return SR_NONE;
    i++;
  }
  while (i < k->size)
    i = k->any[2 * i] ? 2 * i : 2 * i + 1;
  return (uint32_t)(i - k->size);
}

/* ---- the numbers ----------------------------------------------------------------------------- */

static bool falls_through(const Tree *t, uint32_t from, uint32_t to) {
  return to != t->root && t->g->succ[t->g->succ_at[from + 1] - 1] == to;
}

/* Puts the children that fall through to the block first; `list`: room for them. */
static void sort_children(Tree *t, uint32_t b, uint32_t *list) {
  uint32_t count = 0;
  for (uint32_t c = t->child[b]; c != SR_NONE; c = t->sibling[c])
    list[count++] = c;
  t->child[b] = t->last[b] = SR_NONE;
  for (int falls = 1; falls >= 0; falls--)
    for (uint32_t i = 0; i < count; i++)
      if (falls_through(t, list[i], b) == (bool)falls)
        add_child(t, b, list[i]);
}

/* Takes from the known blocks one that b dominates; SR_NONE: there is none. */
static uint32_t take_dominated(const Tree *t, Known *known, uint32_t b) {
  if (b == t->root)
    return SR_NONE;
  uint32_t place = known_from(known, t->dom->enter[b]);
  if (place == SR_NONE || place >= t->dom->leave[b])
    return SR_NONE;
  known_set(known, place, false);
  return t->dom->preorder[place];
}

/* Takes from the known blocks the next child of b; SR_NONE: there is none. */
static uint32_t take_child(const Tree *t, Known *known, uint32_t *cursor) {
  while (*cursor != SR_NONE) {
    uint32_t c = *cursor, place = t->dom->enter[c];
    *cursor = t->sibling[c];
    if (known->any[known->size + place]) {
      known_set(known, place, false);
      return c;
    }
  }
  return SR_NONE;
}

/* Writes the blocks by descending number to `order`, and returns their number. */
static uint32_t number_blocks(SrArena *arena, Tree *t, uint32_t *order) {
  uint32_t count = t->reverse->count, depth = 0, numbered = 0;
  Known known = known_new(arena, t->dom->reached);
  uint32_t *stack = SR_NEW_RAW(arena, uint32_t, count);
  uint32_t *list = SR_NEW_RAW(arena, uint32_t, count), *cursor = SR_NEW(arena, uint32_t, count);
  SrBits *done = sr_bits_new(arena, count);
  stack[depth++] = t->root;
  while (depth) {
    uint32_t b = stack[depth - 1], next;
    if (sr_bit(done, b)) {
      next = take_child(t, &known, &cursor[b]);
      if (next == SR_NONE)
        depth--;
    } else if ((next = take_dominated(t, &known, b)) == SR_NONE) {
      sr_bit_set(done, b);
      if (b != t->root)
        order[t->dom->reached - ++numbered] = b;
      sort_children(t, b, list);
      cursor[b] = t->child[b];
      for (uint32_t c = t->child[b]; c != SR_NONE; c = t->sibling[c])
        known_set(&known, t->dom->enter[c], true);
    }
    if (next != SR_NONE)
      stack[depth++] = next;
  }
  assert(numbered == t->dom->reached);
  return numbered;
}

/* An edge to the entry may have put blocks before it. */
static void put_entry_first(uint32_t *order) {
  uint32_t at = 0;
  while (order[at] != 0)
    at++;
  memmove(order + 1, order, at * sizeof *order);
  order[0] = 0;
}

uint32_t sr_order_ocelot(SrArena *scratch, const SrGraph *g, uint32_t *order) {
  SrArena arena = sr_arena_new(scratch->heap);
  Tree t = {.g = g,
            .reverse = sr_graph_reverse_with_exit(&arena, g),
            .dom = sr_dom_build(&arena, g, 0),
            .root = g->count};
  t.parent = sr_new_none(&arena, g->count + 1);
  t.child = sr_new_none(&arena, g->count + 1);
  t.last = sr_new_none(&arena, g->count + 1);
  t.sibling = sr_new_none(&arena, g->count + 1);
  t.before = sr_new_none(&arena, g->count + 1);
  build_tree(&arena, &t);
  uint32_t count = number_blocks(&arena, &t, order);
  sr_arena_free(&arena);
  put_entry_first(order);
  sr_order_exit_last(g, order, count);
  return count;
}
