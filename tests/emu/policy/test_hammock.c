/* SPDX-License-Identifier: Apache-2.0 */
/* Which branches are hammocks (hammock.h), and when `structured` leaves one to the executor. The
 * random modules of tests/equiv check that the figures are the same: `maximal` has no hammocks. */
#include "spv-emu/policy/hammock.h"
#include "spv-emu/policy/table/policy_table.h"
#include "tests/emu/flow_build.h"
#include "tests/emu/flow_fixture.h"

#include <string.h>

typedef struct Graph {
  FlowBuild build;
  EmuBlockTable *table;
} Graph;

static Graph parse(SrArena *arena, const char *text) {
  Graph g;
  g.table = flow_parse(arena, text, true, &g.build);
  return g;
}

static uint32_t find(const Graph *g, const char *name) {
  return flow_find(&g->build, name, strlen(name));
}

/* Finds the hammock of a block; places are priorities, and block `special` (a name, or NULL) cannot
 * be an arm. */
static const EmuHammock *hammock_of(SrArena *arena, const Graph *g, const char *header,
                                    const char *special) {
  SrBits *bits = sr_bits_new(arena, g->table->count);
  if (special)
    sr_bit_set(bits, find(g, special));
  return emu_hammock_find(arena, g->table, g->table->priority, bits, find(g, header));
}

static void expect_arm(const Graph *g, const EmuHammock *h, uint32_t index, const char *name,
                       uint32_t to) {
  assert_true(index < h->count);
  assert_int_equal(h->arm[index], find(g, name));
  assert_int_equal(h->to[index], to);
}

static void if_and_else(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  Graph g = parse(arena, "A: B C | M\nB: M\nC: M\nM:\n");
  const EmuHammock *h = hammock_of(arena, &g, "A", NULL);
  assert_non_null(h);
  assert_int_equal(h->join, find(&g, "M"));
  assert_int_equal(h->count, 2);
  assert_int_equal(h->issues, 2);
  expect_arm(&g, h, 0, "B", 2);
  expect_arm(&g, h, 1, "C", 2);
  assert_null(hammock_of(arena, &g, "A", "C"));
  bool stops[4] = {false};
  g.table->stops = stops;
  assert_non_null(hammock_of(arena, &g, "A", NULL));
  stops[find(&g, "B")] = true;
  assert_null(hammock_of(arena, &g, "A", NULL));
  tear_down(&fixture);
}

static void if_alone(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  Graph g = parse(arena, "A: B M | M\nB: C\nC: M\nM:\n");
  const EmuHammock *h = hammock_of(arena, &g, "A", NULL);
  assert_non_null(h);
  assert_int_equal(h->count, 2);
  expect_arm(&g, h, 0, "B", 1);
  expect_arm(&g, h, 1, "C", 2);
  tear_down(&fixture);
}

static void cases_fall_through(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  Graph g = parse(arena, "A: D X Y | M\nY: M\nX: Y\nD: M\nM:\n");
  const EmuHammock *h = hammock_of(arena, &g, "A", NULL);
  assert_non_null(h);
  assert_int_equal(h->count, 3);
  uint32_t x = emu_hammock_index(h, find(&g, "X")), y = emu_hammock_index(h, find(&g, "Y"));
  assert_true(x < y && y < h->count);
  assert_int_equal(h->to[x], y);
  assert_int_equal(h->to[y], h->count);
  assert_int_equal(emu_hammock_index(h, find(&g, "M")), h->count);
  tear_down(&fixture);
}

static void what_is_none(void **state) {
  (void)state;
  static const char *const texts[] = {
      "A: B C | M\nB: M\nC:\nM:\n",           /* lanes end in an arm */
      "A: B C | M\nB: D M\nC: M\nD: M\nM:\n", /* an arm branches */
      "A: B C | M\nB: call F D\nD: M\nC: M\nM:\nfunction\nF: return\n",
      "A: M M | M\nM:\n", /* nothing between */
      "A: B C D E F G H I J M | M\nB: M\nC: M\nD: M\nE: M\nF: M\nG: M\nH: M\nI: M\nJ: M\nM:\n",
  };
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Graph g = parse(arena, texts[i]);
    assert_null(hammock_of(arena, &g, "A", NULL));
  }
  Graph back = parse(arena, "A: B C | M\nB: C\nC: B\nM:\n");
  assert_null(hammock_of(arena, &back, "A", NULL));
  tear_down(&fixture);
}

/* A subgroup of `structured` whose 8 lanes are at the first block. */
static void *begin(SrArena *arena, const Graph *g, EmuPolicyCounts *counts) {
  const EmuPolicy *policy = &emu_policy_structured;
  void *p = policy->create(arena, g->table, emu_policy_plan(policy, arena, g->table), 8, counts);
  const EmuMask on = {{0xff}};
  policy->start(p, &on);
  return p;
}

static uint32_t running(void *p, uint64_t *lanes) {
  EmuMask on = {{0}};
  uint32_t block = SR_NONE;
  assert_true(emu_policy_structured.next(p, &block, &on));
  *lanes = on.w[0];
  return block;
}

static void structured_goes_to_the_join(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  Graph g = parse(arena, "A: B C | M\nB: M\nC: M\nM:\n");
  EmuPolicyCounts counts = {0};
  void *p = begin(arena, &g, &counts);
  uint64_t lanes;
  assert_null(emu_policy_structured.hammock(p, 1)); /* the arms are two issues */
  assert_int_equal(running(p, &lanes), find(&g, "A"));
  assert_int_equal(counts.pushes, 0);
  assert_non_null(emu_policy_structured.hammock(p, 2));
  assert_int_equal(running(p, &lanes), find(&g, "M"));
  assert_int_equal(lanes, 0xff);
  assert_int_equal(counts.pushes, 1);
  assert_int_equal(counts.pops, 1);
  assert_int_equal(counts.max_depth, 2);
  assert_null(emu_policy_structured.hammock(p, 100)); /* M is not a header */
  tear_down(&fixture);
}

/* Other lanes wait at the inner join, K. */
static void structured_lets_others_join_first(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  Graph g = parse(arena, "A: B K | M\nB: C D | K\nC: K\nD: K\nK: M\nM:\n");
  EmuPolicyCounts counts = {0};
  void *p = begin(arena, &g, &counts);
  EmuTarget to[2] = {{find(&g, "B"), {{0x0f}}}, {find(&g, "K"), {{0xf0}}}};
  const EmuWent went = {.kind = EMU_WENT_BRANCH, .count = 2, .targets = to};
  uint64_t lanes;
  emu_policy_structured.went(p, &went);
  assert_int_equal(running(p, &lanes), find(&g, "B"));
  assert_null(emu_policy_structured.hammock(p, 100));
  assert_int_equal(running(p, &lanes), find(&g, "B"));
  assert_int_equal(lanes, 0x0f);
  tear_down(&fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(if_and_else),
      cmocka_unit_test(if_alone),
      cmocka_unit_test(cases_fall_through),
      cmocka_unit_test(what_is_none),
      cmocka_unit_test(structured_goes_to_the_join),
      cmocka_unit_test(structured_lets_others_join_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
