/* SPDX-License-Identifier: Apache-2.0 */
/* fit_run: one program, on a device and under all policies. On the device it runs in a process of
 * its own, which may crash or hang. */
#include "harness/fit/fit.h"
#include "harness/observe/observe_setup.h"
#include "harness/shader/variant.h"
#include "spv-emu/cases/amber_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS = 512 /* of an invocation */, MOST_ISSUES = 4000000, RUNS = 2 /* on the device */ };

typedef struct Program {
  FtFit *fit;
  FtRun *run;
  AmberScript *script;
  HnModule *modules;
  HnVariant variant; /* if the modules are transformed */
  ObSetup setup;
  uint32_t *logs[RUNS]; /* of the device */
  FtLog log;
} Program;

static bool fail(Program *p, HnOutcome outcome, const char *why) {
  p->run->outcome = outcome;
  snprintf(p->run->why, sizeof p->run->why, "%.150s", why ? why : "out of memory");
  return false;
}

/* Frees the message. */
static bool fail_with(Program *p, HnOutcome outcome, char *why) {
  fail(p, outcome, why);
  free(why);
  return false;
}

/* ---- the modules ---- */

static bool transform(Program *p, const char *transforms) {
  p->variant = hn_variant_make(p->script, p->modules, transforms, false);
  return p->variant.outcome == HN_PASS || fail(p, HN_FAIL, p->variant.message);
}

static bool make(Program *p, const char *text, const char *transforms) {
  const AmberFiles files = {0};
  AmberMessage said;
  char *message = NULL;
  if (amber_parse(text, strlen(text), &files, &p->script, &said) != AMBER_OK)
    return fail(p, HN_FAIL, said.text);
  if (hn_shaders_make_with_source(p->script, &p->modules, &message) != HN_PASS)
    return fail_with(p, HN_FAIL, message);
  if (transforms && !transform(p, transforms))
    return false;
  const HnModule *modules = transforms ? p->variant.modules : p->modules;
  CvMode mode = p->fit->device.mode;
  return ob_setup_make(p->script, modules, &mode, RECORDS, &p->setup, &message) ||
         fail_with(p, HN_FAIL, message);
}

static void clear(Program *p) {
  ft_log_free(&p->log);
  for (int i = 0; i < RUNS; i++)
    free(p->logs[i]);
  ob_setup_free(&p->setup);
  if (p->script) {
    hn_variant_free(&p->variant, p->script);
    hn_shaders_free(p->modules, p->script->shader_count);
  }
  amber_destroy(p->script);
}

/* ---- the emulator ---- */

static EmuAmber *open_emulator(const Program *p, uint32_t size, const char *transforms,
                               char why[160]) {
  const EmuAmberOptions options = {.subgroup_size = size, .transform = transforms};
  EmuAmber *amber;
  char message[512];
  if (emu_amber_open(&p->setup.script, p->setup.modules, &options, &amber, message,
                     sizeof message) == SPV_EMU_OK)
    return amber;
  snprintf(why, 160, "%.150s", message);
  return NULL;
}

/* The log under a policy, which belongs to `amber`. NULL: it does not run to the end, and `why`
 * says so; *skips: it does not apply. */
static const uint32_t *emulate(const Program *p, EmuAmber *amber, const HnPolicy *policy,
                               bool *skips, char why[160]) {
  const spv_emu_run_options how = {.policy = policy->policy,
                                   .choices = policy->choices,
                                   .choice_count = policy->choice_count,
                                   .max_issues = MOST_ISSUES};
  EmuRow row;
  char message[512];
  const uint32_t *words = NULL;
  *skips = false;
  if (emu_amber_run(amber, &how, &row, message, sizeof message) != SPV_EMU_OK) {
    snprintf(why, 160, "%.150s", message);
  } else {
    spv_emu_result total = emu_row_total(&row);
    *skips = total.outcome == SPV_EMU_SKIP;
    if (total.outcome == SPV_EMU_RAN)
      words = (const uint32_t *)emu_amber_contents(amber, p->setup.at[0].buffer);
    else if (*skips)
      snprintf(why, 160, "%.150s", total.message);
    else
      snprintf(why, 160, "%s: %.120s", emu_outcome_name(total.outcome), total.message);
  }
  emu_row_free(&row);
  return words;
}

static bool judge(Program *p, EmuAmber *amber, const HnPolicy *policy, FtScore *score) {
  char why[160];
  bool skips = false;
  EmuAmber *own = policy->transform ? open_emulator(p, p->log.size, policy->transform, why) : amber;
  const uint32_t *words = own ? emulate(p, own, policy, &skips, why) : NULL;
  bool good = true;
  skips |= !own; /* what the policy needs cannot be made of the program */
  if (skips && !score->skipped++)
    memcpy(score->why, why, sizeof score->why);
  if (!skips)
    good = ft_judge(&p->log, words, why, score);
  if (own != amber)
    emu_amber_close(own);
  return good || fail(p, HN_FAIL, NULL);
}

static bool judge_all(Program *p) {
  FtFit *f = p->fit;
  char why[160];
  p->setup.at[0].promises = false;
  if (!ob_setup_fit(&p->setup, 0))
    return fail(p, HN_FAIL, NULL);
  EmuAmber *amber = open_emulator(p, p->log.size, NULL, why);
  bool good = amber || fail(p, HN_FAIL, why);
  for (uint32_t i = 0; good && i < f->policy_count; i++)
    good = judge(p, amber, &f->policies[i], &f->scores[i]);
  emu_amber_close(amber);
  return good;
}

/* ---- the device ---- */

static bool run_device(Program *p) {
  const CvDevice *d = &p->fit->device;
  const HnBackendOptions options = cv_device_options(d);
  p->setup.at[0].promises = d->promises && !d->device->emulated;
  if (!ob_setup_fit(&p->setup, d->requires_size ? d->size : 0))
    return fail(p, HN_FAIL, NULL);
  p->run->outcome = ob_setup_run(&p->setup, &options, d->timeout, RUNS, p->logs, p->run->why);
  return p->run->outcome == HN_PASS;
}

static bool observe(Program *p) {
  const ObPipeline *at = &p->setup.at[0];
  p->log = (FtLog){.program = (uint32_t)(p->run - p->fit->runs),
                   .points = &at->points,
                   .invocations = at->log.invocations,
                   .records = at->log.records,
                   .words = p->logs[0]};
  if (!ft_log_read(&p->log, p->run->why)) {
    p->run->outcome = HN_FAIL;
    return false;
  }
  p->run->observations = p->log.observations;
  p->fit->observations += p->log.observations;
  return ft_judge(&p->log, p->logs[1], NULL, &p->fit->repeat) || fail(p, HN_FAIL, NULL);
}

bool ft_run(FtFit *fit, const char *text, const char *transforms, FtRun *run) {
  Program p = {.fit = fit, .run = run};
  run->outcome = HN_PASS;
  bool made = make(&p, text, transforms);
  bool good = made && (!run_device(&p) || !observe(&p) || judge_all(&p));
  clear(&p);
  return good;
}
