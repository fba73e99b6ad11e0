/* SPDX-License-Identifier: Apache-2.0 */
/* What a run counts of functions, calls, loops and branches: figures by hand for one program, and
 * for several, under every policy, those that follow from the lanes' paths. */
#include "tests/emu/program_file.h"
#include "tests/unit/unit.h"

#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 8, SUBGROUPS = 64, PARTS = 96, DEPTH = 8, BYTES = 256 };

/* ---- running --------------------------------------------------------------------------------- */

static Program file;
static uint8_t bytes[PROGRAM_MEMORIES][BYTES];

static spv_emu_program *load(const char *name, uint32_t size) {
  char path[128], message[PROGRAM_MESSAGE];
  snprintf(path, sizeof path, "tests/emu/programs/%s.spvasm", name);
  if (!program_read(path, &file, message))
    fail_msg("%s", message);
  spvreconv_options none;
  spvreconv_options_init(&none, sizeof none);
  none.transform = "none";
  spvreconv_result *assembled;
  if (spvreconv_run_text(&none, file.source, file.length, &assembled) != SPVRECONV_OK)
    fail_msg("%s", spvreconv_result_message(assembled));
  size_t count;
  const uint32_t *words = spvreconv_result_words(assembled, &count);
  const spv_emu_load_options options = {.subgroup_size = size};
  spv_emu_program *program;
  if (spv_emu_load(words, count, &options, &program, message, sizeof message) != SPV_EMU_OK)
    fail_msg("%s", message);
  spvreconv_result_destroy(assembled);
  return program;
}

static spv_emu_result *run(const spv_emu_program *program, spv_emu_run_options options) {
  char message[PROGRAM_MESSAGE];
  spv_emu_buffer buffers[PROGRAM_MEMORIES];
  spv_emu_result *result;
  for (uint32_t i = 0; i < file.memory_count; i++) {
    const ProgramMemory *m = &file.memories[i];
    uint64_t size = m->start.bytes ? m->start.size : m->wanted.size;
    assert_true(size <= BYTES);
    memset(bytes[i], 0, sizeof bytes[i]);
    if (m->start.bytes)
      memcpy(bytes[i], m->start.bytes, size);
    buffers[i] = (spv_emu_buffer){m->set, m->binding, m->element, bytes[i], size};
  }
  options.buffers = buffers;
  options.buffer_count = file.memory_count;
  memcpy(options.groups, file.groups, sizeof options.groups);
  if (spv_emu_run(program, &options, &result, message, sizeof message) != SPV_EMU_OK)
    fail_msg("%s", message);
  return result;
}

/* ---- by hand --------------------------------------------------------------------------------- */

static const spv_emu_call_site *call_on(const spv_emu_result *r, uint32_t line) {
  for (uint32_t i = 0; i < r->call_count; i++)
    if (r->calls[i].line == line)
      return &r->calls[i];
  fail_msg("no call on line %u", line);
  return NULL;
}

static void assert_call(const spv_emu_result *r, uint32_t line, uint64_t executions,
                        uint64_t issues, uint64_t lanes) {
  const spv_emu_call_site *c = call_on(r, line);
  assert_int_equal(c->executions, executions);
  assert_int_equal(c->issues, issues);
  assert_int_equal(c->lane_instructions, lanes);
}

static void assert_function(const spv_emu_function *f, const char *name, uint64_t issues,
                            uint64_t total, uint64_t lanes) {
  assert_string_equal(f->name, name);
  assert_int_equal(f->issues, issues);
  assert_int_equal(f->total_issues, total);
  assert_int_equal(f->total_lane_instructions, lanes);
}

static void assert_cause(const spv_emu_cause *c, spv_emu_cause_kind kind, uint32_t index,
                         double outside, double inside) {
  assert_int_equal(c->kind, kind);
  assert_int_equal(c->index, index);
  assert_true(c->outside == outside);
  assert_true(c->inside == inside);
}

/* Line 4 is `next`, which lane 7 runs 9 times, and the subgroup 11 times; line 5 is `twice`, which
 * runs once for odd lanes and once for even ones. */
static void wastes_by_hand(const spv_emu_program *program, const spv_emu_result *r) {
  uint32_t count;
  spv_emu_waste *w = spv_emu_wastes(program, r, &count);
  assert_true(w && count > 2);
  assert_int_equal(w[0].line, 4);
  assert_int_equal(w[0].issues, 11 * 4);
  assert_int_equal(w[0].avoidable, (11 - 9) * 4);
  assert_int_equal(w[0].idle, 11 * 4 * LANES - w[0].lanes);
  assert_int_equal(w[0].cause_count, 1);
  assert_cause(&w[0].causes[0], SPV_EMU_CAUSE_LOOP, 0, 8, 4.5); /* the test: 8, 7, …, 1 lanes */
  assert_int_equal(r->calls[w[0].call].line, 9);
  assert_int_equal(w[1].line, 5);
  assert_int_equal(w[1].avoidable, 6);
  assert_int_equal(w[1].cause_count, 1);
  assert_cause(&w[1].causes[0], SPV_EMU_CAUSE_BRANCH, 2, 8, 4);
  assert_int_equal(w[2].avoidable, 0);
  assert_int_equal(w[2].line, 8);
  assert_int_equal(w[2].call, SPV_EMU_NO_CALL);
  assert_true(spv_emu_waste_order(&w[0], &w[2], false) < 0);
  assert_true(spv_emu_waste_order(&w[0], &w[2], true) > 0);
  free(w);
}

/* One subgroup of 8 lanes; `next` has 4 instructions, `twice` 6. Lane i runs the first loop i
 * times, and the second one too, but at least once; then odd and even lanes call `twice`. */
static void by_hand(void **state) {
  (void)state;
  spv_emu_program *program = load("calls_in_loops", LANES);
  spv_emu_result *r = run(program, (spv_emu_run_options){.policy = "structured", .causes = true});
  assert_true(r->detailed);
  assert_int_equal(r->call_count, 5);
  assert_call(r, 9, 7, 7 * 4, 28 * 4);
  assert_call(r, 14, 1, 6 + 2 * 4, 4 * (6 + 2 * 4));
  assert_call(r, 16, 1, 6 + 2 * 4, 4 * (6 + 2 * 4));
  assert_call(r, 5, 2, 2 * 4, 8 * 4);
  assert_int_equal(r->function_count, 3);
  assert_function(&r->functions[0], "main", r->issued - 11 * 4 - 2 * 6, r->issued,
                  r->lane_instructions);
  assert_function(&r->functions[1], "next", 11 * 4, 11 * 4, 4 * (28 + 8 * 2));
  assert_function(&r->functions[2], "twice", 2 * 6, 2 * 14, 8 * 14);
  assert_int_equal(r->loop_count, 2);
  const spv_emu_loop *loop = r->loops;
  assert_int_equal(loop->line, 8);
  assert_int_equal(loop->entries, 1);
  assert_int_equal(loop->lanes, 8);
  assert_int_equal(loop->iterations, 28);
  assert_int_equal(loop->least, 0);
  assert_int_equal(loop->most, 7);
  loop++;
  assert_int_equal(loop->iterations, 29); /* also lane 0 makes one */
  assert_int_equal(loop->least, 1);
  assert_int_equal(loop->most, 7);
  assert_int_equal(r->branch_count, 3);
  const uint64_t diverged[] = {7, 6, 1};
  for (uint32_t i = 0; i < 3; i++) {
    const spv_emu_branch *b = &r->branches[i];
    assert_int_equal(r->parts[b->part].diverged, diverged[i]);
    assert_int_equal(b->loop, i < 2 ? i : SPV_EMU_NO_LOOP);
    assert_int_equal(b->targets, 2);
  }
  const spv_emu_call_site *c = call_on(r, 9);
  assert_int_equal(r->parts[c->part].needed, 7);
  assert_int_equal(r->parts[c->part].branch, 0);
  assert_int_equal(r->parts[call_on(r, 16)->part].branch, 2);
  wastes_by_hand(program, r);
  spv_emu_result_free(r);
  r = run(program, (spv_emu_run_options){.policy = "structured"});
  assert_false(r->detailed);
  assert_int_equal(r->call_count, 0);
  spv_emu_result_free(r);
  spv_emu_free(program);
  program_free(&file);
}

/* ---- from the lanes' paths ------------------------------------------------------------------- */

typedef struct Issue {
  uint32_t part;
  uint64_t lanes;
} Issue;

typedef struct Recorded { /* what a subgroup has issued */
  Issue *at;
  uint32_t count;
} Recorded;

static void begun(void *user, const spv_emu_program *program, uint32_t lanes) {
  (void)user, (void)program, (void)lanes;
}

static void issued(void *user, uint64_t subgroup, uint32_t part, uint32_t count,
                   const uint64_t *lanes) {
  Recorded *r = (Recorded *)user + subgroup;
  (void)count;
  assert_true(subgroup < SUBGROUPS);
  if (part == SPV_EMU_NO_PART)
    return;
  r->at = realloc(r->at, (r->count + 1) * sizeof *r->at);
  r->at[r->count++] = (Issue){part, *lanes};
}

typedef struct Walk { /* where a lane is: the calls that it is in */
  uint32_t calls[DEPTH], depth;
  uint32_t runs[PARTS];
} Walk;

typedef struct Wanted {
  uint64_t calls[PARTS][2], functions[PARTS][2]; /* issues, lanes */
  uint64_t needed[PARTS];
} Wanted;

/* The call that ends the part; UINT32_MAX: none does. */
static uint32_t call_of(const spv_emu_result *r, uint32_t part) {
  for (uint32_t i = 0; i < r->call_count; i++)
    if (r->calls[i].part == part)
      return i;
  return UINT32_MAX;
}

/* Adds the issue to each call and function that a lane of it is in. */
static void count_issue(const spv_emu_result *r, const Walk *lanes, const Issue *issue, Wanted *w) {
  uint64_t issues = r->parts[issue->part].issues;
  uint32_t own = 0;
  while (strcmp(r->functions[own].name, r->blocks[r->parts[issue->part].block].function) != 0)
    own++;
  uint32_t calls[PARTS] = {0}, functions[PARTS] = {0};
  for (uint32_t lane = 0; lane < LANES; lane++) {
    if (!(issue->lanes >> lane & 1))
      continue;
    functions[own] += lanes[lane].depth == 0;
    for (uint32_t d = 0; d < lanes[lane].depth; d++) {
      calls[lanes[lane].calls[d]]++;
      functions[r->calls[lanes[lane].calls[d]].callee]++;
    }
    functions[0] += lanes[lane].depth != 0; /* main holds all */
  }
  for (uint32_t i = 0; i < r->call_count; i++) {
    w->calls[i][0] += calls[i] ? issues : 0;
    w->calls[i][1] += calls[i] * issues;
  }
  for (uint32_t i = 0; i < r->function_count; i++) {
    w->functions[i][0] +=
        functions[i] || (i == own && !issue->lanes) || (i == 0 && !issue->lanes) ? issues : 0;
    w->functions[i][1] += functions[i] * issues;
  }
}

/* A lane that runs the part after the one with its last call has returned from it. */
static void step(const spv_emu_result *r, Walk *lane, uint32_t part) {
  if (lane->depth && r->calls[lane->calls[lane->depth - 1]].part + 1 == part)
    lane->depth--;
  lane->runs[part]++;
}

static void follow(const spv_emu_result *r, const Recorded *recorded, Wanted *w) {
  static const Walk outside;
  Walk lanes[LANES];
  for (uint32_t i = 0; i < LANES; i++)
    lanes[i] = outside;
  for (uint32_t i = 0; i < recorded->count; i++) {
    const Issue *issue = &recorded->at[i];
    uint32_t call = call_of(r, issue->part);
    for (uint32_t lane = 0; lane < LANES; lane++)
      if (issue->lanes >> lane & 1)
        step(r, &lanes[lane], issue->part);
    count_issue(r, lanes, issue, w);
    for (uint32_t lane = 0; lane < LANES && call != UINT32_MAX; lane++)
      if (issue->lanes >> lane & 1)
        lanes[lane].calls[lanes[lane].depth++] = call;
  }
  for (uint32_t p = 0; p < r->part_count; p++) {
    uint32_t most = 0;
    for (uint32_t lane = 0; lane < LANES; lane++)
      most = lanes[lane].runs[p] > most ? lanes[lane].runs[p] : most;
    w->needed[p] += most;
  }
}

static void compare(const spv_emu_result *r, const Wanted *w) {
  for (uint32_t i = 0; i < r->call_count; i++) {
    assert_int_equal(r->calls[i].issues, w->calls[i][0]);
    assert_int_equal(r->calls[i].lane_instructions, w->calls[i][1]);
  }
  for (uint32_t i = 0; i < r->function_count; i++) {
    assert_int_equal(r->functions[i].total_issues, w->functions[i][0]);
    assert_int_equal(r->functions[i].total_lane_instructions, w->functions[i][1]);
  }
  for (uint32_t i = 0; i < r->part_count && r->outcome == SPV_EMU_RAN; i++)
    assert_int_equal(r->parts[i].needed, w->needed[i]);
}

static void check(const spv_emu_program *program, const char *policy) {
  Recorded recorded[SUBGROUPS] = {{NULL, 0}};
  const spv_emu_schedule schedule = {
      .user = recorded, .subgroups = SUBGROUPS, .begun = begun, .issued = issued};
  spv_emu_result *r =
      run(program, (spv_emu_run_options){.policy = policy, .schedule = &schedule, .causes = true});
  assert_true(r->part_count <= PARTS);
  Wanted wanted = {0};
  for (uint32_t i = 0; i < SUBGROUPS; i++) {
    if (r->detailed)
      follow(r, &recorded[i], &wanted);
    free(recorded[i].at);
  }
  if (r->detailed)
    compare(r, &wanted);
  else
    assert_true(r->outcome == SPV_EMU_SKIP || strcmp(policy, "opt") == 0 ||
                strcmp(policy, "dwf") == 0 || strncmp(policy, "tbc", 3) == 0);
  spv_emu_result_free(r);
}

static void from_paths(void **state) {
  (void)state;
  static const char *const names[] = {"calls", "calls_and_barriers", "calls_in_loops"};
  for (uint32_t i = 0; i < 3; i++) {
    const char *purpose, *policy;
    spv_emu_program *program = load(names[i], LANES);
    for (uint32_t p = 0; (policy = spv_emu_policy(p, &purpose)); p++)
      check(program, policy);
    spv_emu_free(program);
    program_free(&file);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(from_paths)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
