/* SPDX-License-Identifier: Apache-2.0 */
/* observe: see observe.h. For each device the setup runs twice: on the device, and in the emulator
 * with subgroups of the device's size. The emulator's log is judged, too: it must be right. */
#include "harness/observe/observe.h"

#include "harness/backend/reflect.h"
#include "harness/converge/converge_report.h"
#include "harness/observe/observe_judge.h"
#include "harness/observe/observe_setup.h"
#include "harness/observe/show.h"
#include "harness/shader/case_file.h"
#include "harness/shader/case_validate.h"
#include "passes/tool/compile/compile_file.h"
#include "passes/tool/tool_file.h"
#include "passes/tool/tool_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Observe {
  const ObOptions *options;
  AmberScript *script;
  HnModule *modules;
  ObSetup setup;
  bool races; /* paths differ from run to run */
  size_t passed, failed, skipped;
} Observe;

static const char *path_of(const Observe *o) {
  return o->options->shader.path;
}

/* Prints a message, which is freed; NULL: out of memory; empty: it is on standard error already. */
static bool complain(const Observe *o, char *message) {
  if (!message || *message)
    tool_say(path_of(o), "%s", message ? message : "out of memory");
  free(message);
  return false;
}

/* ---- the case ---- */

static bool make_case(Observe *o, uint8_t **text, size_t *size) {
  HnNewRisks risks;
  char *message;
  *text = (uint8_t *)hn_new_case(&o->options->shader, &risks, &message);
  if (!*text)
    return complain(o, message);
  *size = strlen((const char *)*text);
  o->races = risks.races;
  if (!risks.outside)
    return true;
  tool_say(path_of(o), "with made-up contents the shader accesses memory out of bounds, on which "
                       "drivers may crash: change what spv-harness new prints, and observe that");
  return false;
}

static bool read_case(Observe *o, uint8_t **text, size_t *size) {
  if (tool_is_module(path_of(o)) || hn_new_case_is(path_of(o)))
    return make_case(o, text, size);
  if (!compile_file_read(path_of(o), HN_FILE_MOST, text, size)) {
    tool_say(path_of(o), "cannot be read: %s", strerror(errno));
    return false;
  }
  return true;
}

static bool parse_case(Observe *o) {
  const AmberFiles files = hn_files_beside(path_of(o));
  AmberMessage message;
  uint8_t *text = NULL;
  size_t size;
  bool good = read_case(o, &text, &size);
  if (good && amber_parse((const char *)text, size, &files, &o->script, &message) != AMBER_OK)
    good = complain(o, strdup(message.text));
  free(text);
  return good;
}

/* Refuses a shader with the first line of the validator's message, and the shader's name. */
static bool refuse_shader(const AmberShader *shader, char **message) {
  char *said = *message;
  *message = NULL;
  if (said && asprintf(message, "shader %s is not valid, spirv-val says: %.*s", shader->name,
                       (int)strcspn(said, "\n"), said) < 0)
    *message = NULL;
  free(said);
  return false;
}

/* Invalid modules may crash drivers, and their tangles mean nothing. */
static bool check_modules(const Observe *o, char **message) {
  if (!hn_pipelines_check(o->script, o->modules, message))
    return false;
  for (uint32_t i = 0; i < o->script->shader_count; i++) {
    if (!o->modules[i].words)
      continue;
    if (!hn_validate(o->script, o->modules[i], message))
      return refuse_shader(&o->script->shaders[i], message);
    if (*message)
      tool_say(path_of(o), "note: %s", *message);
    free(*message);
    *message = NULL;
  }
  return true;
}

static bool prepare(Observe *o) {
  const CvMode *mode = o->options->mode_given ? &o->options->common->mode : NULL;
  char *message = NULL;
  if (!parse_case(o))
    return false;
  if (hn_shaders_make_with_source(o->script, &o->modules, &message) != HN_PASS ||
      !check_modules(o, &message) ||
      !ob_setup_make(o->script, o->modules, mode, 0, &o->setup, &message))
    return complain(o, message);
  return true;
}

/* ---- a device ---- */

/* The subgroup size that the first invocation found; 0: none ran. */
static uint32_t size_used(const ObPipeline *p, const uint32_t *log) {
  size_t parts = (size_t)p->workgroups * p->log.invocations;
  for (size_t i = 0; i < parts; i++)
    if (log[i * ob_part_words(p->log.records) + OB_HEAD - 1])
      return log[i * ob_part_words(p->log.records) + OB_HEAD - 1];
  return 0;
}

static void free_logs(const ObSetup *s, uint32_t **logs) {
  for (uint32_t i = 0; logs && i < s->count; i++)
    free(logs[i]);
  free(logs);
}

/* The emulator's logs. NULL: there are none, and *why says why. */
static uint32_t **reference_logs(Observe *o, uint32_t size, uint32_t exact, char why[160]) {
  ObSetup *s = &o->setup;
  const HnBackendOptions options = {.emulated = size};
  uint32_t **logs = calloc(s->count, sizeof(uint32_t *));
  for (uint32_t i = 0; i < s->count; i++)
    s->at[i].promises = false;
  snprintf(why, 160, "out of memory");
  if (logs && ob_setup_fit(s, exact) &&
      ob_setup_run(s, &options, o->options->common->timeout, 1, logs, why) == HN_PASS)
    return logs;
  free_logs(s, logs);
  return NULL;
}

static bool is_wrong(const ObPoints *points, const ObTotals *t) {
  bool wrong = t->broken;
  for (uint32_t i = 0; i < points->count; i++)
    wrong |= t->at[i].wrong != 0;
  return wrong;
}

/* Does the emulator's log differ from what the model of path.h says? *good: false if memory ran
 * out. */
static bool is_disputed(const ObCase *c, const uint32_t *reference, bool *good) {
  ObCase maximal = *c;
  ObTotals totals;
  maximal.mode = CV_MAXIMAL;
  *good = ob_judge(&maximal, reference, NULL, &totals);
  bool disputed = *good && is_wrong(c->points, &totals);
  if (disputed)
    ob_show_dispute(&maximal, &totals);
  free(totals.at);
  return disputed;
}

/* False: out of memory. */
static bool judge_pipeline(Observe *o, const CvDevice *d, const ObPipeline *p, const uint32_t *log,
                           const uint32_t *reference) {
  const ObCase c = {.points = &p->points,
                    .mode = p->mode,
                    .invocations = p->log.invocations,
                    .workgroups = p->workgroups,
                    .records = p->log.records};
  bool good = true;
  CvDevice shown = *d;
  shown.mode = p->mode;
  shown.size = size_used(p, log);
  cv_report_device(&shown);
  if (reference && is_disputed(&c, reference, &good)) {
    o->failed++;
    return true;
  }
  ObTotals totals = {0};
  good = good && ob_judge(&c, log, o->races ? NULL : reference, &totals);
  if (good) {
    bool wrong = is_wrong(&p->points, &totals);
    ob_show(p->name, &c, &totals);
    o->passed += !wrong;
    o->failed += wrong;
  }
  free(totals.at);
  return good;
}

static bool judge_all(Observe *o, const CvDevice *d, uint32_t **logs) {
  ObSetup *s = &o->setup;
  char why[160];
  uint32_t size = size_used(&s->at[0], logs[0]);
  if (!size) {
    printf("%s: no invocation ran\n", d->device->name);
    o->failed++;
    return true;
  }
  uint32_t **reference = reference_logs(o, size, d->requires_size ? d->size : 0, why);
  if (!reference)
    printf("paths are not compared with the emulator's: %s\n", why);
  else if (o->races)
    puts("paths are not compared with the emulator's: workgroups race");
  bool good = true;
  for (uint32_t i = 0; good && i < s->count; i++)
    good = judge_pipeline(o, d, &s->at[i], logs[i], reference ? reference[i] : NULL);
  free_logs(s, reference);
  return good;
}

/* Finds what the device promises about each pipeline's mode. */
static bool open_device(Observe *o, CvDevice *d, char **message) {
  const CvOptions *common = o->options->common;
  for (uint32_t i = 0; i < o->setup.count; i++) {
    ObPipeline *p = &o->setup.at[i];
    d->mode = p->mode;
    d->size = common->subgroup_size;
    if (!cv_device_open(d, NULL, message))
      return false;
    p->promises = d->promises && !d->device->emulated;
  }
  return true;
}

static bool observe_device(Observe *o, const HnDevice *found) {
  const CvOptions *common = o->options->common;
  CvDevice d = {.device = found, .policy = common->policy, .timeout = common->timeout, .jobs = 1};
  ObSetup *s = &o->setup;
  char *message = NULL, why[160];
  if (!open_device(o, &d, &message)) {
    fprintf(stderr, "spv-harness: %s\n", message ? message : "out of memory");
    free(message);
    return false;
  }
  uint32_t **logs = calloc(s->count, sizeof(uint32_t *));
  if (!logs || !ob_setup_fit(s, d.requires_size ? d.size : 0)) {
    free_logs(s, logs);
    return complain(o, NULL);
  }
  const HnBackendOptions options = cv_device_options(&d);
  HnOutcome outcome = ob_setup_run(s, &options, common->timeout, 1, logs, why);
  bool good = true;
  if (outcome == HN_PASS) {
    good = judge_all(o, &d, logs) || complain(o, NULL);
  } else {
    bool skipped = outcome == HN_SKIP;
    printf("%s: %s: %s\n", found->name, skipped ? "skipped" : "the driver fails", why);
    o->skipped += skipped;
    o->failed += !skipped;
  }
  free_logs(s, logs);
  return good;
}

int ob_observe(const ObOptions *options) {
  Observe o = {.options = options};
  const HnDevices *devices = options->common->devices;
  bool good = prepare(&o);
  for (size_t i = 0; good && i < devices->count; i++)
    good = observe_device(&o, &devices->at[i]);
  ob_setup_free(&o.setup);
  if (o.script)
    hn_shaders_free(o.modules, o.script->shader_count);
  amber_destroy(o.script);
  if (!good)
    return EXIT_FAILURE;
  printf("%zu passed, %zu failed, %zu skipped\n", o.passed, o.failed, o.skipped);
  return o.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
