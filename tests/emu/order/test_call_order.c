/* SPDX-License-Identifier: Apache-2.0 */
/* The default order of programs with calls, and of barriers in cycles: hand-made cases, the rules
 * of call_order.h on random programs, large programs. (test_policy.c tests that lanes reconverge at
 * barriers.) */
#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/graph/order.h"
#include "spv-emu/order/call_order.h"
#include "tests/emu/flow_fixture.h"
#include "tests/emu/flow_gen.h"
#include "tests/unit/unit.h"

#include <stdio.h>

static void expect_order(const char *text, const char *order) {
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  FlowBuild b;
  const EmuBlockTable *table = flow_parse(arena, text, false, &b);
  char made[256] = "";
  size_t length = 0;
  for (uint32_t i = 0; i < table->count; i++)
    length += (size_t)snprintf(made + length, sizeof made - length, "%s%s", i ? " " : "",
                               b.blocks.at[table->order[i]].name);
  assert_string_equal(made, order);
  tear_down(&fixture);
}

#define FUNCTION_F                                                                                 \
  "function\n"                                                                                     \
  "F: P Q\n"                                                                                       \
  "P: return\n"                                                                                    \
  "Q: return\n"

/* ---- calls ----------------------------------------------------------------------------------- */

static void later_calls_are_ways_back(void **state) {
  (void)state;
  expect_order("A: B C\n"
               "B: call F D\n"
               "C: D\n"
               "D: E\n"
               "E: call F G\n"
               "G:\n" FUNCTION_F,
               "A B F P Q C D E G");
  expect_order("A: call F B\n"
               "B: call F C\n"
               "C: call F D\n"
               "D:\n" FUNCTION_F,
               "A F P Q B C D");
}

/* As in split-merge, the function comes after all calls that can precede it. */
static void calls_of_both_arms_meet(void **state) {
  (void)state;
  expect_order("A: B C\n"
               "B: call F D\n"
               "C: call F E\n"
               "D: G\n"
               "E: G\n"
               "G:\n" FUNCTION_F,
               "A B C F P Q D E G");
  /* The same with paths through other functions, of which one is called again. */
  expect_order("A: B C\n"
               "B: call S D\n"
               "C: call T E\n"
               "D: G\n"
               "E: G\n"
               "G: call S H\n"
               "H:\n"
               "function\n"
               "S: call F U\n"
               "U: return\n"
               "function\n"
               "T: call F V\n"
               "V: return\n" FUNCTION_F,
               "A B S C T F P Q U D V E G H");
}

static void calls_through_other_functions(void **state) {
  (void)state;
  expect_order("A: B C\n"
               "B: call S D\n"
               "C: D\n"
               "D: call T E\n"
               "E:\n"
               "function\n"
               "S: call F U\n"
               "U: return\n"
               "function\n"
               "T: call F V\n"
               "V: return\n" FUNCTION_F,
               "A B S F P Q U C D T V E");
}

/* No order puts both functions after both of their calls. */
static void calls_in_opposite_order(void **state) {
  (void)state;
  expect_order("A: B C\n"
               "B: call S D\n"
               "D: call T G\n"
               "C: call T E\n"
               "E: call S H\n"
               "G: M\n"
               "H: M\n"
               "M:\n"
               "function\n"
               "S: return\n"
               "function\n"
               "T: return\n",
               "A B C T E S D H G M");
}

static void calls_in_loops(void **state) {
  (void)state;
  /* The function is called before the loop, and is placed there; the loop stays together. */
  expect_order("A: call F L\n"
               "L: B C\n"
               "B: call F D\n"
               "C: call F E\n"
               "D: J\n"
               "E: J\n"
               "J: L X\n"
               "X:\n" FUNCTION_F,
               "A F P Q L B D C E J X");
  /* The function is first called in the loop, so it is part of the loop. */
  expect_order("A: L\n"
               "L: B X\n"
               "B: call F D\n"
               "D: L\n"
               "X: call F Y\n"
               "Y:\n" FUNCTION_F,
               "A L B F P Q D X Y");
  /* A loop in one arm, a call in the other. */
  expect_order("A: C L\n"
               "L: B X\n"
               "B: call F D\n"
               "D: L\n"
               "C: call F E\n"
               "E: X\n"
               "X:\n" FUNCTION_F,
               "A C F P Q E L B D X");
}

/* No block follows such a call: if C led to D, there would be a cycle. */
static void calls_that_do_not_return(void **state) {
  (void)state;
  expect_order("A: B C\n"
               "B: C X\n"
               "C: call F D\n"
               "D: B\n"
               "X: call F Y\n"
               "Y:\n"
               "function\n"
               "F: P\n"
               "P: F\n",
               "A B X C F P D Y");
}

/* ---- barriers in cycles ---------------------------------------------------------------------- */

static void barriers_after_several_back_edges(void **state) {
  (void)state;
  expect_order("A: H\n"
               "H: B\n"
               "B: K L\n"
               "K: H X\n"
               "L: H\n"
               "X:\n",
               "A H B K L X");
  expect_order("A: H\n"
               "H: barrier B\n"
               "B: K L\n"
               "K: H X\n"
               "L: H\n"
               "X:\n",
               "A B K L H X");
  /* With one back edge they stay in place. */
  expect_order("A: H\n"
               "H: barrier B\n"
               "B: K L\n"
               "K: L\n"
               "L: H X\n"
               "X:\n",
               "A H B K L X");
  /* The only back edge, but its source is in an inner cycle. */
  expect_order("A: H\n"
               "H: barrier B\n"
               "B: B H X\n"
               "X:\n",
               "A B H X");
}

static void barriers_in_functions_called_from_there(void **state) {
  (void)state;
  expect_order("A: H\n"
               "H: call S B\n"
               "B: K L\n"
               "K: H X\n"
               "L: H\n"
               "X:\n"
               "function\n"
               "S: call T U\n"
               "U: return\n"
               "function\n"
               "T: barrier V\n"
               "V: return\n",
               "A H S V U B K L T X");
}

/* ---- any program ----------------------------------------------------------------------------- */

/* Checks that forward edges lead forward, and that functions come before the blocks after their
 * calls. */
static void check_rules(const EmuBlockTable *table, const uint32_t *place, const SrNest *nest,
                        uint32_t f, uint64_t seed) {
  const EmuFunctionBlocks *function = &table->functions[f];
  for (uint32_t r = 0; r < nest->count; r++) {
    uint32_t b = function->first + nest->order[r], callee = table->callee[b];
    if (place[b] == SR_NONE)
      continue;
    for (SR_SUCCS(t, function->graph, nest->order[r]))
      if (nest->rank[*t] > r && place[function->first + *t] < place[b])
        fail_msg("seed %llu: block %u comes before %u", (unsigned long long)seed,
                 function->first + *t, b);
    for (uint32_t i = 0; callee != SR_NONE && i < table->functions[callee].count; i++) {
      uint32_t in = table->functions[callee].first + i;
      bool leaves = !sr_succ_count(table->functions[callee].graph, i);
      if (leaves && place[in] != SR_NONE && place[in] > place[table->next[b]])
        fail_msg("seed %llu: block %u comes after call %u", (unsigned long long)seed, in, b);
    }
  }
}

/* Checks the order of a random program; without calls it is LRPO. */
static void check_order(uint64_t seed, uint32_t *plain) {
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  EmuBlockTable *table = seed % 2
                             ? flow_gen_any(arena, seed, 3 + (uint32_t)(seed % 30))
                             : flow_gen_structured(arena, seed, 3 + (uint32_t)(seed % 60), NULL);
  uint32_t *order = SR_NEW_RAW(arena, uint32_t, table->count);
  uint32_t *lrpo = SR_NEW_RAW(arena, uint32_t, table->count);
  uint32_t *place = sr_new_none(arena, table->count);
  uint32_t count = emu_call_order(arena, table, order);
  uint32_t reached = sr_order_lrpo(arena, table->graph, lrpo);
  bool calls = false;
  for (uint32_t i = 0; i < count; i++) {
    place[order[i]] = i;
    calls |= table->callee[order[i]] != SR_NONE;
  }
  *plain += !calls;
  if (!calls)
    assert_int_equal(count, reached);
  if (!calls)
    assert_memory_equal(order, lrpo, count * sizeof *order);
  for (uint32_t f = 0; f < table->function_count; f++)
    check_rules(table, place, sr_nest_build(arena, table->functions[f].graph), f, seed);
  tear_down(&fixture);
}

static void rules_on_random_programs(void **state) {
  (void)state;
  uint32_t plain = 0;
  for (uint64_t seed = 1; seed <= 6000; seed++)
    check_order(seed, &plain);
  assert_in_range(plain, 1000, 5000);
}

/* ---- large ones ------------------------------------------------------------------------------ */

/* Each function calls the next; the first, or all, twice. */
static void chain(uint32_t functions, bool all) {
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  FlowBuild b = {.arena = arena};
  for (uint32_t f = 0; f < functions; f++) {
    uint32_t calls = f + 1 == functions ? 0 : all || f == 0 ? 2 : 1, at = flow_block(&b, f);
    for (uint32_t i = 0; i < calls; i++) {
      uint32_t next = flow_block(&b, f);
      b.blocks.at[at].callee = f + 1;
      flow_edge(&b, at, next);
      at = next;
    }
    b.blocks.at[at].returns = true;
  }
  const EmuBlockTable *table = flow_finish(&b);
  assert_int_equal(table->order[0], 0);
  assert_int_equal(table->order[table->count - 1], 2); /* the end of the first function */
  tear_down(&fixture);
}

static void long_chains(void **state) {
  (void)state;
  chain(2000, false);
  chain(2000, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(later_calls_are_ways_back),
      cmocka_unit_test(calls_of_both_arms_meet),
      cmocka_unit_test(calls_through_other_functions),
      cmocka_unit_test(calls_in_opposite_order),
      cmocka_unit_test(calls_in_loops),
      cmocka_unit_test(calls_that_do_not_return),
      cmocka_unit_test(barriers_after_several_back_edges),
      cmocka_unit_test(barriers_in_functions_called_from_there),
      cmocka_unit_test(rules_on_random_programs),
      cmocka_unit_test(long_chains),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
