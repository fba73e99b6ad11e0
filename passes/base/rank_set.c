/* SPDX-License-Identifier: Apache-2.0 */
/* rank_set: see rank_set.h. */
#include "passes/base/rank_set.h"

uint32_t sr_ranks_new(SrRankSets *s) {
  SrRankSet set = {.heap = SR_NONE, .max = 0, .up = SR_NONE, .frame = SR_NONE};
  SR_PUSH(s->arena, &s->set, set);
  return s->set.count - 1;
}

static uint32_t meld(SrRankSets *s, uint32_t a, uint32_t b) {
  if (a == SR_NONE || b == SR_NONE)
    return a == SR_NONE ? b : a;
  if (s->node.at[b].rank < s->node.at[a].rank) {
    uint32_t t = a;
    a = b;
    b = t;
  }
  s->node.at[b].sibling = s->node.at[a].child;
  s->node.at[a].child = b;
  return a;
}

void sr_ranks_add(SrRankSets *s, uint32_t set, uint32_t rank) {
  SR_PUSH(s->arena, &s->node, (SrRankNode){rank, SR_NONE, SR_NONE});
  SrRankSet *t = &s->set.at[set];
  t->max = t->heap == SR_NONE || rank > t->max ? rank : t->max;
  t->heap = meld(s, t->heap, s->node.count - 1);
}

uint32_t sr_ranks_find(SrRankSets *s, uint32_t set) {
  SrRankSet *at = s->set.at;
  while (at[set].up != SR_NONE) { /* path halving */
    if (at[at[set].up].up != SR_NONE)
      at[set].up = at[at[set].up].up;
    set = at[set].up;
  }
  return set;
}

uint32_t sr_ranks_join(SrRankSets *s, uint32_t a, uint32_t b) {
  if (a == SR_NONE || b == SR_NONE)
    return a == SR_NONE ? b : a;
  SrRankSet *x = &s->set.at[a], *y = &s->set.at[b];
  bool was_empty = x->heap == SR_NONE;
  if (y->heap != SR_NONE)
    x->max = was_empty || y->max > x->max ? y->max : x->max;
  x->heap = meld(s, x->heap, y->heap);
  y->heap = SR_NONE;
  y->up = a;
  return a;
}

/* Removes the root and melds its children in two passes: first in pairs, then the pairs from last
 * to first. Returns the new root. */
static uint32_t pop_root(SrRankSets *s, uint32_t root) {
  s->pairs.count = 0;
  for (uint32_t c = s->node.at[root].child; c != SR_NONE;) {
    uint32_t a = c, b = s->node.at[a].sibling;
    c = b == SR_NONE ? SR_NONE : s->node.at[b].sibling;
    s->node.at[a].sibling = SR_NONE;
    if (b != SR_NONE)
      s->node.at[b].sibling = SR_NONE;
    SR_PUSH(s->arena, &s->pairs, meld(s, a, b));
  }
  uint32_t heap = SR_NONE;
  while (s->pairs.count)
    heap = meld(s, heap, SR_POP(&s->pairs));
  return heap;
}

void sr_ranks_drop(SrRankSets *s, uint32_t set, uint32_t last) {
  uint32_t heap = s->set.at[set].heap;
  while (heap != SR_NONE && s->node.at[heap].rank <= last)
    heap = pop_root(s, heap);
  s->set.at[set].heap = heap;
}
