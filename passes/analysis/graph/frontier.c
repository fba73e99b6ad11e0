/* SPDX-License-Identifier: Apache-2.0 */
/* frontier: see frontier.h. Blocks are taken deepest first. Below each, every edge to a block that
 * is at most as deep leaves the dominated subtree. A subtree that was visited from a deeper block
 * need not be visited again, because all of its edges to blocks less deep were followed then. */
#include "passes/analysis/graph/frontier.h"

typedef struct Place {
  SrArena *arena;
  const SrGraph *g;
  const SrDom *dom;
  uint32_t *depth;        /* by block, in the dominator tree */
  uint32_t *first, *next; /* by depth: the first block to be visited; by block: the next one */
  SrBits *listed, *visited, *found;
} Place;

static uint32_t find_depths(Place *k) {
  uint32_t deepest = 0;
  k->depth = SR_NEW(k->arena, uint32_t, k->g->count);
  for (uint32_t i = 1; i < k->dom->reached; i++) {
    uint32_t b = k->dom->preorder[i];
    k->depth[b] = k->depth[k->dom->idom[b]] + 1;
    if (deepest < k->depth[b])
      deepest = k->depth[b];
  }
  return deepest;
}

static void list(Place *k, uint32_t block) {
  if (sr_bit(k->listed, block))
    return;
  sr_bit_set(k->listed, block);
  k->next[block] = k->first[k->depth[block]];
  k->first[k->depth[block]] = block;
}

static void visit(Place *k, uint32_t root) {
  const SrDom *dom = k->dom;
  for (uint32_t i = dom->enter[root]; i < dom->leave[root];) {
    uint32_t b = dom->preorder[i];
    if (sr_bit(k->visited, b)) {
      i = dom->leave[b];
      continue;
    }
    sr_bit_set(k->visited, b);
    i++;
    for (SR_SUCCS(t, k->g, b))
      if (dom->idom[*t] != b && k->depth[*t] <= k->depth[root]) {
        sr_bit_set(k->found, *t);
        list(k, *t);
      }
  }
}

SrBits *sr_frontier(SrArena *arena, const SrGraph *g, const SrDom *dom, const uint32_t *blocks,
                    uint32_t count) {
  Place k = {.arena = arena, .g = g, .dom = dom};
  uint32_t deepest = find_depths(&k);
  k.first = sr_new_none(arena, (size_t)deepest + 1);
  k.next = sr_new_none(arena, g->count);
  k.listed = sr_bits_new(arena, g->count);
  k.visited = sr_bits_new(arena, g->count);
  k.found = sr_bits_new(arena, g->count);
  for (uint32_t i = 0; i < count; i++)
    list(&k, blocks[i]);
  for (uint32_t d = deepest + 1; d-- > 0;)
    while (k.first[d] != SR_NONE) {
      uint32_t b = k.first[d];
      k.first[d] = k.next[b];
      visit(&k, b);
    }
  return k.found;
}
