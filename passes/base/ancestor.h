/* SPDX-License-Identifier: Apache-2.0 */
/* ancestor: nearest common ancestors in a forest, by jump pointers.
 *
 * Besides its parent, every node stores one further ancestor, to which a query may jump. The jumps
 * have the lengths of the digits of skew-binary numbers, so a query takes O(log n) steps and the
 * table O(n) memory (Myers, An Applicative Random-Access Stack, 1983). */
#ifndef SR_ANCESTOR_H
#define SR_ANCESTOR_H

#include "passes/base/arena.h"

typedef struct SrAncestors {
  const uint32_t *parent; /* SR_NONE for roots */
  uint32_t *jump, *depth; /* depth of roots: 0 */
} SrAncestors;

/* An empty forest. `size`: the largest node that will be added, plus one. `parent` must outlive the
 * result. */
SrAncestors sr_ancestors_new(SrArena *arena, const uint32_t *parent, uint32_t size);
/* Adds node x; its parent must have been added before, and be in `parent`. */
void sr_ancestors_add(SrAncestors *a, uint32_t x);
/* A forest of the `count` nodes in `order`, which lists parents before children; with `order` NULL,
 * of the nodes 0 to count - 1, in this order. */
SrAncestors sr_ancestors_build(SrArena *arena, const uint32_t *parent, uint32_t size,
                               const uint32_t *order, uint32_t count);
/* The deepest common ancestor of x and y, where a node counts as an ancestor of itself; SR_NONE if
 * they are in different trees, or if x or y is SR_NONE. */
uint32_t sr_ancestors_common(const SrAncestors *a, uint32_t x, uint32_t y);
/* The outermost subtree that a step from node `out` to node `in` enters, by its root: of `in` and
 * its ancestors, the highest that is neither `out` nor an ancestor of `out`; SR_NONE: there is
 * none. An argument that is SR_NONE means a place outside of all trees. */
uint32_t sr_ancestors_entered(const SrAncestors *a, uint32_t out, uint32_t in);

#endif
