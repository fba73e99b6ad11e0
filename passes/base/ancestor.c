/* SPDX-License-Identifier: Apache-2.0 */
/* ancestor: see ancestor.h. */
#include "passes/base/ancestor.h"

#include <stdbool.h>

SrAncestors sr_ancestors_new(SrArena *arena, const uint32_t *parent, uint32_t size) {
  return (SrAncestors){parent, sr_new_none(arena, size), SR_NEW(arena, uint32_t, size)};
}

void sr_ancestors_add(SrAncestors *a, uint32_t x) {
  uint32_t p = a->parent[x];
  if (p == SR_NONE) {
    a->jump[x] = x; /* a root jumps nowhere */
    return;
  }
  uint32_t far = a->jump[p];
  bool equal = a->depth[p] - a->depth[far] == a->depth[far] - a->depth[a->jump[far]];
  a->depth[x] = a->depth[p] + 1;
  a->jump[x] = equal ? a->jump[far] : p;
}

SrAncestors sr_ancestors_build(SrArena *arena, const uint32_t *parent, uint32_t size,
                               const uint32_t *order, uint32_t count) {
  SrAncestors a = sr_ancestors_new(arena, parent, size);
  for (uint32_t i = 0; i < count; i++)
    sr_ancestors_add(&a, order ? order[i] : i);
  return a;
}

/* The ancestor of x whose depth is `depth`. */
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
  while (x != y) { /* nodes of equal depth have jumps of equal length */
    if (a->parent[x] == SR_NONE)
      return SR_NONE;
    bool apart = a->jump[x] != a->jump[y];
    x = apart ? a->jump[x] : a->parent[x];
    y = apart ? a->jump[y] : a->parent[y];
  }
  return x;
}

uint32_t sr_ancestors_entered(const SrAncestors *a, uint32_t out, uint32_t in) {
  uint32_t both = sr_ancestors_common(a, in, out);
  return in == both ? SR_NONE : climb_to(a, in, both == SR_NONE ? 0 : a->depth[both] + 1);
}
