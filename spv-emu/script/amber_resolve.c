/* SPDX-License-Identifier: Apache-2.0 */
/* amber_resolve: resolves what only the whole file determines.
 *
 * An attachment has the size of its framebuffer, and a COPY target has the size of its source. A
 * pipeline without a colour attachment gets one, and a depth attachment if it tests depth or
 * stencil. Afterwards every buffer in use has a size, and `uses` is complete. */
#include "spv-emu/script/amber_build.h"

#include <string.h>

static AmberBuffer *buffer_of(AmberParser *parser, uint32_t index) {
  return &parser->script->buffers[index];
}

/* ---- default attachments --------------------------------------------------------------------- */

/* The default attachments created last. Pipelines of the same size share them; only the last ones
 * are compared, since scripts have one size, seldom two. */
typedef struct Defaults {
  uint32_t color, depth_stencil; /* buffers, or AMBER_NONE */
} Defaults;

static bool default_buffer(AmberParser *parser, const AmberPipeline *pipeline, const char *name,
                           const char *format, uint32_t *index) {
  if (*index != AMBER_NONE && buffer_of(parser, *index)->width == pipeline->raster.width &&
      buffer_of(parser, *index)->height == pipeline->raster.height)
    return true;
  AmberBuffer buffer = {
      .name = name, .dimensions = 2, .mip_levels = 1, .samples = 1, .line = pipeline->line};
  buffer.format = emu_format_find(format);
  buffer.layout = emu_format_layout(buffer.format);
  *index = parser->script->buffer_count;
  return amber_build_buffer(parser, &buffer, false) &&
         amber_build_image_size(parser, *index, pipeline->raster.width, pipeline->raster.height, 1);
}

static bool default_attachments(AmberParser *parser, AmberPipeline *pipeline, Defaults *defaults) {
  bool tests = pipeline->raster.depth.test || pipeline->raster.depth.bounds_test ||
               pipeline->raster.stencil_test;
  if (!pipeline->color_count) {
    if (!default_buffer(parser, pipeline, "framebuffer", "B8G8R8A8_UNORM", &defaults->color))
      return false;
    pipeline->colors = amber_pool_grow(parser->pool, NULL, 0, sizeof *pipeline->colors);
    if (!pipeline->colors)
      return amber_no_memory(parser);
    pipeline->colors[pipeline->color_count++] =
        (AmberAttachment){.buffer = defaults->color, .line = pipeline->line};
  }
  if (!tests || pipeline->depth_stencil != AMBER_NONE)
    return true;
  if (!default_buffer(parser, pipeline, "depth_buffer", "D32_SFLOAT_S8_UINT",
                      &defaults->depth_stencil))
    return false;
  pipeline->depth_stencil = defaults->depth_stencil;
  return true;
}

/* ---- sizes of attachments -------------------------------------------------------------------- */

/* Changes the size; the contents that fit are kept. */
static bool resize(AmberParser *parser, uint32_t index, uint32_t width, uint32_t height,
                   uint32_t depth) {
  const AmberBuffer old = *buffer_of(parser, index);
  if (!amber_build_image_size(parser, index, width, height, depth))
    return false;
  AmberBuffer *buffer = buffer_of(parser, index);
  size_t kept = old.size < buffer->size ? old.size : buffer->size;
  if (kept)
    memcpy(buffer->bytes, old.bytes, kept);
  return true;
}

static bool check_level(AmberParser *parser, const AmberBuffer *buffer, uint32_t mip_level,
                        uint32_t line) {
  return mip_level < buffer->mip_levels ||
         amber_fail_line(parser, line, "BASE_MIP_LEVEL is not one of the buffer's MIP_LEVELS");
}

static uint32_t larger(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

/* As in google/amber, an attachment has the size of the framebuffer, whatever size it was declared
 * with. If there are several framebuffers, it has the largest size (in google/amber, the size of
 * the last one, which the others must not exceed). */
static bool size_attachment(AmberParser *parser, const AmberPipeline *pipeline, uint32_t index,
                            uint32_t mip_level, uint32_t line) {
  const AmberBuffer *buffer = buffer_of(parser, index);
  AmberDeclared *declared = &parser->declared[index];
  if (!check_level(parser, buffer, mip_level, line))
    return false;
  uint32_t width = pipeline->raster.width << mip_level,
           height = pipeline->raster.height << mip_level;
  if (declared->attached) {
    width = larger(width, buffer->width);
    height = larger(height, buffer->height);
  }
  declared->attached = true;
  bool same =
      declared->sized && buffer->width == width && buffer->height == height && buffer->depth == 1;
  return same || resize(parser, index, width, height, 1);
}

/* Is the attachment as large as the framebuffer? A COPY may have set another size. */
static bool fits_attachment(AmberParser *parser, const AmberPipeline *pipeline, uint32_t index,
                            uint32_t mip_level, uint32_t line) {
  const AmberBuffer *buffer = buffer_of(parser, index);
  return (buffer->width >> mip_level >= pipeline->raster.width &&
          buffer->height >> mip_level >= pipeline->raster.height) ||
         amber_fail_line(parser, line,
                         "the attachment %s, %u x %u, is smaller than the framebuffer, %u x %u",
                         buffer->name, buffer->width >> mip_level, buffer->height >> mip_level,
                         pipeline->raster.width, pipeline->raster.height);
}

typedef bool AttachmentStep(AmberParser *parser, const AmberPipeline *pipeline, uint32_t index,
                            uint32_t mip_level, uint32_t line);

static bool for_attachments(AmberParser *parser, const AmberPipeline *pipeline,
                            AttachmentStep *step) {
  for (uint32_t i = 0; i < pipeline->color_count; i++) {
    const AmberAttachment *color = &pipeline->colors[i];
    if (!step(parser, pipeline, color->buffer, color->base_mip_level, color->line))
      return false;
  }
  for (uint32_t i = 0; i < pipeline->resolve_count; i++)
    if (!step(parser, pipeline, pipeline->resolves[i].buffer, 0, pipeline->resolves[i].line))
      return false;
  return pipeline->depth_stencil == AMBER_NONE ||
         step(parser, pipeline, pipeline->depth_stencil, 0, pipeline->line);
}

/* ---- uses ------------------------------------------------------------------------------------ */

static uint32_t use_of(AmberBindKind kind) {
  switch (kind) {
  case AMBER_BIND_COMBINED_IMAGE_SAMPLER:
  case AMBER_BIND_SAMPLED_IMAGE:
    return AMBER_USE_SAMPLED_IMAGE;
  case AMBER_BIND_STORAGE_IMAGE:
    return AMBER_USE_STORAGE_IMAGE;
  case AMBER_BIND_UNIFORM_TEXEL_BUFFER:
    return AMBER_USE_UNIFORM_TEXEL;
  case AMBER_BIND_STORAGE_TEXEL_BUFFER:
    return AMBER_USE_STORAGE_TEXEL;
  case AMBER_BIND_UNIFORM:
  case AMBER_BIND_UNIFORM_DYNAMIC:
    return AMBER_USE_UNIFORM;
  default:
    return AMBER_USE_STORAGE;
  }
}

/* If one pipeline wrote both to the bytes and to the image made from them, the buffer would have
 * two different contents. */
static bool one_writer(AmberParser *parser, uint32_t index, uint32_t how, uint32_t line) {
  const uint32_t image =
      AMBER_USE_STORAGE_IMAGE | AMBER_USE_COLOR | AMBER_USE_RESOLVE | AMBER_USE_DEPTH_STENCIL;
  const uint32_t bytes = AMBER_USE_STORAGE | AMBER_USE_STORAGE_TEXEL;
  AmberDeclared *declared = &parser->declared[index];
  if (declared->pipeline != parser->resolving)
    *declared = (AmberDeclared){
        .sized = declared->sized, .attached = declared->attached, .pipeline = parser->resolving};
  declared->uses |= how;
  return !(declared->uses & image && declared->uses & bytes) ||
         amber_fail_line(parser, line, "%s is written as an image and as a buffer by one pipeline",
                         buffer_of(parser, index)->name);
}

static bool use(AmberParser *parser, uint32_t index, uint32_t how, uint32_t line) {
  AmberBuffer *buffer = buffer_of(parser, index);
  const uint32_t texels = AMBER_USES_AS_IMAGE | AMBER_USE_UNIFORM_TEXEL | AMBER_USE_STORAGE_TEXEL;
  buffer->uses |= how;
  if (!parser->declared[index].sized)
    return amber_fail_line(parser, line, "the buffer %s has no size", buffer->name);
  if ((how & texels) && (!buffer->format || buffer->format->bytes != buffer->layout.stride))
    return amber_fail_line(
        parser, line, "the buffer %s has no image format: declare it with FORMAT", buffer->name);
  return one_writer(parser, index, how, line);
}

static bool check_range(AmberParser *parser, const AmberBinding *binding,
                        const AmberDescriptor *descriptor) {
  uint64_t size = buffer_of(parser, descriptor->buffer)->size;
  uint64_t start = descriptor->offset;
  bool fits = start < size && descriptor->dynamic_offset < size - start;
  fits =
      fits &&
      (descriptor->range == UINT64_MAX ||
       (descriptor->range > 0 && descriptor->range <= size - start - descriptor->dynamic_offset));
  return fits || amber_fail_line(parser, binding->line, "the range lies outside of the buffer");
}

/* An argument of a kernel that may turn out to be a buffer or an image. */
static bool use_computed(AmberParser *parser, uint32_t index, uint32_t line) {
  AmberBuffer *buffer = buffer_of(parser, index);
  bool texels = buffer->format && buffer->format->bytes == buffer->layout.stride;
  buffer->uses |= texels ? AMBER_USE_STORAGE | AMBER_USE_SAMPLED_IMAGE : AMBER_USE_STORAGE;
  return parser->declared[index].sized ||
         amber_fail_line(parser, line, "the buffer %s has no size", buffer->name);
}

static bool use_binding(AmberParser *parser, const AmberBinding *binding) {
  for (uint32_t i = 0; i < binding->descriptor_count; i++) {
    const AmberDescriptor *descriptor = &binding->descriptors[i];
    if (descriptor->buffer == AMBER_NONE)
      continue;
    if (!(binding->computed
              ? use_computed(parser, descriptor->buffer, binding->line)
              : use(parser, descriptor->buffer, use_of(binding->kind), binding->line)) ||
        !check_range(parser, binding, descriptor))
      return false;
    if (descriptor->base_mip_level >= buffer_of(parser, descriptor->buffer)->mip_levels)
      return amber_fail_line(parser, binding->line,
                             "BASE_MIP_LEVEL is not one of the buffer's MIP_LEVELS");
  }
  return true;
}

static bool use_vertices(AmberParser *parser, const AmberPipeline *pipeline) {
  for (uint32_t i = 0; i < pipeline->vertex_input_count; i++) {
    const AmberVertexInput *input = &pipeline->vertex_inputs[i];
    if (!use(parser, input->buffer, AMBER_USE_VERTEX, input->line))
      return false;
    if ((uint64_t)input->offset + input->format->bytes > buffer_of(parser, input->buffer)->size)
      return amber_fail_line(parser, input->line, "the vertex data lies outside of the buffer");
  }
  return pipeline->index_buffer == AMBER_NONE ||
         use(parser, pipeline->index_buffer, AMBER_USE_INDEX, pipeline->line);
}

static bool use_attachments(AmberParser *parser, const AmberPipeline *pipeline) {
  for (uint32_t i = 0; i < pipeline->color_count; i++)
    if (!use(parser, pipeline->colors[i].buffer, AMBER_USE_COLOR, pipeline->colors[i].line))
      return false;
  for (uint32_t i = 0; i < pipeline->resolve_count; i++)
    if (!use(parser, pipeline->resolves[i].buffer, AMBER_USE_RESOLVE, pipeline->resolves[i].line))
      return false;
  return pipeline->depth_stencil == AMBER_NONE ||
         use(parser, pipeline->depth_stencil, AMBER_USE_DEPTH_STENCIL, pipeline->line);
}

static bool use_all(AmberParser *parser, const AmberPipeline *pipeline) {
  for (uint32_t i = 0; i < pipeline->binding_count; i++)
    if (!use_binding(parser, &pipeline->bindings[i]))
      return false;
  if (pipeline->push_constant != AMBER_NONE &&
      !use(parser, pipeline->push_constant, AMBER_USE_PUSH_CONSTANT, pipeline->line))
    return false;
  return use_vertices(parser, pipeline) && use_attachments(parser, pipeline);
}

/* A FORMAT buffer that is not an attachment has the FRAMEBUFFER_SIZE of the pipeline that binds
 * it. */
static bool size_bound(AmberParser *parser, const AmberPipeline *pipeline) {
  for (uint32_t i = 0; i < pipeline->binding_count; i++)
    for (uint32_t k = 0; k < pipeline->bindings[i].descriptor_count; k++) {
      uint32_t index = pipeline->bindings[i].descriptors[k].buffer;
      if (index != AMBER_NONE && !parser->declared[index].sized &&
          !amber_build_image_size(parser, index, pipeline->raster.width, pipeline->raster.height,
                                  1))
        return false;
    }
  return true;
}

/* ---- all pipelines --------------------------------------------------------------------------- */

static bool check_stages(AmberParser *parser, const AmberPipeline *pipeline) {
  uint32_t stages = 0;
  for (uint32_t i = 0; i < pipeline->shader_count; i++)
    stages |= 1u << pipeline->shaders[i].stage;
  if (parser->vkscript && !pipeline->shader_count)
    return true; /* it is only cleared; vkscript_draw.c checks the others */
  if (!pipeline->graphics)
    return stages ||
           amber_fail_line(parser, pipeline->line, "the pipeline %s has no shader", pipeline->name);
  if (!(stages & 1u << AMBER_VERTEX))
    return amber_fail_line(parser, pipeline->line, "the pipeline %s has no vertex shader",
                           pipeline->name);
  return !(stages >> AMBER_TESSELLATION_CONTROL & 1) ==
             !(stages >> AMBER_TESSELLATION_EVALUATION & 1) ||
         amber_fail_line(parser, pipeline->line,
                         "tessellation takes two shaders: ATTACH a tessellation_control and a "
                         "tessellation_evaluation");
}

static bool resolve_graphics(AmberParser *parser, AmberPipeline *pipeline, Defaults *defaults) {
  if (pipeline->raster.viewport.width < 0) {
    pipeline->raster.viewport.width = (float)pipeline->raster.width;
    pipeline->raster.viewport.height = (float)pipeline->raster.height;
  }
  return default_attachments(parser, pipeline, defaults) &&
         for_attachments(parser, pipeline, size_attachment);
}

/* The target gets the size of the source, for the whole script; its contents are kept. */
static bool size_copy_targets(AmberParser *parser) {
  AmberScript *script = parser->script;
  for (uint32_t i = 0; i < script->command_count; i++) {
    const AmberCommand *command = &script->commands[i];
    if (command->kind != AMBER_COPY || !parser->declared[command->copy.from].sized)
      continue;
    const AmberBuffer *from = buffer_of(parser, command->copy.from);
    const AmberBuffer *to = buffer_of(parser, command->copy.to);
    bool sized = parser->declared[command->copy.to].sized;
    if ((!sized || from->element_count != to->element_count) &&
        !resize(parser, command->copy.to, from->width, from->height, from->depth))
      return false;
  }
  return true;
}

static bool requires_extension(const AmberScript *script, const char *name) {
  for (uint32_t i = 0; i < script->device_extensions.count; i++)
    if (!strcmp(script->device_extensions.items[i].name, name))
      return true;
  return false;
}

bool amber_resolve(AmberParser *parser) {
  AmberScript *script = parser->script;
  bool unrestricted = requires_extension(script, "VK_EXT_depth_range_unrestricted");
  for (uint32_t i = 0; i < script->pipeline_count; i++)
    script->pipelines[i].raster.depth.unrestricted = unrestricted;
  Defaults defaults = {AMBER_NONE, AMBER_NONE};
  for (uint32_t i = 0; i < script->pipeline_count; i++)
    if (!check_stages(parser, &script->pipelines[i]) ||
        (script->pipelines[i].graphics &&
         !resolve_graphics(parser, &script->pipelines[i], &defaults)))
      return false;
  if (!size_copy_targets(parser))
    return false;
  for (uint32_t i = 0; i < script->pipeline_count; i++)
    if (!size_bound(parser, &script->pipelines[i]))
      return false;
  for (uint32_t i = 0; i < script->pipeline_count; i++) {
    parser->resolving = i + 1;
    if (!use_all(parser, &script->pipelines[i]) ||
        !for_attachments(parser, &script->pipelines[i], fits_attachment))
      return false;
  }
  return true;
}
