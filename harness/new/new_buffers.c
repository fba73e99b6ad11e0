/* SPDX-License-Identifier: Apache-2.0 */
/* new_buffers: the buffers, images and push constants of a new case, and their names. */
#include "harness/new/new_parts.h"

#include <ctype.h>
#include <string.h>

enum { MESSAGE = 1024 };

static bool is_taken(const HnNew *n, const char *name) {
  for (uint32_t i = 0; i < n->buffer_count; i++)
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
static void name_buffer(const HnNew *n, HnNewBuffer *b) {
  size_t length = 0;
  const char *name = b->shape->name;
  while (length < 40 && (isalnum((unsigned char)name[length]) || name[length] == '_'))
    length++;
  bool plain =
      length && !name[length] && !isdigit((unsigned char)*name) && !(n->draws && is_reserved(name));
  snprintf(b->name, sizeof b->name, "%s", plain ? name : "buffer");
  if (b->binding && (!plain || b->binding->count != 1 || is_taken(n, b->name)))
    snprintf(b->name, sizeof b->name, "%.*s_%u_%u_%u", plain ? (int)length : 6,
             plain ? name : "buffer", b->binding->set, b->binding->binding, b->element);
  else if (is_taken(n, b->name))
    snprintf(b->name, sizeof b->name, "push_constants");
}

static void add_buffer(HnNew *n, const spv_emu_binding *binding, const spv_emu_shape *shape,
                       uint32_t element, const EmuValues *values) {
  HnNewBuffer *b = &n->buffers[n->buffer_count];
  *b = (HnNewBuffer){.binding = binding, .shape = shape, .element = element, .values = values};
  name_buffer(n, b);
  n->buffer_count++;
}

bool hn_new_buffers(HnNew *n) {
  for (uint32_t i = 0; i < n->contents.options.buffer_count; i++) {
    const spv_emu_binding *binding = hn_new_binding(n, &n->contents.buffers[i].place);
    add_buffer(n, binding, binding->shape, n->contents.buffers[i].element,
               &n->contents.buffers[i].values);
  }
  if (n->contents.options.push_constant_count)
    add_buffer(n, NULL, spv_emu_push_constant_shape(n->program), 0, &n->contents.pushed[0]);
  for (uint32_t i = 0; i < n->buffer_count; i++) {
    const char *why = hn_new_obstacle(&n->buffers[i]);
    char text[MESSAGE];
    snprintf(text, sizeof text, "%s is %s", n->buffers[i].name, why ? why : "");
    if (why)
      return hn_new_fail(n, text);
  }
  return true;
}
