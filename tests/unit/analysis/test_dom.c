/* SPDX-License-Identifier: Apache-2.0 */
/* Dominators and post-dominators compared with their definition, on random graphs: a dominates b if
 * b cannot be reached without a. */
#include "passes/analysis/graph/dom.h"
#include "tests/unit/unit.h"

static uint64_t state;

static SrGraph *random_graph(SrArena *arena, uint32_t count) {
  SrEdge edges[64];
  uint32_t n = 0;
  for (uint32_t b = 0; b < count; b++)
    for (uint32_t k = unit_below(&state, 3); k; k--)
      edges[n++] = (SrEdge){b, unit_below(&state, count)};
  return sr_graph_new(arena, count, edges, n);
}

static void reach_without(const SrGraph *g, uint32_t root, uint32_t without, bool *seen) {
  uint32_t stack[64], depth = 0;
  memset(seen, 0, g->count);
  if (root == without)
    return;
  seen[root] = true;
  stack[depth++] = root;
  while (depth) {
    uint32_t b = stack[--depth];
    for (SR_SUCCS(t, g, b))
      if (*t != without && !seen[*t]) {
        seen[*t] = true;
        stack[depth++] = *t;
      }
  }
}

static void check_dominators(SrArena *arena, const SrGraph *g, uint32_t root) {
  const SrDom *dom = sr_dom_build(arena, g, root);
  bool reached[64], without[64];
  reach_without(g, root, SR_NONE, reached);
  for (uint32_t a = 0; a < g->count; a++) {
    reach_without(g, root, a, without);
    for (uint32_t b = 0; b < g->count; b++) {
      bool expected = reached[a] && reached[b] && (a == b || !without[b]);
      assert_int_equal(sr_dominates(dom, a, b), expected);
    }
  }
  for (uint32_t b = 0; b < g->count; b++)
    if (reached[b] && b != root) {
      uint32_t up = dom->idom[b];
      assert_true(up != b && sr_dominates(dom, up, b));
      for (uint32_t a = 0; a < g->count; a++) /* the closest one */
        if (a != b && sr_dominates(dom, a, b))
          assert_true(sr_dominates(dom, a, up));
    }
}

static void dominators_match_definition(void **unused) {
  (void)unused;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  for (uint32_t seed = 1; seed <= unit_seeds(400); seed++) {
    state = seed;
    SrArena arena = sr_arena_new(&heap);
    uint32_t count = 2 + unit_below(&state, 24);
    SrGraph *g = random_graph(&arena, count);
    check_dominators(&arena, g, 0);
    check_dominators(&arena, sr_graph_reverse_with_exit(&arena, g), g->count);
    sr_arena_free(&arena);
  }
  sr_heap_free_all(&heap);
}

/* Every block that the entry reaches is reached backwards from the virtual exit, even if it cannot
 * reach a leaf. */
static void virtual_exit_reaches_all(void **unused) {
  (void)unused;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  for (uint32_t seed = 1; seed <= unit_seeds(400); seed++) {
    state = seed * 77;
    SrArena arena = sr_arena_new(&heap);
    SrGraph *g = random_graph(&arena, 2 + unit_below(&state, 24));
    SrGraph *r = sr_graph_reverse_with_exit(&arena, g);
    const SrBits *from_entry = sr_graph_reachable(&arena, g, 0);
    const SrBits *from_exit = sr_graph_reachable(&arena, r, g->count);
    for (uint32_t b = 0; b < g->count; b++)
      assert_true(!sr_bit(from_entry, b) || sr_bit(from_exit, b));
    sr_arena_free(&arena);
  }
  sr_heap_free_all(&heap);
}

/* A ladder of 100,000 blocks: no recursion, no quadratic step. */
static void long_chain(void **unused) {
  (void)unused;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  enum { N = 100000 };
  SrEdge *edges = SR_NEW(&arena, SrEdge, 2 * N);
  uint32_t n = 0;
  for (uint32_t b = 0; b + 1 < N; b++) {
    edges[n++] = (SrEdge){b, b + 1};
    edges[n++] = (SrEdge){b, b / 2};
  }
  const SrDom *dom = sr_dom_build(&arena, sr_graph_new(&arena, N, edges, n), 0);
  for (uint32_t b = 1; b < N; b++)
    assert_int_equal(dom->idom[b], b - 1);
  sr_heap_free_all(&heap);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dominators_match_definition),
      cmocka_unit_test(virtual_exit_reaches_all),
      cmocka_unit_test(long_chain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
