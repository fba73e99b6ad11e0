/* SPDX-License-Identifier: Apache-2.0 */
/* emu_try: see emu_try.h. */
#include "emu_try.h"

#include "emu_world.h"

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

/* Sometimes cycles are counted, and loads wait. */
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

static void run(EmuTry *t, Rng rng, const spv_emu_program *program, const char *policy) {
  EmuWorld w;
  emu_world_make(&w, rng_next(&rng), program);
  spv_emu_cost cost;
  spv_emu_run_options options = {.policy = policy,
                                 .groups = {1 + rng_below(&rng, 2), 1 + rng_below(&rng, 2), 1},
                                 .max_issues = rng_percent(&rng, 10) ? 20000 : 2000,
                                 .threads = rng_percent(&rng, 5) ? 2 : 1,
                                 .opt_budget = 500,
                                 .strict = rng_percent(&rng, 20),
                                 .cost = random_cost(&rng, &cost)};
  emu_world_bind(&w, &options);
  spv_emu_result *result;
  char message[512];
  t->runs++;
  if (spv_emu_run(program, &options, &result, message, sizeof message) == SPV_EMU_OK)
    judge(t, policy, program, result);
  else if (!is_line(message))
    fail(t, policy, "not a message of one line", message);
  spv_emu_result_free(result);
  emu_world_free(&w);
}

void emu_try(EmuTry *t, Rng *rng, const uint32_t *words, size_t count) {
  static const uint32_t sizes[] = {1, 4, 32, 100};
  spv_emu_spec specs[3];
  for (uint32_t i = 0; i < 3; i++)
    specs[i] =
        (spv_emu_spec){.id = i, .bits = rng_percent(rng, 70) ? rng_below(rng, 9) : rng_next(rng)};
  spv_emu_load_options options = {.specs = specs,
                                  .spec_count = rng_percent(rng, 30) ? 3 : 0,
                                  .subgroup_size = sizes[rng_below(rng, 4)],
                                  .transform =
                                      rng_percent(rng, 20) ? "strip-merges,structurize" : NULL};
  spv_emu_program *program;
  char message[512];
  if (spv_emu_load(words, count, &options, &program, message, sizeof message) != SPV_EMU_OK) {
    t->refused++;
    if (!is_line(message))
      fail(t, "loading", "not a message of one line", message);
    return;
  }
  t->taken++;
  const char *policy, *purpose;
  for (uint32_t i = 0; (policy = spv_emu_policy(i, &purpose)) != NULL; i++)
    run(t, *rng, program, policy);
  spv_emu_free(program);
}
