/* SPDX-License-Identifier: Apache-2.0 */
/* dom_set: see dom_set.h. Ancestors are found by jumps (Myers, An applicative random-access stack,
 * Inf. Proc. Letters 1983): from each block to the one above it, or across as many blocks as its
 * jump and the next jump together. */
#include "passes/analysis/graph/dom_set.h"

#include "passes/base/sort.h"

static int by_enter(const void *a, const void *b, void *dom) {
  const uint32_t *enter = ((const SrDom *)dom)->enter;
  uint32_t x = enter[*(const uint32_t *)a], y = enter[*(const uint32_t *)b];
  return (x > y) - (x < y);
}

/* Among the first `count` blocks, the index of the last one that dominates `block`, or SR_NONE. */
static uint32_t find_above(const SrDomSet *s, uint32_t count, uint32_t block) {
  uint32_t i = count ? count - 1 : SR_NONE;
  while (i != SR_NONE && !sr_dominates(s->dom, s->block.at[i], block)) {
    uint32_t j = s->jump[i];
    bool jumps = j != i && !sr_dominates(s->dom, s->block.at[j], block);
    i = jumps ? j : s->above[i];
  }
  return i;
}

static void set_above(SrDomSet *s, uint32_t i, uint32_t above) {
  s->above[i] = above;
  if (above == SR_NONE) {
    s->jump[i] = i;
    s->level[i] = 0;
    return;
  }
  uint32_t j = s->jump[above], next = s->jump[j];
  bool equal = s->level[above] - s->level[j] == s->level[j] - s->level[next];
  s->jump[i] = equal ? next : above;
  s->level[i] = s->level[above] + 1;
}

void sr_dom_set_sort(SrArena *arena, SrDomSet *s) {
  if (s->block.count > s->above_room) {
    s->above_room = 2 * s->block.count;
    s->above = SR_NEW_RAW(arena, uint32_t, s->above_room);
    s->jump = SR_NEW_RAW(arena, uint32_t, s->above_room);
    s->level = SR_NEW_RAW(arena, uint32_t, s->above_room);
  }
  sr_sort_by(arena, s->block.at, s->block.count, sizeof *s->block.at, by_enter, (void *)s->dom);
  for (uint32_t i = 0; i < s->block.count; i++)
    set_above(s, i, find_above(s, i, s->block.at[i]));
}

uint32_t sr_dom_set_nearest(const SrDomSet *s, uint32_t block) {
  const uint32_t *enter = s->dom->enter;
  uint32_t low = 0, high = s->block.count; /* blocks before index `low` come no later than `block`
                                            * in the preorder */
  while (low < high) {
    uint32_t i = low + (high - low) / 2;
    if (enter[s->block.at[i]] <= enter[block])
      low = i + 1;
    else
      high = i;
  }
  return find_above(s, low, block);
}
