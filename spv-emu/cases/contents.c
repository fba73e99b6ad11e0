/* SPDX-License-Identifier: Apache-2.0 */
/* contents: see contents.h. */
#include "cases/contents.h"

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

/* What is made up can be too large, but is never wrong otherwise. */
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
