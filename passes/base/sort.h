/* SPDX-License-Identifier: Apache-2.0 */
/* sort: a stable sort whose memory comes from an arena. The C library's qsort may call malloc, and
 * does not specify the order of equal elements. */
#ifndef SR_SORT_H
#define SR_SORT_H

#include "passes/base/arena.h"

/* Sorts `count` elements of `size` bytes like qsort; equal elements keep their order. `scratch` is
 * restored. O(n log n); O(n) if the elements are sorted already. */
void sr_sort(SrArena *scratch, void *at, size_t count, size_t size,
             int (*compare)(const void *, const void *));
/* The same; passes `user` to the comparison as its last argument. */
void sr_sort_by(SrArena *scratch, void *at, size_t count, size_t size,
                int (*compare)(const void *, const void *, void *), void *user);

/* A comparison for sr_sort: elements are uint64_t, smallest first. */
int sr_by_number(const void *a, const void *b);

#endif
