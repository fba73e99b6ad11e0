/* SPDX-License-Identifier: Apache-2.0 */
/* dom_set: a few blocks of a dominator tree, and which of them most closely dominates another
 * block. */
#ifndef SR_DOM_SET_H
#define SR_DOM_SET_H

#include "passes/analysis/graph/dom.h"
#include "passes/base/vec.h"

typedef struct SrDomSet {
  const SrDom *dom;
  SR_VEC(uint32_t) block; /* filled by the caller; in tree preorder once sorted */
  uint32_t *above;        /* by index in `block`: index of the nearest other block of the set that
                           * dominates it, or SR_NONE */
  uint32_t *jump;         /* by index: one further above, or itself if there is none above */
  uint32_t *level;        /* by index: how many are above */
  uint32_t above_room;
} SrDomSet;

/* Sorts `block`, and fills `above`. To be called when `block` is filled. O(n log n). */
void sr_dom_set_sort(SrArena *arena, SrDomSet *set);
/* The index of the set's block that most closely dominates `block`, or is `block`; else SR_NONE.
 * O(log n). */
uint32_t sr_dom_set_nearest(const SrDomSet *set, uint32_t block);

#endif
