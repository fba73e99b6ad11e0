/* SPDX-License-Identifier: Apache-2.0 */
/* amber_use: what everything that runs a script needs: the order of its commands, and the bytes of
 * a buffer that a pipeline sees. */
#include "spv-emu/script/script.h"

#include <string.h>

/* ---- commands -------------------------------------------------------------------------------- */

void amber_walk_start(AmberWalk *walk, const AmberScript *script) {
  *walk = (AmberWalk){.script = script};
}

/* Restarts or leaves the loops whose bodies end before command `at`. */
static void close_loops(AmberWalk *walk) {
  while (walk->depth && walk->loops[walk->depth - 1].end == walk->at) {
    AmberLoop *loop = &walk->loops[walk->depth - 1];
    if (--loop->left) {
      walk->at = loop->begin;
      return;
    }
    walk->depth--;
  }
}

static void open_loop(AmberWalk *walk, const AmberCommand *repeat) {
  uint32_t begin = walk->at + 1, end = begin + repeat->repeat.length;
  bool any = repeat->repeat.times && repeat->repeat.length;
  if (any)
    walk->loops[walk->depth++] = (AmberLoop){begin, end, repeat->repeat.times};
  walk->at = any ? begin : end;
}

const AmberCommand *amber_walk_next(AmberWalk *walk) {
  for (;;) {
    close_loops(walk);
    if (walk->at >= walk->script->command_count)
      return NULL;
    const AmberCommand *command = &walk->script->commands[walk->at];
    if (command->kind != AMBER_REPEAT) {
      walk->at++;
      return command;
    }
    open_loop(walk, command);
  }
}

void amber_write_apply(const AmberWrite *write, void *bytes) {
  const EmuElementLayout *layout = write->layout;
  for (uint32_t i = 0; i < write->value_count; i++) {
    uint64_t element = i / layout->field_count;
    emu_field_set(&layout->fields[i % layout->field_count], write->values[i],
                  (uint8_t *)bytes + write->offset + element * layout->stride);
  }
}

uint32_t amber_expect_other(const AmberExpect *expect) {
  bool two = expect->comparator == AMBER_EQ_BUFFER || expect->comparator == AMBER_RMSE_BUFFER ||
             expect->comparator == AMBER_EQ_HISTOGRAM_EMD_BUFFER;
  return two ? expect->other : AMBER_NONE;
}

bool amber_has_kernels(const AmberScript *script) {
  for (uint32_t i = 0; i < script->shader_count; i++)
    if (script->shaders[i].format == AMBER_OPENCL_C)
      return true;
  for (uint32_t i = 0; i < script->pipeline_count; i++)
    for (uint32_t k = 0; k < script->pipelines[i].binding_count; k++)
      if (script->pipelines[i].bindings[k].kernel)
        return true;
  return false;
}

bool amber_requires(const AmberRequirement *requirement, const char *feature) {
  const char *point = strchr(feature, '.');
  return strcmp(requirement->name, requirement->bare && point ? point + 1 : feature) == 0;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

uint64_t amber_descriptor_start(const AmberDescriptor *descriptor) {
  return descriptor->offset + descriptor->dynamic_offset;
}

uint64_t amber_descriptor_size(const AmberBuffer *buffer, const AmberDescriptor *descriptor) {
  return descriptor->range != UINT64_MAX ? descriptor->range
                                         : buffer->size - amber_descriptor_start(descriptor);
}

bool amber_bind_is_image(AmberBindKind kind) {
  return kind == AMBER_BIND_COMBINED_IMAGE_SAMPLER || kind == AMBER_BIND_SAMPLED_IMAGE ||
         kind == AMBER_BIND_STORAGE_IMAGE;
}

uint32_t amber_buffer_layers(const AmberBuffer *buffer) {
  return buffer->layers ? buffer->layers : 1;
}

static uint64_t at_level(uint32_t extent, uint32_t level) {
  return extent >> level ? extent >> level : 1;
}

uint64_t amber_buffer_level_bytes(const AmberBuffer *buffer, uint32_t level) {
  return at_level(buffer->width, level) * at_level(buffer->height, level) *
         at_level(buffer->depth, level) * amber_buffer_layers(buffer) * buffer->layout.stride;
}

bool amber_buffer_is_texels(const AmberBuffer *buffer) {
  return buffer->format && buffer->layout.stride == buffer->format->bytes &&
         amber_buffer_level_bytes(buffer, 0) == buffer->size;
}
