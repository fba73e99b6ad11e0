/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_amber: the AmberScript parser; and a script that is accepted and small runs on the emulator,
 * with fixed modules (stock.h) in place of its shaders, under two policies. So what is drawn
 * depends on the script alone: framebuffers, viewports, formats, states, topologies, vertices,
 * clears, copies, EXPECTs. */
#include "spv-emu/cases/amber_run.h"
#include "tests/equiv/gen/rng.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/stock.h"
#include "tests/harness/amber_judge.h"

#include <stdlib.h>
#include <string.h>

enum {
  MOST_BYTES = 1 << 18,
  MOST_COMMANDS = 20,
  MOST_VERTICES = 500,
  MOST_PIXELS = 1 << 13,
  MESSAGE = 1024,
};

/* ---- is it small? ---------------------------------------------------------------------------- */

static bool small_buffers(const AmberScript *script) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < script->buffer_count; i++) {
    const AmberBuffer *b = &script->buffers[i];
    bytes += b->size * 2u * (b->samples ? b->samples : 1);
  }
  for (uint32_t i = 0; i < script->pipeline_count; i++)
    bytes += (uint64_t)script->pipelines[i].raster.width * script->pipelines[i].raster.height >
                     MOST_PIXELS
                 ? MOST_BYTES
                 : 0;
  return bytes < MOST_BYTES;
}

static bool small_command(const AmberCommand *c) {
  uint32_t count;
  switch (c->kind) {
  case AMBER_REPEAT:
    return c->repeat.times <= 3;
  case AMBER_DRAW_RECT:
  case AMBER_DRAW_GRID:
    return amber_rect_count(c, &count) && count <= MOST_VERTICES;
  case AMBER_DRAW_ARRAY:
    return (uint64_t)c->array.count * c->array.instance_count <= MOST_VERTICES;
  case AMBER_RUN_COMPUTE:
    return (uint64_t)c->run.x * c->run.y <= 64 && c->run.z <= 4;
  default:
    return true;
  }
}

static bool is_small(const AmberScript *script) {
  uint32_t repeats = 0;
  bool small = script->command_count <= MOST_COMMANDS && small_buffers(script);
  for (uint32_t i = 0; small && i < script->command_count; i++) {
    repeats += script->commands[i].kind == AMBER_REPEAT;
    small = small_command(&script->commands[i]);
  }
  return small && repeats <= 2;
}

/* ---- running --------------------------------------------------------------------------------- */

static void must_be_line(const char *what, const char *message) {
  if (!*message || strchr(message, '\n'))
    fuzz_die("%s: not a message of one line: %s", what, message);
}

/* By index in script->shaders. A shader that pipelines attach at several stages gets the first
 * one's module, which the others refuse. */
static HnModule *stock_modules(const AmberScript *script, Rng *rng) {
  HnModule *modules = calloc(script->shader_count + 1u, sizeof *modules);
  Stock fragment = rng_percent(rng, 60) ? STOCK_FRAGMENT : STOCK_PLAIN;
  for (uint32_t i = 0; modules && i < script->pipeline_count; i++)
    for (uint32_t k = 0; k < script->pipelines[i].shader_count; k++) {
      const AmberAttachedShader *s = &script->pipelines[i].shaders[k];
      Stock which = s->stage == AMBER_COMPUTE    ? STOCK_COMPUTE
                    : s->stage == AMBER_GEOMETRY ? STOCK_GEOMETRY
                    : s->stage == AMBER_FRAGMENT ? fragment
                                                 : STOCK_VERTEX;
      if (!modules[s->shader].words)
        modules[s->shader].words = stock_module(which, &modules[s->shader].count);
    }
  return modules;
}

/* Keeps what --image and --heat-map show, or only what the page shows. */
static void view(const EmuAmber *amber, EmuRow *row, bool files) {
  EmuDrawn drawn[EMU_AMBER_DRAWN];
  uint32_t count = emu_amber_drawn(amber, drawn);
  if (!emu_row_pictures(row, drawn, count) || !emu_row_view(row, true, files, files))
    fuzz_die("out of memory");
}

static void run(EmuAmber *amber, const char *policy, bool heat) {
  spv_emu_run_options how = {.policy = policy, .max_issues = 20000};
  char message[MESSAGE] = "";
  EmuRow row;
  how.heat = heat ? &row.heat : NULL;
  spv_emu_status status = emu_amber_run(amber, &how, &row, message, sizeof message);
  if (status != SPV_EMU_OK)
    must_be_line(policy, message);
  else if (heat)
    view(amber, &row, policy[0] == 't');
  emu_row_free(&row);
}

/* A policy of the emulator at random. */
static const char *some_policy(Rng *rng) {
  const char *purpose;
  uint32_t count = 0;
  while (spv_emu_policy(count, &purpose))
    count++;
  return spv_emu_policy(rng_below(rng, count), &purpose);
}

static void play(const AmberScript *script, uint64_t seed) {
  static const uint32_t sizes[] = {4, 8, 32, 64};
  Rng rng = {rng_mix(seed)};
  const EmuAmberOptions options = {.subgroup_size = sizes[rng_below(&rng, 4)],
                                   .mixed = rng_percent(&rng, 30)};
  HnModule *modules = stock_modules(script, &rng);
  EmuAmber *amber;
  char message[MESSAGE] = "";
  if (!modules)
    return;
  if (emu_amber_open(script, modules, &options, &amber, message, sizeof message) == SPV_EMU_OK) {
    run(amber, some_policy(&rng), rng_percent(&rng, 20));
    run(amber, "structured", false);
  } else {
    must_be_line("opening", message);
  }
  emu_amber_close(amber);
  free(modules);
}

/* The seed: a hash of the text, so that an input always does the same. */
static uint64_t hash(const uint8_t *data, size_t size) {
  uint64_t h = size;
  for (size_t i = 0; i < size; i++)
    h = rng_mix(h ^ data[i]);
  return h;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  AmberMessage message = {0};
  AmberScript *script;
  int status = amber_judge((const char *)data, size, &message);
  if (status < 0)
    fuzz_die("does not hold: %s", message.text);
  if (status != AMBER_OK)
    return 0;
  const AmberFiles files = {.read = amber_judge_file};
  if (amber_parse((const char *)data, size, &files, &script, &message) != AMBER_OK)
    fuzz_die("another result the second time: %s", message.text);
  if (is_small(script))
    play(script, hash(data, size));
  amber_destroy(script);
  return 0;
}
