/* SPDX-License-Identifier: Apache-2.0 */
/* backend_vk_run: see backend_vk_run.h. */
#include "harness/vulkan/backend_vk_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one run -------------------------------------------------------------------------------- */

typedef struct Run {
  HnVulkan *backend;
  VhProgram program;
  HnReport *report;
  AmberContents *contents; /* by buffer, for amber_expect_check */
} Run;

/* ---- EXPECT and COPY ------------------------------------------------------------------------ */

static bool read_for(Run *run, uint32_t buffer, uint32_t line) {
  VhDevice *device = &run->backend->device;
  VhResource *resource = &run->backend->scene.resources[buffer];
  if (!vh_resource_readable(resource))
    return vh_fail(&device->error, HN_SKIP, "line %u: %s has several samples and cannot be read",
                   line, resource->declared->name);
  if (!vh_resource_read(device, resource))
    return false;
  run->contents[buffer] = (AmberContents){resource->bytes, resource->declared->size};
  return true;
}

/* A failed EXPECT fails the run but does not end it; the first one is kept. */
static bool expect(Run *run, const AmberCommand *command) {
  const AmberExpect *what = &command->expect;
  uint32_t other = amber_expect_other(what);
  if (!read_for(run, what->buffer, command->line) ||
      (other != AMBER_NONE && !read_for(run, other, command->line)))
    return false;
  char text[512];
  if (amber_expect_check(run->backend->script, command, run->contents, text, sizeof text) ||
      run->report->outcome != HN_PASS)
    return true;
  run->report->outcome = HN_FAIL;
  run->report->message = strdup(text);
  return true;
}

/* Both buffers are in mapped memory, so the host copies. */
static bool copy(Run *run, const AmberCommand *command) {
  if (!read_for(run, command->copy.from, command->line))
    return false;
  const VhResource *from = &run->backend->scene.resources[command->copy.from];
  VhResource *to = &run->backend->scene.resources[command->copy.to];
  memmove(to->bytes, from->bytes, to->declared->size);
  vh_resource_bytes_written(to);
  return true;
}

static bool write_values(Run *run, const AmberCommand *command) {
  uint32_t buffer = command->write.buffer;
  if (!read_for(run, buffer, command->line))
    return false;
  amber_write_apply(&command->write, run->backend->scene.resources[buffer].bytes);
  vh_resource_bytes_written(&run->backend->scene.resources[buffer]);
  return true;
}

/* ---- commands ------------------------------------------------------------------------------- */

static bool step(Run *run, const AmberCommand *command) {
  VhDevice *device = &run->backend->device;
  VhScene *scene = &run->backend->scene;
  uint64_t ns = 0;
  bool done = true;
  switch (command->kind) {
  case AMBER_RUN_COMPUTE:
    done = vh_run_compute(device, scene, &run->program, command, &ns);
    break;
  case AMBER_DRAW_RECT:
  case AMBER_DRAW_GRID:
  case AMBER_DRAW_ARRAY:
    done = vh_run_draw(device, scene, &run->program, command, &ns);
    break;
  case AMBER_CLEAR:
    done = vh_run_clear(device, scene, command->pipeline);
    break;
  case AMBER_CLEAR_COLOR:
    memcpy(scene->pipelines[command->pipeline].clear.color, command->color, sizeof command->color);
    break;
  case AMBER_CLEAR_DEPTH:
    scene->pipelines[command->pipeline].clear.depth = command->depth;
    break;
  case AMBER_CLEAR_STENCIL:
    scene->pipelines[command->pipeline].clear.stencil = command->stencil;
    break;
  case AMBER_COPY:
    done = copy(run, command);
    break;
  case AMBER_EXPECT:
    done = expect(run, command);
    break;
  case AMBER_WRITE:
    done = write_values(run, command);
    break;
  case AMBER_REPEAT: /* unrolled by amber_walk_next */
    break;
  }
  run->report->gpu_ns += ns;
  return done;
}

static bool run_commands(Run *run) {
  AmberWalk walk;
  amber_walk_start(&walk, run->backend->script);
  for (const AmberCommand *command; (command = amber_walk_next(&walk));)
    if (!step(run, command))
      return false;
  return true;
}

/* ---- report --------------------------------------------------------------------------------- */

/* Puts a buffer's final contents into the report. Contents that cannot be read are not compared,
 * and the report says so. */
static bool hand_over(Run *run, uint32_t buffer) {
  VhResource *resource = &run->backend->scene.resources[buffer];
  HnContents *contents = &run->report->buffers[buffer];
  HnReport *report = run->report;
  if (!resource->declared->uses)
    return true;
  if (!vh_contents_read(&run->backend->device, resource, contents))
    return false;
  if (!contents->bytes && !report->message &&
      asprintf(&report->message, "%s has several samples of depth or stencil: not compared",
               resource->declared->name) < 0)
    report->message = NULL;
  return true;
}

static bool hand_over_all(Run *run) {
  for (uint32_t i = 0; i < run->backend->script->buffer_count; i++)
    if (!hand_over(run, i))
      return false;
  return true;
}

/* An error of Vulkan outranks a failed EXPECT; messages of the validation layer follow either. */
static void conclude(Run *run, bool done) {
  VhDevice *device = &run->backend->device;
  HnReport *report = run->report;
  char *messages = vh_messages_take(&device->messages), *first = report->message;
  if (!done) {
    free(first);
    report->outcome = vh_error_take(&device->error, &first);
  } else if (messages) {
    report->outcome = HN_FAIL;
  }
  report->message = first ? first : messages;
  if (!first || !messages)
    return;
  if (asprintf(&report->message, "%s; %s", first, messages) < 0)
    report->message = NULL;
  free(first);
  free(messages);
}

static bool prepare(Run *run, const HnModule *modules) {
  const AmberScript *script = run->backend->script;
  VhDevice *device = &run->backend->device;
  if (device->gone)
    return vh_fail(&device->error, HN_CRASH, "the device was lost by an earlier run");
  run->contents = calloc(script->buffer_count + 1, sizeof *run->contents);
  run->report->buffers = calloc(script->buffer_count + 1, sizeof *run->report->buffers);
  if (!run->contents || !run->report->buffers)
    return vh_out_of_memory(&device->error);
  run->report->buffer_count = script->buffer_count;
  vh_scene_reset(&run->backend->scene);
  return vh_program_create(device, script, modules, &run->program);
}

void hn_vulkan_run(HnBackend *backend, const HnModule *modules, HnReport *report) {
  HnVulkan *vulkan = (HnVulkan *)backend;
  *report = (HnReport){0};
  Run run = {.backend = vulkan, .report = report};
  bool done = prepare(&run, modules) && run_commands(&run) && hand_over_all(&run);
  if (!vulkan->device.hung)
    vh_program_destroy(&vulkan->device, vulkan->script, &run.program);
  conclude(&run, done);
  free(run.contents);
}
