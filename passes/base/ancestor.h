/* SPDX-License-Identifier: Apache-2.0 */
/* ancestor: nearest common ancestors in a forest, by jump pointers.
 *
 * Besides its parent, every node has one further ancestor to jump to; the jumps' lengths are those
 * of a skew-binary number, so a query takes O(log n) steps and the table O(n) memory (Myers, An
 * Applicative Random-Access Stack, 1983). */
#ifndef SR_ANCESTOR_H
#define SR_ANCESTOR_H

#include "base/arena.h"

typedef struct SrAncestors {
  const uint32_t *parent; /* SR_NONE for roots */
  uint32_t *jump, *depth; /* depth of roots: 0 */
} SrAncestors;

/* An empty forest. `size`: the largest node that will be added, plus one. `parent` must outlive the
 * result. */
SrAncestors sr_ancestors_new(SrArena *arena, const uint32_t *parent, uint32_t size);
/* Adds a node; its parent must be known and added before. */
void sr_ancestors_add(SrAncestors *a, uint32_t x);
/* A forest of the `count` nodes of `order`, parents before children; NULL: of 0 to count - 1. */
SrAncestors sr_ancestors_build(SrArena *arena, const uint32_t *parent, uint32_t size,
                               const uint32_t *order, uint32_t count);
/* The deepest node of which both are descendants (or itself one of them); SR_NONE if they are in
 * different trees, or one is SR_NONE. */
uint32_t sr_ancestors_common(const SrAncestors *a, uint32_t x, uint32_t y);
/* The first node that a path from `out` to `in` enters: of `in` and its ancestors, the highest that
 * is neither `out` nor an ancestor of `out`. SR_NONE: there is none. As an argument SR_NONE means:
 * outside of all trees. */
uint32_t sr_ancestors_entered(const SrAncestors *a, uint32_t out, uint32_t in);

#endif
