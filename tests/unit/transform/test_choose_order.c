/* SPDX-License-Identifier: Apache-2.0 */
/* The order that structurize chooses, on graphs without instructions: it is an order of the same
 * blocks in which only back edges lead back, the program in it is never worse than in the order as
 * it is, and it is better where that is known. */
#include "passes/transform/structurize/added.h"
#include "passes/transform/structurize/choose_order.h"
#include "tests/unit/random_graph.h"
#include "tests/unit/unit.h"

enum { GRAPHS = 400, BLOCKS = 24, DEPTH = 900 };

static const SrNest *choose(SrArena *arena, const SrGraph *g, const SrBits *is_switch,
                            SrGoal goal) {
  const SrSweepOptions options = {.depth_limit = DEPTH, .goal = goal};
  return sr_choose_order(arena, g, g, is_switch, &options);
}

static SrAdded cost(SrArena *arena, const SrGraph *g, const SrNest *nest, SrGoal goal) {
  const SrBits *is_switch = sr_bits_new(arena, g->count);
  const SrSweepOptions options = {.depth_limit = DEPTH, .goal = goal};
  return sr_added(arena, sr_sweep_build(arena, g, nest, is_switch, &options), nest);
}

/* Each block has at most two successors. */
static SrGraph *two_way(SrArena *arena, uint64_t seed) {
  const SrGraph *g = random_graph(arena, seed, BLOCKS);
  SR_VEC(SrEdge) edges = {0};
  for (uint32_t b = 0; b < g->count; b++)
    for (uint32_t k = 0; k < sr_succ_count(g, b) && k < 2; k++)
      SR_PUSH(arena, &edges, (SrEdge){b, g->succ[g->succ_at[b] + k]});
  return sr_graph_new(arena, g->count, edges.at, edges.count);
}

static void check_nest(const SrGraph *g, const SrNest *nest, const SrNest *plain) {
  assert_int_equal(nest->count, plain->count);
  for (uint32_t rank = 0; rank < nest->count; rank++) {
    uint32_t b = nest->order[rank];
    assert_int_equal(nest->rank[b], rank);
    assert_true(plain->rank[b] != SR_NONE);
    for (SR_SUCCS(t, g, b)) {
      uint32_t c = nest->inner[*t];
      bool back = c != SR_NONE && nest->cycles[c].header == *t && sr_cycle_has(nest, c, b);
      assert_true(back || nest->rank[*t] > rank);
    }
  }
}

static void test_random(void **state) {
  (void)state;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  uint64_t seed = unit_seed();
  uint32_t smaller = 0, fewer = 0;
  for (uint64_t k = 0; k < GRAPHS; k++) {
    SrArena arena = sr_arena_new(&heap);
    const SrGraph *g = two_way(&arena, seed * GRAPHS + k);
    const SrBits *none = sr_bits_new(&arena, g->count);
    const SrNest *plain = sr_nest_build(&arena, g);
    const SrNest *small = choose(&arena, g, none, SR_GOAL_SIZE);
    const SrNest *few = choose(&arena, g, none, SR_GOAL_ISSUES);
    check_nest(g, small, plain);
    check_nest(g, few, plain);
    uint64_t before = cost(&arena, g, plain, SR_GOAL_SIZE).size;
    uint64_t after = cost(&arena, g, small, SR_GOAL_SIZE).size;
    assert_true(after <= before);
    smaller += after < before;
    before = cost(&arena, g, plain, SR_GOAL_ISSUES).issues;
    after = cost(&arena, g, few, SR_GOAL_ISSUES).issues;
    assert_true(after <= before);
    fewer += after < before;
    sr_arena_free(&arena);
  }
  assert_true(smaller > GRAPHS / 8 && fewer > GRAPHS / 8);
}

/* The branches of g that the bits of `turned` name, reversed. */
static const SrGraph *turn(SrArena *arena, const SrGraph *g, const uint32_t *branches,
                           uint32_t turned) {
  SrGraph *t = SR_NEW(arena, SrGraph, 1);
  *t = *g;
  t->succ = SR_NEW_RAW(arena, uint32_t, g->succ_at[g->count]);
  memcpy(t->succ, g->succ, g->succ_at[g->count] * sizeof *g->succ);
  for (uint32_t k = 0; turned >> k; k++) {
    uint32_t *row = t->succ + g->succ_at[branches[k]], first = row[0];
    if (turned >> k & 1) {
      row[0] = row[1];
      row[1] = first;
    }
  }
  return t;
}

/* The search ends where no branch pays any more: of the ways to turn all branches, by which there is
 * the order chosen, one is such that no single turn makes it cheaper. */
static void test_ends_at_a_minimum(void **state) {
  (void)state;
  enum { FEW = 7, WAYS = 1 << FEW, WANTED = 400 };
  SrHeap heap = {0};
  sr_heap_init(&heap);
  uint64_t seed = unit_seed() * 1000000;
  for (uint32_t checked = 0; checked < WANTED; seed++) {
    SrArena arena = sr_arena_new(&heap);
    const SrGraph *g = two_way(&arena, seed);
    uint32_t branches[FEW], count = 0, issues[WAYS];
    for (uint32_t b = 0; b < g->count; b++)
      if (sr_succ_count(g, b) == 2 && count++ < FEW)
        branches[count - 1] = b;
    uint32_t least = (uint32_t)cost(&arena, g, sr_nest_build(&arena, g), SR_GOAL_ISSUES).issues;
    if (count < 3 || count > FEW || !least) {
      sr_arena_free(&arena);
      continue;
    }
    const SrNest *chosen = choose(&arena, g, sr_bits_new(&arena, g->count), SR_GOAL_ISSUES);
    uint32_t same = 0;
    bool minimum = false, is_chosen[WAYS];
    for (uint32_t way = 0; way < 1u << count; way++) {
      const SrNest *nest = sr_nest_build(&arena, turn(&arena, g, branches, way));
      issues[way] = (uint32_t)cost(&arena, g, nest, SR_GOAL_ISSUES).issues;
      is_chosen[way] = nest->cycle_count == chosen->cycle_count &&
                       memcmp(nest->order, chosen->order, nest->count * sizeof *nest->order) == 0;
      same += is_chosen[way];
    }
    assert_true(same > 0);
    for (uint32_t way = 0; way < 1u << count; way++) {
      bool pays = false;
      for (uint32_t k = 0; k < count; k++)
        pays |= issues[way ^ 1u << k] < issues[way];
      minimum |= is_chosen[way] && !pays;
    }
    if (!minimum)
      fail_msg("seed %llu: a turn pays", (unsigned long long)seed);
    checked++;
    sr_arena_free(&arena);
  }
}

/* 0 -> 1 2; 1 -> 2 3; 2 -> 3 4; 3 -> 1 5; 4 -> 3: from 13 to 7 instructions with another header. */
static void test_header(void **state) {
  (void)state;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  static const SrEdge edges[] = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3},
                                 {2, 4}, {3, 1}, {3, 5}, {4, 3}};
  const SrGraph *g = sr_graph_new(&arena, 6, edges, sizeof edges / sizeof *edges);
  const SrNest *plain = sr_nest_build(&arena, g);
  const SrNest *chosen = choose(&arena, g, sr_bits_new(&arena, g->count), SR_GOAL_SIZE);
  assert_int_equal(plain->cycles[0].entries, 2);
  assert_int_equal(chosen->cycles[0].entries, 2);
  assert_int_not_equal(plain->cycles[0].header, chosen->cycles[0].header);
  assert_true(cost(&arena, g, chosen, SR_GOAL_SIZE).size <
              cost(&arena, g, plain, SR_GOAL_SIZE).size);
  sr_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_ends_at_a_minimum),
      cmocka_unit_test(test_header),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
