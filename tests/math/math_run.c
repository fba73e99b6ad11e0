/* SPDX-License-Identifier: Apache-2.0 */
/* math_run: see math_run.h. */
#include "tests/math/math_run.h"

#include "harness/run/backend_open.h"
#include "harness/shader/kernel_lower.h"
#include "harness/shader/variant.h"
#include "tests/harness/amber_text.h"
#include "tests/harness/vk_case.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Wanted {
  const MathRun *run;
  void *out;
  size_t size;
} Wanted;

static HnBackendOptions options_of(const char *device) {
  HnBackendOptions options = {0};
  for (int i = 0; i < VK_CASE_DRIVERS; i++)
    if (strcmp(vk_case_drivers()[i].name, device) == 0)
      options.icd = vk_case_drivers()[i].icd;
  if (!options.icd)
    options.emulated = 32;
  return options;
}

static void keep_results(const Wanted *w, const AmberScript *script, const HnReport *report) {
  for (size_t i = 0; i < report->buffer_count; i++)
    if (strcmp(script->buffers[i].name, "out") == 0 && report->buffers[i].bytes)
      memcpy(w->out, report->buffers[i].bytes, w->size);
}

static HnOutcome run_on_device(const Wanted *w, const AmberScript *script, const HnModule *modules,
                               char **message) {
  HnBackendOptions options = options_of(w->run->device);
  HnBackend *backend;
  HnReport report = {0};
  HnOutcome outcome = hn_backend_open(&options, script, &backend, message);
  if (outcome != HN_PASS)
    return outcome;
  hn_backend_run(backend, modules, &report);
  keep_results(w, script, &report);
  outcome = report.outcome;
  *message = report.message ? strdup(report.message) : NULL;
  hn_report_clear(&report);
  free(hn_backend_close(backend));
  return outcome;
}

/* Runs the shaders that are made of the script's kernels. */
static HnOutcome run_shaders(const Wanted *w, const AmberScript *script, const HnModule *modules,
                             char **message) {
  const char *list =
      w->run->native ? "kernel-to-shader:native,structurize" : "kernel-to-shader,structurize";
  HnVariant made = hn_variant_make(script, modules, list, false);
  HnOutcome outcome = made.outcome;
  *message = made.message ? strdup(made.message) : NULL;
  if (outcome == HN_PASS) {
    AmberScript *lowered = hn_kernel_lower(script, modules, made.modules, message);
    outcome = lowered ? run_on_device(w, lowered, made.modules, message) : HN_FAIL;
    hn_kernel_lower_free(lowered);
  }
  hn_variant_free(&made, script);
  return outcome;
}

HnOutcome math_run(const MathRun *run, const char *text, void *out, size_t size, char **message) {
  const Wanted w = {run, out, size};
  AmberScript *script = amber_text_good(text);
  HnModule *modules;
  *message = NULL;
  HnOutcome outcome = hn_shaders_make(script, &modules, message);
  if (outcome == HN_PASS) {
    outcome = strcmp(run->device, "kernel") == 0 ? run_on_device(&w, script, modules, message)
                                                 : run_shaders(&w, script, modules, message);
    hn_shaders_free(modules, script->shader_count);
  }
  amber_destroy(script);
  return outcome;
}

bool math_run_is_there(const char *device) {
  const char *icd = options_of(device).icd;
  return !icd || access(icd, R_OK) == 0;
}
