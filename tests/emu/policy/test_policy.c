/* SPDX-License-Identifier: Apache-2.0 */
/* The reconvergence policies on graphs: the cases of the papers with their published figures, and
 * properties of all policies on random programs. If a property fails, the seed is printed. */
#include "passes/analysis/graph/priority.h"
#include "spv-emu/policy/optimum/optimum.h"
#include "spv-emu/policy/table/policy_table.h"
#include "tests/emu/flow_case.h"
#include "tests/emu/flow_fixture.h"
#include "tests/emu/flow_gen.h"
#include "tests/emu/flow_oracle.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- case 1: thread frontiers, figure 1 ------------------------------------------------------ */

static const char figure1[] = "BB1: BB2 BB3\n"
                              "BB2: Exit BB3\n"
                              "BB3: BB4 BB5\n"
                              "BB4: BB5 Exit\n"
                              "BB5: Exit\n"
                              "Exit:\n";
static const char figure1_paths[] =
    "BB1 BB3 BB4 BB5 Exit | BB1 BB2 Exit | BB1 BB2 BB3 BB5 Exit | BB1 BB2 BB3 BB4 Exit";

static void thread_frontiers_of_figure_1(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  const EmuPolicy *tf[] = {&emu_policy_tf_stack, &emu_policy_tf_sandy, &emu_policy_maximal};
  for (uint32_t i = 0; i < 3; i++) {
    FlowCase c = flow_follow(arena, figure1, NULL, tf[i], figure1_paths);
    flow_expect_steps(arena, &c, "BB1:f BB2:e BB3:d BB4:9 BB5:5 Exit:f");
    assert_int_equal(c.trace->noops, 0);
  }
  FlowCase c = flow_follow(arena, figure1, NULL, &emu_policy_tf_stack, figure1_paths);
  for (uint32_t r = 0; r < 6; r++)
    assert_int_equal(c.table->order[r], r); /* BB1 to Exit, as in the paper */
  /* BB2's lane joins T0 at BB3; T1, then T3 and the rest reconverge at Exit; BB4's T0 joins T2 at
   * BB5. */
  assert_int_equal(c.trace->counts.reconvergences, 4);
  assert_int_equal(c.trace->counts.max_depth, 3);
  tear_down(&fixture);
}

static void pdom_of_figure_1(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  FlowCase c = flow_follow(arena, figure1, NULL, &emu_policy_pdom, figure1_paths);
  const char *twice[] = {"BB3", "BB4", "BB5"}, *once[] = {"BB1", "BB2", "Exit"};
  for (uint32_t i = 0; i < 3; i++) {
    assert_int_equal(flow_runs_of(&c.build, c.trace, twice[i]), 2);
    assert_int_equal(flow_runs_of(&c.build, c.trace, once[i]), 1);
  }
  flow_expect_steps(arena, &c, "BB1:f BB2:e BB3:c BB4:8 BB5:4 BB3:1 BB4:1 BB5:1 Exit:f");
  assert_int_equal(c.trace->counts.reconvergences, 3);
  /* At the bottom: Exit. BB1 has two sides; the remaining side of BB2 replaces it; BB3's two sides
   * replace that, since all lanes reconverge at Exit. */
  assert_int_equal(c.trace->counts.max_depth, 4);
  tear_down(&fixture);
}

static void none_of_figure_1(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  FlowCase c = flow_follow(arena, figure1, NULL, &emu_policy_none, figure1_paths);
  flow_expect_steps(arena, &c,
                    "BB1:f BB2:e Exit:2 BB3:c BB4:8 Exit:8 BB5:4 Exit:4 BB3:1 BB4:1 BB5:1 "
                    "Exit:1");
  assert_int_equal(c.trace->counts.reconvergences, 0);
  assert_int_equal(c.trace->counts.pushes, 3);
  assert_int_equal(c.trace->counts.pops, 3);
  tear_down(&fixture);
}

/* ---- case 2: barriers, figure 2 -------------------------------------------------------------- */

/* Do all lanes reach the block together, every time that any does? */
static bool together_at(const FlowCase *c, const char *name, uint32_t lanes) {
  uint32_t block = flow_find(&c->build, name, strlen(name));
  for (uint32_t i = 0; i < c->trace->steps.count; i++)
    if (c->trace->steps.at[i].block == block && c->trace->steps.at[i].lanes &&
        c->trace->steps.at[i].lanes != lanes)
      return false;
  return true;
}

static void barrier_after_an_exception(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  const char text[] = "BB0: BB1 BB2\nBB1: BB3 BB4\nBB2: BB3\nBB3: BB4\nBB4:\n";
  const char paths[] = "BB0 BB1 BB3 BB4 | BB0 BB2 BB3 BB4 | BB0 BB1 BB3 BB4 | BB0 BB2 BB3 BB4";
  FlowCase c = flow_follow(arena, text, NULL, &emu_policy_pdom, paths);
  assert_false(together_at(&c, "BB3", 4));
  const EmuPolicy *good[] = {&emu_policy_tf_stack, &emu_policy_tf_sandy, &emu_policy_maximal};
  for (uint32_t i = 0; i < 3; i++) {
    c = flow_follow(arena, text, NULL, good[i], paths);
    assert_true(together_at(&c, "BB3", 4));
  }
  tear_down(&fixture);
}

static void barrier_in_a_loop(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  const char text[] = "BB0: BB1\nBB1: BB2 BB3\nBB3: BB2\nBB2: BB0 Exit\nExit:\n";
  const char paths[] = "BB0 BB1 BB2 BB0 BB1 BB2 Exit | BB0 BB1 BB3 BB2 BB0 BB1 BB3 BB2 Exit";
  const EmuPolicy *tf[] = {&emu_policy_tf_stack, &emu_policy_tf_sandy};
  for (uint32_t i = 0; i < 2; i++) {
    FlowCase c = flow_follow(arena, text, "BB0 BB1 BB2 BB3 Exit", tf[i], paths);
    assert_false(together_at(&c, "BB1", 2));
    c = flow_follow(arena, text, "BB0 BB1 BB3 BB2 Exit", tf[i], paths);
    assert_true(together_at(&c, "BB1", 2));
    c = flow_follow(arena, text, NULL, tf[i], paths);
    assert_true(together_at(&c, "BB1", 2));
  }
  tear_down(&fixture);
}

/* ---- case 3: conservative branches, figure 3 ------------------------------------------------- */

static const char figure3[] = "BB0: BB1 BB3\nBB1: BB2 BB5\nBB2: BB4 BB6\nBB3: BB5 BB6\n"
                              "BB4: BB7\nBB5: BB7\nBB6: BB7\nBB7:\n";
static const char figure3_order[] = "BB0 BB1 BB2 BB3 BB4 BB5 BB6 BB7";

static void conservative_branches(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  const char waits_at_3[] = "BB0 BB1 BB2 BB4 BB7 | BB0 BB3 BB5 BB7";
  FlowCase c = flow_follow(arena, figure3, figure3_order, &emu_policy_tf_stack, waits_at_3);
  flow_expect_steps(arena, &c, "BB0:3 BB1:1 BB2:1 BB3:2 BB4:1 BB5:2 BB7:3");
  const char waits_at_5[] = "BB0 BB1 BB2 BB4 BB7 | BB0 BB1 BB5 BB7";
  c = flow_follow(arena, figure3, figure3_order, &emu_policy_tf_stack, waits_at_5);
  flow_expect_steps(arena, &c, "BB0:3 BB1:3 BB2:1 BB4:1 BB5:2 BB7:3");
  c = flow_follow(arena, figure3, figure3_order, &emu_policy_tf_sandy, waits_at_5);
  flow_expect_steps(arena, &c, "BB0:3 BB1:3 BB2:1 BB3:0 BB4:1 BB5:2 BB6:0 BB7:3");
  assert_int_equal(c.trace->noops, 2);
  assert_int_equal(c.trace->issues, 6);
  tear_down(&fixture);
}

/* No lane can wait in E while others are in D; E only comes after D in the order. */
static void next_block_not_in_the_frontier(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  const char text[] = "A: B C\nB: D\nC: D\nD: F G\nF: E G\nE: F\nG:\n";
  FlowCase c =
      flow_follow(arena, text, "A B C D E F G", &emu_policy_tf_sandy, "A B D F G | A C D F E F G");
  flow_expect_steps(arena, &c, "A:3 B:1 C:2 D:3 F:3 E:2 F:2 G:3");
  c = flow_follow(arena, text, "A B C D E F G", &emu_policy_tf_sandy, "A B D F G | A B D G");
  flow_expect_steps(arena, &c, "A:3 B:3 D:3 F:1 G:3");
  tear_down(&fixture);
}

/* ---- case 4: a compound condition ------------------------------------------------------------ */

static void compound_condition(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  const char text[] =
      "Entry: B1\nB1: B3 B2\nB2: B3 Exit\nB3: B5 B4\nB4: B5 Exit\nB5: Exit\nExit:\n";
  const char paths[] = "Entry B1 B3 B5 Exit | Entry B1 B3 B4 B5 Exit | Entry B1 B3 B4 Exit | "
                       "Entry B1 B2 B3 B5 Exit | Entry B1 B2 B3 B4 B5 Exit | "
                       "Entry B1 B2 B3 B4 Exit | Entry B1 B2 Exit";
  FlowCase c = flow_follow(arena, text, NULL, &emu_policy_pdom, paths);
  assert_int_equal(c.trace->steps.count, 12);
  assert_int_equal(c.trace->lane_issues * 100 / c.trace->steps.count, 325);
  assert_int_equal(flow_runs_of(&c.build, c.trace, "B5"), 4); /* 3 repetitions */
  assert_int_equal(flow_runs_of(&c.build, c.trace, "B3"), 2); /* 1 repetition */
  assert_int_equal(flow_runs_of(&c.build, c.trace, "B4"), 2); /* 1, so that the expansion is 5 */
  const EmuPolicy *early[] = {&emu_policy_tf_stack, &emu_policy_tf_sandy, &emu_policy_maximal};
  for (uint32_t i = 0; i < 3; i++) {
    c = flow_follow(arena, text, NULL, early[i], paths);
    assert_int_equal(c.trace->steps.count, 7);
  }
  tear_down(&fixture);
}

/* ---- structured ------------------------------------------------------------------------------ */

static FlowCase follow_structured(SrArena *arena, const char *text, const char *paths) {
  FlowCase c = {0}, m;
  c.table = flow_parse(arena, text, true, &c.build);
  m = c;
  FlowScript script = flow_script(arena, c.table, &c.build, paths);
  c.trace =
      flow_run(arena, c.table, &emu_policy_structured, script.count, flow_script_choose, &script);
  script = flow_script(arena, c.table, &c.build, paths);
  m.trace =
      flow_run(arena, c.table, &emu_policy_maximal, script.count, flow_script_choose, &script);
  flow_expect_steps(arena, &m, flow_steps_text(arena, &c.build, c.trace));
  assert_int_equal(c.trace->counts.reconvergences, m.trace->counts.reconvergences);
  return c;
}

/* Lanes that break run their break block by iteration, as a block of the loop. */
static void break_blocks_stay_apart(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  FlowCase c = follow_structured(arena,
                                 "A: H\n"
                                 "H: B | M K\n"
                                 "B: X S | S\n"
                                 "X: M\n"
                                 "S: K\n"
                                 "K: H\n"
                                 "M:\n",
                                 "A H B X M | A H B S K H B X M | A H B S K H B X M");
  flow_expect_steps(arena, &c, "A:7 H:7 B:7 X:1 S:6 K:6 H:6 B:6 X:6 M:7");
  assert_int_equal(c.trace->counts.reconvergences, 1);
  assert_int_equal(c.trace->counts.max_depth, 3);
  assert_int_equal(c.trace->counts.pushes, 3);
  assert_int_equal(c.trace->counts.pops, 3);
  tear_down(&fixture);
}

static void switch_cases_fall_through(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  FlowCase c = follow_structured(arena,
                                 "A: D X Y Z | M\n"
                                 "Y: Z\n"
                                 "X: Y\n"
                                 "D: M\n"
                                 "Z: T M\n"
                                 "T: M\n"
                                 "M:\n",
                                 "A D M | A X Y Z M | A Y Z T M | A Z M");
  flow_expect_steps(arena, &c, "A:f D:1 X:2 Y:6 Z:e T:4 M:f");
  assert_int_equal(c.trace->counts.reconvergences, 4);
  tear_down(&fixture);
}

static void leaving_several_constructs(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  FlowCase c =
      follow_structured(arena,
                        "H: B | M K\n"
                        "B: C S | S\n"
                        "C: E F | F\n"
                        "E: M K\n"
                        "F: S\n"
                        "S: R K | Q\n"
                        "Q: K\n"
                        "R:\n"
                        "K: H M\n"
                        "M:\n",
                        "H B C E M | H B C E K M | H B C F S K H B S R | H B S R | H B S K M");
  flow_expect_steps(arena, &c, "H:1f B:1f C:7 E:3 F:4 S:1c R:8 K:16 H:4 B:4 S:4 R:4 M:13");
  tear_down(&fixture);
}

/* Chooses by one bit of the lane in the program's entry, by another in the function's entry. */
static uint32_t by_lane(void *user, uint32_t lane, uint32_t block, uint32_t visit) {
  (void)visit;
  return block == 0 ? lane & 1 : block == *(uint32_t *)user ? lane >> 1 & 1 : 0;
}

/* Lanes of one call run the callee separately from those of another, and leave it together. */
static void calls_are_regions(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  const char text[] = "A: B C | M\n"
                      "B: call F X\n"
                      "X: M\n"
                      "C: call F Y\n"
                      "Y: M\n"
                      "M: return\n"
                      "function\n"
                      "F: G H | J\n"
                      "G: return\n"
                      "H: return\n"
                      "J: return\n";
  FlowBuild build;
  EmuBlockTable *table = flow_parse(arena, text, true, &build);
  uint32_t callee = flow_find(&build, "F", 1);
  const EmuPolicy *nested[] = {&emu_policy_structured, &emu_policy_maximal, &emu_policy_pdom};
  for (uint32_t i = 0; i < 3; i++) {
    FlowTrace *t = flow_run(arena, table, nested[i], 32, by_lane, &callee);
    assert_int_equal(flow_runs_of(&build, t, "F"), 2);
    assert_int_equal(flow_runs_of(&build, t, "M"), 1);
    assert_int_equal(flow_runs_of(&build, t, "X"), 1);
    assert_int_equal(flow_runs_of(&build, t, "Y"), 1);
  }
  FlowTrace *t = flow_run(arena, table, &emu_policy_tf_stack, 32, by_lane, &callee);
  assert_int_equal(flow_runs_of(&build, t, "F"), 1);
  tear_down(&fixture);
}

static void unstructured_is_refused(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  EmuBlockTable *table = flow_parse(arena, figure1, false, NULL);
  assert_string_equal(emu_policy_structured.refuses(arena, table),
                      "function %100 is not structured: run --transform=structurize");
  tear_down(&fixture);
}

/* ---- properties ------------------------------------------------------------------------------ */

static int by_step(const void *a, const void *b) {
  const FlowStep *x = a, *y = b;
  if (x->block != y->block)
    return x->block < y->block ? -1 : 1;
  return (x->mask > y->mask) - (x->mask < y->mask);
}

/* The token stack reconverges where `pdom` does, so it runs the same blocks with the same lanes,
 * though in another order. */
static void same_blocks(const FlowTrace *pdom, const FlowTrace *ssy, uint64_t seed) {
  qsort(pdom->steps.at, pdom->steps.count, sizeof *pdom->steps.at, by_step);
  qsort(ssy->steps.at, ssy->steps.count, sizeof *ssy->steps.at, by_step);
  flow_same_steps(pdom, ssy, "the blocks of pdom and ssy", seed);
  if (pdom->counts.reconvergences != ssy->counts.reconvergences)
    fail_msg("seed %llu: pdom has %llu reconvergences, ssy %llu", (unsigned long long)seed,
             (unsigned long long)pdom->counts.reconvergences,
             (unsigned long long)ssy->counts.reconvergences);
}

static int by_blocks(const void *a, const void *b) {
  const FlowPath *x = a, *y = b;
  for (uint32_t i = 0; i < x->blocks.count && i < y->blocks.count; i++)
    if (x->blocks.at[i] != y->blocks.at[i])
      return x->blocks.at[i] < y->blocks.at[i] ? -1 : 1;
  return x->blocks.count < y->blocks.count ? -1 : x->blocks.count > y->blocks.count;
}

/* Instructions in the trie of the lanes' paths. In sorted order, each path adds what follows its
 * common prefix with the one before. */
static uint64_t trie_size(SrArena *arena, const EmuBlockTable *table, const FlowTrace *t,
                          uint32_t lanes) {
  FlowPath *paths = SR_NEW(arena, FlowPath, lanes);
  memcpy(paths, t->paths, lanes * sizeof *paths);
  qsort(paths, lanes, sizeof *paths, by_blocks);
  uint64_t size = 0;
  for (uint32_t i = 0; i < lanes; i++) {
    uint32_t at = 0;
    while (i && at < paths[i].blocks.count && at < paths[i - 1].blocks.count &&
           paths[i].blocks.at[at] == paths[i - 1].blocks.at[at])
      at++;
    for (; at < paths[i].blocks.count; at++)
      size += table->issues[paths[i].blocks.at[at]];
  }
  return size;
}

static EmuOptimum optimum_of(SrArena *arena, const EmuBlockTable *table, const FlowTrace *t,
                             uint32_t lanes, uint32_t budget) {
  EmuPath *paths = SR_NEW(arena, EmuPath, lanes);
  for (uint32_t i = 0; i < lanes; i++)
    paths[i] = (EmuPath){t->paths[i].blocks.at, t->paths[i].blocks.count};
  return emu_optimum(arena, paths, lanes, table->issues, budget);
}

static const uint32_t sizes[] = {1, 3, 4, 8, 32, 64, 65, 130};

/* Compares all policies that apply with `none`. Returns the trace of `maximal`. */
static FlowTrace *check_policies(SrArena *arena, const EmuBlockTable *table, uint64_t seed,
                                 uint32_t lanes, FlowTrace **structured) {
  FlowRandom random = flow_random(arena, table, seed, 6);
  FlowTrace *none = flow_run(arena, table, &emu_policy_none, lanes, flow_random_choose, &random);
  FlowTrace *stack = NULL, *maximal = NULL, *pdom = NULL;
  EmuOptimum opt = optimum_of(arena, table, none, lanes, 300);
  if (none->issues != trie_size(arena, table, none, lanes))
    fail_msg("seed %llu: none is not the size of the trie", (unsigned long long)seed);
  for (uint32_t i = 1; emu_policy_at(i); i++) {
    const EmuPolicy *policy = emu_policy_at(i);
    if (policy->refuses(arena, table))
      continue;
    FlowTrace *t = flow_run(arena, table, policy, lanes, flow_random_choose, &random);
    flow_same_paths(none, t, lanes, policy->name, seed);
    if (opt.issues > t->issues)
      fail_msg("seed %llu: %s beats the optimum", (unsigned long long)seed, policy->name);
    if (policy == &emu_policy_tf_stack)
      stack = t;
    if (policy == &emu_policy_pdom)
      pdom = t;
    if (policy == &emu_policy_ssy)
      same_blocks(pdom, t, seed);
    if (policy == &emu_policy_tf_sandy)
      flow_same_steps(stack, t, "tf-stack and tf-sandy", seed);
    if (policy == &emu_policy_maximal)
      maximal = t;
    if (policy == &emu_policy_structured)
      *structured = t;
    if (policy != &emu_policy_ssy && t->counts.max_depth == 0)
      fail_msg("seed %llu: %s has no depth", (unsigned long long)seed, policy->name);
    if (t->counts.pushes != t->counts.pops)
      fail_msg("seed %llu: %s pushes %llu, pops %llu", (unsigned long long)seed, policy->name,
               (unsigned long long)t->counts.pushes, (unsigned long long)t->counts.pops);
  }
  FlowTrace *oracle =
      flow_run(arena, table, &flow_oracle_maximal, lanes, flow_random_choose, &random);
  flow_same_steps(oracle, maximal, "maximal and its definition", seed);
  return maximal;
}

/* A conservative branch goes to a target of the branch, or to where a lane may wait. */
static void check_noops(SrArena *arena, const EmuBlockTable *table, const FlowTrace *t,
                        uint64_t seed) {
  SrFrontiers f = sr_frontier_sets(arena, table->graph, table->order, table->count);
  for (uint32_t i = 1; i < t->steps.count; i++) {
    uint32_t from = t->steps.at[i - 1].block, to = t->steps.at[i].block;
    if (t->steps.at[i].lanes || !t->steps.at[i - 1].lanes)
      continue;
    bool fits = sr_in_frontier(&f, from, to);
    for (SR_SUCCS(s, table->graph, from))
      fits |= *s == to;
    if (!fits)
      fail_msg("seed %llu: tf-sandy goes from %u to %u, where no lane can wait",
               (unsigned long long)seed, from, to);
  }
}

/* What tf-stack and tf-sandy did with the lanes of a seed. */
typedef struct Skips {
  uint64_t seed;
  uint32_t lanes;
  const FlowTrace *stack, *sandy;
} Skips;

static uint64_t skipped; /* no-ops that --sandy-empty=frontier saves */
static uint64_t fixed;   /* no-ops that --sandy-branch=static adds */

/* Runs tf-sandy with the options --sandy-empty and --sandy-branch: it passes no lane by. */
static const FlowTrace *run_sandy(SrArena *arena, const EmuBlockTable *of, const Skips *s,
                                  const char *empty, const char *branch) {
  EmuBlockTable table = *of;
  table.choices = (const char *const[]){empty, branch};
  FlowRandom random = flow_random(arena, &table, s->seed, 6);
  FlowTrace *t =
      flow_run(arena, &table, &emu_policy_tf_sandy, s->lanes, flow_random_choose, &random);
  flow_same_steps(s->stack, t, "tf-stack and tf-sandy with options", s->seed);
  return t;
}

/* With --sandy-branch=static at least as many empty blocks run. */
static void check_static(SrArena *arena, const EmuBlockTable *of, const Skips *s) {
  const FlowTrace *t = run_sandy(arena, of, s, NULL, "static");
  if (t->noops < s->sandy->noops)
    fail_msg("seed %llu: %llu no-ops, not %llu", (unsigned long long)s->seed,
             (unsigned long long)t->noops, (unsigned long long)s->sandy->noops);
  fixed += t->noops - s->sandy->noops;
}

/* With --sandy-empty=frontier fewer empty blocks run. */
static void check_skips(SrArena *arena, const EmuBlockTable *of, const Skips *s) {
  const FlowTrace *t = run_sandy(arena, of, s, "frontier", NULL);
  if (t->noops > s->sandy->noops)
    fail_msg("seed %llu: %llu no-ops, not %llu", (unsigned long long)s->seed,
             (unsigned long long)t->noops, (unsigned long long)s->sandy->noops);
  skipped += s->sandy->noops - t->noops;
}

/* The thread frontier policies with the blocks in a random order. */
static void check_any_order(SrArena *arena, const EmuBlockTable *of, uint64_t seed,
                            uint32_t lanes) {
  uint64_t rng = seed;
  uint32_t *order = SR_NEW_RAW(arena, uint32_t, of->count);
  uint32_t *priority = SR_NEW_RAW(arena, uint32_t, of->count);
  for (uint32_t i = 0; i < of->count; i++) {
    uint32_t k = unit_below(&rng, i + 1);
    order[i] = order[k];
    order[k] = i;
  }
  for (uint32_t i = 0; i < of->count; i++)
    priority[order[i]] = i;
  EmuBlockTable table = *of;
  table.order = order;
  table.priority = priority;
  if (emu_policy_tf_stack.refuses(arena, &table))
    return;
  FlowRandom random = flow_random(arena, &table, seed, 6);
  FlowTrace *stack =
      flow_run(arena, &table, &emu_policy_tf_stack, lanes, flow_random_choose, &random);
  FlowTrace *sandy =
      flow_run(arena, &table, &emu_policy_tf_sandy, lanes, flow_random_choose, &random);
  flow_same_steps(stack, sandy, "tf-stack and tf-sandy in another order", seed);
  check_noops(arena, &table, sandy, seed);
  check_skips(arena, &table, &(Skips){seed, lanes, stack, sandy});
  check_static(arena, &table, &(Skips){seed, lanes, stack, sandy});
}

/* If `maximal` always has all lanes at a block, in one iteration of one call, a valid program may
 * have a barrier there: thread frontiers must not reach it with fewer lanes. */
static void check_barriers(SrArena *arena, EmuBlockTable *table, const FlowTrace *maximal,
                           uint64_t seed, uint32_t lanes) {
  bool *stops = SR_NEW_RAW(arena, bool, table->count);
  memset(stops, true, table->count);
  for (uint32_t i = 0; i < maximal->steps.count; i++)
    stops[maximal->steps.at[i].block] &= maximal->steps.at[i].lanes == lanes;
  flow_set_barriers(arena, table, stops);
  FlowRandom random = flow_random(arena, table, seed, 6);
  FlowTrace *t = flow_run(arena, table, &emu_policy_tf_stack, lanes, flow_random_choose, &random);
  for (uint32_t i = 0; i < t->steps.count; i++)
    if (stops[t->steps.at[i].block] && t->steps.at[i].lanes != lanes)
      fail_msg("seed %llu: %u lanes of %u at the barrier in block %u", (unsigned long long)seed,
               t->steps.at[i].lanes, lanes, t->steps.at[i].block);
}

static void any_graph(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= unit_seeds(3000); seed++) {
    Fixture fixture;
    SrArena *arena = set_up(&fixture);
    FlowTrace *structured = NULL;
    EmuBlockTable *table = flow_gen_any(arena, seed, 3 + (uint32_t)(seed % 30));
    FlowTrace *maximal = check_policies(arena, table, seed, sizes[seed % 8], &structured);
    check_any_order(arena, table, seed, sizes[seed % 8]);
    check_barriers(arena, table, maximal, seed, sizes[seed % 8]);
    tear_down(&fixture);
  }
  assert_true(skipped > 1000 && fixed > 1000);
}

static void structured_programs(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= unit_seeds(4000); seed++) {
    Fixture fixture;
    SrArena *arena = set_up(&fixture);
    FlowTrace *structured = NULL;
    EmuBlockTable *table = flow_gen_structured(arena, seed, 3 + (uint32_t)(seed % 60), NULL);
    FlowTrace *maximal = check_policies(arena, table, seed, sizes[seed % 8], &structured);
    flow_same_steps(structured, maximal, "structured and maximal", seed);
    if (structured->counts.reconvergences != maximal->counts.reconvergences)
      fail_msg("seed %llu: reconvergences differ", (unsigned long long)seed);
    check_barriers(arena, table, maximal, seed, sizes[seed % 8]);
    tear_down(&fixture);
  }
}

static void a_thousand_lanes(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    Fixture fixture;
    SrArena *arena = set_up(&fixture);
    FlowTrace *structured = NULL;
    EmuBlockTable *table = flow_gen_structured(arena, seed, 40, NULL);
    FlowTrace *maximal = check_policies(arena, table, seed, 1000, &structured);
    flow_same_steps(structured, maximal, "structured and maximal", seed);
    tear_down(&fixture);
  }
}

/* A policy's state is used for one subgroup after the other; counts accumulate. */
static void states_are_used_again(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  EmuBlockTable *table = flow_parse(arena, figure1, false, NULL);
  for (uint32_t i = 0; emu_policy_at(i); i++) {
    const EmuPolicy *policy = emu_policy_at(i);
    if (policy->refuses(arena, table))
      continue;
    EmuPolicyCounts counts = {0};
    void *p = policy->create(arena, table, emu_policy_plan(policy, arena, table), 8, &counts);
    EmuMask on = {0}, none = {0};
    uint32_t block;
    policy->start(p, &none);
    assert_false(policy->next(p, &block, &on));
    on.w[0] = 0xa5;
    for (uint32_t round = 0; round < 3; round++) {
      EmuMask got;
      EmuTarget side[2] = {{1, {{0x21}}}, {2, {{0x84}}}};
      EmuWent went = {.kind = EMU_WENT_BRANCH, .count = 2, .targets = side};
      policy->start(p, &on);
      assert_true(policy->next(p, &block, &got));
      assert_int_equal(block, 0);
      assert_int_equal(got.w[0], 0xa5);
      policy->went(p, &went); /* left unfinished: the next start resets it */
    }
    assert_ptr_equal(emu_policy_find(policy->name), policy);
  }
  assert_null(emu_policy_find("opt"));
  tear_down(&fixture);
}

typedef struct Told {
  uint32_t groups;
  uint64_t lanes;
} Told;

static void count_told(void *user, uint32_t block, const EmuMask *lanes) {
  Told *told = user;
  (void)block;
  assert_int_equal(told->lanes & lanes->w[0], 0);
  told->groups++;
  told->lanes |= lanes->w[0];
}

/* Running and waiting lanes together are all lanes that have not ended. */
static void waiting_lanes_are_told(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  EmuBlockTable *table = flow_parse(arena, "A: B C | M\nB: M\nC: M\nM:\n", true, NULL);
  for (uint32_t i = 1; emu_policy_at(i); i++) {
    const EmuPolicy *policy = emu_policy_at(i);
    EmuPolicyCounts counts = {0};
    if (policy == &emu_policy_exec) /* runs a program, not a graph: test_exec.c */
      continue;
    void *p = policy->create(arena, table, emu_policy_plan(policy, arena, table), 8, &counts);
    EmuMask on = {{0xff}};
    EmuTarget side[2] = {{1, {{0x0f}}}, {2, {{0xf0}}}};
    EmuWent went = {.kind = EMU_WENT_BRANCH, .count = 2, .targets = side};
    uint32_t block;
    policy->start(p, &on);
    policy->went(p, &went);
    assert_true(policy->next(p, &block, &on));
    assert_int_equal(block, 1);
    Told told = {0};
    policy->waiting(p, count_told, &told);
    assert_int_equal(told.groups, 1);
    assert_int_equal(told.lanes, 0xf0);
    side[0] = (EmuTarget){3, {{0x0f}}};
    went.count = 1;
    policy->went(p, &went);
    assert_true(policy->next(p, &block, &on));
    told = (Told){0};
    policy->waiting(p, count_told, &told);
    assert_int_equal(told.lanes ^ on.w[0], 0xff);
  }
  tear_down(&fixture);
}

/* ---- large programs -------------------------------------------------------------------------- */

static void deep_nest(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  EmuBlockTable *table = flow_gen_nest(arena, 5000);
  FlowRandom random = flow_random(arena, table, 1, 1);
  FlowTrace *none = flow_run(arena, table, &emu_policy_none, 4, flow_random_choose, &random);
  const EmuPolicy *policies[] = {&emu_policy_pdom, &emu_policy_tf_stack, &emu_policy_structured,
                                 &emu_policy_maximal};
  for (uint32_t i = 0; i < 4; i++)
    flow_same_paths(none, flow_run(arena, table, policies[i], 4, flow_random_choose, &random), 4,
                    policies[i]->name, 1);
  tear_down(&fixture);
}

/* Lanes go directly to the innermost construct, so that all constructs are open together. */
static uint32_t go_in(void *user, uint32_t lane, uint32_t block, uint32_t visit) {
  (void)user;
  (void)lane;
  (void)block;
  return visit > 0;
}

static void deep_stack(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  EmuBlockTable *table = flow_gen_nest(arena, 5000);
  FlowTrace *structured = flow_run(arena, table, &emu_policy_structured, 4, go_in, NULL);
  FlowTrace *maximal = flow_run(arena, table, &emu_policy_maximal, 4, go_in, NULL);
  assert_int_equal(structured->counts.max_depth, 5001);
  flow_same_steps(structured, maximal, "structured and maximal", 0);
  tear_down(&fixture);
}

static void long_chain(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  EmuBlockTable *table = flow_gen_chain(arena, 100000);
  for (uint32_t i = 0; emu_policy_at(i); i++) {
    if (emu_policy_at(i) == &emu_policy_tf_sandy) {
      assert_string_equal(emu_policy_tf_sandy.refuses(arena, table),
                          "the program has 100000 blocks; tf-sandy takes 20000 at most, since the "
                          "thread frontiers' memory is quadratic");
      continue;
    }
    if (emu_policy_at(i) == &emu_policy_exec) /* runs a program, not a graph: test_exec.c */
      continue;
    FlowTrace *t = flow_run(arena, table, emu_policy_at(i), 2, go_in, NULL);
    assert_int_equal(t->issues, 100000);
    assert_int_equal(t->counts.max_depth, emu_policy_at(i) != &emu_policy_ssy);
  }
  tear_down(&fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(thread_frontiers_of_figure_1),
      cmocka_unit_test(pdom_of_figure_1),
      cmocka_unit_test(none_of_figure_1),
      cmocka_unit_test(barrier_after_an_exception),
      cmocka_unit_test(barrier_in_a_loop),
      cmocka_unit_test(conservative_branches),
      cmocka_unit_test(next_block_not_in_the_frontier),
      cmocka_unit_test(compound_condition),
      cmocka_unit_test(break_blocks_stay_apart),
      cmocka_unit_test(switch_cases_fall_through),
      cmocka_unit_test(leaving_several_constructs),
      cmocka_unit_test(calls_are_regions),
      cmocka_unit_test(unstructured_is_refused),
      cmocka_unit_test(any_graph),
      cmocka_unit_test(structured_programs),
      cmocka_unit_test(a_thousand_lanes),
      cmocka_unit_test(states_are_used_again),
      cmocka_unit_test(waiting_lanes_are_told),
      cmocka_unit_test(deep_nest),
      cmocka_unit_test(deep_stack),
      cmocka_unit_test(long_chain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
