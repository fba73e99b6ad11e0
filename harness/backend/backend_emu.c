/* SPDX-License-Identifier: Apache-2.0 */
/* backend_emu: the emulator as a device: policy `structured` unless the options name another, one
 * subgroup size; see backend.h.
 *
 * A script or module that needs something that the emulator lacks (graphics, an instruction) is
 * skipped, with the emulator's reason, because modules that have passed spirv-val are not at fault.
 * Scripts run through spv-emu/cases, a library on top of the emulator's public header that the
 * command spv-emu uses too. */
#include "harness/backend/backend_emu.h"

#include "harness/backend/backend_policy.h"
#include "spv-emu/cases/amber_run.h"

#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POLICY "structured"

typedef struct HnEmulator {
  HnBackend head;
  const AmberScript *script;
  uint32_t subgroup_size;
  HnPolicy policy; /* all zero: the default policy for the script's kind */
} HnEmulator;

static HnOutcome open_emulator(const HnBackendOptions *options, const AmberScript *script,
                               HnBackend **backend, char **message) {
  HnEmulator *emulator = malloc(sizeof *emulator);
  *message = NULL;
  *backend = NULL;
  if (!emulator)
    return HN_FAIL;
  *emulator =
      (HnEmulator){.head = {&hn_backend_emu}, .script = script, .subgroup_size = options->emulated};
  if (options->policy && !hn_policy_find(options->policy, &emulator->policy))
    emulator->policy.policy = options->policy; /* the emulator refuses an invalid one */
  *backend = &emulator->head;
  return HN_PASS;
}

static char *close_emulator(HnBackend *backend) {
  free(backend);
  return NULL;
}

static bool list_emulator(const HnBackendOptions *options, char **text) {
  if (asprintf(text, "spv-emu %s, policy " POLICY ", subgroup size %u\n", SPVRECONV_VERSION,
               options->emulated) < 0)
    *text = NULL;
  return *text != NULL;
}

/* ---- one run --------------------------------------------------------------------------------- */

static void conclude(HnReport *report, HnOutcome outcome, const char *message) {
  report->outcome = outcome;
  report->message = strdup(message);
}

static HnOutcome outcome_of(spv_emu_status status) {
  return status == SPV_EMU_BAD_INPUT ? HN_SKIP : HN_FAIL;
}

static bool hand_over(const EmuAmber *amber, const AmberScript *script, HnReport *report) {
  report->buffers = calloc(script->buffer_count + 1u, sizeof *report->buffers);
  if (!report->buffers)
    return false;
  report->buffer_count = script->buffer_count;
  for (uint32_t i = 0; i < script->buffer_count; i++) {
    const uint8_t *bytes = emu_amber_contents(amber, i);
    HnContents *contents = &report->buffers[i];
    if (!bytes)
      continue;
    contents->size = script->buffers[i].size;
    contents->bytes = malloc(contents->size + 1);
    if (!contents->bytes)
      return false;
    if (contents->size)
      memcpy(contents->bytes, bytes, contents->size);
  }
  return true;
}

/* Sets outcome and message of a run that finished. */
static void judge(const EmuRow *row, HnReport *report) {
  spv_emu_result total = emu_row_total(row);
  char text[1200];
  if (total.outcome == SPV_EMU_RAN && !row->failed)
    return;
  if (total.outcome == SPV_EMU_RAN) { /* the message of such a run is a note */
    const spv_emu_result missed = {.message = ""};
    snprintf(text, sizeof text, "%s%s%s", emu_row_message(row, &missed),
             total.message[0] ? "; note: " : "", total.message);
    conclude(report, HN_FAIL, text);
    return;
  }
  snprintf(text, sizeof text, "%s: %s", emu_outcome_name(total.outcome), total.message);
  conclude(report, total.outcome == SPV_EMU_SKIP ? HN_SKIP : HN_FAIL, text);
}

static void run_amber(const HnEmulator *emulator, EmuAmber *amber, HnReport *report) {
  /* Kernels need not be structured. */
  const bool kernels = amber_has_kernels(emulator->script);
  const HnPolicy *policy = &emulator->policy;
  const spv_emu_run_options how = {.policy = policy->policy ? policy->policy
                                             : kernels      ? NULL
                                                            : POLICY,
                                   .choices = policy->choices,
                                   .choice_count = policy->choice_count};
  EmuRow row;
  char message[512];
  spv_emu_status status = emu_amber_run(amber, &how, &row, message, sizeof message);
  if (status != SPV_EMU_OK)
    conclude(report, outcome_of(status), message);
  else
    judge(&row, report);
  bool ended = status == SPV_EMU_OK && emu_row_total(&row).outcome == SPV_EMU_RAN;
  if (ended && !hand_over(amber, emulator->script, report)) {
    free(report->message);
    conclude(report, HN_FAIL, "out of memory");
  }
  emu_row_free(&row);
}

static void run_emulator(HnBackend *backend, const HnModule *modules, HnReport *report) {
  const HnEmulator *emulator = (const HnEmulator *)backend;
  const EmuAmberOptions options = {.subgroup_size = emulator->subgroup_size,
                                   .transform = emulator->policy.transform};
  EmuAmber *amber;
  char message[512];
  *report = (HnReport){.outcome = HN_PASS};
  spv_emu_status status =
      emu_amber_open(emulator->script, modules, &options, &amber, message, sizeof message);
  if (status != SPV_EMU_OK) {
    conclude(report, outcome_of(status), message);
    return;
  }
  run_amber(emulator, amber, report);
  emu_amber_close(amber);
}

const HnBackendKind hn_backend_emu = {open_emulator, run_emulator, close_emulator, list_emulator};
