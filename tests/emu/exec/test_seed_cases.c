/* SPDX-License-Identifier: Apache-2.0 */
/* The examples of the papers, with the figures that the papers give: shaders/frontier.
 *
 *   figure1       Diamos et al., "SIMD re-convergence at thread frontiers" (MICRO 2011), figure 1
 *   barrier_exit  figure 2a and b there
 *   barrier_loop  figure 2c and d
 *   conservative  figure 3
 *   compound      Wu et al., "Characterization and transformation of unstructured control flow in
 *                 GPU applications" (2011), figures 3 and 7
 *
 * The papers count blocks: every block of a case without barriers has the same number of
 * instructions, so that issues can be compared with blocks. Its lanes leave a mark in every block
 * that they run, so that the EXPECTs of a case check their paths. Each case runs in subgroups of
 * 32, most of whose lanes do not exist, and in subgroups of exactly its lanes. */
#include "harness/shader/case_file.h"
#include "passes/tool/compile/compile_file.h"
#include "spv-emu/cases/amber_run.h"
#include "tests/unit/unit.h"

#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 1024, BLOCK_ISSUES = 13, HEADER_WORDS = 5 };

/* ---- a case ---------------------------------------------------------------------------------- */

typedef struct Case {
  AmberScript *script;
  HnModule *modules;
} Case;

static Case open_case(const char *name) {
  char path[128], *why;
  snprintf(path, sizeof path, "shaders/frontier/%s.amber", name);
  uint8_t *text;
  size_t size;
  assert_true(compile_file_read(path, HN_FILE_MOST, &text, &size));
  const AmberFiles none = {0};
  AmberMessage parsed;
  Case c;
  if (amber_parse((const char *)text, size, &none, &c.script, &parsed) != AMBER_OK)
    fail_msg("%s: %s", path, parsed.text);
  free(text);
  if (hn_shaders_make(c.script, &c.modules, &why) != HN_PASS)
    fail_msg("%s: %s", path, why);
  return c;
}

static void close_case(Case *c) {
  hn_shaders_free(c->modules, c->script->shader_count);
  amber_destroy(c->script);
}

/* The block of that OpName. */
static uint32_t block_id(const Case *c, const char *name, size_t length) {
  const uint32_t *w = c->modules[0].words;
  for (size_t at = HEADER_WORDS; at < c->modules[0].count; at += w[at] >> 16) {
    const char *text = (const char *)(w + at + 2);
    if ((w[at] & 0xffff) == SpvOpName && strncmp(text, name, length) == 0 && !text[length])
      return w[at + 1];
  }
  fail_msg("no block %.*s", (int)length, name);
  return 0;
}

/* ---- a run ----------------------------------------------------------------------------------- */

typedef struct How {
  uint32_t pipeline; /* whose figures are wanted */
  uint32_t size;     /* of a subgroup */
  const char *policy, *priority, *transform;
} How;

typedef struct Ran {
  EmuAmber *amber;
  EmuRow row;
  const spv_emu_result *result; /* of the pipeline */
} Ran;

/* If the run completes, the lanes have taken their paths. */
static Ran run_case(const Case *c, How how) {
  char message[MESSAGE];
  Ran ran;
  const EmuAmberOptions open = {how.transform, how.size, .check_uniform = true};
  if (emu_amber_open(c->script, c->modules, &open, &ran.amber, message, sizeof message) !=
      SPV_EMU_OK)
    fail_msg("%s", message);
  const spv_emu_run_options options = {.policy = how.policy, .priority = how.priority};
  if (emu_amber_run(ran.amber, &options, &ran.row, message, sizeof message) != SPV_EMU_OK)
    fail_msg("%s, subgroups of %u: %s", how.policy, (unsigned)how.size, message);
  if (ran.row.failed)
    fail_msg("%s, subgroups of %u: %s", how.policy, (unsigned)how.size, ran.row.failures[0]);
  ran.result = ran.row.parts[how.pipeline].result;
  assert_non_null(ran.result);
  return ran;
}

static void end_case(Ran *ran) {
  emu_row_free(&ran->row);
  emu_amber_close(ran->amber);
}

static const spv_emu_block *find_block(const Case *c, const spv_emu_result *r, const char *name,
                                       size_t length) {
  uint32_t id = block_id(c, name, length);
  for (uint32_t i = 0; i < r->block_count; i++)
    if (r->blocks[i].id == id)
      return &r->blocks[i];
  fail_msg("no figures of block %.*s", (int)length, name);
  return NULL;
}

static void expect_outcome(const Case *c, How how, spv_emu_outcome outcome) {
  Ran ran = run_case(c, how);
  if (ran.result->outcome != outcome)
    fail_msg("%s: outcome %s: %s", how.policy, emu_outcome_name(ran.result->outcome),
             ran.result->message);
  assert_true(outcome != SPV_EMU_RAN || ran.row.passed > 0);
  end_case(&ran);
}

/* ---- what is expected ------------------------------------------------------------------------ */

/* In subgroups of 32 and of as many lanes as the case has. */
static void at_both_sizes(const char *name, uint32_t lanes,
                          void (*check)(const Case *c, uint32_t size)) {
  Case c = open_case(name);
  check(&c, 32);
  check(&c, lanes);
  close_case(&c);
}

/* `blocks` as "BB1 BB3*2": how often each block ran; blocks that are not named did not run.
 * `noops`: how many of these runs had no lanes. `lanes`: sum of the lengths of the lanes' paths. */
static void expect_blocks(const Case *c, How how, const char *blocks, uint32_t noops,
                          uint32_t lanes) {
  Ran ran = run_case(c, how);
  const spv_emu_result *r = ran.result;
  if (r->outcome != SPV_EMU_RAN)
    fail_msg("%s: %s", how.policy, r->message);
  uint64_t executions = 0, wanted = 0, enabled = 0, empty = 0;
  for (const char *p = blocks; *p; p += *p == ' ') {
    size_t length = strcspn(p, "* ");
    const spv_emu_block *b = find_block(c, r, p, length);
    p += length;
    uint64_t times = *p == '*' ? strtoull(p + 1, (char **)&p, 10) : 1;
    if (b->executions != times || b->issues != BLOCK_ISSUES)
      fail_msg("%s, block %%%u: ran %u times with %u instructions", how.policy, (unsigned)b->id,
               (unsigned)b->executions, (unsigned)b->issues);
    empty += b->lanes == 0;
    wanted += times;
  }
  for (uint32_t i = 0; i < r->block_count; i++) {
    executions += r->blocks[i].executions;
    enabled += r->blocks[i].lanes;
  }
  assert_int_equal(executions, wanted);
  assert_int_equal(enabled, lanes);
  assert_int_equal(empty, noops);
  assert_int_equal(r->noop_issues, noops * BLOCK_ISSUES);
  assert_int_equal(r->issued, wanted * BLOCK_ISSUES);
  assert_int_equal(r->lane_instructions, lanes * BLOCK_ISSUES);
  end_case(&ran);
}

/* `order` as "BB1 BB2": the whole priority order. */
static void expect_order(const Case *c, How how, const char *order) {
  Ran ran = run_case(c, how);
  const spv_emu_result *r = ran.result;
  uint32_t at = 0;
  for (const char *p = order; *p; p += *p == ' ') {
    size_t length = strcspn(p, " ");
    assert_true(at < r->priority_count);
    assert_int_equal(r->priority[at++], block_id(c, p, length));
    p += length;
  }
  assert_int_equal(at, r->priority_count);
  end_case(&ran);
}

/* A deadlock at that block; the message names it. */
static void expect_deadlock(const Case *c, How how, const char *block) {
  Ran ran = run_case(c, how);
  const spv_emu_result *r = ran.result;
  if (r->outcome != SPV_EMU_DEADLOCK)
    fail_msg("%s: no deadlock but %s: %s", how.policy, emu_outcome_name(r->outcome), r->message);
  char name[16];
  snprintf(name, sizeof name, "%%%u", (unsigned)block_id(c, block, strlen(block)));
  if (!strstr(r->message, name) || !strstr(r->message, "lane"))
    fail_msg("%s: the message does not name block %s and its lanes: %s", how.policy, name,
             r->message);
  end_case(&ran);
}

/* ---- the cases ------------------------------------------------------------------------------- */

#define EACH_BLOCK_OF_FIGURE1 "BB1 BB2 BB3 BB4 BB5 Exit"

static void check_figure1(const Case *c, uint32_t size) {
  static const char *const best[] = {"tf-stack", "tf-sandy", "maximal", "opt"};
  for (size_t i = 0; i < sizeof best / sizeof *best; i++)
    expect_blocks(c, (How){.size = size, .policy = best[i]}, EACH_BLOCK_OF_FIGURE1, 0, 18);
  expect_blocks(c, (How){.size = size, .policy = "pdom"}, "BB1 BB2 BB3*2 BB4*2 BB5*2 Exit", 0, 18);
  /* Paths share a common prefix: 1, 13, 134, 1345, 1345e, 12, 12e, 123 and so on. */
  expect_blocks(c, (How){.size = size, .policy = "none"}, "BB1 BB2 BB3*2 BB4*2 BB5*2 Exit*4", 0,
                18);
  expect_blocks(c, (How){.size = size, .policy = "scalar"}, "BB1*4 BB2*3 BB3*3 BB4*2 BB5*2 Exit*4",
                0, 18);
  expect_order(c, (How){.size = size, .policy = "tf-stack"}, EACH_BLOCK_OF_FIGURE1);
}

static void figure1(void **unused) {
  (void)unused;
  at_both_sizes("figure1", 4, check_figure1);
}

static void check_barrier_exit(const Case *c, uint32_t size) {
  static const char *const pass[] = {"tf-stack", "tf-sandy", "maximal", "scalar"};
  for (size_t i = 0; i < sizeof pass / sizeof *pass; i++)
    expect_outcome(c, (How){.size = size, .policy = pass[i]}, SPV_EMU_RAN);
  expect_deadlock(c, (How){.size = size, .policy = "pdom"}, "BB3");
  expect_deadlock(c, (How){.size = size, .policy = "none"}, "BB3");
  expect_deadlock(c, (How){.size = size, .policy = "ssy"}, "BB3");
}

static void barrier_exit(void **unused) {
  (void)unused;
  at_both_sizes("barrier_exit", 4, check_barrier_exit);
}

static void check_barrier_loop(const Case *c, uint32_t size) {
  static const char *const frontiers[] = {"tf-stack", "tf-sandy"};
  for (size_t i = 0; i < 2; i++) {
    How how = {.size = size, .policy = frontiers[i]};
    expect_outcome(c, how, SPV_EMU_RAN);
    how.priority = "@BB0,BB1,BB3,BB2";
    expect_outcome(c, how, SPV_EMU_RAN);
    how.priority = "@BB0,BB1,BB2,BB3";
    expect_deadlock(c, how, "BB1");
  }
  expect_outcome(c, (How){.size = size, .policy = "pdom"}, SPV_EMU_RAN);
  expect_outcome(c, (How){.size = size, .policy = "maximal"}, SPV_EMU_RAN);
  expect_outcome(c, (How){.size = size, .policy = "ssy"}, SPV_EMU_RAN);
  expect_deadlock(c, (How){.size = size, .policy = "none"}, "BB1");
  expect_order(c, (How){.size = size, .policy = "tf-stack"}, "Entry BB0 BB1 BB3 BB2 Exit");
}

static void barrier_loop(void **unused) {
  (void)unused;
  at_both_sizes("barrier_loop", 2, check_barrier_loop);
}

/* In the first pair a lane waits at BB3, where TF-SANDY goes after BB2. But TF-SANDY also goes from
 * BB5 to BB6, which either lane might have reached from BB2 or BB3. */
static void check_conservative(const Case *c, uint32_t size) {
  How how = {.size = size, .priority = "@BB0,BB1,BB2,BB3,BB4,BB5,BB6,BB7"};
  how.policy = "tf-stack";
  expect_blocks(c, how, "BB0 BB1 BB2 BB3 BB4 BB5 BB7", 0, 9);
  how.policy = "tf-sandy";
  expect_blocks(c, how, "BB0 BB1 BB2 BB3 BB4 BB5 BB6 BB7", 1, 9);
  how.pipeline = 1;
  expect_blocks(c, how, "BB0 BB1 BB2 BB3 BB4 BB5 BB6 BB7", 2, 9);
  how.policy = "tf-stack";
  expect_blocks(c, how, "BB0 BB1 BB2 BB4 BB5 BB7", 0, 9);
}

static void conservative(void **unused) {
  (void)unused;
  at_both_sizes("conservative", 2, check_conservative);
}

/* The lanes of all executions, 39, over 12 blocks are 3.25 on average. */
static void check_compound(const Case *c, uint32_t size) {
  static const char *const best[] = {"tf-stack", "maximal", "opt"};
  for (size_t i = 0; i < sizeof best / sizeof *best; i++)
    expect_blocks(c, (How){.size = size, .policy = best[i]}, "Entry B1 B2 B3 B4 B5 Exit", 0, 39);
  expect_blocks(c, (How){.size = size, .policy = "tf-sandy"}, "Entry B1 B2 B3 B4 B5 Exit", 0, 39);
  expect_blocks(c, (How){.size = size, .policy = "pdom"}, "Entry B1 B2 B3*2 B4*2 B5*4 Exit", 0, 39);
}

/* The upper limit of repeated execution (figure 14 of the paper): B3 and B4 twice, B5 four times.
 * Lanes that have ended do not count as lanes in other blocks. */
static void check_expansion_area(const Case *c, uint32_t size) {
  Ran ran = run_case(c, (How){.size = size, .policy = "pdom"});
  uint64_t limit = 2 * find_block(c, ran.result, "B3", 2)->issues +
                   2 * find_block(c, ran.result, "B4", 2)->issues +
                   4 * find_block(c, ran.result, "B5", 2)->issues;
  assert_int_equal(ran.result->expansion_area, limit);
  end_case(&ran);
  ran = run_case(c, (How){.size = 1, .policy = "pdom"});
  assert_int_equal(ran.result->expansion_area, 0);
  end_case(&ran);
}

static void compound(void **unused) {
  (void)unused;
  at_both_sizes("compound", 7, check_compound);
  at_both_sizes("compound", 7, check_expansion_area);
}

/* None of the cases is structured; structurize makes all of them structured, and then all lanes
 * reach each barrier together. */
static void structured(void **unused) {
  (void)unused;
  static const char *const names[] = {"figure1", "barrier_exit", "barrier_loop", "conservative",
                                      "compound"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    Case c = open_case(names[i]);
    How how = {.size = 32, .policy = "structured"};
    expect_outcome(&c, how, SPV_EMU_SKIP);
    how.transform = "structurize";
    expect_outcome(&c, how, SPV_EMU_RAN);
    how.size = 0;
    expect_outcome(&c, how, SPV_EMU_RAN);
    close_case(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure1),      cmocka_unit_test(barrier_exit),
      cmocka_unit_test(barrier_loop), cmocka_unit_test(conservative),
      cmocka_unit_test(compound),     cmocka_unit_test(structured),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
