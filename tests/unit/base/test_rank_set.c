/* SPDX-License-Identifier: Apache-2.0 */
/* Mergeable rank sets compared with plain arrays. */
#include "passes/base/rank_set.h"
#include "tests/unit/unit.h"

enum { SETS = 12, RANKS = 64 };

static uint64_t state;

typedef struct Model {
  bool has[RANKS];
  uint32_t joined_into; /* itself if it is a root */
} Model;

static void compare(const SrRankSets *s, uint32_t set, const Model *m) {
  uint32_t low = SR_NONE, high = 0;
  for (uint32_t r = 0; r < RANKS; r++)
    if (m->has[r]) {
      low = low == SR_NONE ? r : low;
      high = r;
    }
  assert_int_equal(sr_ranks_empty(s, set), low == SR_NONE);
  if (low != SR_NONE) {
    assert_int_equal(sr_ranks_min(s, set), low);
    assert_int_equal(sr_ranks_max(s, set), high);
  }
}

static uint32_t root(Model *m, uint32_t set) {
  while (m[set].joined_into != set)
    set = m[set].joined_into;
  return set;
}

static void step(SrRankSets *s, Model *m) {
  uint32_t a = root(m, unit_below(&state, SETS)), b = root(m, unit_below(&state, SETS)),
           r = unit_below(&state, RANKS);
  switch (unit_below(&state, 4)) {
  case 0: /* drop up to r */
    sr_ranks_drop(s, a, r);
    for (uint32_t i = 0; i <= r; i++)
      m[a].has[i] = false;
    break;
  case 1:
    if (a == b || unit_below(&state, 4))
      break;
    assert_int_equal(sr_ranks_join(s, a, b), a);
    m[b].joined_into = a;
    for (uint32_t i = 0; i < RANKS; i++)
      m[a].has[i] |= m[b].has[i];
    break;
  default:
    sr_ranks_add(s, a, r);
    m[a].has[r] = true;
  }
  compare(s, a, &m[a]);
}

static void matches_plain_sets(void **unused) {
  (void)unused;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  for (uint32_t seed = 1; seed <= unit_seeds(300); seed++) {
    state = seed;
    SrArena arena = sr_arena_new(&heap);
    SrRankSets s = {.arena = &arena};
    Model m[SETS] = {0};
    for (uint32_t i = 0; i < SETS; i++)
      m[sr_ranks_new(&s)].joined_into = i;
    for (int k = 0; k < 200; k++)
      step(&s, m);
    for (uint32_t i = 0; i < SETS; i++)
      assert_int_equal(sr_ranks_find(&s, i), root(m, i));
    sr_arena_free(&arena);
  }
  sr_heap_free_all(&heap);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(matches_plain_sets)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
