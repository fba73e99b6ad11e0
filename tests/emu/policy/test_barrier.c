/* SPDX-License-Identifier: Apache-2.0 */
/* Convergence barriers: their placements as text, and on random programs compared with the policies
 * that reconverge at the same places. */
#include "spv-emu/policy/barrier/barrier_place.h"
#include "spv-emu/policy/table/policy_table.h"
#include "tests/emu/flow_case.h"
#include "tests/emu/flow_fixture.h"
#include "tests/emu/flow_gen.h"
#include "tests/emu/flow_run.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

/* ---- helpers --------------------------------------------------------------------------------- */

static const uint32_t sizes[] = {1, 3, 4, 8, 32, 64, 65, 130};

static FlowTrace *run_barriers(SrArena *arena, EmuBlockTable *table, FlowRandom *random,
                               uint32_t lanes, EmuBarrierPlacement placement,
                               EmuBarrierScheduling scheduling) {
  const char *why;
  table->program = emu_barriers_place(arena, table, placement, scheduling, &why);
  if (!table->program)
    fail_msg("%s", why);
  FlowTrace *t = flow_run(arena, table, &emu_policy_barrier, lanes, flow_random_choose, random);
  table->program = NULL;
  return t;
}

/* ---- placements ------------------------------------------------------------------------------ */

static const char figure1[] = "BB1: BB3 BB2\nBB2: Exit BB3\nBB3: BB4 BB5\nBB4: BB5 Exit\n"
                              "BB5: Exit\nExit:\n";
static const char figure1_paths[] =
    "BB1 BB3 BB4 BB5 Exit | BB1 BB2 Exit | BB1 BB2 BB3 BB5 Exit | BB1 BB2 BB3 BB4 Exit";

/* Blocks are %1000, %1001, … in text order. */
static void expect_placed(const char *text, bool structured, EmuBarrierPlacement placement,
                          const char *listing) {
  Fixture f;
  SrArena *arena = set_up(&f);
  const EmuBlockTable *table = flow_parse(arena, text, structured, NULL);
  const char *why;
  const EmuBarriers *barriers = emu_barriers_place(arena, table, placement, EMU_BARRIER_LIFO, &why);
  if (!barriers)
    fail_msg("%s", why);
  SrText got = {.arena = arena};
  emu_barriers_print(barriers, table, &got);
  assert_string_equal(sr_text_end(&got), listing);
  tear_down(&f);
}

/* All branches of figure 1 of the paper on thread frontiers reconverge at Exit. */
static void figure_1_at_post_dominators(void **state) {
  (void)state;
  expect_placed(figure1, false, EMU_BARRIER_IPDOM,
                "scheduling lifo\nstart %1000\n\n"
                "function %100\n"
                "%1000:     ...  ; 1 to issue\n"
                "           BSSY B0, %1005\n"
                "           @P   BRA  %1002, else %1001\n"
                "%1001:     ...  ; 1 to issue\n"
                "           @P   BRA  %1005 by .1, else %1002\n"
                "%1002:     ...  ; 1 to issue\n"
                "           @P   BRA  %1003, else %1004\n"
                "%1003:     ...  ; 1 to issue\n"
                "           @P   BRA  %1004, else %1005 by .1\n"
                "%1004:     ...  ; 1 to issue\n"
                "           BRA  %1005 by .1\n"
                ".1:        BSYNC B0\n"
                "%1005:     ...  ; 1 to issue\n"
                "           EXIT\n");
}

/* The thread frontiers of the figure: BB3 of BB2, BB5 of BB4, Exit of all others. */
static void figure_1_at_frontiers(void **state) {
  (void)state;
  expect_placed(figure1, false, EMU_BARRIER_FRONTIER,
                "scheduling lifo\nstart %1000\n\n"
                "function %100\n"
                "%1000:     ...  ; 1 to issue\n"
                "           BSSY B2, %1002\n"
                "           BSSY B1, %1004\n"
                "           BSSY B0, %1005\n"
                "           @P   BRA  %1002 by .1, else %1001\n"
                "%1001:     ...  ; 1 to issue\n"
                "           @P   BRA  %1005 by .2, else %1002 by .1\n"
                ".1:        BSYNC B2\n"
                "%1002:     ...  ; 1 to issue\n"
                "           @P   BRA  %1003, else %1004 by .3\n"
                "%1003:     ...  ; 1 to issue\n"
                "           @P   BRA  %1004 by .3, else %1005 by .4\n"
                ".3:        BSYNC B1\n"
                "%1004:     ...  ; 1 to issue\n"
                "           BRA  %1005 by .5\n"
                ".5:        BSYNC B0\n"
                "%1005:     ...  ; 1 to issue\n"
                "           EXIT\n"
                ".2:        BREAK B2\n"
                "           BREAK B1\n"
                "           BRA  .5\n"
                ".4:        BREAK B1\n"
                "           BRA  .5\n");
}

/* A break out of a selection in a loop: through the BSYNCs of the selection and of the continue
 * target, with the depth of the break scope, 1, in ESC. */
static void break_from_a_selection(void **state) {
  (void)state;
  expect_placed("A: H\nH: S | M K\nS: T J | J\nT: M J\nJ: K\nK: H\nM:\n", true, EMU_BARRIER_NAK,
                "scheduling lifo\nstart %1000\n\n"
                "function %100\n"
                "%1000:     ...  ; 1 to issue\n"
                "           BRA  %1001 by .1\n"
                ".1:        BSSY B0, %1006\n"
                ".8:        BSSY B1, %1005\n"
                "%1001:     ...  ; 1 to issue\n"
                "           BRA  %1002\n"
                "%1002:     ...  ; 1 to issue\n"
                "           BSSY B2, %1004\n"
                "           @P   BRA  %1003, else %1004 by .2\n"
                "%1003:     ...  ; 1 to issue\n"
                "           @P   BRA  %1006 by .4, else %1004 by .3\n"
                ".9:        BSYNC B2\n"
                "           BRA.ESC 3, .5\n"
                "%1004:     ...  ; 1 to issue\n"
                "           BRA  %1005 by .6\n"
                ".5:        BSYNC B1\n"
                "           BRA.ESC 2, .7\n"
                "%1005:     ...  ; 1 to issue\n"
                "           BRA  %1001 by .8\n"
                ".7:        BSYNC B0\n"
                "%1006:     ...  ; 1 to issue\n"
                "           EXIT\n"
                ".2:        MOV ESC, none\n"
                "           BRA  .9\n"
                ".4:        MOV ESC, 1\n"
                "           BRA  .9\n"
                ".3:        MOV ESC, none\n"
                "           BRA  .9\n"
                ".6:        MOV ESC, none\n"
                "           BRA  .5\n");
}

/* ---- runs ------------------------------------------------------------------------------------ */

static FlowCase follow(SrArena *arena, const char *text, bool structured,
                       EmuBarrierPlacement placement, EmuBarrierScheduling scheduling,
                       const char *paths) {
  FlowCase c = {0};
  const char *why;
  c.table = flow_parse(arena, text, structured, &c.build);
  c.table->program = emu_barriers_place(arena, c.table, placement, scheduling, &why);
  FlowScript script = flow_script(arena, c.table, &c.build, paths);
  c.trace =
      flow_run(arena, c.table, &emu_policy_barrier, script.count, flow_script_choose, &script);
  return c;
}

/* C falls through into L, a loop of one block, which is its own continue target: lanes of C and of
 * the header meet before the loop. */
static void falls_into_a_loop(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  FlowCase c = follow(arena, "A: L C | M\nC: L M\nL: X L | X L\nX: M\nM:\n", true, EMU_BARRIER_NAK,
                      EMU_BARRIER_LIFO, "A L X M | A C L L X M | A C M");
  flow_expect_steps(arena, &c, "A:7 C:6 L:3 L:2 X:3 M:7");
  tear_down(&fixture);
}

/* The figure by hand: with post-dominators three blocks run twice, with frontiers all run once. */
static void runs_of_figure_1(void **state) {
  (void)state;
  Fixture f;
  SrArena *arena = set_up(&f);
  FlowCase c = follow(arena, figure1, false, EMU_BARRIER_IPDOM, EMU_BARRIER_LIFO, figure1_paths);
  flow_expect_steps(arena, &c, "BB1:f BB3:1 BB4:1 BB5:1 BB2:e BB3:c BB4:8 BB5:4 Exit:f");
  assert_int_equal(c.trace->counts.added, 1 + 4); /* BSSY; BSYNC by each group */
  assert_int_equal(c.trace->counts.most_barriers, 1);
  c = follow(arena, figure1, false, EMU_BARRIER_FRONTIER, EMU_BARRIER_LIFO, figure1_paths);
  flow_expect_steps(arena, &c, "BB1:f BB2:e BB3:d BB4:9 BB5:5 Exit:f");
  assert_int_equal(c.trace->counts.reconvergences, 4);
  /* 3 BSSY; T0 and the other two at BB3; T1's BREAKs; BB5 from both sides; T3's BREAK; Exit */
  assert_int_equal(c.trace->counts.added, 3 + 2 + 2 + 2 + 1 + 3);
  assert_int_equal(c.trace->counts.most_barriers, 3);
  tear_down(&f);
}

/* An inner loop, B to F, in an outer one. A lane that has left it takes its next iteration of the
 * outer loop, and the other one waits for it at B. */
static void lanes_of_several_iterations(void **state) {
  (void)state;
  static const char text[] = "S: A\nA: B X\nB: C\nC: D\nD: E\nE: F\nF: B L\nL: A\nX:\n";
  static const char paths[] = "S A B C D E F B C D E F L A B C D E F L A X | "
                              "S A B C D E F L A B C D E F B C D E F L A X";
  Fixture f;
  SrArena *arena = set_up(&f);
  FlowCase c = follow(arena, text, false, EMU_BARRIER_IPDOM, EMU_BARRIER_LIFO, paths);
  flow_expect_steps(arena, &c,
                    "S:3 A:3 B:3 C:3 D:3 E:3 F:3 B:1 C:1 D:1 E:1 F:1 L:3 A:3 "
                    "B:3 C:3 D:3 E:3 F:3 B:2 C:2 D:2 E:2 F:2 L:3 A:3 X:3");
  c = follow(arena, text, false, EMU_BARRIER_SPECULATIVE, EMU_BARRIER_LIFO, paths);
  flow_expect_steps(arena, &c,
                    "S:3 A:3 B:3 C:3 D:3 E:3 F:3 L:2 A:2 B:3 C:3 D:3 E:3 F:3 "
                    "L:1 A:1 B:3 C:3 D:3 E:3 F:3 L:3 A:3 X:3");
  tear_down(&f);
}

/* Sides take turns under round-robin; under oldest a side runs until it waits. */
static void schedulings(void **state) {
  (void)state;
  static const char text[] = "A: B C\nB: D\nC: E\nD: F\nE: F\nF:\n";
  static const char paths[] = "A B D F | A C E F";
  static const char *const steps[] = {"A:3 B:1 D:1 C:2 E:2 F:3", "A:3 B:1 C:2 D:1 E:2 F:3",
                                      "A:3 B:1 D:1 C:2 E:2 F:3"};
  for (EmuBarrierScheduling s = EMU_BARRIER_LIFO; s <= EMU_BARRIER_OLDEST; s++) {
    Fixture f;
    SrArena *arena = set_up(&f);
    FlowCase c = follow(arena, text, false, EMU_BARRIER_IPDOM, s, paths);
    flow_expect_steps(arena, &c, steps[s]);
    tear_down(&f);
  }
}

/* Barriers beyond the sixteenth register are moved after BSSY and before BSYNC. */
static void spills(void **state) {
  (void)state;
  Fixture f;
  SrArena *arena = set_up(&f);
  enum { DEEP = 20 };
  FlowBuild b = {.arena = arena};
  uint32_t head[DEEP], join[DEEP];
  for (uint32_t i = 0; i < DEEP; i++) {
    head[i] = flow_block(&b, 0);
    join[i] = flow_block(&b, 0);
  }
  for (uint32_t i = 0; i < DEEP; i++) {
    flow_edge(&b, head[i], i + 1 < DEEP ? head[i + 1] : flow_block(&b, 0));
    flow_edge(&b, head[i], join[i]);
    if (i)
      flow_edge(&b, join[i], join[i - 1]);
  }
  flow_edge(&b, 2 * DEEP, join[DEEP - 1]);
  EmuBlockTable *table = flow_finish(&b);
  FlowRandom random = flow_random(arena, table, 1, 6);
  FlowTrace *t = run_barriers(arena, table, &random, 1, EMU_BARRIER_IPDOM, EMU_BARRIER_LIFO);
  assert_true(t->counts.most_barriers <= DEEP);
  uint64_t spilled = t->counts.most_barriers > 16 ? 2 * (t->counts.most_barriers - 16) : 0;
  assert_int_equal(t->counts.barrier_spills, spilled);
  tear_down(&f);
}

/* ---- edited listings ------------------------------------------------------------------------- */

static const char listing[] = "scheduling lifo\nstart %1000\nfunction main\n"
                              "%1000: ...\nBSSY B0, %1002\n@P BRA %1001, else %1002 by .1\n"
                              "%1001: ...\nBRA %1002 by .1\n"
                              ".1: BSYNC B0 ; both sides\n%1002: ...\nEXIT\n";

static char *edited(SrArena *arena, const char *from, const char *to) {
  SrText text = {.arena = arena};
  const char *at = strstr(listing, from);
  assert_non_null(at);
  sr_text_put(&text, listing, (size_t)(at - listing));
  sr_text_add(&text, "%s%s", to, at + strlen(from));
  return sr_text_end(&text);
}

/* The listing with one change: blocks that run, or the message. */
static void expect_edited(const char *from, const char *to, const char *steps,
                          const char *message) {
  Fixture f;
  SrArena *arena = set_up(&f);
  FlowCase c = {0};
  const char *why;
  c.table = flow_parse(arena, "A: B C\nB: C\nC:\n", false, &c.build);
  c.table->program = emu_barriers_read(arena, c.table, edited(arena, from, to), &why);
  if (message) {
    assert_null(c.table->program);
    assert_string_equal(why, message);
  } else {
    if (!c.table->program)
      fail_msg("%s", why);
    FlowScript script = flow_script(arena, c.table, &c.build, "A B C | A C");
    c.trace = flow_run(arena, c.table, &emu_policy_barrier, 2, flow_script_choose, &script);
    flow_expect_steps(arena, &c, steps);
  }
  tear_down(&f);
}

static void edited_listings(void **state) {
  (void)state;
  expect_edited("lifo", "lifo", "A:3 B:1 C:3", NULL);
  expect_edited("BSSY B0, %1002\n", "", "A:3 B:1 C:1 C:2", NULL);
  expect_edited("%1001, else %1002 by .1", "%1002 by .1, else %1001", "A:3 B:1 C:3", NULL);
  expect_edited("%1002 by .1\n", "%1002\n", "A:3 B:1 C:2 C:1", NULL);
  expect_edited("BRA %1002 by .1\n.1: BSYNC B0", "BRA %1002 by .2\n.2: BREAK B0\n.1: BSYNC B0",
                "A:3 B:1 C:1 C:2", NULL);
}

static void wrong_listings(void **state) {
  (void)state;
#define WRONG(from, to, line, text)                                                                \
  expect_edited(from, to, NULL, "barrier listing, line " line ": " text)
  WRONG("lifo", "fifo", "1", "scheduling is lifo, round-robin or oldest");
  WRONG("start %1000\n", "", "10", "it does not say where lanes start: start %12");
  WRONG("start %1000", "start 1000", "2", "a block is missing, such as %12");
  WRONG("start %1000", "start %7", "2", "the program has no such block");
  WRONG("%1000: ...", "%1000:", "4", "a body looks like %12: ...");
  WRONG("BSSY B0", "BSSY 0", "5", "a barrier is missing, such as B0");
  WRONG("BSSY B0, %1002", "BSSY B0", "5", "BSSY names a barrier and a block: BSSY B0, %12");
  WRONG("BSSY B0", "BSSY B99999999", "5", "a number is missing or too large");
  WRONG("BSSY B0, %1002", "YIELD", "5",
        "only BSSY, BREAK and BMOV can be between a body and its last instruction");
  WRONG("BSYNC B0", "BSYNC B0 B1", "9", "there is text after the instruction");
  WRONG("BSYNC B0", "HALT", "9", "an unknown instruction");
  WRONG("BSYNC B0", "BRA.ESC 2", "9", "BRA.ESC names a depth and a place: BRA.ESC 2, .5");
  WRONG(".1: BSYNC B0", ".1 BSYNC B0", "9", "a label ends in a colon");
  WRONG(".1: BSYNC B0", ".1: BSYNC B0\n.1: YIELD", "10", "the label is defined twice");
  WRONG(".1: BSYNC B0", ".2: BSYNC B0", "6", "the label is not defined");
  WRONG(".1: BSYNC B0", ".1: YIELD\nBRA .1\n.2: YIELD", "13",
        "the program has a cycle without a body");
  WRONG("BRA %1002 by .1\n", "BRA %1001\n", "8", "the block does not branch there");
  WRONG("BRA %1002 by .1\n", "EXIT\n", "8", "the block does not end here");
  WRONG("BRA %1002 by .1\n", "CALL %1002, then %1000\n", "8",
        "the block does not end in this call");
  WRONG("BRA %1002 by .1\n", "CALL %1002\n", "8",
        "CALL names the callee's entry and the block after it");
  WRONG("%1001, else %1002 by .1", "%1001", "6", "the block does not end in this branch");
  WRONG("%1001, else %1002 by .1", "%1001, else %1001", "6", "the branch names a block twice");
  WRONG("%1001: ...", "%1000: ...", "7", "the block has two bodies");
  WRONG("@P BRA %1001, else %1002 by .1\n", "", "6",
        "the body before this one has no last instruction");
  WRONG("EXIT\n", "", "10", "the program runs past its end");
  WRONG("%1001: ...\nBRA %1002 by .1\n", "", "6", "the block has no body");
#undef WRONG
}

/* ---- random programs ------------------------------------------------------------------------- */

static int by_step(const void *a, const void *b) {
  const FlowStep *x = a, *y = b;
  if (x->block != y->block)
    return x->block < y->block ? -1 : 1;
  return (x->mask > y->mask) - (x->mask < y->mask);
}

/* The same blocks with the same lanes, in another order. */
static void same_tangles(FlowTrace *a, FlowTrace *b, const char *what, uint64_t seed) {
  qsort(a->steps.at, a->steps.count, sizeof *a->steps.at, by_step);
  qsort(b->steps.at, b->steps.count, sizeof *b->steps.at, by_step);
  for (uint32_t i = 0; i < a->steps.count && i < b->steps.count; i++)
    if (by_step(&a->steps.at[i], &b->steps.at[i]) != 0)
      fail_msg("seed %llu: %s: block %u with %u lanes, %u with %u", (unsigned long long)seed, what,
               a->steps.at[i].block, a->steps.at[i].lanes, b->steps.at[i].block,
               b->steps.at[i].lanes);
  if (a->steps.count != b->steps.count)
    fail_msg("seed %llu: %s: %u blocks, %u", (unsigned long long)seed, what, a->steps.count,
             b->steps.count);
}

static void same_order(const FlowTrace *a, const FlowTrace *b, const char *what, uint64_t seed) {
  for (uint32_t i = 0; i < a->steps.count && i < b->steps.count; i++)
    if (by_step(&a->steps.at[i], &b->steps.at[i]) != 0)
      fail_msg("seed %llu: %s: step %u is block %u with %u lanes, %u with %u",
               (unsigned long long)seed, what, i, a->steps.at[i].block, a->steps.at[i].lanes,
               b->steps.at[i].block, b->steps.at[i].lanes);
  assert_int_equal(a->steps.count, b->steps.count);
}

/* A listing that is read back is the same program. */
static void through_listing(SrArena *arena, EmuBlockTable *table, FlowRandom *random,
                            uint32_t lanes, EmuBarrierPlacement placement, const FlowTrace *t,
                            uint64_t seed) {
  const char *why;
  const EmuBarriers *placed = emu_barriers_place(arena, table, placement, EMU_BARRIER_LIFO, &why);
  SrText text = {.arena = arena};
  emu_barriers_print(placed, table, &text);
  table->program = emu_barriers_read(arena, table, sr_text_end(&text), &why);
  if (!table->program)
    fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, why, text.at);
  same_order(t, flow_run(arena, table, &emu_policy_barrier, lanes, flow_random_choose, random),
             "a program and its listing", seed);
  table->program = NULL;
}

static uint64_t frontier_issues, stack_issues;
static uint32_t speculated; /* programs that `speculative` changed */

/* All placements and schedulings on one program. */
static void check_program(SrArena *arena, EmuBlockTable *table, uint64_t seed, uint32_t lanes,
                          bool structured) {
  FlowRandom random = flow_random(arena, table, seed, 6);
  FlowTrace *pdom = flow_run(arena, table, &emu_policy_pdom, lanes, flow_random_choose, &random);
  FlowTrace *stack =
      flow_run(arena, table, &emu_policy_tf_stack, lanes, flow_random_choose, &random);
  for (EmuBarrierPlacement at = structured ? EMU_BARRIER_NAK : EMU_BARRIER_IPDOM;
       at <= EMU_BARRIER_SPECULATIVE; at++) {
    for (EmuBarrierScheduling s = EMU_BARRIER_LIFO; s <= EMU_BARRIER_OLDEST; s++) {
      FlowTrace *t = run_barriers(arena, table, &random, lanes, at, s);
      flow_same_paths(pdom, t, lanes, "barrier", seed);
      if (s != EMU_BARRIER_LIFO)
        continue;
      through_listing(arena, table, &random, lanes, at, t, seed);
      if (at == EMU_BARRIER_IPDOM) {
        assert_int_equal(pdom->counts.reconvergences, t->counts.reconvergences);
        same_order(pdom, t, "pdom and ipdom", seed);
      } else if (at == EMU_BARRIER_NAK) {
        same_tangles(
            flow_run(arena, table, &emu_policy_structured, lanes, flow_random_choose, &random), t,
            "structured and nak", seed);
      } else if (at == EMU_BARRIER_SPECULATIVE) {
        speculated += t->issues != pdom->issues;
      } else {
        frontier_issues += t->issues;
        stack_issues += stack->issues;
      }
    }
  }
}

static void any_graph(void **state) {
  (void)state;
  frontier_issues = stack_issues = speculated = 0;
  for (uint64_t seed = 1; seed <= unit_seeds(5000); seed++) {
    Fixture fixture;
    SrArena *arena = set_up(&fixture);
    check_program(arena, flow_gen_any(arena, seed, 3 + (uint32_t)(seed % 30)), seed,
                  sizes[seed % 8], false);
    tear_down(&fixture);
  }
  print_message("frontier issues %.4f of tf-stack\n",
                (double)frontier_issues / (double)stack_issues);
  assert_true((double)frontier_issues < 1.05 * (double)stack_issues);
  print_message("speculative changed %u programs\n", speculated);
  assert_true(speculated > unit_seeds(100));
}

static void structured_programs(void **state) {
  (void)state;
  frontier_issues = stack_issues = speculated = 0;
  for (uint64_t seed = 1; seed <= unit_seeds(5000); seed++) {
    Fixture fixture;
    SrArena *arena = set_up(&fixture);
    check_program(arena, flow_gen_structured(arena, seed, 3 + (uint32_t)(seed % 60), NULL), seed,
                  sizes[seed % 8], true);
    tear_down(&fixture);
  }
  print_message("frontier issues %.4f of tf-stack\n",
                (double)frontier_issues / (double)stack_issues);
  assert_true((double)frontier_issues < 1.05 * (double)stack_issues);
  print_message("speculative changed %u programs\n", speculated);
  assert_true(speculated > unit_seeds(100));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_1_at_post_dominators),
      cmocka_unit_test(figure_1_at_frontiers),
      cmocka_unit_test(break_from_a_selection),
      cmocka_unit_test(falls_into_a_loop),
      cmocka_unit_test(runs_of_figure_1),
      cmocka_unit_test(lanes_of_several_iterations),
      cmocka_unit_test(schedulings),
      cmocka_unit_test(spills),
      cmocka_unit_test(edited_listings),
      cmocka_unit_test(wrong_listings),
      cmocka_unit_test(structured_programs),
      cmocka_unit_test(any_graph),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
