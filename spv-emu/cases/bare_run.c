/* SPDX-License-Identifier: Apache-2.0 */
/* bare_run: see bare_run.h. */
#include "spv-emu/cases/bare_run.h"

#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is run: one program, or the stages of a draw. */
typedef struct Programs {
  const spv_emu_program *at[2];
  uint32_t count;
} Programs;

struct EmuBare {
  Programs programs;
  const EmuBareOptions *options;
  uint8_t **bytes;         /* by index in the options' buffers; owned */
  spv_emu_buffer *buffers; /* the buffers that are not images */
  spv_emu_image *images;   /* the buffers that are images */
  EmuOutput *outputs;      /* all buffers, in report order */
  uint32_t count, plain_count, image_count;
  uint8_t *push;
  uint32_t push_bytes;
};

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_named(const char *name, const EmuDescriptorPlace *place) {
  return name && strlen(name) == place->name_length &&
         memcmp(name, place->name, place->name_length) == 0;
}

bool emu_bare_is_output(const EmuDescriptorPlace *place, const EmuOutput *output) {
  if (place->name && output->name)
    return is_named(output->name, place);
  return output->set == place->set && output->binding == place->binding;
}

void emu_bare_list(SrNameList *list, uint32_t set, uint32_t binding, const char *name) {
  sr_name_list_print(list, name ? "%u:%u (%.40s)" : "%u:%u", set, binding, name);
}

SrNameList emu_bare_list_all(const spv_emu_binding *bindings, uint32_t count) {
  SrNameList list = {0};
  for (uint32_t i = 0; i < count; i++)
    emu_bare_list(&list, bindings[i].set, bindings[i].binding,
                  bindings[i].name ? bindings[i].name : bindings[i].block);
  if (!count)
    sr_name_list_add(&list, "none");
  return list;
}

bool emu_bare_find(const spv_emu_program *program, EmuDescriptorPlace *place, char *message,
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
    snprintf(message, message_size, "there is no buffer '%.*s'; the module has %s", length,
             place->name, emu_bare_list_all(bindings, count).text);
    return false;
  }
  place->set = found->set;
  place->binding = found->binding;
  return true;
}

/* ---- what the program declares --------------------------------------------------------------- */

uint32_t emu_bare_find_buffer(const EmuBareOptions *options, uint32_t set, uint32_t binding,
                              uint32_t element) {
  for (uint32_t i = 0; i < options->buffer_count; i++)
    if (options->buffers[i].place.set == set && options->buffers[i].place.binding == binding &&
        options->buffers[i].element == element)
      return i;
  return UINT32_MAX;
}

bool emu_bare_has_buffer(const EmuBareOptions *options, uint32_t set, uint32_t binding,
                         uint32_t element) {
  return emu_bare_find_buffer(options, set, binding, element) != UINT32_MAX;
}

bool emu_bare_has_sampler(const EmuBareOptions *options, uint32_t set, uint32_t binding,
                          uint32_t element) {
  for (uint32_t i = 0; i < options->sampler_count; i++)
    if (options->samplers[i].set == set && options->samplers[i].binding == binding &&
        options->samplers[i].element == element)
      return true;
  return false;
}

static spv_emu_status lacks(const spv_emu_binding *b, uint32_t element, const char *what,
                            const char *option, const char *value, char *message, size_t size) {
  char place[16] = "";
  if (b->count > 1)
    snprintf(place, sizeof place, ":%u", element);
  snprintf(message, size,
           "the %s at set %u, binding %u is not given; write %s=%u:%u%s%s, or --buffers=auto", what,
           b->set, b->binding, option, b->set, b->binding, place, value);
  return SPV_EMU_BAD_INPUT;
}

static spv_emu_status check_binding(const EmuBareOptions *options, const spv_emu_binding *b,
                                    char *message, size_t size) {
  const spv_emu_shape *shape = b->shape;
  for (uint32_t i = 0; i < b->count; i++) {
    if ((!shape->sampler || shape->image) && !emu_bare_has_buffer(options, b->set, b->binding, i))
      return lacks(b, i, b->image ? "image" : "buffer", "--buffer",
                   b->image ? ":R8G8B8A8_UNORM[WxH]=random" : ":u32[N]=0", message, size);
    if (shape->sampler && !emu_bare_has_sampler(options, b->set, b->binding, i))
      return lacks(b, i, "sampler", "--sampler", "=linear", message, size);
  }
  return SPV_EMU_OK;
}

/* The programs' binding at a place; NULL: there is none. */
static const spv_emu_binding *declared(const Programs *programs, uint32_t set, uint32_t binding,
                                       uint32_t element) {
  for (uint32_t p = 0; p < programs->count; p++) {
    uint32_t count;
    const spv_emu_binding *bindings = spv_emu_bindings(programs->at[p], &count);
    for (uint32_t i = 0; i < count; i++)
      if (bindings[i].set == set && bindings[i].binding == binding &&
          (!bindings[i].count || element < bindings[i].count))
        return &bindings[i];
  }
  return NULL;
}

static spv_emu_status surplus(const Programs *programs, const char *what, uint32_t set,
                              uint32_t binding, uint32_t element, char *message, size_t size) {
  uint32_t count;
  const spv_emu_binding *bindings = spv_emu_bindings(programs->at[0], &count);
  if (!count && programs->count > 1)
    bindings = spv_emu_bindings(programs->at[1], &count);
  snprintf(message, size, "the module has no %s at set %u, binding %u, element %u; it has %s", what,
           set, binding, element, emu_bare_list_all(bindings, count).text);
  return SPV_EMU_BAD_INPUT;
}

/* Refuses an image where the module has a buffer, and vice versa, as surplus. */
static spv_emu_status check_given(const Programs *programs, const EmuBareOptions *options,
                                  char *message, size_t size) {
  for (uint32_t i = 0; i < options->buffer_count; i++) {
    const EmuBareBuffer *b = &options->buffers[i];
    const spv_emu_binding *d = declared(programs, b->place.set, b->place.binding, b->element);
    bool image = b->values.format != NULL;
    if (!d || (d->image && !d->shape->image) || d->image != image)
      return surplus(programs, image ? "image" : "buffer", b->place.set, b->place.binding,
                     b->element, message, size);
  }
  for (uint32_t i = 0; i < options->sampler_count; i++) {
    const spv_emu_sampler *s = &options->samplers[i];
    const spv_emu_binding *d = declared(programs, s->set, s->binding, s->element);
    if (!d || !d->shape->sampler)
      return surplus(programs, "sampler", s->set, s->binding, s->element, message, size);
  }
  return SPV_EMU_OK;
}

static spv_emu_status check(const Programs *programs, const EmuBareOptions *options, char *message,
                            size_t size) {
  for (uint32_t p = 0; p < programs->count; p++) {
    uint32_t count;
    const spv_emu_binding *bindings = spv_emu_bindings(programs->at[p], &count);
    for (uint32_t i = 0; i < count; i++) {
      spv_emu_status status = check_binding(options, &bindings[i], message, size);
      if (status != SPV_EMU_OK)
        return status;
    }
  }
  return check_given(programs, options, message, size);
}

bool emu_bare_check(const spv_emu_program *program, const EmuBareOptions *options, char *message,
                    size_t message_size) {
  const Programs one = {{program}, 1};
  return check(&one, options, message, message_size) == SPV_EMU_OK;
}

/* ---- the memory of the buffers --------------------------------------------------------------- */

/* The third size of an image is its depth, or its number of layers or faces. */
static spv_emu_image image_of(const Programs *programs, const EmuBareBuffer *b, uint8_t *bytes) {
  const spv_emu_shape *shape =
      declared(programs, b->place.set, b->place.binding, b->element)->shape;
  const uint32_t *e = b->values.extent;
  bool flat = shape->dimension == SpvDim1D, solid = shape->dimension == SpvDim3D;
  return (spv_emu_image){.set = b->place.set,
                         .binding = b->place.binding,
                         .element = b->element,
                         .format = b->values.format->vk,
                         .width = e[0],
                         .height = flat ? 1 : e[1],
                         .depth = solid ? e[2] : 1,
                         .layers = flat    ? e[1]
                                   : solid ? 1
                                           : e[2],
                         .levels = 1,
                         .samples = 1,
                         .bytes = bytes,
                         .size = b->values.size};
}

static bool allocate_buffers(EmuBare *bare) {
  const EmuBareOptions *options = bare->options;
  size_t room = options->buffer_count + 1u;
  bare->bytes = calloc(room, sizeof *bare->bytes);
  bare->buffers = calloc(room, sizeof *bare->buffers);
  bare->images = calloc(room, sizeof *bare->images);
  bare->outputs = calloc(room, sizeof *bare->outputs);
  if (!bare->bytes || !bare->buffers || !bare->images || !bare->outputs)
    return false;
  for (uint32_t i = 0; i < options->buffer_count; i++, bare->count++) {
    const EmuBareBuffer *b = &options->buffers[i];
    uint8_t *bytes = bare->bytes[i] = malloc(b->values.size);
    if (!bytes)
      return false;
    if (b->values.format)
      bare->images[bare->image_count++] = image_of(&bare->programs, b, bytes);
    else
      bare->buffers[bare->plain_count++] =
          (spv_emu_buffer){b->place.set, b->place.binding, b->element, bytes, b->values.size};
    const spv_emu_binding *d =
        declared(&bare->programs, b->place.set, b->place.binding, b->element);
    bare->outputs[i] = (EmuOutput){.set = b->place.set,
                                   .binding = b->place.binding,
                                   .element = b->element,
                                   .layout = &b->values.layout,
                                   .format = b->values.format,
                                   .width = b->values.extent[0],
                                   .height = b->values.extent[1],
                                   .layers = b->values.extent[2],
                                   .stored = d->image && d->shape->storage && d->written,
                                   .bytes = bytes,
                                   .initial = b->values.bytes,
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

static bool check_push_constants(const Programs *programs, uint32_t given, char *message,
                                 size_t size) {
  uint32_t wanted = spv_emu_push_constant_bytes(programs->at[0]);
  for (uint32_t p = 1; p < programs->count; p++)
    if (spv_emu_push_constant_bytes(programs->at[p]) > wanted)
      wanted = spv_emu_push_constant_bytes(programs->at[p]);
  if (given && !wanted)
    snprintf(message, size, "the module has no push constants: leave --push-constant out");
  else if (!given && wanted)
    snprintf(message, size,
             "the push constants, %u bytes, are not given; write --push-constant=u8[%u]=0, or "
             "--buffers=auto",
             wanted, wanted);
  else if (given < wanted)
    snprintf(message, size,
             "--push-constant gives %u bytes, but the module has %u: give values for the rest",
             given, wanted);
  else if (given > wanted)
    snprintf(message, size,
             "--push-constant gives %u bytes, but the module has %u: leave the last %u out", given,
             wanted, given - wanted);
  return given == wanted;
}

static spv_emu_status open_run(const Programs *programs, const EmuBareOptions *options,
                               EmuBare **bare, char *message, size_t message_size) {
  *bare = NULL;
  spv_emu_status status = check(programs, options, message, message_size);
  if (status != SPV_EMU_OK)
    return status;
  EmuBare *made = calloc(1, sizeof *made);
  if (made)
    *made = (EmuBare){.programs = *programs, .options = options};
  if (!made || !allocate_buffers(made) || !join_push_constants(made)) {
    emu_bare_close(made);
    snprintf(message, message_size, "out of memory");
    return SPV_EMU_NO_MEMORY;
  }
  if (!check_push_constants(programs, made->push_bytes, message, message_size)) {
    emu_bare_close(made);
    return SPV_EMU_BAD_INPUT;
  }
  *bare = made;
  return SPV_EMU_OK;
}

spv_emu_status emu_bare_open(const spv_emu_program *program, const EmuBareOptions *options,
                             EmuBare **bare, char *message, size_t message_size) {
  const Programs one = {{program}, 1};
  return open_run(&one, options, bare, message, message_size);
}

spv_emu_status emu_bare_open_draw(const spv_emu_program *first, const spv_emu_program *second,
                                  const EmuBareOptions *options, EmuBare **bare, char *message,
                                  size_t message_size) {
  const Programs both = {{first, second}, second ? 2 : 1};
  return open_run(&both, options, bare, message, message_size);
}

void emu_bare_close(EmuBare *bare) {
  for (uint32_t i = 0; bare && i < bare->count; i++)
    free(bare->bytes[i]);
  if (bare) {
    free(bare->bytes);
    free(bare->buffers);
    free(bare->images);
    free(bare->outputs);
    free(bare->push);
  }
  free(bare);
}

/* ---- running --------------------------------------------------------------------------------- */

void emu_bare_start(EmuBare *bare, spv_emu_run_options *options) {
  for (uint32_t i = 0; i < bare->count; i++)
    memcpy(bare->bytes[i], bare->options->buffers[i].values.bytes,
           bare->options->buffers[i].values.size);
  memcpy(options->groups, bare->options->groups, sizeof options->groups);
  options->buffers = bare->buffers;
  options->buffer_count = bare->plain_count;
  options->images = bare->images;
  options->image_count = bare->image_count;
  options->samplers = bare->options->samplers;
  options->sampler_count = bare->options->sampler_count;
  options->push_constants = bare->push;
  options->push_constant_bytes = bare->push_bytes;
}

bool emu_bare_end(const EmuBare *bare, EmuRow *row) {
  return emu_row_outputs(row, bare->outputs, bare->count);
}

spv_emu_status emu_bare_run(EmuBare *bare, const spv_emu_run_options *how, EmuRow *row,
                            char *message, size_t message_size) {
  spv_emu_run_options options = *how;
  const spv_emu_program *program = bare->programs.at[0];
  spv_emu_result *result;
  emu_bare_start(bare, &options);
  snprintf(message, message_size, "out of memory");
  if (!emu_row_start(row, how->policy, 1))
    return SPV_EMU_NO_MEMORY;
  spv_emu_status status = spv_emu_run(program, &options, &result, message, message_size);
  if (status != SPV_EMU_OK)
    return status;
  emu_row_add(row, 0, program, result);
  return emu_bare_end(bare, row) ? SPV_EMU_OK : SPV_EMU_NO_MEMORY;
}
