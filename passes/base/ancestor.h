/* ancestor: nearest common ancestors in a forest, by jump pointers.
 *
 * Every node has, besides its parent, one ancestor further up to jump to; the jumps' lengths are
 * those of a skew-binary number, so a query takes O(log n) steps and the table O(n) memory (Myers,
 * An Applicative Random-Access Stack, 1983). */
#ifndef SR_ANCESTOR_H
#define SR_ANCESTOR_H

#include "base/arena.h"

typedef struct SrAncestors {
  const uint32_t *parent; /* SR_NONE for roots */
  uint32_t *jump, *depth; /* depth of roots: 0 */
} SrAncestors;

/* Of the `count` nodes of `order`, parents before children; NULL: 0, 1, 2 and so on. `size`: one
 * more than the largest node. `parent` must outlive the result. */
SrAncestors sr_ancestors_build(SrArena *arena, const uint32_t *parent, uint32_t size,
                               const uint32_t *order, uint32_t count);
/* The deepest node that has both below it or is it; SR_NONE: they are in different trees, or one is
 * SR_NONE. */
uint32_t sr_ancestors_common(const SrAncestors *a, uint32_t x, uint32_t y);
/* The ancestor of x, or x, whose parent is `top`, an ancestor of it (SR_NONE: of its root);
 * SR_NONE: x is `top`. */
uint32_t sr_ancestors_below(const SrAncestors *a, uint32_t x, uint32_t top);

#endif
