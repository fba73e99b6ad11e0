/* SPDX-License-Identifier: Apache-2.0 */
/* What structurize's program is taken to add, on small programs: instructions of added blocks,
 * comparisons where the outcome of a test is not known on the edges, and how often they run. */
#include "passes/transform/structurize/added.h"
#include "tests/unit/unit.h"

enum { LOW = 3, HIGH = 5 };

typedef struct Test {
  SrHeap heap;
  SrArena arena;
  SrFlowGraph flow;
  const SrNest *nest;
} Test;

/* The nest: 1 to 3 are a cycle, 2 is one in it. */
static void begin(Test *t) {
  static const SrEdge edges[] = {{0, 1}, {1, 2}, {2, 2}, {2, 3}, {3, 1}, {3, 4}};
  *t = (Test){0};
  sr_heap_init(&t->heap);
  t->arena = sr_arena_new(&t->heap);
  t->nest =
      sr_nest_build(&t->arena, sr_graph_new(&t->arena, 5, edges, sizeof edges / sizeof *edges));
}

static uint32_t add(Test *t, SrRole role, uint32_t slots) {
  return sr_flow_new_block(&t->arena, &t->flow, role, role == SR_ROLE_USER ? 0 : SR_NONE, slots);
}

static SrFlowBlock *at(Test *t, uint32_t b) {
  return &t->flow.block.at[b];
}

static uint32_t add_test(Test *t, SrTest test) {
  uint32_t b = add(t, SR_ROLE_TEST, 2), after = add(t, SR_ROLE_USER, 0);
  at(t, b)->test = test;
  at(t, b)->low = LOW;
  at(t, b)->high = HIGH;
  for (uint32_t k = 0; k < 2; k++)
    t->flow.slot.at[at(t, b)->slot + k] = (SrSlot){after, LOW, SR_NONE};
  return b;
}

/* Leads the block's slot k to another one. */
static void lead(Test *t, uint32_t b, uint32_t k, uint32_t to, uint32_t set) {
  t->flow.slot.at[at(t, b)->slot + k] = (SrSlot){to, set, SR_NONE};
}

/* A user block, one edge of which leads there. */
static void enter(Test *t, uint32_t to, uint32_t set) {
  lead(t, add(t, SR_ROLE_USER, 1), 0, to, set);
}

static void expect(Test *t, uint64_t size, uint64_t issues) {
  SrAdded added = sr_added(&t->arena, &t->flow, t->nest);
  assert_int_equal(added.size, size);
  assert_int_equal(added.issues, issues);
  sr_heap_free_all(&t->heap);
}

/* All edges set the selector: no comparison. */
static void known_at_once(void **state) {
  (void)state;
  Test t;
  begin(&t);
  uint32_t test = add_test(&t, SR_TEST_LE);
  enter(&t, test, 1);
  enter(&t, test, 4);
  expect(&t, 1, 1);
}

/* The same in front of a chain of blocks that pass it on. */
static void known_before(void **state) {
  (void)state;
  Test t;
  begin(&t);
  uint32_t meet = add(&t, SR_ROLE_MERGE, 1), next = add(&t, SR_ROLE_MERGE, 1);
  uint32_t test = add_test(&t, SR_TEST_LE);
  enter(&t, meet, 1);
  enter(&t, meet, 4);
  lead(&t, meet, 0, next, SR_NONE);
  lead(&t, next, 0, test, SR_NONE);
  expect(&t, 3, 3);
}

/* Of two edges one passes it on: which lanes come by which is not known. */
static void not_known_behind_a_join(void **state) {
  (void)state;
  static const SrTest tests[] = {SR_TEST_LE, SR_TEST_GE, SR_TEST_EQ, SR_TEST_OUTSIDE};
  for (int k = 0; k < 4; k++) {
    Test t;
    begin(&t);
    uint32_t meet = add(&t, SR_ROLE_MERGE, 1), test = add_test(&t, tests[k]);
    enter(&t, meet, 1);
    lead(&t, meet, 0, test, SR_NONE);
    enter(&t, test, 4);
    expect(&t, tests[k] == SR_TEST_OUTSIDE ? 4 : 3, 2);
  }
}

/* A user block passes on what it has got, from anywhere. */
static void not_known_behind_a_user(void **state) {
  (void)state;
  Test t;
  begin(&t);
  enter(&t, add_test(&t, SR_TEST_LE), SR_NONE);
  expect(&t, 2, 1);
}

/* A branch whose edges lead to one block needs a select, unless its condition is the outcome of the
 * test there, or behind a block that passes it on; a small switch needs a selector. */
static void branches_to_one_block(void **state) {
  (void)state;
  for (int through = 0; through < 2; through++)
    for (int known = 0; known < 2; known++) {
      Test t;
      begin(&t);
      uint32_t test = add_test(&t, SR_TEST_LE), first = test;
      if (through) {
        first = add(&t, SR_ROLE_MERGE, 1);
        lead(&t, first, 0, test, SR_NONE);
      }
      uint32_t user = add(&t, SR_ROLE_USER, 2);
      lead(&t, user, 0, first, 1);
      lead(&t, user, 1, first, 4);
      if (!known)
        enter(&t, test, SR_NONE);
      at(&t, user)->small_switch = through;
      uint32_t blocks = through ? 2u : 1u, select = known ? 0u : 1u, compare = known ? 0u : 1u;
      expect(&t, blocks + select + compare + (through ? 1u : 0u), blocks);
    }
}

/* A block of a loop runs four times, one in a loop in that sixteen times; a dead one never. */
static void blocks_in_loops(void **state) {
  (void)state;
  Test t;
  begin(&t);
  for (uint32_t b = 0; b < 3; b++) {
    uint32_t meet = add(&t, SR_ROLE_MERGE, 1);
    lead(&t, meet, 0, add(&t, SR_ROLE_USER, 0), SR_NONE);
    at(&t, meet)->loop = t.nest->inner[b];
  }
  at(&t, add(&t, SR_ROLE_DEAD, 0))->loop = t.nest->inner[2];
  expect(&t, 4, 1 + 4 + 16);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_at_once),           cmocka_unit_test(known_before),
      cmocka_unit_test(not_known_behind_a_join), cmocka_unit_test(not_known_behind_a_user),
      cmocka_unit_test(branches_to_one_block),   cmocka_unit_test(blocks_in_loops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
