/* SPDX-License-Identifier: Apache-2.0 */
/* Orders of the graphs of tests/cfg, lists given by name, and properties on random graphs. */
#include "analysis/dom.h"
#include "analysis/order.h"
#include "graph_text.h"
#include "random_graph.h"

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
// clang-format on

static void check_order(SrArena *arena, const GraphText *t, const GraphFact *fact,
                        const char *file) {
  uint32_t *order = SR_NEW(arena, uint32_t, t->graph->count);
  SrOrderFn *make = sr_order_find(fact->subject);
  assert_non_null(make);
  uint32_t count = make(arena, t->graph, order);
  const char *names = graph_text_names(arena, t, order, count);
  if (strcmp(names, fact->value) != 0)
    fail_msg("%s: order %s: %s instead of %s", file, fact->subject, names, fact->value);
}

static void orders_of_cfg_files(void **state) {
  (void)state;
  assert_true(graph_text_each("order", check_order) > 30);
}

static const char *const names[] = {"df", "dfpd", "bf", "bfpd", "rpo", "domreg", "lrpo"};

static void check_permutation(SrArena *arena, const SrGraph *g, const uint32_t *order,
                              uint32_t count) {
  SrBits *reached = sr_graph_reachable(arena, g, 0), *seen = sr_bits_new(arena, g->count);
  for (uint32_t i = 0; i < count; i++) {
    assert_true(sr_bit(reached, order[i]));
    assert_false(sr_bit(seen, order[i]));
    sr_bit_set(seen, order[i]);
  }
  for (uint32_t b = 0; b < g->count; b++)
    assert_int_equal(sr_bit(reached, b), sr_bit(seen, b));
  assert_int_equal(order[0], 0);
}

/* The rule of order.h, checked block by block. */
static void check_dfpd(SrArena *arena, const SrGraph *g, const uint32_t *order, uint32_t count) {
  SrDom *pdom = sr_dom_build(arena, sr_graph_reverse_with_exit(arena, g), g->count);
  SrBits *found = sr_bits_new(arena, g->count), *seen = sr_bits_new(arena, g->count);
  if (sr_order_exit(g, order, count) != SR_NONE)
    count--;
  sr_bit_set(found, 0);
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t x = 0; x < g->count; x++)
      if (sr_bit(found, x) && !sr_bit(seen, x) && x != order[i])
        assert_false(sr_dominates(pdom, order[i], x));
    assert_true(sr_bit(found, order[i]));
    sr_bit_set(seen, order[i]);
    for (SR_SUCCS(t, g, order[i]))
      sr_bit_set(found, *t);
  }
}

static void orders_of_random_graphs(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    SrHeap heap = {0};
    sr_heap_init(&heap);
    SrArena arena = sr_arena_new(&heap);
    SrGraph *g = random_graph(&arena, seed, 1 + (uint32_t)(seed % 40));
    uint32_t *order = SR_NEW(&arena, uint32_t, g->count);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
      uint32_t count = sr_order_find(names[k])(&arena, g, order);
      check_permutation(&arena, g, order, count);
      if (strcmp(names[k], "dfpd") == 0)
        check_dfpd(&arena, g, order, count);
      uint32_t exit = sr_order_exit(g, order, count);
      if (exit != SR_NONE && strcmp(names[k], "rpo") != 0 && strcmp(names[k], "lrpo") != 0)
        assert_int_equal(order[count - 1], exit);
    }
    sr_heap_free_all(&heap);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders_of_cfg_files),
      cmocka_unit_test(orders_of_random_graphs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
