/* sort: a stable sort whose memory comes from an arena; that of the C library's may come from
 * malloc, and its order of equal elements is anyone's guess. */
#ifndef SR_SORT_H
#define SR_SORT_H

#include "base/arena.h"

/* Sorts `count` elements of `size` bytes as qsort does; equal ones keep their order. `scratch` is
 * as before afterwards. O(n log n), O(n) where they are in order already. */
void sr_sort(SrArena *scratch, void *at, size_t count, size_t size,
             int (*compare)(const void *, const void *));
/* The same with a comparison that needs something to look at. */
void sr_sort_by(SrArena *scratch, void *at, size_t count, size_t size,
                int (*compare)(const void *, const void *, void *), void *user);

/* For sr_sort: elements are uint64_t, smallest first. */
int sr_by_number(const void *a, const void *b);

#endif
