/* SPDX-License-Identifier: Apache-2.0 */
/* amber_bind: see amber_bind.h. */
#include "spv-emu/cases/amber_bind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- buffers as images ----------------------------------------------------------------------- */

static uint32_t at_level(uint32_t extent, uint32_t level) {
  return (extent >> level) ? extent >> level : 1;
}

static uint64_t level_bytes(const AmberBuffer *declared, uint32_t level) {
  return amber_buffer_level_bytes(declared, level) * declared->samples;
}

/* Bytes of the levels [first, end). */
static uint64_t levels_bytes(const AmberBuffer *declared, uint32_t first, uint32_t end) {
  uint64_t bytes = 0;
  for (uint32_t level = first; level < end; level++)
    bytes += level_bytes(declared, level);
  return bytes;
}

static bool is_image(const AmberBuffer *declared) {
  return declared->uses & AMBER_USES_AS_IMAGE && amber_buffer_is_texels(declared);
}

bool emu_amber_buffer_create(const AmberBuffer *declared, EmuAmberBuffer *buffer) {
  buffer->size = is_image(declared) ? levels_bytes(declared, 0, declared->mip_levels) : 0;
  if (buffer->size < declared->size)
    buffer->size = declared->size;
  buffer->bytes = calloc(buffer->size + 1, 1);
  return buffer->bytes != NULL;
}

void emu_amber_buffer_reset(const AmberBuffer *declared, EmuAmberBuffer *buffer) {
  bool several = is_image(declared) && declared->samples > 1;
  uint64_t kept = several ? 0 : declared->size;
  if (kept)
    memcpy(buffer->bytes, declared->bytes, kept);
  if (is_image(declared) && declared->levels && !several)
    memcpy(buffer->bytes + kept, declared->levels, buffer->size - kept);
  else
    memset(buffer->bytes + kept, 0, buffer->size - kept);
}

spv_emu_attachment emu_amber_attachment(const AmberBuffer *declared, const EmuAmberBuffer *buffer,
                                        uint32_t level, uint32_t location) {
  return (spv_emu_attachment){.format = declared->format,
                              .bytes = buffer->bytes + levels_bytes(declared, 0, level),
                              .width = at_level(declared->width, level),
                              .height = at_level(declared->height, level),
                              .samples = declared->samples,
                              .location = location};
}

/* ---- one descriptor -------------------------------------------------------------------------- */

typedef struct Binder {
  const AmberScript *script;
  const EmuAmberBuffer *buffers;
  EmuAmberBindings *made;
  HnBound bound; /* the current binding */
  char *message;
  size_t message_size;
} Binder;

static bool fail(const Binder *binder, const AmberBinding *binding, const char *what) {
  snprintf(binder->message, binder->message_size, "line %u: %s", binding->line, what);
  return false;
}

static EmuOutput *add_output(const Binder *binder, const AmberBinding *binding, uint32_t element,
                             const uint8_t *bytes, uint64_t size) {
  const AmberBuffer *declared = &binder->script->buffers[binding->descriptors[element].buffer];
  EmuOutput *output = &binder->made->outputs[binder->made->output_count++];
  *output = (EmuOutput){.set = binding->set,
                        .binding = binder->bound.number,
                        .element = element,
                        .name = declared->name,
                        .layout = &declared->layout,
                        .bytes = bytes,
                        .size = size};
  return output;
}

static void bind_sampler(const Binder *binder, const AmberBinding *binding, uint32_t element) {
  const EmuSamplerState *s = &binder->script->samplers[binding->descriptors[element].sampler];
  binder->made->samplers[binder->made->sampler_count++] = (spv_emu_sampler){
      .set = binding->set,
      .binding = binder->bound.number,
      .element = element,
      .mag_filter = s->mag_filter,
      .min_filter = s->min_filter,
      .address_mode = {s->address_mode_u, s->address_mode_v, s->address_mode_w},
      .border_color = s->border_color,
      .mipmap_mode = s->mipmap_mode,
      .lod_bias = s->lod_bias,
      .min_lod = s->min_lod,
      .max_lod = s->max_lod,
      .unnormalized = s->unnormalized,
      .compare = s->compare,
      .compare_op = s->compare_op,
  };
}

/* A storage image is a view of one level, any other image of all levels from the base level on. */
static bool bind_image(const Binder *binder, const AmberBinding *binding, uint32_t element) {
  const AmberDescriptor *descriptor = &binding->descriptors[element];
  const AmberBuffer *declared = &binder->script->buffers[descriptor->buffer];
  uint32_t base = descriptor->base_mip_level;
  if (!is_image(declared))
    return fail(binder, binding, "the buffer cannot be an image");
  if (base >= declared->mip_levels)
    return fail(binder, binding, "the image has no such mip level");
  uint32_t end = binder->bound.kind == AMBER_BIND_STORAGE_IMAGE ? base + 1 : declared->mip_levels;
  uint8_t *bytes = binder->buffers[descriptor->buffer].bytes + levels_bytes(declared, 0, base);
  uint64_t size = levels_bytes(declared, base, end);
  binder->made->images[binder->made->image_count++] = (spv_emu_image){
      .set = binding->set,
      .binding = binder->bound.number,
      .element = element,
      .format = declared->format->vk,
      .width = at_level(declared->width, base),
      .height = at_level(declared->height, base),
      .depth = at_level(declared->depth, base),
      .layers = amber_buffer_layers(declared),
      .levels = end - base,
      .samples = declared->samples,
      .bytes = bytes,
      .size = size,
  };
  memcpy(binder->made->images[binder->made->image_count - 1].swizzle, descriptor->swizzle,
         sizeof descriptor->swizzle);
  EmuOutput *output = add_output(binder, binding, element, bytes, size);
  if (declared->samples == 1)
    output->format = declared->format;
  output->width = at_level(declared->width, base);
  output->height = at_level(declared->height, base);
  output->layers = at_level(declared->depth, base) * amber_buffer_layers(declared);
  output->stored = output->format && binder->bound.kind == AMBER_BIND_STORAGE_IMAGE;
  return true;
}

static bool bind_texel_buffer(const Binder *binder, const AmberBinding *binding, uint32_t element) {
  const AmberDescriptor *descriptor = &binding->descriptors[element];
  const AmberBuffer *declared = &binder->script->buffers[descriptor->buffer];
  uint64_t size = amber_descriptor_size(declared, descriptor);
  uint8_t *bytes = binder->buffers[descriptor->buffer].bytes + amber_descriptor_start(descriptor);
  if (!declared->format || declared->layout.stride != declared->format->bytes)
    return fail(binder, binding, "a texel buffer whose type is not an image format");
  binder->made->images[binder->made->image_count++] = (spv_emu_image){
      .set = binding->set,
      .binding = binder->bound.number,
      .element = element,
      .format = declared->format->vk,
      .width = (uint32_t)(size / declared->format->bytes),
      .height = 1,
      .depth = 1,
      .layers = 1,
      .levels = 1,
      .samples = 1,
      .bytes = bytes,
      .size = size,
  };
  add_output(binder, binding, element, bytes, size);
  return true;
}

static void bind_buffer(const Binder *binder, const AmberBinding *binding, uint32_t element) {
  const AmberDescriptor *descriptor = &binding->descriptors[element];
  uint64_t size = amber_descriptor_size(&binder->script->buffers[descriptor->buffer], descriptor);
  uint8_t *bytes = binder->buffers[descriptor->buffer].bytes + amber_descriptor_start(descriptor);
  binder->made->buffers[binder->made->buffer_count++] =
      (spv_emu_buffer){binding->set, binder->bound.number, element, bytes, size};
  add_output(binder, binding, element, bytes, size);
}

static bool bind_descriptor(const Binder *binder, const AmberBinding *binding, uint32_t element) {
  const AmberDescriptor *descriptor = &binding->descriptors[element];
  if (descriptor->sampler != AMBER_NONE)
    bind_sampler(binder, binding, element);
  if (descriptor->buffer == AMBER_NONE)
    return true;
  AmberBindKind kind = binder->bound.kind;
  if (amber_bind_is_image(kind))
    return bind_image(binder, binding, element);
  if (kind == AMBER_BIND_UNIFORM_TEXEL_BUFFER || kind == AMBER_BIND_STORAGE_TEXEL_BUFFER)
    return bind_texel_buffer(binder, binding, element);
  bind_buffer(binder, binding, element);
  return true;
}

/* ---- all descriptors of a pipeline ----------------------------------------------------------- */

static bool allocate(const AmberPipeline *pipeline, EmuAmberBindings *made) {
  size_t count = 1;
  for (uint32_t i = 0; i < pipeline->binding_count; i++)
    count += pipeline->bindings[i].descriptor_count;
  made->buffers = calloc(count, sizeof *made->buffers);
  made->images = calloc(count, sizeof *made->images);
  made->samplers = calloc(count, sizeof *made->samplers);
  made->outputs = calloc(count, sizeof *made->outputs);
  return made->buffers && made->images && made->samplers && made->outputs;
}

spv_emu_status emu_amber_bind(const AmberScript *script, const AmberPipeline *pipeline,
                              const HnBound *bound, const EmuAmberBuffer *buffers,
                              EmuAmberBindings *bindings, char *message, size_t message_size) {
  Binder binder = {.script = script,
                   .buffers = buffers,
                   .made = bindings,
                   .message = message,
                   .message_size = message_size};
  *bindings = (EmuAmberBindings){0};
  if (!allocate(pipeline, bindings)) {
    snprintf(message, message_size, "out of memory");
    return SPV_EMU_NO_MEMORY;
  }
  for (uint32_t i = 0; i < pipeline->binding_count; i++) {
    const AmberBinding *binding = &pipeline->bindings[i];
    binder.bound = bound ? bound[i] : (HnBound){binding->binding, binding->kind};
    for (uint32_t k = 0; k < binding->descriptor_count; k++)
      if (!bind_descriptor(&binder, binding, k))
        return SPV_EMU_BAD_INPUT;
  }
  return SPV_EMU_OK;
}

void emu_amber_unbind(EmuAmberBindings *bindings) {
  free(bindings->buffers);
  free(bindings->images);
  free(bindings->samplers);
  free(bindings->outputs);
  *bindings = (EmuAmberBindings){0};
}
