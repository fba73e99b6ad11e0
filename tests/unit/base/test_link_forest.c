/* SPDX-License-Identifier: Apache-2.0 */
/* Depths in a forest that is linked and cut at random, compared with an array of parents. */
#include "passes/base/link_forest.h"
#include "tests/unit/unit.h"

enum { NODES = 40, STEPS = 4000, ROUNDS = 20 };

static uint32_t depth_of(const uint32_t *parent, uint32_t node) {
  uint32_t depth = 0;
  for (; parent[node] != SR_NONE; node = parent[node])
    depth++;
  return depth;
}

static bool is_above(const uint32_t *parent, uint32_t above, uint32_t node) {
  while (node != SR_NONE && node != above)
    node = parent[node];
  return node == above;
}

static void depths_after_links_and_cuts(void **test) {
  (void)test;
  for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
    uint64_t state = seed;
    SrHeap heap = {0};
    sr_heap_init(&heap);
    SrArena arena = sr_arena_new(&heap);
    SrLinkNode *forest = sr_forest_new(&arena, NODES);
    uint32_t *parent = sr_new_none(&arena, NODES);
    for (int i = 0; i < STEPS; i++) {
      uint32_t a = unit_below(&state, NODES), b = unit_below(&state, NODES);
      if (unit_below(&state, 3) == 0) {
        sr_forest_cut(forest, a);
        parent[a] = SR_NONE;
      } else if (parent[a] == SR_NONE && !is_above(parent, a, b)) {
        sr_forest_link(forest, a, b);
        parent[a] = b;
      }
      uint32_t found = sr_forest_depth(forest, b), expected = depth_of(parent, b);
      if (found != expected)
        fail_msg("seed %u, step %d: node %u has depth %u instead of %u", (unsigned)seed, i, b,
                 found, expected);
    }
    sr_heap_free_all(&heap);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(depths_after_links_and_cuts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
