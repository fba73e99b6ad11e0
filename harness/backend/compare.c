/* SPDX-License-Identifier: Apache-2.0 */
/* compare: see compare.h. */
#include "backend/compare.h"

#include <stdio.h>
#include <string.h>

static size_t first_difference(const HnContents *a, const HnContents *b) {
  const unsigned char *x = a->bytes, *y = b->bytes;
  size_t i = 0;
  while (i < a->size && x[i] == y[i])
    i++;
  return i;
}

/* The differing number that contains byte `at` of an element; NULL: the byte is padding. */
static const AmberField *field_at(const AmberLayout *layout, size_t at, const void *x,
                                  const void *y) {
  for (uint32_t i = 0; i < layout->field_count; i++) {
    const AmberField *f = &layout->fields[i];
    if (at >= f->offset && at < (size_t)f->offset + f->unit &&
        amber_field_get(f, x).u != amber_field_get(f, y).u)
      return f;
  }
  return NULL;
}

/* Which mip level has the byte? Subtracts the levels before it from *byte. The contents are the
 * buffer's own bytes, followed by the other levels. */
static uint32_t level_of(const AmberBuffer *buffer, size_t *byte) {
  uint32_t level = 0;
  size_t size = buffer->size;
  while (*byte >= size && level + 1 < buffer->mip_levels) {
    *byte -= size;
    level++;
    uint32_t extent[] = {buffer->width >> level, buffer->height >> level, buffer->depth >> level};
    size = buffer->layout.stride;
    for (int i = 0; i < 3; i++)
      size *= extent[i] ? extent[i] : 1;
  }
  return level;
}

static void explain(const AmberBuffer *buffer, const HnContents *a, const HnContents *b,
                    const char *other_name, char **message) {
  size_t at = first_difference(a, b), byte = at, stride = buffer->layout.stride;
  uint32_t level = level_of(buffer, &byte);
  size_t element = byte / stride, start = at - byte % stride;
  const char *x = (const char *)a->bytes + start, *y = (const char *)b->bytes + start;
  const AmberField *field =
      start + stride <= a->size ? field_at(&buffer->layout, at - start, x, y) : NULL;
  char left[64], right[64];
  if (field) {
    amber_value_print(field, amber_field_get(field, x), left, sizeof left);
    amber_value_print(field, amber_field_get(field, y), right, sizeof right);
  } else {
    snprintf(left, sizeof left, "0x%02x", ((const unsigned char *)a->bytes)[at]);
    snprintf(right, sizeof right, "0x%02x", ((const unsigned char *)b->bytes)[at]);
  }
  char mip[32] = "";
  if (level)
    snprintf(mip, sizeof mip, " mip level %u,", level);
  if (asprintf(message, "buffer %s,%s element %zu (byte %zu): %s, but %s in variant %s",
               buffer->name, mip, element, byte, left, right, other_name) < 0)
    *message = NULL;
}

bool hn_compare(const AmberScript *script, const HnReport *report, const HnReport *other,
                const char *other_name, char **message) {
  for (uint32_t i = 0; i < script->buffer_count; i++) {
    const HnContents *a = &report->buffers[i], *b = &other->buffers[i];
    if (!a->bytes || !b->bytes || a->size == 0 || memcmp(a->bytes, b->bytes, a->size) == 0)
      continue;
    explain(&script->buffers[i], a, b, other_name, message);
    return false;
  }
  return true;
}
