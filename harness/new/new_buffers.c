/* SPDX-License-Identifier: Apache-2.0 */
/* new_buffers: the buffers, images and push constants of a new case, and their names. */
#include "harness/new/new_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 1024 };

/* Is it the name of one of the first `count` buffers? */
static bool is_taken(const HnNew *n, uint32_t count, const char *name) {
  for (uint32_t i = 0; i < count; i++)
    if (strcmp(n->buffers[i].name, name) == 0)
      return true;
  return false;
}

/* Is the name like those of new_draw.c? */
static bool is_reserved(const char *name) {
  return strncmp(name, "framebuffer", 11) == 0 || strncmp(name, "expected", 8) == 0 ||
         strcmp(name, "triangle") == 0;
}

/* Takes the name from the shader, up to the first character that is not a letter, a digit or "_";
 * adds set and binding where several buffers have the same name. */
static void name_buffer(const HnNew *n, HnNewBuffer *b, uint32_t index) {
  size_t length = 0;
  const char *name = b->shape->name;
  while (length < 40 && (isalnum((unsigned char)name[length]) || name[length] == '_'))
    length++;
  bool plain =
      length && !name[length] && !isdigit((unsigned char)*name) && !(n->draws && is_reserved(name));
  snprintf(b->name, sizeof b->name, "%s", plain ? name : "buffer");
  if (b->binding && (!plain || b->binding->count != 1 || is_taken(n, index, b->name)))
    snprintf(b->name, sizeof b->name, "%.*s_%u_%u_%u", plain ? (int)length : 6,
             plain ? name : "buffer", b->binding->set, b->binding->binding, b->element);
  else if (is_taken(n, index, b->name))
    snprintf(b->name, sizeof b->name, "push_constants");
}

/* By binding, in the order of the program, and element. */
static int by_place(const void *left, const void *right) {
  const HnNewBuffer *a = left, *b = right;
  if (a->binding != b->binding)
    return a->binding < b->binding ? -1 : 1;
  return a->element < b->element ? -1 : a->element > b->element;
}

/* Joins the parts of the push constants. */
static bool join_pushed(HnNew *n) {
  const EmuBareOptions *o = &n->contents.options;
  uint64_t at = 0, size = 0;
  for (uint32_t i = 0; i < o->push_constant_count; i++)
    size += o->push_constants[i].size;
  n->pushed = (EmuValues){.bytes = malloc(size + 1), .size = size};
  for (uint32_t i = 0; n->pushed.bytes && i < o->push_constant_count; i++) {
    memcpy(n->pushed.bytes + at, o->push_constants[i].bytes, o->push_constants[i].size);
    at += o->push_constants[i].size;
  }
  return n->pushed.bytes || hn_new_fail(n, "out of memory");
}

static bool add_pushed(HnNew *n) {
  if (!n->contents.options.push_constant_count)
    return true;
  if (!join_pushed(n))
    return false;
  n->buffers[n->buffer_count++] =
      (HnNewBuffer){.shape = spv_emu_push_constant_shape(n->program), .values = &n->pushed};
  return true;
}

/* Can the case declare the buffer, and has it all numbers of its type? */
static bool check_buffer(HnNew *n, const HnNewBuffer *b) {
  char text[MESSAGE];
  const char *why = hn_new_obstacle(b);
  uint64_t least = why || b->shape->image ? 0 : hn_new_least(b);
  if (why)
    snprintf(text, sizeof text, "%s is %s", b->name, why);
  else
    snprintf(text, sizeof text,
             "%s has %llu bytes of contents, and %llu in the shader: give values for the rest",
             b->name, (unsigned long long)b->values->size, (unsigned long long)least);
  return (!why && b->values->size >= least) || hn_new_fail(n, text);
}

bool hn_new_buffers(HnNew *n) {
  const EmuBareOptions *o = &n->contents.options;
  for (uint32_t i = 0; i < o->buffer_count; i++) {
    const spv_emu_binding *binding = hn_new_binding(n, &n->contents.buffers[i].place);
    n->buffers[n->buffer_count++] = (HnNewBuffer){.binding = binding,
                                                  .shape = binding->shape,
                                                  .element = n->contents.buffers[i].element,
                                                  .index = i,
                                                  .values = &n->contents.buffers[i].values};
  }
  qsort(n->buffers, n->buffer_count, sizeof *n->buffers, by_place);
  if (!add_pushed(n))
    return false;
  for (uint32_t i = 0; i < n->buffer_count; i++)
    name_buffer(n, &n->buffers[i], i);
  for (uint32_t i = 0; i < n->buffer_count; i++)
    if (!check_buffer(n, &n->buffers[i]))
      return false;
  return true;
}
