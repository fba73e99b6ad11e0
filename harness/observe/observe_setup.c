/* SPDX-License-Identifier: Apache-2.0 */
/* observe_setup: see observe_setup.h. */
#include "harness/observe/observe_setup.h"

#include "harness/backend/reflect.h"
#include "harness/converge/converge_script.h"
#include "harness/converge/declare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words of all logs; and records of an invocation, so that small dispatches have small logs. */
enum { MOST_WORDS = 8 << 20, MOST_RECORDS = 4096, LEAST_RECORDS = 16, REQUIREMENTS = 6 };

static const EmuField word = {.unit = 4, .bits = 32, .kind = EMU_FORMAT_UINT};

/* ---- the parts that grow ---- */

/* A copy of `count` elements with room for `more`; NULL: out of memory. */
static void *longer(const void *from, uint32_t count, uint32_t more, size_t size) {
  char *to = calloc(count + more + 1, size);
  if (to && count)
    memcpy(to, from, count * size);
  return to;
}

static bool copy_script(ObSetup *s, const HnModule *modules) {
  const AmberScript *given = s->given;
  AmberScript *mine = &s->script;
  uint32_t more = given->pipeline_count;
  *mine = *given;
  mine->shaders = longer(given->shaders, given->shader_count, more, sizeof *given->shaders);
  mine->buffers = longer(given->buffers, given->buffer_count, more, sizeof *given->buffers);
  mine->pipelines = longer(given->pipelines, given->pipeline_count, 0, sizeof *given->pipelines);
  mine->features.items = longer(given->features.items, given->features.count, REQUIREMENTS,
                                sizeof *given->features.items);
  s->modules = longer(modules, given->shader_count, more, sizeof *modules);
  s->at = calloc(more + 1, sizeof *s->at);
  return mine->shaders && mine->buffers && mine->pipelines && mine->features.items && s->modules &&
         s->at;
}

/* ---- a pipeline ---- */

static bool fail(const ObPipeline *p, char **message, const char *text) {
  if (asprintf(message, "pipeline %.60s: %s", p->name, text) < 0)
    *message = NULL;
  return false;
}

/* Workgroups of the largest dispatch of the pipeline; 0: none. */
static uint64_t largest_dispatch(const AmberScript *script, uint32_t pipeline) {
  uint64_t most = 0;
  for (uint32_t i = 0; i < script->command_count; i++) {
    const AmberCommand *c = &script->commands[i];
    if (c->kind != AMBER_RUN_COMPUTE || c->pipeline != pipeline)
      continue;
    uint64_t count = (uint64_t)c->run.x * c->run.y;
    count = count > UINT32_MAX ? UINT32_MAX : count * c->run.z;
    most = count > most ? count : most;
  }
  return most;
}

static void choose_binding(const AmberPipeline *pipeline, const HnInterface *interface,
                           ObLog *log) {
  for (uint32_t i = 0; i < pipeline->binding_count; i++)
    if (pipeline->bindings[i].set == 0 && pipeline->bindings[i].binding >= log->binding)
      log->binding = pipeline->bindings[i].binding + 1;
  for (size_t i = 0; i < interface->slot_count; i++)
    if (interface->slots[i].set == 0 && interface->slots[i].binding >= log->binding)
      log->binding = interface->slots[i].binding + 1;
}

/* Words of a pipeline's log, and records of an invocation, at most. */
typedef struct Bounds {
  uint32_t words, records;
} Bounds;

static bool choose_records(ObPipeline *p, uint64_t workgroups, uint64_t invocations, Bounds most,
                           char **message) {
  char text[160];
  uint64_t parts = workgroups > UINT32_MAX ? workgroups : workgroups * invocations;
  uint64_t words = parts ? most.words / parts : most.words;
  uint64_t least = ob_part_words(LEAST_RECORDS);
  if (words < least) {
    snprintf(text, sizeof text,
             "the log has room for %llu invocations, and %llu workgroups have more: give fewer",
             (unsigned long long)(most.words / least), (unsigned long long)workgroups);
    return fail(p, message, text);
  }
  p->log.records = (uint32_t)((words - OB_HEAD) / OB_RECORD - 1);
  if (p->log.records > most.records)
    p->log.records = most.records;
  p->log.invocations = (uint32_t)invocations;
  p->workgroups = (uint32_t)workgroups;
  return true;
}

static bool add_buffer(ObSetup *s, ObPipeline *p) {
  AmberScript *mine = &s->script;
  AmberPipeline *pipeline = &mine->pipelines[p->pipeline];
  uint32_t words = p->workgroups * p->log.invocations * ob_part_words(p->log.records);
  AmberBuffer *buffer = &mine->buffers[mine->buffer_count];
  *buffer = (AmberBuffer){.name = "log of tangles",
                          .layout = {&word, 1, sizeof words, sizeof words},
                          .element_count = words,
                          .size = words * sizeof words,
                          .initialised = true,
                          .uses = AMBER_USE_STORAGE,
                          .dimensions = 2,
                          .bytes = calloc(words, sizeof words)};
  AmberDescriptor *descriptor = calloc(1, sizeof *descriptor);
  AmberBinding *bindings = longer(pipeline->bindings, pipeline->binding_count, 1, sizeof *bindings);
  pipeline->bindings = bindings;
  p->buffer = mine->buffer_count++;
  if (!bindings || !descriptor || !buffer->bytes) {
    free(descriptor);
    return false;
  }
  *descriptor = (AmberDescriptor){.buffer = p->buffer, .sampler = AMBER_NONE, .range = UINT64_MAX};
  bindings[pipeline->binding_count++] = (AmberBinding){.kind = AMBER_BIND_STORAGE,
                                                       .set = p->log.set,
                                                       .binding = p->log.binding,
                                                       .descriptors = descriptor,
                                                       .descriptor_count = 1,
                                                       .line = pipeline->line};
  return true;
}

static bool add_shader(ObSetup *s, ObPipeline *p) {
  AmberScript *mine = &s->script;
  AmberPipeline *pipeline = &mine->pipelines[p->pipeline];
  pipeline->shaders =
      longer(pipeline->shaders, pipeline->shader_count, 0, sizeof *pipeline->shaders);
  if (!pipeline->shaders)
    return false;
  p->shader = mine->shader_count++;
  mine->shaders[p->shader] = mine->shaders[pipeline->shaders[0].shader];
  pipeline->shaders[0].shader = p->shader;
  return true;
}

static bool add_log(ObSetup *s, ObPipeline *p, const CvMode *mode, Bounds most, char **message) {
  const AmberPipeline *pipeline = &s->given->pipelines[p->pipeline];
  const AmberAttachedShader *shader = &pipeline->shaders[0];
  HnModule module = s->modules[shader->shader];
  HnInterface interface;
  char *why = NULL;
  *message = NULL;
  if (!hn_reflect(module, AMBER_COMPUTE, shader->entry_point, &interface))
    return false;
  choose_binding(pipeline, &interface, &p->log);
  bool good = choose_records(p, largest_dispatch(s->given, p->pipeline),
                             hn_interface_invocations(&interface, shader), most, message);
  hn_interface_clear(&interface);
  if (!good || !add_buffer(s, p) || !add_shader(s, p))
    return false;
  good = (mode || ob_promise(module, shader->entry_point, &p->mode, &why)) &&
         ob_instrument(module, shader->entry_point, &p->log, &p->module, &p->points, &why);
  if (mode)
    p->mode = *mode;
  if (!good && why)
    fail(p, message, why);
  free(why);
  return good;
}

/* ---- all pipelines ---- */

static bool is_observed(const AmberScript *script, uint32_t pipeline) {
  const AmberPipeline *p = &script->pipelines[pipeline];
  return !p->graphics && p->shader_count == 1 &&
         script->shaders[p->shaders[0].shader].format != AMBER_OPENCL_C &&
         largest_dispatch(script, pipeline);
}

bool ob_setup_make(const AmberScript *script, const HnModule *modules, const CvMode *mode,
                   uint32_t records, ObSetup *setup, char **message) {
  *setup = (ObSetup){.given = script, .given_shaders = script->shader_count};
  *message = NULL;
  if (!copy_script(setup, modules))
    return false;
  for (uint32_t i = 0; i < script->pipeline_count; i++)
    if (is_observed(script, i))
      setup->at[setup->count++] = (ObPipeline){.name = script->pipelines[i].name, .pipeline = i};
  if (!setup->count) {
    *message = strdup("it runs no Vulkan compute shader, the only kind that converge observes");
    return false;
  }
  const Bounds most = {MOST_WORDS / setup->count, records ? records : MOST_RECORDS};
  for (uint32_t i = 0; i < setup->count; i++)
    if (!add_log(setup, &setup->at[i], mode, most, message))
      return false;
  return true;
}

void ob_setup_free(ObSetup *s) {
  for (uint32_t i = 0; i < s->count; i++) {
    ObPipeline *p = &s->at[i];
    AmberPipeline *pipeline = &s->script.pipelines[p->pipeline];
    const AmberPipeline *given = &s->given->pipelines[p->pipeline];
    if (pipeline->bindings != given->bindings) {
      if (pipeline->bindings && pipeline->binding_count > given->binding_count)
        free(pipeline->bindings[given->binding_count].descriptors);
      free(pipeline->bindings);
    }
    if (pipeline->shaders != given->shaders)
      free(pipeline->shaders);
    if (p->buffer)
      free(s->script.buffers[p->buffer].bytes);
    if (p->shader)
      free((void *)s->modules[p->shader].words);
    free((void *)p->module.words);
    ob_points_free(&p->points);
  }
  free(s->script.shaders);
  free(s->script.buffers);
  free(s->script.pipelines);
  free(s->script.features.items);
  free(s->modules);
  free(s->at);
  *s = (ObSetup){0};
}

/* ---- a device ---- */

static void require(AmberRequirements *features, const char *name) {
  features->items[features->count++] = (AmberRequirement){.name = name, .line = 1};
}

/* Subgroup operations, and the modes that the modules declare; a device that lacks a mode runs the
 * modules without it. */
static void require_all(ObSetup *s) {
  const AmberRequirements *given = &s->given->features;
  AmberRequirements *mine = &s->script.features;
  bool modes[CV_MODES] = {false};
  mine->count = 0;
  for (uint32_t i = 0; i < given->count; i++)
    if (!amber_requires(&given->items[i], cv_features[CV_MAXIMAL]) &&
        !amber_requires(&given->items[i], cv_features[CV_UNIFORM]))
      mine->items[mine->count++] = given->items[i];
  require(mine, "SubgroupSupportedOperations.basic");
  require(mine, "SubgroupSupportedOperations.ballot");
  require(mine, "SubgroupSupportedStages.compute");
  for (uint32_t i = 0; i < s->count; i++)
    modes[s->at[i].mode] |= s->at[i].promises;
  for (int mode = 0; mode < CV_NO_PROMISE; mode++)
    if (modes[mode])
      require(mine, cv_features[mode]);
}

bool ob_setup_fit(ObSetup *s, uint32_t size) {
  require_all(s);
  for (uint32_t i = 0; i < s->count; i++) {
    ObPipeline *p = &s->at[i];
    const AmberPipeline *given = &s->given->pipelines[p->pipeline];
    AmberAttachedShader *shader = s->script.pipelines[p->pipeline].shaders;
    HnModule *module = &s->modules[p->shader];
    shader->required_size = size ? AMBER_SUBGROUP_EXACT : given->shaders[0].required_size;
    shader->subgroup_size = size ? size : given->shaders[0].subgroup_size;
    free((void *)module->words);
    *module = (HnModule){0};
    module->words = cv_declare(p->module.words, p->module.count,
                               p->promises ? p->mode : CV_NO_PROMISE, &module->count);
    if (!module->words)
      return false;
  }
  return true;
}
