/* SPDX-License-Identifier: Apache-2.0 */
/* The policies that keep a program counter for each lane: minpc, stackless, jip. Small graphs by
 * hand, and random programs compared with the definitions lane by lane (flow_oracle_pc.h). */
#include "spv-emu/policy/jip/jip_place.h"
#include "spv-emu/policy/layout.h"
#include "spv-emu/policy/table/policy_table.h"
#include "tests/emu/flow_case.h"
#include "tests/emu/flow_fixture.h"
#include "tests/emu/flow_gen.h"
#include "tests/emu/flow_oracle_pc.h"
#include "tests/unit/unit.h"

static const EmuPolicy *const by_pc[] = {&emu_policy_minpc, &emu_policy_stackless, &emu_policy_jip};
enum { BY_PC = sizeof by_pc / sizeof *by_pc };

/* ---- graphs by hand -------------------------------------------------------------------------- */

/* Thread frontiers, figure 1, in the order of the paper: every block runs once. */
static const char figure1[] = "BB1: BB2 BB3\n"
                              "BB2: Exit BB3\n"
                              "BB3: BB4 BB5\n"
                              "BB4: BB5 Exit\n"
                              "BB5: Exit\n"
                              "Exit:\n";
static const char figure1_paths[] =
    "BB1 BB3 BB4 BB5 Exit | BB1 BB2 Exit | BB1 BB2 BB3 BB5 Exit | BB1 BB2 BB3 BB4 Exit";

static void figure_1_of_thread_frontiers(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  for (uint32_t i = 0; i < BY_PC; i++) {
    FlowCase c = flow_follow(arena, figure1, NULL, by_pc[i], figure1_paths);
    flow_expect_steps(arena, &c, "BB1:f BB2:e BB3:d BB4:9 BB5:5 Exit:f");
    assert_int_equal(c.trace->counts.reconvergences, 4);
    assert_int_equal(c.trace->counts.max_depth, 3);
    /* jip: joins in BB3, BB5 and Exit, each with lanes. */
    assert_int_equal(c.trace->counts.added, by_pc[i] == &emu_policy_jip ? 3 : 0);
  }
  tear_down(&fixture);
}

/* The example of Collange's report for stacks and program counters, four lanes:
 *
 *   A  x = 0; if (tid > 17)         no lane
 *   B    x = 1;
 *   C  if (tid < 2)                 lanes 0, 1
 *   D    if (tid == 0)              lane 0
 *   E      x = 2;
 *   F    else x = 3;
 *   G
 *
 * No lane runs B; C and G are run by all, so nothing is lost. The least PC in the pool: C, then D
 * of lanes 0 and 1 before G of the others, E before F, F before G. */
static void the_example_of_collange(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  const char text[] = "A: B C\n"
                      "B: C\n"
                      "C: D G\n"
                      "D: E F\n"
                      "E: G\n"
                      "F: G\n"
                      "G:\n";
  for (uint32_t i = 0; i < BY_PC; i++) {
    FlowCase c = flow_follow(arena, text, NULL, by_pc[i], "A C D E G | A C D F G | A C G | A C G");
    flow_expect_steps(arena, &c, "A:f C:f D:3 E:1 F:2 G:f");
    assert_int_equal(c.trace->counts.max_depth, 3); /* E, F, G */
    /* jip: joins in C, F and G, where lanes that did not take the nearer way would wait; the way
     * to each leads past no other. */
    assert_int_equal(c.trace->counts.added, by_pc[i] == &emu_policy_jip ? 3 : 0);
  }
  tear_down(&fixture);
}

/* In a layout that puts Exit first, lanes that leave early do not wait for the others. */
static void a_layout_that_is_no_order(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  const char text[] = "A: B C\n"
                      "M: \n"
                      "B: M\n"
                      "C: M\n";
  for (uint32_t i = 0; i < BY_PC; i++) {
    FlowCase c = flow_follow(arena, text, NULL, by_pc[i], "A B M | A C M");
    flow_expect_steps(arena, &c, "A:3 B:1 M:1 C:2 M:2");
  }
  tear_down(&fixture);
}

/* A loop that lanes leave in the middle and at the end, and continue early. */
static void a_loop_with_break_and_continue(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  const char text[] = "H: B X\n"
                      "B: C K\n"
                      "C: K X\n"
                      "K: H\n"
                      "X:\n";
  const char paths[] = "H X | H B K H X | H B C X | H B C K H B K H X";
  const char steps[] = "H:f B:e C:c K:a H:a B:8 K:8 H:8 X:f";
  for (uint32_t i = 0; i < BY_PC; i++) {
    FlowCase c = flow_follow(arena, text, NULL, by_pc[i], paths);
    flow_expect_steps(arena, &c, steps);
  }
  /* Joins in K, where lanes of B wait for C, and in X. K runs twice, X once; no join without lanes
   * is on the way. */
  FlowCase c = flow_follow(arena, text, NULL, &emu_policy_jip, paths);
  const EmuJips *jips = emu_jips_place(arena, c.table);
  const bool join[] = {false, false, false, true, true};
  for (uint32_t b = 0; b < 5; b++)
    assert_int_equal(jips->join[b], join[b]);
  assert_int_equal(jips->leave[2], 3);
  assert_int_equal(jips->empty[3], 4);
  assert_int_equal(c.trace->counts.added, 3);
  tear_down(&fixture);
}

/* All lanes go past two joins: one has no lane, but the subgroup must look. */
static void joins_without_lanes(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  const char text[] = "A: B D\n"
                      "B: C E\n"
                      "C: D\n"
                      "D: E\n"
                      "E:\n";
  FlowCase c = flow_follow(arena, text, NULL, &emu_policy_jip, "A B E | A B E");
  flow_expect_steps(arena, &c, "A:3 B:3 E:3");
  assert_int_equal(c.trace->counts.added, 2); /* D, without lanes, and E */
  c = flow_follow(arena, text, NULL, &emu_policy_jip, "A D E | A B E");
  flow_expect_steps(arena, &c, "A:3 B:2 D:1 E:3");
  assert_int_equal(c.trace->counts.added, 2);
  tear_down(&fixture);
}

/* A uniform branch is a jump, unless a join is on its way. */
static void uniform_branches_are_jumps(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  EmuBlockTable *table = flow_parse(arena, "A: B C\nB: D\nC: D\nD:\n", false, NULL);
  const EmuJips *jips = emu_jips_place(arena, table);
  assert_true(jips->join[2] && jips->join[3]);
  bool uniform[] = {true, false, false, false};
  table->uniform = uniform;
  jips = emu_jips_place(arena, table);
  for (uint32_t b = 0; b < 4; b++)
    assert_false(jips->join[b]);
  tear_down(&fixture);
}

static bool fits(SrArena *arena, const char *text) {
  const EmuBlockTable *table = flow_parse(arena, text, false, NULL);
  return emu_layout_fits(arena, &table->functions[0], NULL);
}

/* Lanes of different iterations meet unless blocks come before those that they lead to, and cycles
 * lie together: here X runs between two blocks of the inner loop, and leads to the outer one. */
static void layouts_that_keep_iterations_apart(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  assert_true(fits(arena, figure1));
  assert_true(fits(arena, "A: O\nO: H\nH: B X\nB: H\nX: O Z\nZ:\n"));
  assert_false(fits(arena, "A: O\nO: H\nH: B X\nX: O Z\nB: H\nZ:\n"));
  assert_false(fits(arena, "A: B C\nM: \nB: M\nC: M\n"));
  /* A cycle with two entries: the header of the nest is first. */
  assert_true(fits(arena, "A: B C\nC: B X\nB: C X\nX:\n"));
  assert_false(fits(arena, "A: B C\nB: C X\nC: B X\nX:\n"));
  const char calls[] = "A: call F B\nB:\nfunction\nF: return\n";
  const EmuBlockTable *table = flow_parse(arena, calls, false, NULL);
  assert_true(emu_layout_mixes_calls(arena, table));
  assert_false(emu_layout_mixes(arena, table));
  tear_down(&fixture);
}

/* There a branch that is proven uniform may diverge, so it is not a jump. */
static void uniform_branches_in_other_layouts(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  EmuBlockTable *table = flow_parse(arena, "A: B C\nB: D\nC: D\nD: F\nE:\nF: E\n", false, NULL);
  bool uniform[] = {true, true, true, true, true, true};
  table->uniform = uniform;
  const EmuJips *jips = emu_jips_place(arena, table);
  assert_true(jips->join[2]); /* C, where lanes would wait while others run B */
  tear_down(&fixture);
}

/* Both arms of a branch call one function, which lies after its caller: its PCs are larger than
 * those of lanes that have not called yet. So minpc waits for these, and all lanes run the function
 * together; under stackless those that have called are deeper, and run first. */
static uint32_t by_lane(void *user, uint32_t lane, uint32_t block, uint32_t visit) {
  (void)user;
  (void)visit;
  return block == 0 ? lane & 1 : 0;
}

static void a_function_called_from_both_arms(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  const char text[] = "A: B C\n"
                      "B: call F X\n"
                      "X: M\n"
                      "C: call F Y\n"
                      "Y: M\n"
                      "M:\n"
                      "function\n"
                      "F: return\n";
  FlowBuild build;
  EmuBlockTable *table = flow_parse(arena, text, false, &build);
  FlowTrace *t = flow_run(arena, table, &emu_policy_minpc, 2, by_lane, NULL);
  assert_string_equal(flow_steps_text(arena, &build, t), "A:3 B:1 C:2 F:3 X:1 Y:2 M:3");
  for (uint32_t i = 1; i < BY_PC; i++) {
    t = flow_run(arena, table, by_pc[i], 2, by_lane, NULL);
    assert_string_equal(flow_steps_text(arena, &build, t), "A:3 B:1 F:1 X:1 C:2 F:2 Y:2 M:3");
    assert_int_equal(t->counts.added, by_pc[i] == &emu_policy_jip ? 2 : 0); /* C and M */
  }
  tear_down(&fixture);
}

/* ---- edited listings ------------------------------------------------------------------------- */

static const char listing[] = "function main\n"
                              "%1000: ... ; 1 to issue\n\nGOTO %1001, else %1002, JIP %1002\n"
                              "%1001: ...\nGOTO %1003, JIP %1002\n"
                              "%1002: JOIN JIP %1003\n...\nJMPI %1003\n"
                              "%1003: JOIN\n...\nEXIT\n";

static char *edited(SrArena *arena, const char *from, const char *to) {
  SrText text = {.arena = arena};
  const char *at = strstr(listing, from);
  assert_non_null(at);
  sr_text_put(&text, listing, (size_t)(at - listing));
  sr_text_add(&text, "%s%s", to, at + strlen(from));
  return sr_text_end(&text);
}

/* The listing with one change: blocks that run, or the message. */
static void expect_edited(const char *from, const char *to, const char *steps, uint32_t joins,
                          const char *message) {
  Fixture f;
  SrArena *arena = set_up(&f);
  FlowCase c = {0};
  const char *why;
  c.table = flow_parse(arena, "A: B C\nB: D\nC: D\nD:\n", false, &c.build);
  c.table->program = emu_jips_read(arena, c.table, edited(arena, from, to), &why);
  if (message) {
    assert_null(c.table->program);
    assert_string_equal(why, message);
  } else {
    if (!c.table->program)
      fail_msg("%s", why);
    FlowScript script = flow_script(arena, c.table, &c.build, "A B D | A C D");
    c.trace = flow_run(arena, c.table, &emu_policy_jip, 2, flow_script_choose, &script);
    flow_expect_steps(arena, &c, steps);
    assert_int_equal(c.trace->counts.added, joins);
  }
  tear_down(&f);
}

static void edited_listings(void **state) {
  (void)state;
  expect_edited("EXIT", "EXIT", "A:3 B:1 C:2 D:3", 2, NULL);
  expect_edited("%1001, else %1002", "%1002, else %1001", "A:3 B:1 C:2 D:3", 2, NULL);
  expect_edited("%1001: ...", "%1001: JOIN\n...", "A:3 B:1 C:2 D:3", 3, NULL);
  /* A lane of A always continues at B, so that its JIP is not used. */
  expect_edited("%1001, else %1002, JIP %1002\n%1001: ...",
                "%1001, else %1002, JIP %1003\n%1001: ...", "A:3 B:1 C:2 D:3", 2, NULL);
}

static void wrong_listings(void **state) {
  (void)state;
#define WRONG(from, to, line, text)                                                                \
  expect_edited(from, to, NULL, 0, "jip listing, line " line ": " text)
  WRONG("%1000: ...", "1000: ...", "2", "a block is missing, such as %12");
  WRONG("%1000: ...", "%7: ...", "2", "the program has no such block");
  WRONG("%1000: ...", "%1000 ...", "2", "a block looks like %12: ...");
  WRONG("%1000: ...", "%1000: WAIT", "2", "the body of the block is missing: ...");
  WRONG("%1000: ...", "%1000: ... ...", "2", "there is text after the instruction");
  WRONG("JOIN JIP %1003", "JOIN JIP %1001", "7",
        "a JIP names a block further down in the same function");
  WRONG("JOIN JIP %1003", "JOIN %1003", "7", "there is text after the instruction");
  WRONG("%1003: JOIN\n...", "%1003: ...", "7", "a JIP names a block without a JOIN");
  WRONG("%1002: JOIN JIP %1003\n...", "%1002: ...", "4", "a JIP names a block without a JOIN");
  WRONG("%1001: ...\nGOTO %1003, JIP %1002\n", "", "10", "at the end, a block is missing");
  WRONG("%1003: JOIN\n...\nEXIT\n", "%1003: JOIN\n", "10", "the program ends within a block");
  WRONG("%1003: JOIN", "%1002: JOIN", "10", "the block is listed twice");
  WRONG("EXIT", "HALT", "12", "a block ends in GOTO, JMPI, CALL, RET or EXIT");
  WRONG("EXIT", "GOTO %1003", "12", "the block does not branch there");
  WRONG("EXIT", "CALL %1000", "12", "the block does not end in this call");
  WRONG("JMPI %1003", "RET", "9", "the block does not end here");
  WRONG("GOTO %1001, else %1002, JIP %1002", "GOTO %1001", "4",
        "the block does not end in this branch");
  WRONG("GOTO %1001, else %1002, JIP %1002", "GOTO %1001, else %1001", "4",
        "the block does not branch there");
  WRONG("GOTO %1001, else %1002, JIP %1002", "JMPI %1001, else %1002", "4",
        "lanes may have several targets here, so it is GOTO");
#undef WRONG
}

/* Lanes are left behind: the policy says that it is stuck. */
static void lanes_left_behind(void **state) {
  (void)state;
  Fixture f;
  SrArena *arena = set_up(&f);
  const char *why;
  EmuBlockTable *table = flow_parse(arena, "A: B C\nB: D\nC: D\nD:\n", false, NULL);
  table->program =
      emu_jips_read(arena, table, edited(arena, "%1003, JIP %1002", "%1003, JIP %1003"), &why);
  assert_non_null(table->program);
  EmuPolicyCounts counts = {0};
  const EmuPolicy *jip = &emu_policy_jip;
  void *p = jip->create(arena, table, jip->plan(arena, table), 2, &counts);
  EmuMask both = {{3}}, on;
  EmuTarget apart[] = {{1, {{1}}}, {2, {{2}}}}, last = {3, {{1}}};
  uint32_t block;
  jip->start(p, &both);
  assert_true(jip->next(p, &block, &on) && block == 0);
  jip->went(p, &(EmuWent){.count = 2, .targets = apart});
  assert_true(jip->next(p, &block, &on) && block == 1);
  jip->went(p, &(EmuWent){.count = 1, .targets = &last});
  assert_true(jip->next(p, &block, &on) && block == 3);
  jip->went(p, &(EmuWent){.gone = {{1}}});
  assert_false(jip->next(p, &block, &on));
  assert_true(jip->stuck(p));
  tear_down(&f);
}

/* ---- random programs ------------------------------------------------------------------------- */

static const uint32_t sizes[] = {1, 3, 4, 8, 32, 64, 65, 130};

/* The table with priorities in layout order. */
static EmuBlockTable laid_out(SrArena *arena, const EmuBlockTable *of) {
  EmuBlockTable table = *of;
  uint32_t *same = SR_NEW_RAW(arena, uint32_t, of->count);
  for (uint32_t i = 0; i < of->count; i++)
    same[i] = i;
  table.order = table.priority = same;
  return table;
}

static void same_counts(const FlowTrace *a, const FlowTrace *b) {
  assert_int_equal(a->counts.reconvergences, b->counts.reconvergences);
  assert_int_equal(a->counts.max_depth, b->counts.max_depth);
}

static void same_pushes(const FlowTrace *a, const FlowTrace *b, uint64_t seed) {
  if (a->counts.pushes != b->counts.pushes)
    fail_msg("seed %llu: pushes differ", (unsigned long long)seed);
}

/* Do lanes end only where the program does? Jumps have no JIP in a listing, for lanes that end
 * there. */
static bool leads_out(const EmuBlockTable *table, const FlowRandom *random) {
  for (uint32_t f = 0; f < table->function_count; f++)
    for (uint32_t b = 0; b < table->functions[f].count; b++)
      if (random->way_out[table->functions[f].first + b] == SR_NONE &&
          sr_succ_count(table->functions[f].graph, b))
        return false;
  return true;
}

static uint32_t through_listings; /* programs */

/* A listing that is read back is the same program. */
static void through_listing(SrArena *arena, EmuBlockTable *table, FlowRandom *random,
                            uint32_t lanes, const FlowTrace *t, uint64_t seed) {
  const char *why;
  SrText text = {.arena = arena}, again = {.arena = arena};
  if (!leads_out(table, random))
    return;
  through_listings++;
  emu_jips_print(emu_jips_place(arena, table), table, &text);
  table->program = emu_jips_read(arena, table, sr_text_end(&text), &why);
  if (!table->program)
    fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, why, text.at);
  emu_jips_print(table->program, table, &again);
  assert_string_equal(sr_text_end(&again), text.at);
  const FlowTrace *given =
      flow_run(arena, table, &emu_policy_jip, lanes, flow_random_choose, random);
  flow_same_steps(t, given, "a program of JOINs and its listing", seed);
  assert_int_equal(t->counts.added, given->counts.added);
  table->program = NULL;
}

static void check_program(SrArena *arena, EmuBlockTable *table, uint64_t seed, uint32_t lanes) {
  FlowRandom random = flow_random(arena, table, seed, 6);
  FlowTrace *t[BY_PC];
  for (uint32_t i = 0; i < BY_PC; i++)
    t[i] = flow_run(arena, table, by_pc[i], lanes, flow_random_choose, &random);
  const EmuPolicy *const oracles[] = {&flow_oracle_minpc, &flow_oracle_stackless, &flow_oracle_jip};
  for (uint32_t i = 0; i < BY_PC; i++) {
    FlowTrace *o = flow_run(arena, table, oracles[i], lanes, flow_random_choose, &random);
    flow_same_steps(o, t[i], oracles[i]->name, seed);
    if (o->counts.added != t[i]->counts.added)
      fail_msg("seed %llu: %llu joins, by definition %llu", (unsigned long long)seed,
               (unsigned long long)t[i]->counts.added, (unsigned long long)o->counts.added);
  }
  flow_same_steps(t[1], t[2], "stackless and jip", seed);
  through_listing(arena, table, &random, lanes, t[2], seed);
  same_counts(t[1], t[2]);
  EmuBlockTable layout = laid_out(arena, table);
  FlowTrace *stack =
      flow_run(arena, &layout, &emu_policy_tf_stack, lanes, flow_random_choose, &random);
  flow_same_steps(stack, t[0], "tf-stack in layout order and minpc", seed);
  same_counts(stack, t[0]);
  same_pushes(stack, t[0], seed);
  if (table->function_count == 1)
    flow_same_steps(t[0], t[1], "minpc and stackless without calls", seed);
}

static void random_programs(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= unit_seeds(3000); seed++) {
    Fixture fixture;
    SrArena *arena = set_up(&fixture);
    check_program(arena, flow_gen_any(arena, seed, 3 + (uint32_t)(seed % 30)), seed,
                  sizes[seed % 8]);
    check_program(arena, flow_gen_structured(arena, seed, 3 + (uint32_t)(seed % 60), NULL), seed,
                  sizes[seed % 8]);
    tear_down(&fixture);
  }
  assert_true(through_listings > unit_seeds(4000));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_1_of_thread_frontiers),
      cmocka_unit_test(the_example_of_collange),
      cmocka_unit_test(a_layout_that_is_no_order),
      cmocka_unit_test(a_loop_with_break_and_continue),
      cmocka_unit_test(joins_without_lanes),
      cmocka_unit_test(uniform_branches_are_jumps),
      cmocka_unit_test(layouts_that_keep_iterations_apart),
      cmocka_unit_test(uniform_branches_in_other_layouts),
      cmocka_unit_test(a_function_called_from_both_arms),
      cmocka_unit_test(edited_listings),
      cmocka_unit_test(wrong_listings),
      cmocka_unit_test(lanes_left_behind),
      cmocka_unit_test(random_programs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
