/* SPDX-License-Identifier: Apache-2.0 */
/* difference: how the actual contents of a buffer differ from the expected ones. */
#ifndef HN_DIFFERENCE_H
#define HN_DIFFERENCE_H

#include "harness/backend/backend.h"

#include <stdio.h>

typedef struct HnDifference {
  uint64_t elements, differing; /* an element differs if one of its numbers does */
  uint64_t numbers;             /* how many numbers differ */
  double largest;   /* the largest error: the distance of two numbers; infinite: to a NaN or
                       infinity */
  uint64_t element; /* where the largest error is: element, number in it, byte of the number */
  uint32_t number;
  uint64_t byte;
} HnDifference;

/* Compares actual with expected contents, `size` bytes each, number by number; padding does not
 * count. */
HnDifference hn_difference_of(const AmberBuffer *buffer, const void *actual, const void *expected,
                              size_t size);
/* Writes, as CSV, a table of the first `most` numbers that differ. */
void hn_difference_list(const AmberBuffer *buffer, const void *actual, const void *expected,
                        size_t size, uint64_t most, FILE *out);

#endif
