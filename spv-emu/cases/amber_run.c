/* SPDX-License-Identifier: Apache-2.0 */
/* amber_run: see amber_run.h. */
#include "spv-emu/cases/amber_run.h"

#include "harness/shader/kernel_parameters.h"
#include "passes/base/compiler.h"
#include "spv-emu/cases/amber_draw.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Pipe { /* a pipeline that the script runs */
  bool open;
  spv_emu_program *program; /* NULL: the pipeline does not run; for graphics: the fragment shader,
                               if any */
  spv_emu_program *vertex, *geometry;
  EmuAmberClear clear;
  bool kernel; /* a pipeline of OpenCL, where an access out of bounds is an error */
  EmuAmberBindings bindings;
} Pipe;

struct EmuAmber {
  const AmberScript *script;
  EmuAmberBuffer *buffers; /* by index in the script, like the next two */
  Pipe *pipes;
  AmberContents *contents; /* for EXPECTs */
  bool *varied;            /* by constant to vary: a pipeline uses it */
  bool graphics;           /* a pipeline draws */
  bool mixed;              /* as in EmuAmberOptions */
  uint32_t last;  /* the pipeline of the script's last draw; if there is no draw, of its last
                              dispatch */
  bool draws;     /* `last` draws */
  uint32_t drawn; /* the pipeline of the last draw; AMBER_NONE: there was none */
  char *message;  /* the caller's; valid while opening and running */
  size_t message_size;
  const char *notice; /* notice of the first of its programs that has one; NULL: none has */
};

SR_PRINTF(2, 3) static spv_emu_status fail(const EmuAmber *amber, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(amber->message, amber->message_size, format, arguments);
  va_end(arguments);
  return SPV_EMU_BAD_INPUT;
}

static spv_emu_status no_memory(const EmuAmber *amber) {
  fail(amber, "out of memory");
  return SPV_EMU_NO_MEMORY;
}

/* ---- what the emulator lacks ----------------------------------------------------------------- */

static bool is_readable(const AmberBuffer *declared) {
  return declared->samples < 2 || !(declared->uses & AMBER_USES_AS_IMAGE);
}

static spv_emu_status check_readable(const EmuAmber *amber, uint32_t buffer, uint32_t line) {
  const AmberBuffer *declared = &amber->script->buffers[buffer];
  if (is_readable(declared))
    return SPV_EMU_OK;
  return fail(amber, "line %u: %s has several samples and cannot be read", line, declared->name);
}

static spv_emu_status check_expect(const EmuAmber *amber, const AmberCommand *command) {
  uint32_t other = amber_expect_other(&command->expect);
  spv_emu_status status = check_readable(amber, command->expect.buffer, command->line);
  return status != SPV_EMU_OK || other == AMBER_NONE ? status
                                                     : check_readable(amber, other, command->line);
}

static spv_emu_status check_command(const EmuAmber *amber, const AmberCommand *command) {
  switch (command->kind) {
  case AMBER_COPY:
    return check_readable(amber, command->copy.from, command->line);
  case AMBER_EXPECT:
    return check_expect(amber, command);
  case AMBER_RUN_COMPUTE:
  case AMBER_DRAW_RECT:
  case AMBER_DRAW_GRID:
  case AMBER_DRAW_ARRAY:
  case AMBER_CLEAR:
  case AMBER_CLEAR_COLOR:
  case AMBER_CLEAR_DEPTH:
  case AMBER_CLEAR_STENCIL:
  case AMBER_REPEAT:
  case AMBER_WRITE:
    break;
  }
  return SPV_EMU_OK;
}

/* ---- opening --------------------------------------------------------------------------------- */

static spv_emu_stage stage_of(const AmberAttachedShader *shader) {
  return shader->stage == AMBER_VERTEX     ? SPV_EMU_VERTEX
         : shader->stage == AMBER_GEOMETRY ? SPV_EMU_GEOMETRY
         : shader->stage == AMBER_FRAGMENT ? SPV_EMU_FRAGMENT
                                           : SPV_EMU_COMPUTE;
}

/* `kernel`: NULL if the module has no kernels. */
static spv_emu_status load(EmuAmber *amber, const AmberPipeline *pipeline,
                           const AmberAttachedShader *shader, const HnModule *module,
                           const HnKernel *kernel, const EmuAmberOptions *options,
                           spv_emu_program **program) {
  spv_emu_spec *specs =
      calloc(shader->specialization_count + options->varied_count + 1u, sizeof *specs);
  uint32_t count = 0;
  if (!specs)
    return no_memory(amber);
  for (uint32_t i = 0; i < options->varied_count; i++) {
    specs[count] = options->varied[i];
    specs[count++].found = &amber->varied[i];
  }
  for (uint32_t i = 0; i < shader->specialization_count; i++)
    specs[count++] = (spv_emu_spec){.id = shader->specializations[i].id,
                                    .bits = shader->specializations[i].bits};
  spv_emu_load_options how = {
      .entry = shader->entry_point,
      .transform = options->transform,
      .orders = options->orders,
      .order_count = options->order_count,
      .specs = specs,
      .spec_count = count,
      .check_uniform = options->check_uniform,
      .check_vuid = options->check_vuid,
      .debug = options->debug,
      .check_convergence = options->check_convergence,
      .tangles = options->tangles,
      .stage = stage_of(shader),
      .subgroup_size = shader->required_size == AMBER_SUBGROUP_EXACT ? shader->subgroup_size
                                                                     : options->subgroup_size,
  };
  if (kernel && kernel->found)
    hn_kernel_size(pipeline, kernel, how.local_size);
  char why[512];
  spv_emu_status status =
      spv_emu_load(module->words, module->count, &how, program, why, sizeof why);
  free(specs);
  if (status != SPV_EMU_OK)
    fail(amber, "line %u: pipeline %s: %s", shader->line, pipeline->name, why);
  else if (!amber->notice)
    amber->notice = spv_emu_notice(*program);
  return status;
}

static spv_emu_status bind(EmuAmber *amber, const AmberPipeline *pipeline, const HnKernel *kernel,
                           Pipe *pipe) {
  char *why;
  HnBound *bound = hn_kernel_bind(pipeline, kernel, &why);
  if (!bound) {
    spv_emu_status status = why ? fail(amber, "%s", why) : no_memory(amber);
    free(why);
    return status;
  }
  spv_emu_status status = emu_amber_bind(amber->script, pipeline, bound, amber->buffers,
                                         &pipe->bindings, amber->message, amber->message_size);
  free(bound);
  return status;
}

static spv_emu_status open_compute(EmuAmber *amber, const AmberPipeline *pipeline, Pipe *pipe,
                                   const HnModule *modules, const EmuAmberOptions *options) {
  const AmberAttachedShader *shader = &pipeline->shaders[0];
  const HnModule *module = &modules[shader->shader];
  HnKernel kernel;
  if (!hn_kernel_read(*module, shader->entry_point, &kernel))
    return no_memory(amber);
  pipe->kernel = kernel.found;
  if (pipeline->address_count) {
    hn_kernel_clear(&kernel);
    return fail(amber, "line %u: pipeline %s: the emulator has no addresses of buffers",
                pipeline->line, pipeline->name);
  }
  spv_emu_status status = bind(amber, pipeline, &kernel, pipe);
  if (status == SPV_EMU_OK)
    status = load(amber, pipeline, shader, module, &kernel, options, &pipe->program);
  hn_kernel_clear(&kernel);
  return status;
}

static spv_emu_status open_stage(EmuAmber *amber, const AmberPipeline *pipeline,
                                 const AmberAttachedShader *shader, Pipe *pipe,
                                 const HnModule *modules, const EmuAmberOptions *options) {
  spv_emu_program **program = shader->stage == AMBER_VERTEX     ? &pipe->vertex
                              : shader->stage == AMBER_GEOMETRY ? &pipe->geometry
                                                                : &pipe->program;
  if (shader->stage != AMBER_VERTEX && shader->stage != AMBER_GEOMETRY &&
      shader->stage != AMBER_FRAGMENT)
    return fail(amber,
                "line %u: pipeline %s has a tessellation shader, a stage that the emulator lacks",
                shader->line, pipeline->name);
  return load(amber, pipeline, shader, &modules[shader->shader], NULL, options, program);
}

static spv_emu_status open_graphics(EmuAmber *amber, const AmberPipeline *pipeline, Pipe *pipe,
                                    const HnModule *modules, const EmuAmberOptions *options) {
  spv_emu_status status = emu_amber_bind(amber->script, pipeline, NULL, amber->buffers,
                                         &pipe->bindings, amber->message, amber->message_size);
  for (uint32_t i = 0; status == SPV_EMU_OK && i < pipeline->shader_count; i++)
    status = open_stage(amber, pipeline, &pipeline->shaders[i], pipe, modules, options);
  if (status == SPV_EMU_OK && !pipe->vertex)
    return fail(amber, "line %u: pipeline %s has no vertex shader", pipeline->line, pipeline->name);
  return status;
}

static spv_emu_status open_pipe(EmuAmber *amber, uint32_t index, const HnModule *modules,
                                const EmuAmberOptions *options) {
  const AmberPipeline *pipeline = &amber->script->pipelines[index];
  Pipe *pipe = &amber->pipes[index];
  if (pipe->open)
    return SPV_EMU_OK;
  pipe->open = true;
  amber->graphics |= pipeline->graphics;
  if (!pipeline->shader_count)
    return fail(amber, "line %u: pipeline %s has no shader", pipeline->line, pipeline->name);
  return pipeline->graphics ? open_graphics(amber, pipeline, pipe, modules, options)
                            : open_compute(amber, pipeline, pipe, modules, options);
}

static bool is_draw(const AmberCommand *command) {
  return command->kind == AMBER_DRAW_RECT || command->kind == AMBER_DRAW_GRID ||
         command->kind == AMBER_DRAW_ARRAY;
}

static void note_last(EmuAmber *amber, const AmberCommand *command) {
  if (is_draw(command) || !amber->draws)
    amber->last = command->pipeline;
  amber->draws = amber->draws || is_draw(command);
}

static spv_emu_status allocate(EmuAmber *amber) {
  const AmberScript *script = amber->script;
  amber->buffers = calloc(script->buffer_count + 1u, sizeof *amber->buffers);
  amber->contents = calloc(script->buffer_count + 1u, sizeof *amber->contents);
  amber->pipes = calloc(script->pipeline_count + 1u, sizeof *amber->pipes);
  if (!amber->buffers || !amber->contents || !amber->pipes)
    return no_memory(amber);
  for (uint32_t i = 0; i < script->buffer_count; i++) {
    if (!emu_amber_buffer_create(&script->buffers[i], &amber->buffers[i]))
      return no_memory(amber);
    amber->contents[i] = (AmberContents){amber->buffers[i].bytes, script->buffers[i].size};
  }
  return SPV_EMU_OK;
}

static spv_emu_status open_all(EmuAmber *amber, const HnModule *modules,
                               const EmuAmberOptions *options) {
  const AmberScript *script = amber->script;
  spv_emu_status status = allocate(amber);
  amber->varied = calloc(options->varied_count + 1u, sizeof *amber->varied);
  if (status == SPV_EMU_OK && !amber->varied)
    status = no_memory(amber);
  for (uint32_t i = 0; status == SPV_EMU_OK && i < script->command_count; i++)
    status = check_command(amber, &script->commands[i]);
  amber->mixed = options->mixed;
  for (uint32_t i = 0; status == SPV_EMU_OK && i < script->command_count; i++)
    if (script->commands[i].kind == AMBER_RUN_COMPUTE || is_draw(&script->commands[i])) {
      note_last(amber, &script->commands[i]);
      status = open_pipe(amber, script->commands[i].pipeline, modules, options);
    }
  for (uint32_t i = 0; status == SPV_EMU_OK && i < options->varied_count; i++)
    if (!amber->varied[i])
      status =
          fail(amber, "no pipeline has a specialization constant '%.60s'", options->varied[i].name);
  return status;
}

spv_emu_status emu_amber_open(const AmberScript *script, const HnModule *modules,
                              const EmuAmberOptions *options, EmuAmber **amber, char *message,
                              size_t message_size) {
  *amber = calloc(1, sizeof **amber);
  if (!*amber) {
    snprintf(message, message_size, "out of memory");
    return SPV_EMU_NO_MEMORY;
  }
  **amber = (EmuAmber){
      .script = script, .drawn = AMBER_NONE, .message = message, .message_size = message_size};
  spv_emu_status status = open_all(*amber, modules, options);
  if (status == SPV_EMU_OK)
    return status;
  emu_amber_close(*amber);
  *amber = NULL;
  return status;
}

const char *emu_amber_notice(const EmuAmber *amber) {
  return amber->notice;
}

void emu_amber_close(EmuAmber *amber) {
  if (!amber)
    return;
  for (uint32_t i = 0; amber->pipes && i < amber->script->pipeline_count; i++) {
    spv_emu_free(amber->pipes[i].program);
    spv_emu_free(amber->pipes[i].vertex);
    spv_emu_free(amber->pipes[i].geometry);
    emu_amber_unbind(&amber->pipes[i].bindings);
  }
  for (uint32_t i = 0; amber->buffers && i < amber->script->buffer_count; i++)
    free(amber->buffers[i].bytes);
  free(amber->pipes);
  free(amber->buffers);
  free(amber->contents);
  free(amber->varied);
  free(amber);
}

const uint8_t *emu_amber_contents(const EmuAmber *amber, uint32_t buffer) {
  const AmberBuffer *declared = &amber->script->buffers[buffer];
  return declared->uses && is_readable(declared) ? amber->buffers[buffer].bytes : NULL;
}

bool emu_amber_draws(const EmuAmber *amber) {
  return amber->draws;
}

uint32_t emu_amber_drawn(const EmuAmber *amber, EmuDrawn drawn[EMU_AMBER_DRAWN]) {
  return amber->drawn == AMBER_NONE
             ? 0
             : emu_amber_attachments(amber->script, amber->buffers, amber->drawn, drawn);
}

/* ---- running --------------------------------------------------------------------------------- */

static void fill_options(const EmuAmber *amber, const AmberCommand *command,
                         spv_emu_run_options *options) {
  const Pipe *pipe = &amber->pipes[command->pipeline];
  uint32_t push = amber->script->pipelines[command->pipeline].push_constant;
  options->strict |= pipe->kernel;
  options->buffers = pipe->bindings.buffers;
  options->buffer_count = pipe->bindings.buffer_count;
  options->images = pipe->bindings.images;
  options->image_count = pipe->bindings.image_count;
  options->samplers = pipe->bindings.samplers;
  options->sampler_count = pipe->bindings.sampler_count;
  if (push != AMBER_NONE) {
    options->push_constants = amber->buffers[push].bytes;
    options->push_constant_bytes = (uint32_t)amber->script->buffers[push].size;
  }
}

static spv_emu_status say_line(EmuAmber *amber, const AmberCommand *command, spv_emu_status status,
                               const char *why) {
  fail(amber, "line %u: %s", command->line, why);
  return status;
}

/* *go_on becomes false if the dispatch failed. */
static spv_emu_status dispatch(EmuAmber *amber, const AmberCommand *command,
                               const spv_emu_run_options *how, EmuRow *row, bool *go_on) {
  const Pipe *pipe = &amber->pipes[command->pipeline];
  spv_emu_run_options options = *how;
  fill_options(amber, command, &options);
  options.groups[0] = command->run.x;
  options.groups[1] = command->run.y;
  options.groups[2] = command->run.z;
  options.heat = command->pipeline == amber->last ? how->heat : NULL;
  spv_emu_result *result;
  char why[512];
  spv_emu_status status = spv_emu_run(pipe->program, &options, &result, why, sizeof why);
  if (status != SPV_EMU_OK)
    return say_line(amber, command, status, why);
  *go_on = result->outcome == SPV_EMU_RAN;
  emu_row_add(row, command->pipeline, pipe->program, result);
  return SPV_EMU_OK;
}

/* Did the program run, or was there nothing to run? */
static bool has_run(const spv_emu_result *result) {
  return !result || result->outcome == SPV_EMU_RAN;
}

static spv_emu_status draw(EmuAmber *amber, const AmberCommand *command,
                           const spv_emu_run_options *how, EmuRow *row, bool *go_on) {
  const Pipe *pipe = &amber->pipes[command->pipeline];
  spv_emu_run_options options = *how;
  fill_options(amber, command, &options);
  options.heat = command->pipeline == amber->last ? how->heat : NULL;
  const EmuAmberDraw what = {.script = amber->script,
                             .buffers = amber->buffers,
                             .vertex = pipe->vertex,
                             .geometry = pipe->geometry,
                             .fragment = pipe->program,
                             .options = &options,
                             .mixed = amber->mixed};
  spv_emu_result *vertex, *geometry, *fragment;
  char why[512];
  spv_emu_status status =
      emu_amber_draw(&what, command, &vertex, &geometry, &fragment, why, sizeof why);
  if (status != SPV_EMU_OK)
    return say_line(amber, command, status, why);
  *go_on = has_run(vertex) && has_run(geometry) && has_run(fragment);
  amber->drawn = command->pipeline;
  uint32_t pipelines = amber->script->pipeline_count;
  emu_row_add(row, pipelines + command->pipeline, pipe->vertex, vertex);
  row->parts[pipelines + command->pipeline].earlier = fragment;
  row->parts[2 * pipelines + command->pipeline].earlier = fragment;
  if (geometry)
    emu_row_add_stage(row, 2 * pipelines + command->pipeline, pipe->geometry, geometry);
  if (fragment)
    emu_row_add_stage(row, command->pipeline, pipe->program, fragment);
  return SPV_EMU_OK;
}

static void copy(EmuAmber *amber, const AmberCommand *command) {
  memmove(amber->buffers[command->copy.to].bytes, amber->buffers[command->copy.from].bytes,
          amber->script->buffers[command->copy.to].size);
}

static void expect(EmuAmber *amber, const AmberCommand *command, EmuRow *row) {
  char text[512];
  bool met = amber_expect_check(amber->script, command, amber->contents, text, sizeof text);
  emu_row_expect(row, met ? NULL : text);
}

static spv_emu_status step(EmuAmber *amber, const AmberCommand *command,
                           const spv_emu_run_options *how, EmuRow *row, bool *go_on) {
  EmuAmberClear *clear =
      command->pipeline == AMBER_NONE ? NULL : &amber->pipes[command->pipeline].clear;
  switch (command->kind) {
  case AMBER_RUN_COMPUTE:
    return dispatch(amber, command, how, row, go_on);
  case AMBER_DRAW_RECT:
  case AMBER_DRAW_GRID:
  case AMBER_DRAW_ARRAY:
    return draw(amber, command, how, row, go_on);
  case AMBER_CLEAR:
    emu_amber_clear(amber->script, amber->buffers, command->pipeline, clear);
    break;
  case AMBER_CLEAR_COLOR:
    memcpy(clear->color, command->color, sizeof clear->color);
    break;
  case AMBER_CLEAR_DEPTH:
    clear->depth = command->depth;
    break;
  case AMBER_CLEAR_STENCIL:
    clear->stencil = command->stencil;
    break;
  case AMBER_COPY:
    copy(amber, command);
    break;
  case AMBER_WRITE:
    amber_write_apply(&command->write, amber->buffers[command->write.buffer].bytes);
    break;
  case AMBER_EXPECT:
    expect(amber, command, row);
    break;
  case AMBER_REPEAT: /* unrolled by amber_walk_next */
    break;
  }
  return SPV_EMU_OK;
}

static spv_emu_status run_commands(EmuAmber *amber, const spv_emu_run_options *how, EmuRow *row) {
  AmberWalk walk;
  bool go_on = true;
  spv_emu_status status = SPV_EMU_OK;
  amber_walk_start(&walk, amber->script);
  for (const AmberCommand *command;
       go_on && status == SPV_EMU_OK && (command = amber_walk_next(&walk));)
    status = step(amber, command, how, row, &go_on);
  return status;
}

/* ---- the row --------------------------------------------------------------------------------- */

static bool same_bytes(const EmuOutput *a, const EmuOutput *b) {
  return a->bytes == b->bytes && a->size == b->size;
}

/* Keeps one of the descriptors that several pipelines share; returns how many are left. `sorted`:
 * by set, binding and element. */
static uint32_t unite(EmuOutput *sorted, uint32_t count) {
  uint32_t kept = 0, place = 0; /* where the descriptors kept for the current place start */
  for (uint32_t i = 0; i < count; i++) {
    if (kept && emu_output_place(&sorted[kept - 1], &sorted[i]) != 0)
      place = kept;
    uint32_t k = place;
    while (k < kept && !same_bytes(&sorted[k], &sorted[i]))
      k++;
    if (k == kept)
      sorted[kept++] = sorted[i];
  }
  return kept;
}

static bool collect_outputs(const EmuAmber *amber, EmuRow *row) {
  uint32_t count = 0, most = 0;
  for (uint32_t i = 0; i < amber->script->pipeline_count; i++)
    most += amber->pipes[i].bindings.output_count;
  EmuOutput *all = calloc(most + 1u, sizeof *all);
  for (uint32_t i = 0; all && i < amber->script->pipeline_count; i++)
    for (uint32_t k = 0; k < amber->pipes[i].bindings.output_count; k++) {
      all[count] = amber->pipes[i].bindings.outputs[k];
      all[count++].part = i;
    }
  if (all)
    qsort(all, count, sizeof *all, emu_output_order);
  bool good = all && emu_row_outputs(row, all, unite(all, count));
  free(all);
  return good;
}

spv_emu_status emu_amber_run(EmuAmber *amber, const spv_emu_run_options *how, EmuRow *row,
                             char *message, size_t message_size) {
  amber->message = message;
  amber->message_size = message_size;
  for (uint32_t i = 0; i < amber->script->buffer_count; i++)
    emu_amber_buffer_reset(&amber->script->buffers[i], &amber->buffers[i]);
  for (uint32_t i = 0; i < amber->script->pipeline_count; i++)
    amber->pipes[i].clear = (EmuAmberClear){.depth = 1};
  uint32_t parts = amber->script->pipeline_count * (amber->graphics ? 3 : 1);
  if (!emu_row_start(row, how->policy, parts))
    return no_memory(amber);
  spv_emu_status status = run_commands(amber, how, row);
  if (status == SPV_EMU_OK && !collect_outputs(amber, row))
    status = no_memory(amber);
  return status;
}
