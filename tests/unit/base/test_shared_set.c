/* SPDX-License-Identifier: Apache-2.0 */
/* Shared sets compared with bit sets. */
#include "passes/base/bitset.h"
#include "passes/base/shared_set.h"
#include "tests/unit/random_graph.h"
#include "tests/unit/unit.h"

enum { SETS = 40, STEPS = 4000 };

typedef struct World {
  SrSharedSets sets;
  uint32_t limit, set[SETS];
  bool has[SETS][300];
} World;

static void check(World *w, uint32_t i) {
  uint32_t next = sr_set_next(&w->sets, w->set[i], 0), most = SR_NONE;
  for (uint32_t e = 0; e < w->limit; e++) {
    assert_int_equal(sr_set_has(&w->sets, w->set[i], e), w->has[i][e]);
    if (!w->has[i][e])
      continue;
    assert_int_equal(next, e);
    next = sr_set_next(&w->sets, w->set[i], e + 1);
    most = e;
  }
  assert_int_equal(next, SR_NONE);
  assert_int_equal(sr_set_max(&w->sets, w->set[i]), most);
}

static void step(World *w, uint64_t *rng) {
  uint32_t to = random_below(rng, SETS), a = random_below(rng, SETS), b = random_below(rng, SETS);
  uint32_t kind = random_below(rng, 3), element = random_below(rng, w->limit);
  if (kind == 0) {
    w->set[to] = sr_set_union(&w->sets, w->set[a], sr_set_single(&w->sets, element));
    memmove(w->has[to], w->has[a], sizeof w->has[a]);
    w->has[to][element] = true;
  } else {
    w->set[to] = kind == 1 ? sr_set_union(&w->sets, w->set[a], w->set[b])
                           : sr_set_minus(&w->sets, w->set[a], w->set[b]);
    for (uint32_t e = 0; e < w->limit; e++) {
      bool x = w->has[a][e], y = w->has[b][e];
      w->has[to][e] = kind == 1 ? x || y : x && !y;
    }
  }
  check(w, to);
  for (uint32_t i = 0; i < SETS; i++) /* equal sets are the same set */
    assert_int_equal(w->set[i] == w->set[to], memcmp(w->has[i], w->has[to], sizeof w->has[i]) == 0);
}

static void as_bit_sets(void **state) {
  (void)state;
  static const uint32_t limits[] = {1, 2, 3, 64, 65, 300};
  for (uint32_t l = 0; l < sizeof limits / sizeof *limits; l++) {
    SrHeap heap = {0};
    sr_heap_init(&heap);
    SrArena arena = sr_arena_new(&heap);
    World *w = SR_NEW(&arena, World, 1);
    uint64_t rng = l + 1;
    w->limit = limits[l];
    w->sets = sr_shared_sets_new(&arena, w->limit);
    for (uint32_t i = 0; i < STEPS; i++)
      step(w, &rng);
    sr_heap_free_all(&heap);
  }
}

/* Sets that grow by one element each, as in a nest: each adds only one path to the trie. */
static void a_nest_shares(void **state) {
  (void)state;
  enum { DEPTH = 100000 };
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  SrSharedSets s = sr_shared_sets_new(&arena, DEPTH);
  uint32_t set = SR_EMPTY_SET;
  for (uint32_t i = 0; i < DEPTH; i++)
    set = sr_set_union(&s, set, sr_set_single(&s, i));
  for (uint32_t i = DEPTH; i-- > 0;) {
    assert_int_equal(sr_set_max(&s, set), i);
    set = sr_set_minus(&s, set, sr_set_single(&s, i));
  }
  assert_int_equal(set, SR_EMPTY_SET);
  assert_true(s.node.count < DEPTH * 40);
  sr_heap_free_all(&heap);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(as_bit_sets),
      cmocka_unit_test(a_nest_shares),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
