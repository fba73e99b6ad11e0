/* SPDX-License-Identifier: Apache-2.0 */
/* Definition 15 and the expansion area on the graphs of tests/cfg. */
#include "passes/analysis/graph/expansion.h"
#include "passes/analysis/uniform/reconverging.h"
#include "tests/unit/graph_text.h"
#include "tests/unit/unit.h"

static void check_reconverging(SrArena *arena, const GraphText *t, const GraphFact *fact,
                               const char *file) {
  bool ok = sr_graph_is_reconverging(arena, t->graph, t->divergent);
  if (strcmp(ok ? "yes" : "no", fact->value) != 0)
    fail_msg("%s: reconverging: not %s", file, fact->value);
}

static void reconverging_of_cfg_files(void **state) {
  (void)state;
  assert_true(graph_text_each("reconverging", check_reconverging) > 6);
}

static void all_divergent_is_stricter(void **state) {
  (void)state;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  GraphText *t = graph_text_parse(&arena, "A: B C (u)\nB: D\nC: D\nD:\n");
  assert_true(sr_graph_is_reconverging(&arena, t->graph, t->divergent));
  assert_false(sr_graph_is_reconverging(&arena, t->graph, NULL));
  sr_heap_free_all(&heap);
}

static void check_area(SrArena *arena, const GraphText *t, const GraphFact *fact,
                       const char *file) {
  SrNest *n = sr_nest_build(arena, t->graph);
  SrBits *area = sr_expansion_area(arena, t->graph, n);
  uint32_t *set = SR_NEW(arena, uint32_t, n->count), count = 0;
  for (uint32_t b = 0; b < t->graph->count; b++)
    if (sr_bit(area, b))
      set[count++] = b;
  const char *names = graph_text_names(arena, t, set, count);
  if (strcmp(names, fact->value) != 0)
    fail_msg("%s: area {%s}, not {%s}", file, names, fact->value);
}

static void areas_of_cfg_files(void **state) {
  (void)state;
  assert_true(graph_text_each("area", check_area) > 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reconverging_of_cfg_files),
      cmocka_unit_test(all_divergent_is_stricter),
      cmocka_unit_test(areas_of_cfg_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
