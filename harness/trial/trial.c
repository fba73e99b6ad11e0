/* SPDX-License-Identifier: Apache-2.0 */
/* trial: see trial.h. */
#include "harness/trial/trial.h"

#include "harness/shader/perturb.h"
#include "harness/trial/trial_progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Condition {
  uint32_t size;
  const char *policy;
  bool backwards, garbage, races;
  uint64_t errors; /* seed of the rounding errors; 0: none */
} Condition;

static const Condition of_dispatch[HN_TRIAL_ALL] = {
    {.size = 32, .races = true},
    {.size = 32, .policy = "scalar"},
    {.size = 8},
    {.size = 4},
    {.size = 32, .backwards = true},
    {.size = 4, .backwards = true},
    [HN_TRIAL_UNWRITTEN] = {.size = 32, .garbage = true},
    {.size = 32, .errors = 1},
    {.size = 32, .errors = 2},
    {.size = 32, .errors = 3},
};

/* Fragments of a triangle have an order, and quads need all their lanes, so no run is backwards or
 * scalar. */
static const Condition of_draw[HN_TRIAL_ALL] = {
    {.size = 32},
    {.size = 16},
    {.size = 8},
    {.size = 4},
    {.size = 64},
    {.size = 128},
    [HN_TRIAL_UNWRITTEN] = {.size = 32, .garbage = true},
    {.size = 32, .errors = 1},
    {.size = 32, .errors = 2},
    {.size = 32, .errors = 3},
};

typedef struct Runner {
  HnTrialModule *module;
  const HnTrialDraw *draw; /* NULL: a dispatch */
  const EmuBareOptions *options;
  HnTrial *trial;
  char *message;
  size_t message_size;
  HnTrialProgress progress;
} Runner;

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

static bool is_ok(spv_emu_status status) {
  return status == SPV_EMU_OK;
}

/* What a run's outputs belong to. */
typedef struct Opened {
  EmuBare *bare;
  EmuBareDraw *draw;
} Opened;

static void close_all(Opened *o) {
  emu_bare_close(o->bare);
  emu_bare_draw_close(o->draw);
}

static bool run_dispatch(const Runner *r, const spv_emu_program *program,
                         const spv_emu_run_options *how, Opened *o, EmuRow *row) {
  return is_ok(emu_bare_open(program, r->options, &o->bare, r->message, r->message_size)) &&
         is_ok(emu_bare_run(o->bare, how, row, r->message, r->message_size));
}

/* Copies the attachments; those of the first run are described, too. */
static void keep_drawn(HnTrial *t, int run, const EmuBareDraw *draw) {
  uint32_t count;
  const EmuDrawn *drawn = emu_bare_draw_attachments(draw, &count);
  if (!run)
    t->attachments = calloc(count + 1u, sizeof *t->attachments);
  t->drawn[run] = t->attachments ? calloc(count + 1u, sizeof **t->drawn) : NULL;
  if (!t->drawn[run])
    return;
  for (uint32_t i = 0; i < count; i++) {
    size_t size = (size_t)drawn[i].width * drawn[i].height * drawn[i].format->bytes;
    t->attachments[i] = drawn[i];
    t->attachments[i].bytes = NULL;
    t->drawn[run][i] = malloc(size);
    if (t->drawn[run][i])
      memcpy(t->drawn[run][i], drawn[i].bytes, size);
  }
  t->attachment_count = count;
}

static bool run_draw(const Runner *r, int run, const spv_emu_program *program,
                     const spv_emu_run_options *how, Opened *o, EmuRow *row) {
  EmuBareDrawOptions options = {
      .fragment = program, .built = true, .width = r->draw->width, .height = r->draw->height};
  options.vertex = hn_trial_load(r->draw->vertex, of_draw[run].size, r->message, r->message_size);
  if (!options.vertex)
    return false;
  if (!is_ok(emu_bare_draw_open(&options, r->options, &o->draw, r->message, r->message_size)) ||
      !is_ok(emu_bare_draw_run(o->draw, how, row, r->message, r->message_size)))
    return false;
  keep_drawn(r->trial, run, o->draw);
  return true;
}

static void free_all(uint8_t **bytes, uint32_t count) {
  for (uint32_t i = 0; bytes && i < count; i++)
    free(bytes[i]);
  free(bytes);
}

/* The message, without the emulator's option that new and run lack. */
static void describe(const Runner *r, const char *message, bool too_large) {
  static const char option[] = " (--max-issues)";
  const char *named = strstr(message, option);
  int before = named ? (int)(named - message) : (int)strlen(message);
  snprintf(r->message, r->message_size, "the emulator: %.*s%s%s%s", before, message,
           named ? named + sizeof option - 1 : "", too_large ? "; give a smaller --" : "",
           !too_large ? ""
           : r->draw  ? "framebuffer"
                      : "dispatch");
}

static bool run_one(const Runner *r, int run, const Condition *on, const spv_emu_program *program) {
  HnTrial *t = r->trial;
  /* A loop whose bound is read from unwritten memory, or errs, may run for very long. */
  const uint64_t most = on->garbage || on->errors ? 100 * t->issued + 1000000 : 0;
  const spv_emu_run_options how = {.max_issues = most,
                                   .policy = on->policy,
                                   .backwards = on->backwards,
                                   .garbage = on->garbage,
                                   .races = on->races,
                                   .progress = r->progress.path ? &r->progress.to : NULL};
  Opened o = {0};
  EmuRow row = {0};
  bool good = r->draw ? run_draw(r, run, program, &how, &o, &row)
                      : run_dispatch(r, program, &how, &o, &row);
  if (good) {
    const spv_emu_result total = emu_row_total(&row);
    good = total.outcome == SPV_EMU_RAN;
    describe(r, emu_row_message(&row, &total), !most && total.outcome == SPV_EMU_LIMIT);
    t->after[run] = good ? hn_trial_outputs(r->options, &row) : NULL;
    t->outside += on->garbage || on->errors ? 0 : total.out_of_bounds;
    t->races += total.races;
    t->issued = run ? t->issued : total.issued;
    t->quad_breaks = run ? t->quad_breaks : total.quad_breaks;
  }
  if (!good) {
    free_all(t->drawn[run], t->attachment_count);
    t->drawn[run] = NULL;
  }
  emu_row_free(&row);
  close_all(&o);
  return good;
}

static bool is_filtered(const EmuBareOptions *options) {
  for (uint32_t i = 0; i < options->sampler_count; i++)
    if (options->samplers[i].mag_filter)
      return true;
  return false;
}

/* Runs the module with rounding errors. */
static bool run_rounded(const Runner *r, int run, const Condition *on) {
  HnTrialModule other = {
      .stage = r->module->stage, .run = r->module->run, .given = r->module->given, .known = true};
  size_t count;
  const uint32_t *words = hn_trial_words(r->module, &count);
  HnModule made =
      hn_perturb((HnModule){(uint32_t *)words, count}, on->errors, is_filtered(r->options));
  other.words = (ToolInput){(char *)made.words, made.count * sizeof *made.words, true};
  const spv_emu_program *program =
      made.words ? hn_trial_load(&other, on->size, r->message, r->message_size) : NULL;
  bool good = program && run_one(r, run, on, program);
  hn_trial_module_free(&other);
  return good;
}

static bool run_all(Runner *r, const HnTrialHow *how) {
  HnTrial *t = r->trial;
  for (int i = 0; i < HN_TRIAL_RUNS; i++) {
    const Condition *on = r->draw ? &of_draw[i] : &of_dispatch[i];
    hn_trial_progress_run(&r->progress, i + 1, on->policy ? 1 : on->size); /* scalar */
    const spv_emu_program *program =
        hn_trial_load(r->module, on->size, r->message, r->message_size);
    bool good = program && run_one(r, i, on, program);
    if (!good && !i)
      return false;
    if (!good && on->garbage)
      snprintf(t->why, sizeof t->why, "%s", r->message);
    if (how->clean && (t->outside || t->races))
      return true;
  }
  for (int i = HN_TRIAL_RUNS; how->rounds && i < HN_TRIAL_ALL; i++) {
    const Condition *on = r->draw ? &of_draw[i] : &of_dispatch[i];
    hn_trial_progress_run(&r->progress, i + 1, on->size);
    run_rounded(r, i, on);
  }
  return true;
}

bool hn_trial_run(HnTrialModule *module, const HnTrialDraw *draw, const EmuBareOptions *options,
                  const HnTrialHow *how, HnTrial *t, char *message, size_t message_size) {
  Runner r = {.module = module,
              .draw = draw,
              .options = options,
              .trial = t,
              .message = message,
              .message_size = message_size};
  *t = (HnTrial){.buffer_count = options->buffer_count};
  hn_trial_progress_begin(&r.progress, how->path, how->rounds ? HN_TRIAL_ALL : HN_TRIAL_RUNS);
  bool good = run_all(&r, how);
  hn_trial_progress_end(&r.progress);
  return good;
}

void hn_trial_free(HnTrial *t) {
  for (int run = 0; run < HN_TRIAL_ALL; run++) {
    free_all(t->after[run], t->buffer_count);
    free_all(t->drawn[run], t->attachment_count);
  }
  free(t->attachments);
  *t = (HnTrial){0};
}
