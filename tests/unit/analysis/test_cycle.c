/* SPDX-License-Identifier: Apache-2.0 */
/* The cycle nest and LRPO: seed graphs with known answers, and the defining properties on random
 * graphs. */
#include "passes/analysis/graph/cycle.h"
#include "tests/unit/unit.h"

static uint64_t state;

static void expect_order(const SrEdge *edges, uint32_t n, uint32_t count, const char *expected) {
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  const SrNest *nest = sr_nest_build(&arena, sr_graph_new(&arena, count, edges, n));
  char got[32] = {0};
  for (uint32_t i = 0; i < nest->count; i++)
    got[i] = (char)('A' + nest->order[i]);
  assert_string_equal(got, expected);
  sr_heap_free_all(&heap);
}

/* Wahlster 2018, figure 4.5a. */
static void order_of_case_6a(void **unused) {
  (void)unused;
  const SrEdge e[] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {2, 4}, {3, 3}, {3, 5}, {4, 2}, {4, 5}};
  expect_order(e, 9, 6, "ABCEDF");
}

/* An exit listed first still follows the loop. */
static void exit_after_loop(void **unused) {
  (void)unused;
  const SrEdge e[] = {{0, 1}, {1, 3}, {1, 2}, {2, 1}};
  expect_order(e, 4, 4, "ABCD");
}

static void irreducible_pair(void **unused) {
  (void)unused;
  const SrEdge e[] = {{0, 1}, {0, 2}, {1, 2}, {2, 1}, {2, 3}};
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  const SrNest *nest = sr_nest_build(&arena, sr_graph_new(&arena, 4, e, 5));
  assert_int_equal(nest->cycle_count, 1);
  assert_int_equal(nest->cycles[0].entries, 2);
  assert_int_equal(nest->cycles[0].header, nest->order[1]);
  assert_int_equal(nest->cycles[0].first, 1);
  assert_int_equal(nest->cycles[0].last, 2);
  assert_int_equal(nest->inner[3], SR_NONE);
  sr_heap_free_all(&heap);
}

/* An edge may only go to a lower rank if it is the back edge of a cycle around both its ends. */
static void check_edges(const SrGraph *g, const SrNest *nest) {
  for (uint32_t b = 0; b < g->count; b++) {
    if (nest->rank[b] == SR_NONE)
      continue;
    for (SR_SUCCS(t, g, b)) {
      if (nest->rank[*t] > nest->rank[b])
        continue;
      uint32_t c = nest->inner[*t];
      while (c != SR_NONE && nest->cycles[c].header != *t)
        c = nest->cycles[c].parent;
      assert_true(c != SR_NONE && sr_cycle_has(nest, c, b));
    }
  }
}

static void check_cycles(const SrGraph *g, const SrNest *nest) {
  for (uint32_t c = 0; c < nest->cycle_count; c++) {
    const SrCycle *k = &nest->cycles[c];
    assert_int_equal(nest->order[k->first], k->header);
    uint32_t entries = 0;
    for (uint32_t r = k->first; r <= k->last; r++) {
      bool entered = false;
      for (SR_PREDS(p, g, nest->order[r]))
        entered |= nest->rank[*p] != SR_NONE && !sr_cycle_has(nest, c, *p);
      entries += entered;
    }
    assert_int_equal(entries, k->entries);
    if (k->parent != SR_NONE) {
      const SrCycle *up = &nest->cycles[k->parent];
      assert_true(k->parent < c && up->first < k->first && k->last <= up->last);
      assert_int_equal(k->depth, up->depth + 1);
    }
  }
}

static void properties_on_random_graphs(void **unused) {
  (void)unused;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  for (uint32_t seed = 1; seed <= unit_seeds(2000); seed++) {
    state = seed;
    SrArena arena = sr_arena_new(&heap);
    uint32_t count = 2 + unit_below(&state, 40), n = 0;
    SrEdge edges[160];
    for (uint32_t b = 0; b < count; b++)
      for (uint32_t k = 1 + unit_below(&state, 3); k; k--)
        edges[n++] = (SrEdge){b, 1 + unit_below(&state, count - 1)};
    SrGraph *g = sr_graph_new(&arena, count, edges, n);
    const SrNest *nest = sr_nest_build(&arena, g);
    const SrBits *reached = sr_graph_reachable(&arena, g, 0);
    for (uint32_t b = 0; b < count; b++)
      assert_int_equal(nest->rank[b] != SR_NONE, sr_bit(reached, b));
    check_edges(g, nest);
    check_cycles(g, nest);
    sr_arena_free(&arena);
  }
  sr_heap_free_all(&heap);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(order_of_case_6a),
      cmocka_unit_test(exit_after_loop),
      cmocka_unit_test(irreducible_pair),
      cmocka_unit_test(properties_on_random_graphs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
