/* SPDX-License-Identifier: Apache-2.0 */
/* range: see range.h. One entry for each number of each buffer, in the order of the buffers. */
#include "harness/backend/range.h"

#include "harness/backend/compare.h"
#include "spv-emu/format/ulps.h"

#include <math.h>
#include <stdlib.h>

typedef struct Bounds {
  double least, most;
  bool any, nan; /* any: a number has been added; nan: a NaN has been added */
} Bounds;

struct HnRange {
  const AmberScript *script;
  Bounds **bounds; /* by buffer; NULL: it has no elements */
};

static size_t elements_of(const AmberBuffer *buffer) {
  return buffer->layout.stride ? buffer->size / buffer->layout.stride : 0;
}

HnRange *hn_range_new(const AmberScript *script) {
  HnRange *range = calloc(1, sizeof *range);
  if (!range)
    return NULL;
  range->script = script;
  range->bounds = calloc(script->buffer_count + 1u, sizeof *range->bounds);
  bool good = range->bounds;
  for (uint32_t i = 0; good && i < script->buffer_count; i++) {
    const AmberBuffer *buffer = &script->buffers[i];
    range->bounds[i] = calloc(elements_of(buffer) * buffer->layout.field_count + 1, sizeof(Bounds));
    good = range->bounds[i];
  }
  if (good)
    return range;
  hn_range_free(range);
  return NULL;
}

void hn_range_free(HnRange *range) {
  for (uint32_t i = 0; range && range->bounds && i < range->script->buffer_count; i++)
    free(range->bounds[i]);
  if (range)
    free(range->bounds);
  free(range);
}

static void add(Bounds *b, double value) {
  if (isnan(value)) {
    b->nan = true;
    return;
  }
  b->least = b->any ? fmin(b->least, value) : value;
  b->most = b->any ? fmax(b->most, value) : value;
  b->any = true;
}

void hn_range_add(HnRange *range, const HnReport *report) {
  for (uint32_t i = 0; report->buffers && i < range->script->buffer_count; i++) {
    const AmberBuffer *buffer = &range->script->buffers[i];
    const char *bytes = report->buffers[i].bytes;
    Bounds *bounds = range->bounds[i];
    for (size_t e = 0; bytes && e < elements_of(buffer); e++, bytes += buffer->layout.stride)
      for (uint32_t f = 0; f < buffer->layout.field_count; f++, bounds++)
        if (buffer->layout.fields[f].kind == EMU_FORMAT_FLOAT)
          add(bounds, emu_field_get(&buffer->layout.fields[f], bytes).d);
  }
}

/* Infinities are bounds like other numbers, but have no difference. */
static bool within(const Bounds *b, double value) {
  if (isnan(value))
    return b->nan;
  double width = b->most - b->least;
  width = isfinite(width) ? width : 0;
  return b->any && value >= b->least - width && value <= b->most + width;
}

static bool buffer_holds(const HnRange *range, uint32_t i, const char *x, const char *y,
                         const char *other_name, uint64_t ulps, char **message) {
  const AmberBuffer *buffer = &range->script->buffers[i];
  const Bounds *bounds = range->bounds[i];
  for (size_t e = 0; e < elements_of(buffer); e++) {
    for (uint32_t f = 0; f < buffer->layout.field_count; f++, bounds++) {
      const EmuField *field = &buffer->layout.fields[f];
      if (emu_ulps_between(field, x, y) <= ulps ||
          (field->kind == EMU_FORMAT_FLOAT && within(bounds, emu_field_get(field, y).d)))
        continue;
      hn_ulps_explain(buffer, e, field, x, y, other_name, message);
      return false;
    }
    x += buffer->layout.stride;
    y += buffer->layout.stride;
  }
  return true;
}

bool hn_range_holds(const HnRange *range, const HnReport *report, const HnReport *other,
                    const char *other_name, uint64_t ulps, char **message) {
  for (uint32_t i = 0; i < range->script->buffer_count; i++) {
    const HnContents *a = &report->buffers[i], *b = &other->buffers[i];
    size_t size = range->script->buffers[i].size;
    if (a->bytes && b->bytes && a->size >= size && b->size >= size &&
        !buffer_holds(range, i, a->bytes, b->bytes, other_name, ulps, message))
      return false;
  }
  return true;
}
