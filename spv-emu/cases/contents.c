/* SPDX-License-Identifier: Apache-2.0 */
/* contents: see contents.h. */
#include "spv-emu/cases/contents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A copy of an array, with room for more. NULL: out of memory. */
static void *copy(const void *from, size_t count, size_t more, size_t size) {
  void *to = calloc(count + more + 1, size);
  if (to && count)
    memcpy(to, from, count * size);
  return to;
}

static bool copy_given(const EmuBareOptions *given, EmuContents *c) {
  uint32_t more = c->guess.count;
  c->buffers = copy(given->buffers, given->buffer_count, more, sizeof *c->buffers);
  c->samplers = copy(given->samplers, given->sampler_count, more, sizeof *c->samplers);
  c->pushed = copy(given->push_constants, given->push_constant_count, more, sizeof *c->pushed);
  c->given_buffers = given->buffer_count;
  c->given_pushed = given->push_constant_count;
  c->options = *given;
  c->options.buffers = c->buffers;
  c->options.samplers = c->samplers;
  c->options.push_constants = c->pushed;
  return c->buffers && c->samplers && c->pushed;
}

static bool take(EmuContents *c, const EmuGuessed *made, char *message, size_t size) {
  EmuBareOptions *o = &c->options;
  if (made->kind == EMU_GUESS_BUFFER)
    return emu_buffer_parse(made->text, &c->buffers[o->buffer_count++], message, size);
  if (made->kind == EMU_GUESS_SAMPLER)
    return emu_sampler_parse(made->text, &c->samplers[o->sampler_count++], message, size);
  return emu_values_parse(made->text, &c->pushed[o->push_constant_count++], message, size);
}

/* Adds the made-up contents that a message is about. They can be too large, but are never wrong
 * otherwise. */
static void say_made(const EmuGuessed *made, char *message, size_t size) {
  char why[160];
  snprintf(why, sizeof why, "%s", message);
  snprintf(message, size, "made up %s=%.100s: %s", emu_guess_option(made->kind), made->text, why);
}

bool emu_contents_make(const spv_emu_program *program, const EmuBareOptions *given,
                       const uint64_t *seed, uint32_t room, EmuContents *contents, char *message,
                       size_t message_size) {
  *contents = (EmuContents){0};
  if (seed && !emu_guess(program, given, *seed, room, &contents->guess, message, message_size))
    return false;
  if (!copy_given(given, contents)) {
    contents->options = (EmuBareOptions){0};
    contents->given_buffers = contents->given_pushed = 0;
    snprintf(message, message_size, "out of memory");
    return false;
  }
  for (uint32_t i = 0; i < contents->guess.count; i++)
    if (!take(contents, &contents->guess.items[i], message, message_size)) {
      say_made(&contents->guess.items[i], message, message_size);
      return false;
    }
  return true;
}

/* ---- for another program --------------------------------------------------------------------- */

static bool declares(const spv_emu_program *program, uint32_t set, uint32_t binding,
                     uint32_t element) {
  uint32_t count;
  const spv_emu_binding *b = spv_emu_bindings(program, &count);
  for (uint32_t i = 0; i < count; i++)
    if (b[i].set == set && b[i].binding == binding)
      return !b[i].count || element < b[i].count;
  return false;
}

/* The contents, reduced to the buffers and samplers that the program declares. The arrays must have
 * room. */
static EmuBareOptions shared_contents(const EmuBareOptions *like, const spv_emu_program *program,
                                      EmuBareBuffer *buffers, spv_emu_sampler *samplers) {
  EmuBareOptions given = *like;
  given.buffers = buffers;
  given.samplers = samplers;
  given.buffer_count = given.sampler_count = 0;
  for (uint32_t i = 0; i < like->buffer_count; i++) {
    const EmuBareBuffer *b = &like->buffers[i];
    if (declares(program, b->place.set, b->place.binding, b->element))
      buffers[given.buffer_count++] = *b;
  }
  for (uint32_t i = 0; i < like->sampler_count; i++) {
    const spv_emu_sampler *s = &like->samplers[i];
    if (declares(program, s->set, s->binding, s->element))
      samplers[given.sampler_count++] = *s;
  }
  if (!spv_emu_push_constant_bytes(program))
    given.push_constant_count = 0;
  return given;
}

bool emu_contents_make_like(const spv_emu_program *program, const EmuBareOptions *like,
                            const uint64_t *seed, EmuContents *contents, char *message,
                            size_t message_size) {
  EmuBareBuffer *buffers = calloc(like->buffer_count + 1u, sizeof *buffers);
  spv_emu_sampler *samplers = calloc(like->sampler_count + 1u, sizeof *samplers);
  bool good = buffers && samplers;
  *contents = (EmuContents){0};
  snprintf(message, message_size, "out of memory");
  if (good) {
    EmuBareOptions given = shared_contents(like, program, buffers, samplers);
    good = emu_contents_make(program, &given, seed, 1, contents, message, message_size);
  }
  free(buffers);
  free(samplers);
  return good;
}

void emu_contents_free(EmuContents *c) {
  for (uint32_t i = c->given_buffers; i < c->options.buffer_count; i++)
    emu_values_free(&c->buffers[i].values);
  for (uint32_t i = c->given_pushed; i < c->options.push_constant_count; i++)
    emu_values_free(&c->pushed[i]);
  free(c->buffers);
  free(c->samplers);
  free(c->pushed);
  emu_guess_free(&c->guess);
  *c = (EmuContents){0};
}
