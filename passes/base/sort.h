/* SPDX-License-Identifier: Apache-2.0 */
/* sort: a stable sort whose memory comes from an arena. The C library's qsort may call malloc, and
 * does not specify the order of equal elements. */
#ifndef SR_SORT_H
#define SR_SORT_H

#include "base/arena.h"

/* Sorts `count` elements of `size` bytes like qsort; equal ones keep their order. `scratch` is
 * restored. O(n log n), O(n) if they are in order already. */
void sr_sort(SrArena *scratch, void *at, size_t count, size_t size,
             int (*compare)(const void *, const void *));
/* The same with a comparison that gets `user`. */
void sr_sort_by(SrArena *scratch, void *at, size_t count, size_t size,
                int (*compare)(const void *, const void *, void *), void *user);

/* For sr_sort: elements are uint64_t, smallest first. */
int sr_by_number(const void *a, const void *b);

#endif
