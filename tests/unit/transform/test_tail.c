/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of tails on graphs without instructions: which blocks have a tail, what belongs to it, and
 * on random graphs that every node's successors are copies of its block's, in their order, that
 * each tail is copied once for each way, that cycles keep their entries, and that a peeled cycle
 * has one. */
#include "passes/transform/copy/copy_plan.h"
#include "passes/transform/copy/peel.h"
#include "tests/unit/random_graph.h"
#include "tests/unit/unit.h"

static SrHeap heap;

enum { GRAPHS = 2000, BLOCKS = 30 };

static SrCopyGraph copy_graph(SrArena *arena, const SrGraph *g) {
  SrCopyGraph c = {.old = g, .graph = SR_NEW(arena, SrGraph, 1)};
  *c.graph = *g;
  c.size = SR_NEW(arena, uint32_t, g->count);
  c.is_switch = sr_bits_new(arena, g->count);
  for (uint32_t b = 0; b < g->count; b++) {
    SR_PUSH(arena, &c.block, b);
    c.size[b] = 1;
  }
  return c;
}

static SrTails tails_of(SrArena *arena, SrCopyGraph *c, const SrBits *fixed) {
  return sr_tails_new(arena, arena, c, sr_nest_build(arena, c->graph), fixed);
}

/* 0 -> 1 2; 1 -> 3 5; 2 -> 3 5; 3 -> 4 5; 4 -> 5: the tail of 3 is 3 and 4. */
static void test_small(void **state) {
  (void)state;
  SrArena arena = sr_arena_new(&heap);
  static const SrEdge edges[] = {{0, 1}, {0, 2}, {1, 3}, {1, 5}, {2, 3},
                                 {2, 5}, {3, 4}, {3, 5}, {4, 5}};
  const SrGraph *g = sr_graph_new(&arena, 6, edges, sizeof edges / sizeof *edges);
  SrCopyGraph c = copy_graph(&arena, g);
  SrBits *fixed = sr_bits_new(&arena, g->count);
  SrTails t = tails_of(&arena, &c, fixed);
  assert_false(sr_tail_find(&t, 1, 9)); /* only one edge leads there */
  assert_false(sr_tail_find(&t, 3, 1)); /* two blocks */
  assert_true(sr_tail_find(&t, 5, 9));
  assert_int_equal(t.copies, 4);
  assert_true(sr_tail_find(&t, 3, 2));
  assert_int_equal(t.copies, 2);
  assert_int_equal(t.size, 2);
  sr_tail_copy(&t);
  sr_tails_finish(&t);
  assert_int_equal(c.graph->count, 8);
  assert_int_equal(sr_pred_count(c.graph, 5), 6);
  assert_int_equal(sr_pred_count(c.graph, 3), 1);
  sr_bit_set(fixed, 4); /* what the tail cannot hold, it cannot do without */
  c = copy_graph(&arena, g);
  t = tails_of(&arena, &c, fixed);
  assert_false(sr_tail_find(&t, 3, 9));
  sr_arena_free(&arena);
}

/* 0 -> 1; 1 -> 2 3; 2 -> 3 1; 3 -> 4 5; 4 -> 1 5: the loop of 1 has the exit 5, by two edges. */
static void test_cycle(void **state) {
  (void)state;
  SrArena arena = sr_arena_new(&heap);
  static const SrEdge edges[] = {{0, 1}, {0, 5}, {1, 2}, {1, 3}, {2, 3},
                                 {2, 1}, {3, 4}, {3, 5}, {4, 1}, {4, 5}};
  const SrGraph *g = sr_graph_new(&arena, 6, edges, sizeof edges / sizeof *edges);
  SrCopyGraph c = copy_graph(&arena, g);
  SrTails t = tails_of(&arena, &c, sr_bits_new(&arena, g->count));
  assert_false(sr_tail_find(&t, 1, 9)); /* its header */
  assert_true(sr_tail_find(&t, 5, 9));
  assert_int_equal(t.copies, 2); /* from 0, and out of the loop */
  assert_true(sr_tail_find(&t, 3, 9));
  assert_int_equal(t.copies, 2);
  assert_int_equal(t.size, 2); /* 5 is outside of the loop */
  sr_arena_free(&arena);
}

/* ---- random graphs ---- */

static void check_successors(const SrCopyGraph *c, const SrNest *nest) {
  for (uint32_t n = 0; n < c->graph->count; n++) {
    uint32_t b = c->block.at[n];
    if (n < c->old->count && nest->rank[n] == SR_NONE)
      continue;
    assert_int_equal(sr_succ_count(c->graph, n), sr_succ_count(c->old, b));
    for (uint32_t k = 0; k < sr_succ_count(c->old, b); k++)
      assert_int_equal(c->block.at[c->graph->succ[c->graph->succ_at[n] + k]],
                       c->old->succ[c->old->succ_at[b] + k]);
  }
}

/* Copies lie next to their originals: as many cycles as before, entered by as many blocks. */
static void check_cycles(SrArena *arena, const SrCopyGraph *c, const SrNest *before) {
  const SrNest *after = sr_nest_build(arena, c->graph);
  assert_int_equal(after->cycle_count, before->cycle_count);
  for (uint32_t k = 0; k < before->cycle_count; k++) {
    uint32_t h = before->cycles[k].header;
    assert_true(after->inner[h] != SR_NONE);
    assert_int_equal(after->cycles[after->inner[h]].header, h);
    assert_int_equal(after->cycles[after->inner[h]].entries, before->cycles[k].entries);
  }
}

static uint32_t copy_all(SrArena *arena, uint64_t seed) {
  const SrGraph *g = random_graph(arena, seed, BLOCKS);
  SrCopyGraph c = copy_graph(arena, g);
  const SrNest *nest = sr_nest_build(arena, g);
  SrTails t = tails_of(arena, &c, sr_bits_new(arena, g->count));
  uint32_t expected = g->count, copied = 0;
  for (uint32_t rank = nest->count; rank-- > 1;) {
    if (!sr_tail_find(&t, nest->order[rank], 3))
      continue;
    assert_true(t.size <= 3 && t.size == t.tail.count);
    expected += (t.copies - 1) * t.tail.count;
    sr_tail_copy(&t);
    assert_false(sr_tail_find(&t, nest->order[rank], 3) && t.copies > 1 && t.in.count == t.copies);
    copied++;
  }
  sr_tails_finish(&t);
  assert_int_equal(c.graph->count, expected);
  assert_int_equal(c.block.count, expected);
  check_successors(&c, nest);
  check_cycles(arena, &c, nest);
  const SrCopyPlan *plan = sr_copy_plan_of(arena, g, c.graph, c.block.at);
  for (uint32_t b = 0; b < g->count; b++)
    assert_true(nest->rank[b] == SR_NONE || plan->block[plan->node[b]] == b);
  assert_int_equal(plan->graph->count - plan->copies, nest->count);
  return copied;
}

/* The two loops of 1 and 2: 0 -> 1 2; 1 -> 2 4; 2 -> 3; 3 -> 1 4. Lanes that enter at 1 need a copy
 * of one block, those that enter at 2 of two. */
static void test_peel(void **state) {
  (void)state;
  SrArena arena = sr_arena_new(&heap);
  static const SrEdge edges[] = {{0, 1}, {0, 2}, {1, 2}, {1, 4}, {2, 3}, {3, 1}, {3, 4}};
  const SrGraph *g = sr_graph_new(&arena, 5, edges, sizeof edges / sizeof *edges);
  SrCopyGraph c = copy_graph(&arena, g);
  SrBits *fixed = sr_bits_new(&arena, g->count);
  SrTails t = tails_of(&arena, &c, fixed);
  assert_false(sr_peel_find(&t, 0, 0));
  assert_true(sr_peel_find(&t, 0, 9));
  assert_int_equal(t.tail.count, 1);
  assert_int_equal(t.tail.at[0], 1);
  sr_peel(&t);
  sr_tails_finish(&t);
  check_successors(&c, sr_nest_build(&arena, g));
  const SrNest *nest = sr_nest_build(&arena, c.graph);
  assert_int_equal(nest->cycle_count, 1);
  assert_int_equal(nest->cycles[0].header, 2);
  assert_int_equal(nest->cycles[0].entries, 1);
  c = copy_graph(&arena, g);
  sr_bit_set(fixed, 3); /* not copied, but lanes meet there */
  t = tails_of(&arena, &c, fixed);
  assert_false(sr_peel_find(&t, 0, 9));
  sr_arena_free(&arena);
}

/* The loop of 2 and 3, entered at both, lies in that of 1 to 4, whose block 4 must not be copied.
 * Lanes that enter both loops at once, at `from` 0, must not run a copy of 2: it would lie outside
 * of the outer loop, and so they would meet the others in another turn of it. */
static void test_peel_nested(void **state) {
  (void)state;
  for (uint32_t from = 0; from < 2; from++) {
    SrArena arena = sr_arena_new(&heap);
    const SrEdge edges[] = {{from, 2}, {0, 1}, {1, 3}, {2, 3}, {3, 2}, {3, 4}, {4, 1}, {4, 5}};
    const SrGraph *g = sr_graph_new(&arena, 6, edges, sizeof edges / sizeof *edges);
    SrCopyGraph c = copy_graph(&arena, g);
    c.size[3] = 5; /* so that 2 is copied rather than 3 */
    SrBits *fixed = sr_bits_new(&arena, g->count);
    SrTails t = tails_of(&arena, &c, fixed);
    uint32_t inner = t.nest->inner[3];
    assert_int_equal(t.nest->cycles[inner].depth, 2);
    assert_true(sr_peel_find(&t, inner, 9));
    assert_int_equal(t.tail.at[0], 2);
    sr_bit_set(fixed, 4);
    t = tails_of(&arena, &c, fixed);
    assert_true(sr_peel_find(&t, inner, 9));
    assert_int_equal(t.tail.at[0], from == 0 ? 3 : 2);
    sr_arena_free(&arena);
  }
}

static uint32_t peel_one(SrArena *arena, uint64_t seed) {
  const SrGraph *g = random_graph(arena, seed, BLOCKS);
  SrCopyGraph c = copy_graph(arena, g);
  const SrNest *nest = sr_nest_build(arena, g);
  SrTails t = tails_of(arena, &c, sr_bits_new(arena, g->count));
  for (uint32_t k = 0; k < nest->cycle_count; k++) {
    if (!sr_peel_find(&t, k, BLOCKS))
      continue;
    assert_true(nest->cycles[k].entries > 1);
    uint32_t last = nest->order[nest->cycles[k].last], size = t.size;
    sr_peel(&t);
    sr_tails_finish(&t);
    assert_int_equal(c.graph->count, g->count + size);
    check_successors(&c, nest);
    const SrNest *after = sr_nest_build(arena, c.graph);
    uint32_t cycle = after->inner[last];
    while (cycle != SR_NONE && after->cycles[cycle].depth > nest->cycles[k].depth)
      cycle = after->cycles[cycle].parent;
    assert_true(cycle != SR_NONE);
    assert_int_equal(after->cycles[cycle].entries, 1);
    return 1;
  }
  return 0;
}

static void test_random(void **state) {
  (void)state;
  uint64_t seed = unit_seed();
  uint32_t copied = 0, peeled = 0;
  for (uint64_t k = 0; k < GRAPHS; k++) {
    SrArena arena = sr_arena_new(&heap);
    copied += copy_all(&arena, seed * GRAPHS + k);
    peeled += peel_one(&arena, seed * GRAPHS + k);
    sr_arena_free(&arena);
  }
  assert_true(copied > GRAPHS && peeled > GRAPHS / 10);
}

int main(void) {
  sr_heap_init(&heap);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_small),  cmocka_unit_test(test_cycle),
      cmocka_unit_test(test_peel),   cmocka_unit_test(test_peel_nested),
      cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
