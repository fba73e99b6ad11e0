/* SPDX-License-Identifier: Apache-2.0 */
/* sr_sort: the result is in order, the sort is stable and keeps no memory. */
#include "tests/unit/unit.h"

#include "passes/base/sort.h"
#include <stdlib.h>
#include <string.h>

typedef struct Item {
  uint32_t key, place;
  char rest[5]; /* a size that is not a power of two */
} Item;

static int by_key(const void *a, const void *b) {
  const Item *x = a, *y = b;
  return (x->key > y->key) - (x->key < y->key);
}

static void fill(Item *at, size_t count, uint32_t keys, uint64_t seed) {
  for (size_t i = 0; i < count; i++) {
    at[i] = (Item){unit_below(&seed, keys), (uint32_t)i, "rest"};
    at[i].rest[0] = (char)at[i].key;
  }
}

static void expect_sorted(const Item *at, size_t count) {
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(at[i].rest[0], (char)at[i].key);
    if (i == 0)
      continue;
    assert_true(at[i - 1].key <= at[i].key);
    assert_true(at[i - 1].key < at[i].key || at[i - 1].place < at[i].place);
  }
}

static void test_sizes(void **state) {
  (void)state;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  static const uint32_t keys[] = {1, 2, 7, 1000000};
  Item *at = calloc(3000, sizeof *at);
  for (size_t count = 0; count < 3000; count += count < 70 ? 1 : 293)
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
      fill(at, count, keys[k], count);
      sr_sort(&arena, at, count, sizeof *at, by_key);
      expect_sorted(at, count);
      assert_int_equal(heap.bytes, 0);
    }
  free(at);
}

static void test_shapes(void **state) {
  (void)state;
  enum { COUNT = 1000 };
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  static Item at[COUNT];
  for (int shape = 0; shape < 3; shape++) {
    memset(at, 0, sizeof at);
    for (uint32_t i = 0; i < COUNT; i++) {
      uint32_t key = shape == 0 ? i : shape == 1 ? COUNT - i : (i < COUNT / 2 ? i : COUNT - i);
      at[i] = (Item){.key = key, .place = i, .rest = {(char)key}};
    }
    sr_sort(&arena, at, COUNT, sizeof *at, by_key);
    expect_sorted(at, COUNT);
  }
  assert_int_equal(heap.peak > 0, 1);
  assert_int_equal(heap.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_shapes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
