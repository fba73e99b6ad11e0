/* SPDX-License-Identifier: Apache-2.0 */
/* emu_try: see emu_try.h. */
#include "tests/fuzz/emu_try.h"

#include "tests/fuzz/emu_scene.h"
#include "tests/fuzz/emu_world.h"
#include "tests/fuzz/stock.h"

#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>

static bool is_line(const char *message) {
  return *message && !strchr(message, '\n');
}

static void fail(EmuTry *t, const char *policy, const char *what, const char *message) {
  t->fail(t->user, policy, what, message);
}

static void judge(EmuTry *t, const char *policy, const spv_emu_program *program,
                  const spv_emu_result *r) {
  if ((uint32_t)r->outcome >= TRY_OUTCOMES) {
    fail(t, policy, "no outcome", r->message);
    return;
  }
  t->by_outcome[r->outcome]++;
  bool silent = r->outcome == SPV_EMU_RAN && !r->message[0];
  if (!silent && !is_line(r->message))
    fail(t, policy, "not a message of one line", r->message);
  if (t->annotate) {
    char *listing = spv_emu_annotate(program, r);
    char *source = spv_emu_annotate_source(program, r);
    if (!listing || !source)
      fail(t, policy, "no listing", "");
    free(listing);
    free(source);
  }
}

/* A random cost model, in some of which subgroups wait for loads; NULL most of the time: none. */
static const spv_emu_cost *random_cost(Rng *rng, spv_emu_cost *cost) {
  const char *purpose;
  if (rng_percent(rng, 70))
    return NULL;
  spv_emu_cost_find(spv_emu_cost_model(rng_below(rng, 4), &purpose), cost);
  cost->entries = rng_below(rng, 5);
  cost->subgroups = rng_percent(rng, 50) ? 1 + rng_below(rng, 5) : 0;
  cost->cache = rng_percent(rng, 50) ? 1 + rng_below(rng, 9) : 0;
  cost->classes[rng_below(rng, SPV_EMU_COST_CLASSES)] = rng_below(rng, 1001);
  return cost;
}

/* ---- programs -------------------------------------------------------------------------------- */

/* What runs: a compute shader, or the stages of a draw. */
typedef struct Subject {
  spv_emu_program *compute, *vertex, *geometry, *fragment; /* of a draw: vertex; perhaps others */
  spv_emu_program *given; /* the one of these that has the input's bindings */
  uint32_t corners;       /* of the primitives that the geometry shader takes; 0: none is known */
} Subject;

/* The stage of the first entry point. */
static spv_emu_stage stage_of(const uint32_t *words, size_t count) {
  for (size_t at = 5; at + 1 < count && words[at] >> 16; at += words[at] >> 16)
    if ((words[at] & 0xffff) == SpvOpEntryPoint)
      return words[at + 1] == SpvExecutionModelVertex     ? SPV_EMU_VERTEX
             : words[at + 1] == SpvExecutionModelGeometry ? SPV_EMU_GEOMETRY
             : words[at + 1] == SpvExecutionModelFragment ? SPV_EMU_FRAGMENT
                                                          : SPV_EMU_COMPUTE;
  return SPV_EMU_COMPUTE;
}

static uint32_t corners_of(const uint32_t *words, size_t count) {
  for (size_t at = 5; at + 2 < count && words[at] >> 16; at += words[at] >> 16)
    if ((words[at] & 0xffff) == SpvOpExecutionMode)
      switch (words[at + 2]) {
      case SpvExecutionModeInputPoints:
        return 1;
      case SpvExecutionModeInputLines:
        return 2;
      case SpvExecutionModeTriangles:
        return 3;
      }
  return 0;
}

static bool load(EmuTry *t, const uint32_t *words, size_t count,
                 const spv_emu_load_options *options, spv_emu_program **program) {
  char message[512];
  if (spv_emu_load(words, count, options, program, message, sizeof message) == SPV_EMU_OK)
    return true;
  if (!is_line(message))
    fail(t, "loading", "not a message of one line", message);
  return false;
}

static void load_stock(EmuTry *t, Stock which, const spv_emu_load_options *like,
                       spv_emu_stage stage, spv_emu_program **program) {
  /* Fragments of one lane have no quads, which a stock module needs. */
  const spv_emu_load_options options = {
      .subgroup_size = like->subgroup_size == 1 ? 4 : like->subgroup_size, .stage = stage};
  size_t count;
  const uint32_t *words = stock_module(which, &count);
  if (!load(t, words, count, &options, program))
    fail(t, "loading", "a stock module is refused", "");
}

/* Another stage of a draw: the input's, if it has one, or a stock module. */
static void load_other(EmuTry *t, Rng *rng, const uint32_t *words, size_t count,
                       const spv_emu_load_options *options, spv_emu_stage stage, Stock stock,
                       spv_emu_program **program) {
  spv_emu_load_options other = *options;
  other.stage = stage;
  if (rng_percent(rng, 30) || !load(t, words, count, &other, program))
    load_stock(t, stock, options, stage, program);
}

/* The stages of a draw that are not the input's first. */
static void load_others(EmuTry *t, Rng *rng, const uint32_t *words, size_t count,
                        const spv_emu_load_options *options, Subject *s) {
  Stock fragment = rng_percent(rng, 50) ? STOCK_FRAGMENT : STOCK_PLAIN;
  if (!s->vertex)
    load_other(t, rng, words, count, options, SPV_EMU_VERTEX, STOCK_VERTEX, &s->vertex);
  if (!s->geometry && rng_percent(rng, 20))
    load_stock(t, STOCK_GEOMETRY, options, SPV_EMU_GEOMETRY, &s->geometry);
  if (!s->fragment && rng_percent(rng, 90))
    load_other(t, rng, words, count, options, SPV_EMU_FRAGMENT, fragment, &s->fragment);
  s->corners = !s->geometry ? 0 : s->geometry == s->given ? corners_of(words, count) : 3;
}

static bool load_all(EmuTry *t, Rng *rng, const uint32_t *words, size_t count,
                     const spv_emu_load_options *options, Subject *s) {
  spv_emu_program **main = options->stage == SPV_EMU_VERTEX     ? &s->vertex
                           : options->stage == SPV_EMU_GEOMETRY ? &s->geometry
                           : options->stage == SPV_EMU_FRAGMENT ? &s->fragment
                                                                : &s->compute;
  if (!load(t, words, count, options, main))
    return false;
  s->given = *main;
  if (options->stage != SPV_EMU_COMPUTE)
    load_others(t, rng, words, count, options, s);
  return s->compute || s->vertex;
}

/* ---- running --------------------------------------------------------------------------------- */

static void conclude(EmuTry *t, const char *policy, spv_emu_status status,
                     const spv_emu_program *program, spv_emu_result *result, const char *message) {
  if (status == SPV_EMU_OK && result)
    judge(t, policy, program, result);
  else if (status != SPV_EMU_OK && !is_line(message))
    fail(t, policy, "not a message of one line", message);
  spv_emu_result_free(result);
}

/* What pixels use is what lanes use that are no helpers, as spv_emu_heat says. */
static void judge_heat(EmuTry *t, const char *policy, const spv_emu_heat *heat,
                       const spv_emu_result *fragment) {
  uint64_t used = 0, pixels = heat->issues ? (uint64_t)heat->width * heat->height : 0;
  for (uint64_t i = 0; i < pixels; i++) {
    if (heat->lost[i] > heat->issues[i])
      fail(t, policy, "a pixel loses more issues than it has", "");
    used += heat->issues[i] - heat->lost[i];
  }
  if (pixels && fragment && fragment->outcome == SPV_EMU_RAN &&
      used != fragment->lane_instructions - fragment->helper_instructions)
    fail(t, policy, "the heat's sum is not that of the lanes", "");
}

static void run_draw(EmuTry *t, Rng *rng, const Subject *s, spv_emu_run_options *options) {
  EmuScene scene;
  spv_emu_heat heat = {0};
  spv_emu_result *vertex, *geometry = NULL, *fragment = NULL;
  char message[512];
  emu_scene_make(&scene, rng);
  scene.scene.geometry = s->geometry;
  scene.scene.geometry_result = &geometry;
  if (s->corners && rng_percent(rng, 90))
    scene.scene.topology = s->corners == 1 ? 0 : 2 * s->corners - 3 + rng_below(rng, s->corners);
  options->heat = rng_percent(rng, 30) ? &heat : NULL;
  spv_emu_status status = spv_emu_render(s->vertex, s->fragment, options, &scene.scene, &vertex,
                                         &fragment, message, sizeof message);
  if (status == SPV_EMU_OK)
    judge_heat(t, options->policy, &heat, fragment);
  conclude(t, options->policy, status, s->vertex, vertex, message);
  conclude(t, options->policy, status, s->geometry, geometry, message);
  conclude(t, options->policy, status, s->fragment, fragment, message);
  spv_emu_heat_free(&heat);
  emu_scene_free(&scene);
}

static void run_compute(EmuTry *t, const Subject *s, const spv_emu_run_options *options) {
  spv_emu_result *result;
  char message[512];
  spv_emu_status status = spv_emu_run(s->compute, options, &result, message, sizeof message);
  conclude(t, options->policy, status, s->compute, result, message);
}

static void run(EmuTry *t, Rng rng, const Subject *s, const char *policy) {
  EmuWorld w;
  emu_world_make(&w, rng_next(&rng), s->given);
  spv_emu_cost cost;
  spv_emu_run_options options = {.policy = policy,
                                 .groups = {1 + rng_below(&rng, 2), 1 + rng_below(&rng, 2), 1},
                                 .max_issues = rng_percent(&rng, 10) ? 20000 : 2000,
                                 .threads = rng_percent(&rng, 5) ? 2 : 1,
                                 .opt_budget = 500,
                                 .strict = rng_percent(&rng, 20),
                                 .cost = random_cost(&rng, &cost)};
  emu_world_bind(&w, &options);
  t->runs++;
  if (s->compute)
    run_compute(t, s, &options);
  else
    run_draw(t, &rng, s, &options);
  emu_world_free(&w);
}

void emu_try(EmuTry *t, Rng *rng, const uint32_t *words, size_t count) {
  static const uint32_t sizes[] = {1, 4, 32, 100};
  spv_emu_spec specs[3];
  for (uint32_t i = 0; i < 3; i++)
    specs[i] =
        (spv_emu_spec){.id = i, .bits = rng_percent(rng, 70) ? rng_below(rng, 9) : rng_next(rng)};
  spv_emu_load_options options = {.specs = specs,
                                  .check_vuid = true,
                                  .spec_count = rng_percent(rng, 30) ? 3 : 0,
                                  .subgroup_size = sizes[rng_below(rng, 4)],
                                  .transform =
                                      rng_percent(rng, 20) ? "strip-merges,structurize" : NULL,
                                  .stage = stage_of(words, count)};
  Subject s = {0};
  if (load_all(t, rng, words, count, &options, &s)) {
    t->taken++;
    t->draws += !s.compute;
    const char *policy, *purpose;
    for (uint32_t i = 0; (policy = spv_emu_policy(i, &purpose)) != NULL; i++)
      run(t, *rng, &s, policy);
  } else {
    t->refused++;
  }
  spv_emu_free(s.compute);
  spv_emu_free(s.vertex);
  spv_emu_free(s.geometry);
  spv_emu_free(s.fragment);
}
