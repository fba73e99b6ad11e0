/* ancestor: see ancestor.h. */
#include "base/ancestor.h"

#include <stdbool.h>

SrAncestors sr_ancestors_build(SrArena *arena, const uint32_t *parent, uint32_t size,
                               const uint32_t *order, uint32_t count) {
  SrAncestors a = {parent, sr_new_none(arena, size), SR_NEW(arena, uint32_t, size)};
  for (uint32_t i = 0; i < count; i++) {
    uint32_t x = order ? order[i] : i, p = parent[x];
    if (p == SR_NONE) {
      a.jump[x] = x; /* a root jumps nowhere */
      continue;
    }
    uint32_t far = a.jump[p];
    a.depth[x] = a.depth[p] + 1;
    a.jump[x] = a.depth[p] - a.depth[far] == a.depth[far] - a.depth[a.jump[far]] ? a.jump[far] : p;
  }
  return a;
}

/* The ancestor of x at that depth. */
static uint32_t climb_to(const SrAncestors *a, uint32_t x, uint32_t depth) {
  while (a->depth[x] > depth)
    x = a->depth[a->jump[x]] >= depth ? a->jump[x] : a->parent[x];
  return x;
}

uint32_t sr_ancestors_common(const SrAncestors *a, uint32_t x, uint32_t y) {
  if (x == SR_NONE || y == SR_NONE)
    return SR_NONE;
  if (a->depth[x] > a->depth[y])
    x = climb_to(a, x, a->depth[y]);
  else
    y = climb_to(a, y, a->depth[x]);
  while (x != y) { /* at equal depth, jumps are equally long */
    if (a->parent[x] == SR_NONE)
      return SR_NONE;
    bool apart = a->jump[x] != a->jump[y];
    x = apart ? a->jump[x] : a->parent[x];
    y = apart ? a->jump[y] : a->parent[y];
  }
  return x;
}

uint32_t sr_ancestors_below(const SrAncestors *a, uint32_t x, uint32_t top) {
  return x == top ? SR_NONE : climb_to(a, x, top == SR_NONE ? 0 : a->depth[top] + 1);
}
