/* SPDX-License-Identifier: Apache-2.0 */
/* compare: see compare.h. */
#include "harness/backend/compare.h"
#include "spv-emu/format/format_number.h"
#include "spv-emu/format/ulps.h"

#include <stdio.h>
#include <string.h>

uint32_t hn_level_of(const AmberBuffer *buffer, size_t *byte) {
  uint32_t level = 0;
  size_t size = buffer->size;
  while (*byte >= size && level + 1 < buffer->mip_levels) {
    *byte -= size;
    level++;
    size = (size_t)amber_buffer_level_bytes(buffer, level);
  }
  return level;
}

static void explain(const AmberBuffer *buffer, const HnContents *a, const HnContents *b,
                    const char *other_name, char **message) {
  AmberDifference d = amber_difference(&buffer->layout, a->bytes, b->bytes, a->size);
  size_t byte = d.byte;
  uint32_t level = hn_level_of(buffer, &byte);
  char mip[32] = "";
  if (level)
    snprintf(mip, sizeof mip, " mip level %u,", level);
  if (asprintf(message, "buffer %s,%s element %zu (byte %zu): %s, but %s in variant %s",
               buffer->name, mip, byte / buffer->layout.stride, byte, d.left, d.right,
               other_name) < 0)
    *message = NULL;
}

/* ---- within a tolerance ---------------------------------------------------------------------- */

/* The largest distance in a buffer, and its place. */
typedef struct Worst {
  uint64_t distance;
  size_t element;
  const EmuField *field;
} Worst;

static Worst worst_of(const EmuElementLayout *layout, const HnContents *a, const HnContents *b) {
  Worst worst = {0};
  const char *x = a->bytes, *y = b->bytes;
  for (size_t at = 0; at + layout->size <= a->size; at += layout->stride)
    for (uint32_t i = 0; i < layout->field_count; i++) {
      uint64_t d = emu_ulps_between(&layout->fields[i], x + at, y + at);
      if (d > worst.distance)
        worst = (Worst){d, at / layout->stride, &layout->fields[i]};
    }
  return worst;
}

void hn_ulps_explain(const AmberBuffer *buffer, size_t element, const EmuField *field,
                     const char *x, const char *y, const char *other_name, char **message) {
  char left[64], right[64], units[48] = "";
  uint64_t ulps = emu_ulps_between(field, x, y);
  emu_number_print(field, emu_field_get(field, x), left, sizeof left);
  emu_number_print(field, emu_field_get(field, y), right, sizeof right);
  if (ulps != UINT64_MAX)
    snprintf(units, sizeof units, ", %llu ulps apart", (unsigned long long)ulps);
  if (asprintf(message, "buffer %s, element %zu (byte %zu): %s, but %s on %s%s", buffer->name,
               element, element * buffer->layout.stride + field->offset, left, right, other_name,
               units) < 0)
    *message = NULL;
}

bool hn_compare_within(const AmberScript *script, const HnReport *report, const HnReport *other,
                       const char *other_name, uint64_t ulps, char **message) {
  for (uint32_t i = 0; i < script->buffer_count; i++) {
    const HnContents *a = &report->buffers[i], *b = &other->buffers[i];
    if (!a->bytes || !b->bytes)
      continue;
    /* The emulator hands over only the first mip level. */
    HnContents part = *a;
    part.size = a->size < b->size ? a->size : b->size;
    Worst worst = worst_of(&script->buffers[i].layout, &part, b);
    if (worst.distance <= ulps)
      continue;
    size_t at = worst.element * script->buffers[i].layout.stride;
    hn_ulps_explain(&script->buffers[i], worst.element, worst.field, (const char *)a->bytes + at,
                    (const char *)b->bytes + at, other_name, message);
    return false;
  }
  return true;
}

/* ---- exactly --------------------------------------------------------------------------------- */

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
