/* SPDX-License-Identifier: Apache-2.0 */
/* The map compared with a plain array, with keys and values at both ends of their range. */
#include "passes/base/map.h"
#include "tests/unit/unit.h"

enum { KEYS = 5000 };

/* Keys that are dense, keys that are sparse, and SR_NONE itself. */
static uint32_t key(uint32_t i) {
  return i % 2 ? i : UINT32_MAX - i * 4096;
}

static void holds_what_was_set_last(void **unused) {
  (void)unused;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  SrMap map = {.arena = &arena};
  assert_int_equal(sr_map_get(&map, 0), SR_NONE);
  for (uint32_t i = 0; i < KEYS; i++) {
    assert_int_equal(sr_map_get(&map, key(i)), SR_NONE);
    sr_map_set(&map, key(i), i);
  }
  for (uint32_t i = 0; i < KEYS; i += 3)
    sr_map_set(&map, key(i), SR_NONE - 1 - i);
  for (uint32_t i = 0; i < KEYS; i++)
    assert_int_equal(sr_map_get(&map, key(i)), i % 3 ? i : SR_NONE - 1 - i);
  assert_int_equal(map.count, KEYS);
  sr_heap_free_all(&heap);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(holds_what_was_set_last),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
