/* SPDX-License-Identifier: Apache-2.0 */
/* trial: see trial.h. */
#include "trial/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  uint32_t size;
  const char *policy;
  bool backwards, garbage, races;
} runs[HN_TRIAL_RUNS] = {
    {.size = 32, .races = true},
    {.size = 32, .policy = "scalar"},
    {.size = 8},
    {.size = 4},
    {.size = 32, .backwards = true},
    {.size = 4, .backwards = true},
    [HN_TRIAL_UNWRITTEN] = {.size = 32, .garbage = true},
};

static const EmuOutput *output_of(const EmuRow *row, const EmuBareBuffer *b) {
  for (uint32_t k = 0; k < row->output_count; k++) {
    const EmuOutput *o = &row->outputs[k];
    if (o->set == b->place.set && o->binding == b->place.binding && o->element == b->element)
      return o;
  }
  return NULL;
}

uint8_t **hn_trial_outputs(const EmuBareOptions *options, const EmuRow *row) {
  uint8_t **after = calloc(options->buffer_count + 1u, sizeof *after);
  for (uint32_t i = 0; after && i < options->buffer_count; i++) {
    const EmuOutput *o = output_of(row, &options->buffers[i]);
    if (!o)
      continue;
    after[i] = malloc(o->size + 1);
    if (after[i])
      memcpy(after[i], o->bytes, o->size);
  }
  return after;
}

static bool run_one(HnTrial *t, int run, const spv_emu_program *program,
                    const EmuBareOptions *options, char *message, size_t size) {
  /* A loop whose bound is read from unwritten memory may run for very long. */
  const uint64_t most = runs[run].garbage ? 100 * t->issued + 1000000 : 0;
  const spv_emu_run_options how = {.max_issues = most,
                                   .policy = runs[run].policy,
                                   .backwards = runs[run].backwards,
                                   .garbage = runs[run].garbage,
                                   .races = runs[run].races};
  EmuBare *bare = NULL;
  EmuRow row = {0};
  bool good = emu_bare_open(program, options, &bare, message, size) == SPV_EMU_OK &&
              emu_bare_run(bare, &how, &row, message, size) == SPV_EMU_OK;
  if (good) {
    const spv_emu_result total = emu_row_total(&row);
    snprintf(message, size, "the emulator: %s", emu_row_message(&row, &total));
    good = total.outcome == SPV_EMU_RAN;
    t->after[run] = good ? hn_trial_outputs(options, &row) : NULL;
    t->outside += runs[run].garbage ? 0 : total.out_of_bounds;
    t->races += total.races;
    t->issued = run ? t->issued : total.issued;
  }
  emu_row_free(&row);
  emu_bare_close(bare);
  return good;
}

bool hn_trial_run(const HnTrialModule *module, const EmuBareOptions *options, HnTrial *t,
                  char *message, size_t message_size) {
  *t = (HnTrial){.buffer_count = options->buffer_count};
  for (int i = 0; i < HN_TRIAL_RUNS; i++) {
    spv_emu_program *program = NULL;
    bool good = hn_trial_load(module, runs[i].size, &program, message, message_size) &&
                run_one(t, i, program, options, message, message_size);
    spv_emu_free(program);
    if (!good && !i)
      return false;
    if (!good && runs[i].garbage)
      snprintf(t->why, sizeof t->why, "%s", message);
  }
  return true;
}

void hn_trial_free(HnTrial *t) {
  for (int run = 0; run < HN_TRIAL_RUNS; run++) {
    for (uint32_t i = 0; t->after[run] && i < t->buffer_count; i++)
      free(t->after[run][i]);
    free(t->after[run]);
  }
  *t = (HnTrial){0};
}
