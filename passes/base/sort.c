/* SPDX-License-Identifier: Apache-2.0 */
/* sort: see sort.h. Insertion sort of short runs, then merges from the bottom up. A merge copies
 * only the left run to the spare array: its output never reaches the unread part of the right
 * run. */
#include "passes/base/sort.h"

#include <stdbool.h>
#include <string.h>

enum { RUN = 8, SMALL = 1024 };

typedef struct Sort {
  char *at, *spare; /* the elements; room for a copy of all of them */
  size_t size;      /* bytes of one element */
  int (*compare)(const void *, const void *, void *);
  void *user;
} Sort;

static char *element(const Sort *s, size_t i) {
  return s->at + i * s->size;
}

static bool in_order(const Sort *s, size_t i) {
  return s->compare(element(s, i - 1), element(s, i), s->user) <= 0;
}

static void insert(const Sort *s, size_t begin, size_t i) {
  size_t to = i;
  while (to > begin && s->compare(element(s, to - 1), element(s, i), s->user) > 0)
    to--;
  if (to == i)
    return;
  memcpy(s->spare, element(s, i), s->size);
  memmove(element(s, to + 1), element(s, to), (i - to) * s->size);
  memcpy(element(s, to), s->spare, s->size);
}

static void merge(const Sort *s, size_t begin, size_t middle, size_t end) {
  if (in_order(s, middle))
    return;
  size_t bytes = (middle - begin) * s->size;
  memcpy(s->spare, element(s, begin), bytes);
  const char *left = s->spare, *left_end = left + bytes;
  const char *right = element(s, middle), *right_end = element(s, end);
  char *out = element(s, begin);
  for (; left < left_end && right < right_end; out += s->size) {
    const char **from = s->compare(left, right, s->user) <= 0 ? &left : &right;
    memcpy(out, *from, s->size);
    *from += s->size;
  }
  memcpy(out, left, (size_t)(left_end - left));
}

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

void sr_sort_by(SrArena *scratch, void *at, size_t count, size_t size,
                int (*compare)(const void *, const void *, void *), void *user) {
  Sort s = {.at = at, .size = size, .compare = compare, .user = user};
  size_t sorted = 1;
  while (sorted < count && in_order(&s, sorted))
    sorted++;
  if (sorted >= count)
    return;
  char small[SMALL]; /* most sorts have few elements: they need no chunk */
  SrMark mark = sr_arena_mark(scratch);
  s.spare = count <= SMALL / size ? small : sr_alloc_raw(scratch, count, size);
  for (size_t begin = 0; begin < count; begin += RUN)
    for (size_t i = begin + 1; i < least(begin + RUN, count); i++)
      insert(&s, begin, i);
  for (size_t width = RUN; width < count; width *= 2)
    for (size_t begin = 0; begin + width < count; begin += 2 * width)
      merge(&s, begin, begin + width, least(begin + 2 * width, count));
  sr_arena_reset(scratch, mark);
}

int sr_by_number(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

typedef struct Plain {
  int (*compare)(const void *, const void *);
} Plain;

static int compare_plain(const void *a, const void *b, void *user) {
  return ((const Plain *)user)->compare(a, b);
}

void sr_sort(SrArena *scratch, void *at, size_t count, size_t size,
             int (*compare)(const void *, const void *)) {
  Plain plain = {compare};
  sr_sort_by(scratch, at, count, size, compare_plain, &plain);
}
