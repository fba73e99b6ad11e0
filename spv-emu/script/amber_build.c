/* SPDX-License-Identifier: Apache-2.0 */
/* amber_build: see amber_build.h. */
#include "spv-emu/script/amber_build.h"

#include <string.h>

/* ---- buffers ---- */

bool amber_build_allocate(AmberParser *parser, AmberBuffer *buffer) {
  uint64_t size = (uint64_t)buffer->element_count * buffer->layout.stride;
  uint64_t device = size * (buffer->mip_levels > 1 ? 2 : 1) * buffer->samples;
  uint32_t line = buffer->line ? buffer->line : parser->token.line;
  if (device > AMBER_MAX_BUFFER_BYTES)
    return amber_fail_line(parser, line, "the buffer is too large (at most %u MiB)",
                           (unsigned)(AMBER_MAX_BUFFER_BYTES >> 20));
  parser->buffer_bytes += device;
  if (parser->buffer_bytes > AMBER_MAX_TOTAL_BYTES)
    return amber_fail_line(parser, line, "the buffers are too large together (at most %u MiB)",
                           (unsigned)(AMBER_MAX_TOTAL_BYTES >> 20));
  buffer->size = (size_t)size;
  buffer->bytes = amber_pool_alloc(parser->pool, buffer->size);
  return buffer->bytes || amber_no_memory(parser);
}

bool amber_build_buffer(AmberParser *parser, const AmberBuffer *buffer, bool sized) {
  AmberScript *script = parser->script;
  script->buffers =
      amber_pool_grow(parser->pool, script->buffers, script->buffer_count, sizeof *script->buffers);
  parser->declared = amber_pool_grow(parser->pool, parser->declared, script->buffer_count,
                                     sizeof *parser->declared);
  if (!script->buffers || !parser->declared)
    return amber_no_memory(parser);
  parser->declared[script->buffer_count].sized = sized;
  script->buffers[script->buffer_count++] = *buffer;
  return true;
}

bool amber_build_image_size(AmberParser *parser, uint32_t index, uint32_t width, uint32_t height,
                            uint32_t depth) {
  AmberBuffer *buffer = &parser->script->buffers[index];
  uint64_t texels = (uint64_t)width * height * depth;
  if (texels > AMBER_MAX_BUFFER_BYTES)
    return amber_fail_line(parser, buffer->line, "the buffer is too large (at most %u MiB)",
                           (unsigned)(AMBER_MAX_BUFFER_BYTES >> 20));
  buffer->width = width;
  buffer->height = height;
  buffer->depth = depth;
  buffer->element_count = (uint32_t)texels;
  parser->declared[index].sized = true;
  return amber_build_allocate(parser, buffer);
}

bool amber_build_bytes(AmberParser *parser, const char *name, const uint8_t *bytes, size_t size,
                       uint32_t line, uint32_t *index) {
  static const EmuField byte = {.unit = 1, .bits = 8, .kind = EMU_FORMAT_UINT};
  AmberBuffer buffer = {
      .name = name,
      .layout = {.fields = &byte, .field_count = 1, .size = 1, .stride = 1},
      .element_count = (uint32_t)size,
      .initialised = true,
      .dimensions = 2,
      .width = (uint32_t)size,
      .height = 1,
      .depth = 1,
      .mip_levels = 1,
      .samples = 1,
      .line = line,
  };
  *index = parser->script->buffer_count;
  if (size && !amber_build_allocate(parser, &buffer))
    return false;
  if (size && bytes)
    memcpy(buffer.bytes, bytes, size);
  return amber_build_buffer(parser, &buffer, size != 0);
}

/* ---- bindings ---- */

bool amber_build_descriptor(AmberParser *parser, AmberBinding *binding, uint32_t buffer,
                            uint32_t sampler) {
  binding->descriptors = amber_pool_grow(parser->pool, binding->descriptors,
                                         binding->descriptor_count, sizeof *binding->descriptors);
  if (!binding->descriptors)
    return amber_no_memory(parser);
  binding->descriptors[binding->descriptor_count++] =
      (AmberDescriptor){.buffer = buffer, .sampler = sampler, .range = UINT64_MAX};
  return true;
}

/* Do both bind the same place? */
static bool same_place(const AmberBinding *a, const AmberBinding *b) {
  bool named = a->argument && b->argument;
  return a->set == b->set && a->binding == b->binding &&
         (named ? strcmp(a->argument, b->argument) == 0 : a->argument == b->argument);
}

bool amber_build_binding(AmberParser *parser, const AmberBinding *binding) {
  AmberPipeline *pipeline = amber_build_pipeline(parser);
  for (uint32_t i = 0; i < pipeline->binding_count; i++)
    if (same_place(&pipeline->bindings[i], binding)) {
      pipeline->bindings[i] = *binding;
      return true;
    }
  pipeline->bindings =
      amber_pool_grow(parser->pool, pipeline->bindings, pipeline->binding_count, sizeof *binding);
  if (!pipeline->bindings)
    return amber_no_memory(parser);
  pipeline->bindings[pipeline->binding_count++] = *binding;
  return true;
}

/* ---- shaders, pipelines and commands ---- */

bool amber_build_shader(AmberParser *parser, const AmberShader *shader) {
  AmberScript *script = parser->script;
  script->shaders =
      amber_pool_grow(parser->pool, script->shaders, script->shader_count, sizeof *script->shaders);
  if (!script->shaders)
    return amber_no_memory(parser);
  script->shaders[script->shader_count++] = *shader;
  return true;
}

static EmuStencilFace plain_face(void) {
  return (EmuStencilFace){.compare_op = 7, .compare_mask = 255, .write_mask = 255};
}

AmberPipeline amber_build_plain(uint32_t line) {
  return (AmberPipeline){
      .line = line,
      .push_constant = AMBER_NONE,
      .depth_stencil = AMBER_NONE,
      .index_buffer = AMBER_NONE,
      .raster = {.width = 250,
                 .height = 250,
                 /* width < 0: the framebuffer's size, which amber_resolve sets */
                 .viewport = {.width = -1, .max_depth = 1},
                 .patch_control_points = 3,
                 .depth = {.compare_op = 1},
                 .front = plain_face(),
                 .back = plain_face(),
                 .color_write_mask = 15,
                 .line_width = 1},
  };
}

bool amber_build_add_pipeline(AmberParser *parser, const AmberPipeline *pipeline) {
  AmberScript *script = parser->script;
  script->pipelines = amber_pool_grow(parser->pool, script->pipelines, script->pipeline_count,
                                      sizeof *script->pipelines);
  if (!script->pipelines)
    return amber_no_memory(parser);
  script->pipelines[script->pipeline_count++] = *pipeline;
  return true;
}

AmberPipeline *amber_build_pipeline(AmberParser *parser) {
  return &parser->script->pipelines[parser->script->pipeline_count - 1];
}

AmberAttachedShader *amber_build_attached(AmberParser *parser) {
  AmberPipeline *pipeline = amber_build_pipeline(parser);
  AmberToken word = parser->token;
  uint32_t shader;
  if (!amber_known_name(parser, AMBER_NAME_SHADER, "the shader", &shader))
    return NULL;
  /* Shaders are compared by name, because COMPILE_OPTIONS makes another shader with the same
   * name. */
  const AmberShader *shaders = parser->script->shaders;
  for (uint32_t i = 0; i < pipeline->shader_count; i++)
    if (shaders[pipeline->shaders[i].shader].name == shaders[shader].name)
      return &pipeline->shaders[i];
  amber_fail(parser, &word, "the shader is not attached to this pipeline: ATTACH it first");
  return NULL;
}

AmberCommand *amber_build_command(AmberParser *parser, AmberCommandKind kind) {
  AmberScript *script = parser->script;
  script->commands = amber_pool_grow(parser->pool, script->commands, script->command_count,
                                     sizeof *script->commands);
  if (!script->commands) {
    amber_no_memory(parser);
    return NULL;
  }
  AmberCommand *command = &script->commands[script->command_count++];
  *command = (AmberCommand){.kind = kind, .line = parser->token.line, .pipeline = AMBER_NONE};
  return command;
}

bool amber_take_format(AmberParser *parser, const EmuFormat **format) {
  AmberToken word = parser->token;
  const char *name;
  if (!amber_text(parser, "the format", &name))
    return false;
  *format = emu_format_find(name);
  if (*format)
    return true;
  for (size_t i = 0; (name = emu_format_name(i)); i++)
    amber_near_try(&parser->near, &word, name);
  const char *one = amber_near_best(&parser->near, &word) ? "" : "; one is R8G8B8A8_UNORM";
  return amber_fail(parser, &word, "there is no such format%s", one);
}
