/* SPDX-License-Identifier: Apache-2.0 */
/* dom: see dom.h. Vertices are numbered in depth-first order; all work arrays are indexed by that
 * number. `ancestor` forms the forest that `eval` compresses. */
#include "passes/analysis/graph/dom.h"

typedef struct Work {
  uint32_t *node;                           /* by number */
  uint32_t *parent;                         /* in the search tree, by number */
  uint32_t *semi, *label, *ancestor, *idom; /* by number */
  uint32_t *bucket, *bucket_next;           /* blocks by semidominator, as linked lists */
  uint32_t *stack;
} Work;

/* Numbers the nodes that the root reaches; number[b] of others is SR_NONE. */
static uint32_t search(const SrGraph *g, uint32_t root, Work *w, uint32_t *number, uint32_t *next) {
  uint32_t n = 0, depth = 0;
  number[root] = n;
  w->node[n] = root;
  w->parent[n++] = 0;
  w->stack[depth++] = root;
  while (depth) {
    uint32_t b = w->stack[depth - 1];
    if (next[b] == sr_succ_count(g, b)) {
      depth--;
      continue;
    }
    uint32_t t = g->succ[g->succ_at[b] + next[b]++];
    if (number[t] == SR_NONE) {
      number[t] = n;
      w->node[n] = t;
      w->parent[n++] = number[b];
      w->stack[depth++] = t;
    }
  }
  return n;
}

/* The vertex of least semidominator on the forest path above v, compressing the path. */
static uint32_t eval(Work *w, uint32_t v) {
  if (w->ancestor[v] == SR_NONE)
    return v;
  uint32_t depth = 0;
  for (uint32_t x = v; w->ancestor[w->ancestor[x]] != SR_NONE; x = w->ancestor[x])
    w->stack[depth++] = x;
  while (depth) {
    uint32_t x = w->stack[--depth], a = w->ancestor[x];
    if (w->semi[w->label[a]] < w->semi[w->label[x]])
      w->label[x] = w->label[a];
    w->ancestor[x] = w->ancestor[a];
  }
  return w->label[v];
}

/* Finds the immediate dominators: Lengauer and Tarjan 1979, section 3, steps 2 to 4. */
static void solve(const SrGraph *g, Work *w, const uint32_t *number, uint32_t n) {
  for (uint32_t v = 0; v < n; v++) {
    w->semi[v] = w->label[v] = v;
    w->ancestor[v] = w->bucket[v] = w->bucket_next[v] = SR_NONE;
  }
  for (uint32_t v = n; v-- > 1;) {
    for (SR_PREDS(p, g, w->node[v]))
      if (number[*p] != SR_NONE) {
        uint32_t u = eval(w, number[*p]);
        if (w->semi[u] < w->semi[v])
          w->semi[v] = w->semi[u];
      }
    w->bucket_next[v] = w->bucket[w->semi[v]];
    w->bucket[w->semi[v]] = v;
    uint32_t p = w->parent[v];
    w->ancestor[v] = p;
    for (uint32_t x = w->bucket[p]; x != SR_NONE; x = w->bucket_next[x]) {
      uint32_t u = eval(w, x);
      w->idom[x] = w->semi[u] < w->semi[x] ? u : p;
    }
    w->bucket[p] = SR_NONE;
  }
  w->idom[0] = 0;
  for (uint32_t v = 1; v < n; v++)
    if (w->idom[v] != w->semi[v])
      w->idom[v] = w->idom[w->idom[v]];
}

/* Numbers the tree in preorder, children in order of discovery. */
static void number_tree(SrDom *d, SrArena *scratch, const uint32_t *node) {
  uint32_t *child = sr_new_none(scratch, d->count), *sibling = sr_new_none(scratch, d->count);
  for (uint32_t v = d->reached; v-- > 1;) {
    uint32_t b = node[v], p = d->idom[b];
    sibling[b] = child[p];
    child[p] = b;
  }
  uint32_t b = d->root, t = 0;
  for (;;) {
    d->preorder[t] = b;
    d->enter[b] = t++;
    if (child[b] != SR_NONE) {
      b = child[b];
      continue;
    }
    d->leave[b] = t;
    while (b != d->root && sibling[b] == SR_NONE) {
      b = d->idom[b];
      d->leave[b] = t;
    }
    if (b == d->root)
      break;
    b = sibling[b];
  }
}

SrDom *sr_dom_build(SrArena *arena, const SrGraph *g, uint32_t root) {
  uint32_t count = g->count;
  SrDom *d = SR_NEW(arena, SrDom, 1);
  *d = (SrDom){.count = count,
               .root = root,
               .idom = sr_new_none(arena, count),
               .enter = sr_new_none(arena, count),
               .leave = sr_new_none(arena, count),
               .preorder = SR_NEW_RAW(arena, uint32_t, count)};
  SrArena scratch = sr_arena_new(arena->heap);
  uint32_t *number = sr_new_none(&scratch, count);
  uint32_t *next = SR_NEW(&scratch, uint32_t, count);
  uint32_t *rows = SR_NEW_RAW(&scratch, uint32_t, (size_t)count * 9);
  Work w = {.node = rows,
            .parent = rows + count,
            .semi = rows + (size_t)count * 2,
            .label = rows + (size_t)count * 3,
            .ancestor = rows + (size_t)count * 4,
            .idom = rows + (size_t)count * 5,
            .bucket = rows + (size_t)count * 6,
            .bucket_next = rows + (size_t)count * 7,
            .stack = rows + (size_t)count * 8};
  uint32_t n = search(g, root, &w, number, next);
  solve(g, &w, number, n);
  d->reached = n;
  for (uint32_t v = 1; v < n; v++)
    d->idom[w.node[v]] = w.node[w.idom[v]];
  number_tree(d, &scratch, w.node);
  sr_arena_free(&scratch);
  return d;
}
