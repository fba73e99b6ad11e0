/* SPDX-License-Identifier: Apache-2.0 */
/* What the pipeline checks between passes: an error of a pass in a phi, or in the dominance of a
 * value, is found before the next pass, or the next round of the same pass, reads the module; and
 * each change is checked once. The passes are defined here. */
#include "passes/driver/pipeline.h"
#include "passes/ir/reader.h"
#include "tests/unit/assembled.h"
#include "tests/unit/unit.h"

/* Blocks: %10 branches to %11 and %12, which meet in %13. */
static const char text[] = "OpCapability Shader\n"
                           "OpMemoryModel Logical GLSL450\n"
                           "OpEntryPoint GLCompute %1 \"main\"\n"
                           "OpExecutionMode %1 LocalSize 1 1 1\n"
                           "%2 = OpTypeVoid\n"
                           "%3 = OpTypeFunction %2\n"
                           "%4 = OpTypeBool\n"
                           "%5 = OpConstantTrue %4\n"
                           "%1 = OpFunction %2 None %3\n"
                           "%10 = OpLabel\n"
                           "OpBranchConditional %5 %11 %12\n"
                           "%11 = OpLabel\n"
                           "%20 = OpLogicalNot %4 %5\n"
                           "OpBranch %13\n"
                           "%12 = OpLabel\n"
                           "OpBranch %13\n"
                           "%13 = OpLabel\n"
                           "%21 = OpPhi %4 %20 %11 %5 %12\n"
                           "%22 = OpLogicalNot %4 %21\n"
                           "OpReturn\n"
                           "OpFunctionEnd\n";

enum { PHI = 21, NOT = 22, SIDE_VALUE = 20, SIDE = 11, MOST_LAPS = 16 };

typedef struct World {
  SrHeap heap;
  SrArena arena, scratch;
  SrDiag diag;
  spv_binary binary;
  SrModule *m;
  SrPipeline pipeline;
  const char *lap[MOST_LAPS];
  uint32_t laps;
} World;

static void note_lap(void *user, const char *name) {
  World *w = user;
  assert_true(w->laps < MOST_LAPS);
  w->lap[w->laps++] = name;
}

static void open_world(World *w) {
  *w = (World){0};
  w->binary = assembled_words(SPV_ENV_UNIVERSAL_1_3, text);
  sr_heap_init(&w->heap);
  w->arena = sr_arena_new(&w->heap);
  w->scratch = sr_arena_new(&w->heap);
  assert_int_equal(sr_read(&w->arena, &w->diag, w->binary->code, w->binary->wordCount, &w->m),
                   SR_OK);
  w->pipeline = sr_pipeline_new(&w->arena, w->m);
  w->pipeline.scratch = &w->scratch;
  w->pipeline.lap = note_lap;
  w->pipeline.user = w;
}

static void close_world(World *w) {
  spvBinaryDestroy(w->binary);
  sr_heap_free_all(&w->heap);
}

static bool always(const SrPassRun *r, const SrFunction *f) {
  (void)r, (void)f;
  return true;
}

/* ---- passes ---- */

static uint32_t seen; /* how often a later pass or round saw the function */

static uint32_t *words_of(SrPassRun *r, uint32_t id) {
  return sr_words(r->m, sr_def(r->m, id));
}

static SrStatus break_phi(SrPassRun *r, SrFunction *f, bool *changed) {
  (void)f;
  words_of(r, PHI)[6] = SIDE; /* twice now */
  *changed = true;
  return SR_OK;
}

static SrStatus break_dominance(SrPassRun *r, SrFunction *f, bool *changed) {
  (void)f;
  words_of(r, NOT)[3] = SIDE_VALUE;
  *changed = true;
  return SR_OK;
}

static SrStatus break_and_come_again(SrPassRun *r, SrFunction *f, bool *changed) {
  seen += r->round > 0;
  r->again = r->round == 0;
  return r->round ? SR_OK : break_phi(r, f, changed);
}

static SrStatus look(SrPassRun *r, SrFunction *f, bool *changed) {
  (void)r, (void)f, (void)changed;
  seen++;
  return SR_OK;
}

static SrStatus touch(SrPassRun *r, SrFunction *f, bool *changed) {
  *changed = true;
  return look(r, f, changed);
}

#define PASS(name_, run_)                                                                          \
  { .name = name_, .applies = always, .run = run_, .needs = SR_SSA, .makes = SR_SSA }
static const SrPass phi_breaker = PASS("phi", break_phi),
                    dominance_breaker = PASS("dominance", break_dominance),
                    rounds_breaker = PASS("rounds", break_and_come_again),
                    looker = PASS("look", look), toucher = PASS("touch", touch);

static void expect_bug(const SrPass *first, const char *message) {
  World w;
  open_world(&w);
  const SrStep steps[] = {{first, NULL}, {&looker, NULL}};
  w.pipeline.steps = steps;
  w.pipeline.step_count = 2;
  seen = 0;
  assert_int_equal(sr_pipeline_run(&w.pipeline), SR_BUG);
  assert_int_equal(w.diag.status, SR_BUG);
  if (!strstr(w.diag.text, message))
    fail_msg("no '%s' in: %s", message, w.diag.text);
  assert_int_equal(seen, 0);
  close_world(&w);
}

/* ---- tests ---- */

static void between_passes(void **state) {
  (void)state;
  expect_bug(&phi_breaker, "OpPhi %21 names block %11, which is there twice");
  expect_bug(&dominance_breaker, "%20 is used where its definition does not dominate");
}

static void between_rounds(void **state) {
  (void)state;
  expect_bug(&rounds_breaker, "OpPhi %21 names block %11, which is there twice");
}

/* A pass that claims only to keep the property is checked as well. */
static void at_the_end(void **state) {
  (void)state;
  SrPass keeps = phi_breaker;
  keeps.makes = 0;
  keeps.keeps = SR_SSA;
  World w;
  open_world(&w);
  const SrStep step = {&keeps, NULL};
  w.pipeline.steps = &step;
  w.pipeline.step_count = 1;
  assert_int_equal(sr_pipeline_run(&w.pipeline), SR_BUG);
  close_world(&w);
}

/* The second pass changes nothing: then there is nothing to check after it. */
static void each_change_once(void **state) {
  (void)state;
  static const char *const laps[] = {"touch", "check", "look", "check"};
  World w;
  open_world(&w);
  const SrStep steps[] = {{&toucher, NULL}, {&looker, NULL}};
  w.pipeline.steps = steps;
  w.pipeline.step_count = 2;
  assert_int_equal(sr_pipeline_run(&w.pipeline), SR_OK);
  assert_int_equal(w.laps, 4);
  for (uint32_t i = 0; i < w.laps; i++)
    assert_string_equal(w.lap[i], laps[i]);
  assert_true(w.pipeline.changed[0]);
  assert_false(w.pipeline.unconfirmed[0]);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(between_passes),
      cmocka_unit_test(between_rounds),
      cmocka_unit_test(at_the_end),
      cmocka_unit_test(each_change_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
