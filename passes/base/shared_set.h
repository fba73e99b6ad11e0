/* SPDX-License-Identifier: Apache-2.0 */
/* shared_set: immutable sets of integers 0..limit-1 that share their common parts.
 *
 * A data-flow analysis whose sets differ little from block to block would be quadratic with bit
 * sets. Here a set is a binary trie over the integers' bits, and each trie exists once (hash
 * consing): equal sets have the same number, and the time of an operation on two sets is at most
 * proportional to the number of elements in which they differ, times log(limit). (After Okasaki and
 * Gill, Fast Mergeable Integer Maps, 1998; with a fixed depth instead of skipped levels.) */
#ifndef SR_SHARED_SET_H
#define SR_SHARED_SET_H

#include "passes/base/vec.h"
#include <stdbool.h>

#define SR_EMPTY_SET 0u

typedef struct SrSetNode {
  uint32_t half[2]; /* the elements whose next bit is 0, and those whose next bit is 1 */
} SrSetNode;

typedef struct SrSharedSets {
  SrArena *arena;
  uint32_t depth; /* bits of an integer */
  SR_VEC(SrSetNode) node;
  uint32_t *slots; /* a hash table of nodes, at most half full; SR_NONE: empty */
  uint32_t room;
} SrSharedSets;

SrSharedSets sr_shared_sets_new(SrArena *arena, uint32_t limit);
uint32_t sr_set_union(SrSharedSets *s, uint32_t a, uint32_t b);
/* The elements of a that are not in b. */
uint32_t sr_set_minus(SrSharedSets *s, uint32_t a, uint32_t b);
uint32_t sr_set_single(SrSharedSets *s, uint32_t element);
bool sr_set_has(const SrSharedSets *s, uint32_t set, uint32_t element);
/* The largest element; SR_NONE if the set is empty. */
uint32_t sr_set_max(const SrSharedSets *s, uint32_t set);
/* The smallest element not below `from`, or SR_NONE: for (e = sr_set_next(s, set, 0); e != SR_NONE;
 * e = sr_set_next(s, set, e + 1)) */
uint32_t sr_set_next(const SrSharedSets *s, uint32_t set, uint32_t from);

#endif
