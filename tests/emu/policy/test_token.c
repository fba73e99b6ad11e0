/* SPDX-License-Identifier: Apache-2.0 */
/* The placement of the token stack's instructions, as text; the stack compared with the numbers of
 * Białas (docs/glossary.md); and the cost of placement for large programs. */
#include "passes/base/ancestor.h"
#include "spv-emu/policy/table/policy_table.h"
#include "spv-emu/policy/token/token_place.h"
#include "tests/emu/flow_fixture.h"
#include "tests/emu/flow_gen.h"
#include "tests/emu/flow_run.h"
#include "tests/unit/unit.h"

/* ---- placement ------------------------------------------------------------------------------- */

/* Blocks are %1000, %1001, … in text order. `uniform`: numbers of the blocks whose branches are
 * proven uniform; NULL: none. */
static void expect_placed(const char *text, const char *uniform, const char *listing) {
  Fixture f;
  SrArena *arena = set_up(&f);
  EmuBlockTable *table = flow_parse(arena, text, false, NULL);
  bool *proven = SR_NEW(arena, bool, table->count);
  for (const char *c = uniform ? uniform : ""; *c; c++)
    proven[*c - '0'] = true;
  table->uniform = proven;
  const char *why;
  const EmuTokens *tokens = emu_tokens_place(arena, table, &why);
  if (!tokens)
    fail_msg("%s", why);
  SrText got = {.arena = arena};
  emu_tokens_print(tokens, table, &got);
  assert_string_equal(sr_text_end(&got), listing);
  tear_down(&f);
}

/* An arm that goes to the point leads to the carrier. */
static void if_without_else(void **unused) {
  (void)unused;
  expect_placed("A: B C\nB: C\nC:\n", NULL,
                "function %100\n"
                "%1000:     ...  ; 1 to issue\n"
                "           SSY  %1002\n"
                "           @P   BRA  %1001, else %1002.sync\n"
                "%1001:     ...  ; 1 to issue\n"
                "           BRA  %1002.sync\n"
                "%1002.sync: NOP.S\n"
                "%1002:     ...  ; 1 to issue\n"
                "           EXIT\n");
}

/* All branches of figure 1 of the paper on thread frontiers reconverge at Exit: one token. */
static void one_token_a_point(void **unused) {
  (void)unused;
  expect_placed("1: 2 3\n2: 6 3\n3: 4 5\n4: 5 6\n5: 6\n6:\n", NULL,
                "function %100\n"
                "%1000:     ...  ; 1 to issue\n"
                "           SSY  %1005\n"
                "           @P   BRA  %1001, else %1002\n"
                "%1001:     ...  ; 1 to issue\n"
                "           @P   BRA  %1005.sync, else %1002\n"
                "%1002:     ...  ; 1 to issue\n"
                "           @P   BRA  %1003, else %1004\n"
                "%1003:     ...  ; 1 to issue\n"
                "           @P   BRA  %1004, else %1005.sync\n"
                "%1004:     ...  ; 1 to issue\n"
                "           BRA  %1005.sync\n"
                "%1005.sync: NOP.S\n"
                "%1005:     ...  ; 1 to issue\n"
                "           EXIT\n");
}

/* Białas, listing 3: SSY before the loop; the side that stays in the loop runs first. */
static void loop_with_one_exit(void **unused) {
  (void)unused;
  expect_placed("A: H\nH: X B\nB: H\nX:\n", NULL,
                "function %100\n"
                "%1000:     ...  ; 1 to issue\n"
                "           SSY  %1003\n"
                "           BRA  %1001\n"
                "%1001:     ...  ; 1 to issue\n"
                "           @P   BRA  %1002, else %1003.sync\n"
                "%1002:     ...  ; 1 to issue\n"
                "           BRA  %1001\n"
                "%1003.sync: NOP.S\n"
                "%1003:     ...  ; 1 to issue\n"
                "           EXIT\n");
}

/* The guard of that loop, line 4 of listing 3, shares its token. */
static void guard_of_a_loop(void **unused) {
  (void)unused;
  expect_placed("A: X L\nL: L X\nX:\n", NULL,
                "function %100\n"
                "%1000:     ...  ; 1 to issue\n"
                "           SSY  %1002\n"
                "           @P   BRA  %1002.sync, else %1001\n"
                "%1001:     ...  ; 1 to issue\n"
                "           @P   BRA  %1001, else %1002.sync\n"
                "%1002.sync: NOP.S\n"
                "%1002:     ...  ; 1 to issue\n"
                "           EXIT\n");
}

/* Two branches leave: breaks. The side with a block on the path out runs first. */
static void loop_with_two_exits(void **unused) {
  (void)unused;
  expect_placed("A: H\nH: B X\nB: C Y\nC: H\nY: X\nX:\n", NULL,
                "function %100\n"
                "%1000:     ...  ; 1 to issue\n"
                "           PBK  %1005\n"
                "           BRA  %1001\n"
                "%1001:     ...  ; 1 to issue\n"
                "           @P   BRK, else %1002\n"
                "%1002:     ...  ; 1 to issue\n"
                "           @P   BRA  %1004, else %1003\n"
                "%1003:     ...  ; 1 to issue\n"
                "           BRA  %1001\n"
                "%1004:     ...  ; 1 to issue\n"
                "           BRK\n"
                "%1005:     ...  ; 1 to issue\n"
                "           EXIT\n");
}

/* Two branches to the block that leads back to the header: continues. */
static void continues(void **unused) {
  (void)unused;
  expect_placed("A: H\nH: B X\nB: K C\nC: K D\nD: K\nK: H\nX:\n", NULL,
                "function %100\n"
                "%1000:     ...  ; 1 to issue\n"
                "           SSY  %1006\n"
                "           BRA  %1001\n"
                "%1001:     ...  ; 1 to issue\n"
                "           @P   BRA  %1002, else %1006.sync\n"
                "%1002:     ...  ; 1 to issue\n"
                "           PCNT %1005\n"
                "           @P   CONT, else %1003\n"
                "%1003:     ...  ; 1 to issue\n"
                "           @P   CONT, else %1004\n"
                "%1004:     ...  ; 1 to issue\n"
                "           CONT\n"
                "%1005:     ...  ; 1 to issue\n"
                "           BRA  %1001\n"
                "%1006.sync: NOP.S\n"
                "%1006:     ...  ; 1 to issue\n"
                "           EXIT\n");
}

/* Branches in two arms of a uniform one share the token of their common dominator; one in the first
 * arm alone does not. */
static void common_dominator(void **unused) {
  (void)unused;
  static const char graph[] = "A: B C\nB: D X\nC: E X\nD: X\nE: X\nX:\n";
  expect_placed(graph, "0",
                "function %100\n"
                "%1000:     ...  ; 1 to issue\n"
                "           SSY  %1005\n"
                "           @P   BRA  %1001, else %1002\n"
                "%1001:     ...  ; 1 to issue\n"
                "           @P   BRA  %1003, else %1005.sync\n"
                "%1003:     ...  ; 1 to issue\n"
                "           BRA  %1005.sync\n"
                "%1002:     ...  ; 1 to issue\n"
                "           @P   BRA  %1004, else %1005.sync\n"
                "%1004:     ...  ; 1 to issue\n"
                "           BRA  %1005.sync\n"
                "%1005.sync: NOP.S\n"
                "%1005:     ...  ; 1 to issue\n"
                "           EXIT\n");
  expect_placed(graph, "02",
                "function %100\n"
                "%1000:     ...  ; 1 to issue\n"
                "           @P   BRA  %1001, else %1002\n"
                "%1001:     ...  ; 1 to issue\n"
                "           SSY  %1005\n"
                "           @P   BRA  %1003, else %1005.sync\n"
                "%1003:     ...  ; 1 to issue\n"
                "           BRA  %1005.sync\n"
                "%1002:     ...  ; 1 to issue\n"
                "           @P   BRA  %1004, else %1005\n"
                "%1004:     ...  ; 1 to issue\n"
                "           BRA  %1005\n"
                "%1005.sync: NOP.S\n"
                "%1005:     ...  ; 1 to issue\n"
                "           EXIT\n");
}

/* C is entered from the divergent B and directly from the uniform A: a token on that edge, too. */
static void entry_from_the_side(void **unused) {
  (void)unused;
  expect_placed("A: B C D\nB: C X\nC: X\nD:\nX:\n", "0",
                "function %100\n"
                "%1000:     ...  ; 1 to issue\n"
                "           @P   BRA  %1001, else .1, else %1003\n"
                ".1:        SSY  %1004\n"
                "           BRA  %1002\n"
                "%1001:     ...  ; 1 to issue\n"
                "           SSY  %1004\n"
                "           @P   BRA  %1002, else %1004.sync\n"
                "%1002:     ...  ; 1 to issue\n"
                "           BRA  %1004.sync\n"
                "%1004.sync: NOP.S\n"
                "%1004:     ...  ; 1 to issue\n"
                "           EXIT\n"
                "%1003:     ...  ; 1 to issue\n"
                "           EXIT\n");
}

/* The caller's stack does not change; the callee has its own tokens. */
static void calls(void **unused) {
  (void)unused;
  expect_placed("A: H\nH: B X\nB: C X\nC: call F Z\nZ: H\nX:\n"
                "function\nF: G J\nG: return\nJ: return\n",
                NULL,
                "function %100\n"
                "%1000:     ...  ; 1 to issue\n"
                "           PBK  %1005\n"
                "           BRA  %1001\n"
                "%1001:     ...  ; 1 to issue\n"
                "           @P   BRK, else %1002\n"
                "%1002:     ...  ; 1 to issue\n"
                "           @P   BRK, else %1003\n"
                "%1003:     ...  ; 1 to issue\n"
                "           CAL  %1006\n"
                "%1004+1:   ...  ; 1 to issue\n"
                "           BRA  %1001\n"
                "%1005:     ...  ; 1 to issue\n"
                "           EXIT\n"
                "\n"
                "function %101\n"
                "%1006:     ...  ; 1 to issue\n"
                "           @P   BRA  %1007, else %1008\n"
                "%1007:     ...  ; 1 to issue\n"
                "           RET\n"
                "%1008:     ...  ; 1 to issue\n"
                "           RET\n");
}

static void irreducible(void **unused) {
  (void)unused;
  Fixture f;
  SrArena *arena = set_up(&f);
  EmuBlockTable *table = flow_parse(arena, "A: B C\nB: C D\nC: B D\nD:\n", false, NULL);
  assert_string_equal(
      emu_policy_ssy.refuses(arena, table),
      "function %100, block %1002: an irreducible cycle of 2 entries has no edge for "
      "a token: run --transform=structurize");
  tear_down(&f);
}

/* ---- execution ------------------------------------------------------------------------------- */

/* Lane 31 - k of 32 leaves after 32 + k - M rounds of the loops whose headers are `header`. */
typedef struct Loops {
  uint32_t m, header[2];
  uint32_t inner_visits[32]; /* iterations of the inner loop since it was entered */
} Loops;

static uint32_t loop_choose(void *user, uint32_t lane, uint32_t block, uint32_t visit) {
  Loops *l = user;
  uint32_t bound = lane + l->m > 31 ? 63 - l->m - lane : 32;
  if (block == l->header[0])
    return visit >= bound;
  if (block != l->header[1])
    return 0;
  bool out = l->inner_visits[lane] >= bound;
  l->inner_visits[lane] = out ? 0 : l->inner_visits[lane] + 1;
  return out;
}

/* Białas: pushes, pops and depth are M + 1. */
static void single_loop(void **unused) {
  (void)unused;
  for (uint32_t m = 0; m < 32; m++) {
    Fixture f;
    SrArena *arena = set_up(&f);
    EmuBlockTable *table = flow_parse(arena, "A: H\nH: B X\nB: H\nX:\n", false, NULL);
    Loops loops = {.m = m, .header = {1, SR_NONE}};
    FlowTrace *t = flow_run(arena, table, &emu_policy_ssy, 32, loop_choose, &loops);
    assert_int_equal(t->counts.pushes, m + 1);
    assert_int_equal(t->counts.pops, m + 1);
    assert_int_equal(t->counts.max_depth, m + 1);
    assert_int_equal(t->counts.added, m + 2); /* one SSY; a carrier for each pop */
    assert_int_equal(t->counts.carriers, m);
    assert_int_equal(t->counts.reconvergences, m);
    tear_down(&f);
  }
}

/* The formula of docs/tokens.md. */
static void double_loop(void **unused) {
  (void)unused;
  for (uint32_t m = 0; m < 32; m++) {
    Fixture f;
    SrArena *arena = set_up(&f);
    EmuBlockTable *table =
        flow_parse(arena, "A: H\nH: B X\nB: I\nI: C Y\nC: I\nY: H\nX:\n", false, NULL);
    Loops loops = {.m = m, .header = {1, 3}};
    FlowTrace *t = flow_run(arena, table, &emu_policy_ssy, 32, loop_choose, &loops);
    assert_int_equal(t->counts.pushes, 33 + m * (65 - m) / 2);
    assert_int_equal(t->counts.pops, t->counts.pushes);
    assert_int_equal(t->counts.max_depth, m + 2);
    tear_down(&f);
  }
}

/* Lanes that break push no token: there is the loop's own, and one for the block on the way out. */
static uint32_t leave_one_by_one(void *user, uint32_t lane, uint32_t block, uint32_t visit) {
  (void)user;
  return (block == 1 || block == 2) && visit >= lane / 2 && (lane % 2 == block % 2);
}

static void breaks_keep_the_stack_short(void **unused) {
  (void)unused;
  Fixture f;
  SrArena *arena = set_up(&f);
  EmuBlockTable *table = flow_parse(arena, "A: H\nH: B X\nB: C Y\nC: H\nY: X\nX:\n", false, NULL);
  FlowTrace *t = flow_run(arena, table, &emu_policy_ssy, 32, leave_one_by_one, NULL);
  assert_int_equal(t->counts.max_depth, 2);
  assert_int_equal(t->counts.pushes, t->counts.pops);
  assert_int_equal(t->steps.at[t->steps.count - 1].lanes, 32);
  tear_down(&f);
}

/* ---- large programs -------------------------------------------------------------------------- */

/* About as many instructions as blocks: nothing is quadratic. */
static void large_programs(void **unused) {
  (void)unused;
  Fixture f;
  SrArena *arena = set_up(&f);
  EmuBlockTable *large[] = {flow_gen_nest(arena, 30000), flow_gen_chain(arena, 100000)};
  for (uint32_t i = 0; i < 2; i++) {
    const char *why;
    const EmuTokens *tokens = emu_tokens_place(arena, large[i], &why);
    assert_non_null(tokens);
    assert_true(tokens->code.count < 5 * large[i]->count);
  }
  tear_down(&f);
}

/* A switch outside of many nested ifs has a case for the innermost: the edge needs a token for each
 * of the ifs. */
static void too_large(void **unused) {
  (void)unused;
  Fixture f;
  SrArena *arena = set_up(&f);
  enum { DEEP = 5000, CASES = 5000 };
  FlowBuild b = {.arena = arena};
  uint32_t root = flow_block(&b, 0), out = flow_block(&b, 0), deep = root;
  uint32_t *joins = SR_NEW(arena, uint32_t, DEEP);
  for (uint32_t i = 0; i < DEEP; i++) {
    uint32_t branch = flow_block(&b, 0);
    joins[i] = flow_block(&b, 0);
    flow_edge(&b, deep, branch);
    flow_edge(&b, branch, joins[i]);
    if (i)
      flow_edge(&b, joins[i], joins[i - 1]);
    deep = branch;
  }
  flow_edge(&b, joins[0], out);
  for (uint32_t i = 0; i < CASES; i++) {
    uint32_t leaf = flow_block(&b, 0);
    flow_edge(&b, deep, leaf);
    flow_edge(&b, root, leaf);
    flow_edge(&b, leaf, joins[DEEP - 1]);
  }
  flow_edge(&b, root, flow_block(&b, 0)); /* which ends: the root does not reconverge */
  EmuBlockTable *table = flow_finish(&b);
  assert_string_equal(emu_policy_ssy.refuses(arena, table),
                      "function %100: its tokens take more than 16777216 instructions: run "
                      "--transform=structurize");
  tear_down(&f);
}

/* ---- common ancestors ------------------------------------------------------------------------ */

static void common_ancestors(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 50; seed++) {
    Fixture f;
    SrArena *arena = set_up(&f);
    enum { NODES = 60 };
    uint32_t parent[NODES];
    uint64_t rng = seed;
    for (uint32_t i = 0; i < NODES; i++)
      parent[i] = i == 0 || unit_below(&rng, 20) == 0 ? SR_NONE
                  : unit_below(&rng, 3)               ? i - 1
                                                      : unit_below(&rng, i);
    SrAncestors a = sr_ancestors_build(arena, parent, NODES, NULL, NODES);
    for (uint32_t x = 0; x < NODES; x++)
      for (uint32_t y = 0; y < NODES; y++) {
        bool above[NODES] = {false};
        uint32_t common = y;
        for (uint32_t k = x; k != SR_NONE; k = parent[k])
          above[k] = true;
        while (common != SR_NONE && !above[common])
          common = parent[common];
        assert_int_equal(sr_ancestors_common(&a, x, y), common);
        uint32_t entered = SR_NONE; /* on the path from y to x */
        for (uint32_t k = x; k != common; k = parent[k])
          entered = k;
        assert_int_equal(sr_ancestors_entered(&a, y, x), entered);
      }
    assert_int_equal(sr_ancestors_common(&a, SR_NONE, 0), SR_NONE);
    assert_int_equal(sr_ancestors_entered(&a, SR_NONE, 0), 0);
    assert_int_equal(sr_ancestors_entered(&a, 0, SR_NONE), SR_NONE);
    tear_down(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(if_without_else),
      cmocka_unit_test(one_token_a_point),
      cmocka_unit_test(loop_with_one_exit),
      cmocka_unit_test(guard_of_a_loop),
      cmocka_unit_test(loop_with_two_exits),
      cmocka_unit_test(continues),
      cmocka_unit_test(common_dominator),
      cmocka_unit_test(entry_from_the_side),
      cmocka_unit_test(calls),
      cmocka_unit_test(irreducible),
      cmocka_unit_test(single_loop),
      cmocka_unit_test(double_loop),
      cmocka_unit_test(large_programs),
      cmocka_unit_test(too_large),
      cmocka_unit_test(common_ancestors),
      cmocka_unit_test(breaks_keep_the_stack_short),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
