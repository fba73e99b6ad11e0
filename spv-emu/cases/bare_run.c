/* SPDX-License-Identifier: Apache-2.0 */
/* bare_run: see bare_run.h. */
#include "cases/bare_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct EmuBare {
  const spv_emu_program *program;
  const EmuBareOptions *options;
  spv_emu_buffer *buffers; /* by index in the options; owns the bytes */
  EmuOutput *outputs;      /* the same, in report order */
  uint32_t count;
  uint8_t *push;
  uint32_t push_bytes;
};

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_named(const char *name, const EmuPlace *place) {
  return name && strlen(name) == place->name_length &&
         memcmp(name, place->name, place->name_length) == 0;
}

/* "0:0 (data), 0:1, …"; "none" */
static void list_buffers(const spv_emu_binding *bindings, uint32_t count, char *text, size_t size) {
  size_t used = (size_t)snprintf(text, size, "%s", count ? "" : "none");
  for (uint32_t i = 0; i < count && used < size; i++) {
    const spv_emu_binding *b = &bindings[i];
    const char *name = b->name ? b->name : b->block;
    used +=
        (size_t)snprintf(text + used, size - used, "%s%u:%u", i ? ", " : "", b->set, b->binding);
    if (name && used < size)
      used += (size_t)snprintf(text + used, size - used, " (%.40s)", name);
  }
}

bool emu_bare_find(const spv_emu_program *program, EmuPlace *place, char *message,
                   size_t message_size) {
  uint32_t count;
  const spv_emu_binding *bindings = spv_emu_bindings(program, &count), *found = NULL;
  int length = place->name_length < 60 ? (int)place->name_length : 60;
  if (!place->name)
    return true;
  for (uint32_t i = 0; i < count; i++) {
    const spv_emu_binding *b = &bindings[i];
    if (!is_named(b->name, place) && !is_named(b->block, place))
      continue;
    if (found && (found->set != b->set || found->binding != b->binding)) {
      snprintf(message, message_size, "several buffers are called '%.*s': %u:%u and %u:%u", length,
               place->name, found->set, found->binding, b->set, b->binding);
      return false;
    }
    found = b;
  }
  if (!found) {
    char list[256];
    list_buffers(bindings, count, list, sizeof list);
    snprintf(message, message_size, "there is no buffer '%.*s'; the module has %s", length,
             place->name, list);
    return false;
  }
  place->set = found->set;
  place->binding = found->binding;
  return true;
}

/* ---- what the program declares --------------------------------------------------------------- */

static bool is_given(const EmuBareOptions *options, uint32_t set, uint32_t binding,
                     uint32_t element) {
  for (uint32_t i = 0; i < options->buffer_count; i++)
    if (options->buffers[i].place.set == set && options->buffers[i].place.binding == binding &&
        options->buffers[i].element == element)
      return true;
  return false;
}

static spv_emu_status check_binding(const EmuBareOptions *options, const spv_emu_binding *b,
                                    char *message, size_t size) {
  if (b->image) {
    snprintf(message, size,
             "set %u, binding %u is an image or a sampler, which only an AmberScript case can give",
             b->set, b->binding);
    return SPV_EMU_BAD_INPUT;
  }
  for (uint32_t i = 0; i < b->count; i++) {
    char element[16] = "";
    if (is_given(options, b->set, b->binding, i))
      continue;
    if (b->count > 1)
      snprintf(element, sizeof element, "%u:", i);
    snprintf(message, size,
             "the buffer at set %u, binding %u is not given; write --buffer=%u:%u:%su32[N]=0",
             b->set, b->binding, b->set, b->binding, element);
    return SPV_EMU_BAD_INPUT;
  }
  return SPV_EMU_OK;
}

static bool is_declared(const spv_emu_binding *bindings, uint32_t count, const EmuBareBuffer *b) {
  for (uint32_t i = 0; i < count; i++)
    if (bindings[i].set == b->place.set && bindings[i].binding == b->place.binding &&
        (!bindings[i].count || b->element < bindings[i].count))
      return true;
  return false;
}

static spv_emu_status check(const spv_emu_program *program, const EmuBareOptions *options,
                            char *message, size_t size) {
  uint32_t count;
  const spv_emu_binding *bindings = spv_emu_bindings(program, &count);
  for (uint32_t i = 0; i < count; i++) {
    spv_emu_status status = check_binding(options, &bindings[i], message, size);
    if (status != SPV_EMU_OK)
      return status;
  }
  for (uint32_t i = 0; i < options->buffer_count; i++) {
    const EmuBareBuffer *b = &options->buffers[i];
    if (is_declared(bindings, count, b))
      continue;
    snprintf(message, size, "the module has no buffer at set %u, binding %u, element %u",
             b->place.set, b->place.binding, b->element);
    return SPV_EMU_BAD_INPUT;
  }
  return SPV_EMU_OK;
}

/* ---- its memory ------------------------------------------------------------------------------ */

static bool allocate_buffers(EmuBare *bare) {
  const EmuBareOptions *options = bare->options;
  bare->buffers = calloc(options->buffer_count + 1u, sizeof *bare->buffers);
  bare->outputs = calloc(options->buffer_count + 1u, sizeof *bare->outputs);
  if (!bare->buffers || !bare->outputs)
    return false;
  for (uint32_t i = 0; i < options->buffer_count; i++, bare->count++) {
    const EmuBareBuffer *b = &options->buffers[i];
    uint8_t *bytes = malloc(b->values.size);
    if (!bytes)
      return false;
    bare->buffers[i] =
        (spv_emu_buffer){b->place.set, b->place.binding, b->element, bytes, b->values.size};
    bare->outputs[i] = (EmuOutput){.set = b->place.set,
                                   .binding = b->place.binding,
                                   .element = b->element,
                                   .layout = &b->values.layout,
                                   .bytes = bytes,
                                   .size = b->values.size};
  }
  qsort(bare->outputs, bare->count, sizeof *bare->outputs, emu_output_order);
  return true;
}

static bool join_push_constants(EmuBare *bare) {
  uint64_t size = 0, at = 0;
  for (uint32_t i = 0; i < bare->options->push_constant_count; i++)
    size += bare->options->push_constants[i].size;
  bare->push = size <= UINT32_MAX ? malloc(size + 1) : NULL;
  bare->push_bytes = (uint32_t)size;
  for (uint32_t i = 0; bare->push && i < bare->options->push_constant_count; i++) {
    const EmuValues *values = &bare->options->push_constants[i];
    memcpy(bare->push + at, values->bytes, values->size);
    at += values->size;
  }
  return bare->push != NULL;
}

spv_emu_status emu_bare_open(const spv_emu_program *program, const EmuBareOptions *options,
                             EmuBare **bare, char *message, size_t message_size) {
  *bare = NULL;
  spv_emu_status status = check(program, options, message, message_size);
  if (status != SPV_EMU_OK)
    return status;
  EmuBare *made = calloc(1, sizeof *made);
  if (made)
    *made = (EmuBare){.program = program, .options = options};
  if (!made || !allocate_buffers(made) || !join_push_constants(made)) {
    emu_bare_close(made);
    snprintf(message, message_size, "out of memory");
    return SPV_EMU_NO_MEMORY;
  }
  uint32_t wanted = spv_emu_push_constant_bytes(program);
  if (made->push_bytes < wanted) {
    snprintf(message, message_size,
             "the module has %u bytes of push constants, --push-constant gives %u", wanted,
             made->push_bytes);
    emu_bare_close(made);
    return SPV_EMU_BAD_INPUT;
  }
  *bare = made;
  return SPV_EMU_OK;
}

void emu_bare_close(EmuBare *bare) {
  for (uint32_t i = 0; bare && i < bare->count; i++)
    free(bare->buffers[i].bytes);
  if (bare) {
    free(bare->buffers);
    free(bare->outputs);
    free(bare->push);
  }
  free(bare);
}

/* ---- running --------------------------------------------------------------------------------- */

spv_emu_status emu_bare_run(EmuBare *bare, const spv_emu_run_options *how, EmuRow *row,
                            char *message, size_t message_size) {
  for (uint32_t i = 0; i < bare->count; i++)
    memcpy(bare->buffers[i].bytes, bare->options->buffers[i].values.bytes, bare->buffers[i].size);
  spv_emu_run_options options = *how;
  memcpy(options.groups, bare->options->groups, sizeof options.groups);
  options.buffers = bare->buffers;
  options.buffer_count = bare->count;
  options.push_constants = bare->push;
  options.push_constant_bytes = bare->push_bytes;
  spv_emu_result *result;
  snprintf(message, message_size, "out of memory");
  if (!emu_row_start(row, how->policy, 1))
    return SPV_EMU_NO_MEMORY;
  spv_emu_status status = spv_emu_run(bare->program, &options, &result, message, message_size);
  if (status != SPV_EMU_OK)
    return status;
  emu_row_add(row, 0, bare->program, result);
  return emu_row_outputs(row, bare->outputs, bare->count) ? SPV_EMU_OK : SPV_EMU_NO_MEMORY;
}
