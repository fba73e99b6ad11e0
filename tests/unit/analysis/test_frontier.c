/* SPDX-License-Identifier: Apache-2.0 */
/* Iterated dominance frontiers of random graphs, compared with the definition: a block is in the
 * frontier of another one that dominates one of its predecessors and is not its proper dominator.
 */
#include "passes/analysis/graph/frontier.h"
#include "tests/unit/random_graph.h"
#include "tests/unit/unit.h"

enum { GRAPHS = 3000, BLOCKS = 24 };

static bool is_in_frontier(const SrGraph *g, const SrDom *dom, uint32_t of, uint32_t block) {
  bool found = false;
  for (SR_PREDS(p, g, block))
    found |= sr_dominates(dom, of, *p);
  return found && (of == block || !sr_dominates(dom, of, block));
}

static void by_definition(const SrGraph *g, const SrDom *dom, SrBits *set, SrBits *found) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t of = 0; of < g->count; of++)
      for (uint32_t b = 0; b < g->count; b++)
        if ((sr_bit(set, of) || sr_bit(found, of)) && !sr_bit(found, b) &&
            is_in_frontier(g, dom, of, b)) {
          sr_bit_set(found, b);
          changed = true;
        }
  }
}

static void check(SrArena *arena, uint64_t *random) {
  const SrGraph *g = random_graph(arena, random_next(random) | 1, 2 + random_below(random, BLOCKS));
  const SrDom *dom = sr_dom_build(arena, g, 0);
  SrBits *set = sr_bits_new(arena, g->count), *expected = sr_bits_new(arena, g->count);
  uint32_t blocks[BLOCKS], count = 0;
  for (uint32_t b = 0; b < g->count && count < BLOCKS; b++)
    if (dom->enter[b] != SR_NONE && random_below(random, 5) == 0) {
      blocks[count++] = b;
      sr_bit_set(set, b);
    }
  by_definition(g, dom, set, expected);
  const SrBits *found = sr_frontier(arena, g, dom, blocks, count);
  for (uint32_t b = 0; b < g->count; b++)
    assert_int_equal(sr_bit(found, b), sr_bit(expected, b));
}

static void test_random(void **state) {
  (void)state;
  uint64_t random = unit_seed();
  SrHeap heap = {0};
  sr_heap_init(&heap);
  for (int i = 0; i < GRAPHS; i++) {
    SrArena arena = sr_arena_new(&heap);
    check(&arena, &random);
    sr_arena_free(&arena);
  }
  sr_heap_free_all(&heap);
}

/* 0 -> 1 2 5; 1 -> 3; 2 -> 3; 3 -> 4; 4 -> 3 5: what is set in 1 meets other values in 3, which in
 * turn meet others in 5. */
static void test_iterated(void **state) {
  (void)state;
  static const SrEdge edges[] = {{0, 1}, {0, 2}, {0, 5}, {1, 3}, {2, 3}, {3, 4}, {4, 3}, {4, 5}};
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  const SrGraph *g = sr_graph_new(&arena, 6, edges, sizeof edges / sizeof *edges);
  const SrBits *found = sr_frontier(&arena, g, sr_dom_build(&arena, g, 0), &(uint32_t){1}, 1);
  for (uint32_t b = 0; b < g->count; b++)
    assert_int_equal(sr_bit(found, b), b == 3 || b == 5);
  sr_heap_free_all(&heap);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_iterated),
                                     cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
