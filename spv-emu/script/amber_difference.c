/* SPDX-License-Identifier: Apache-2.0 */
/* amber_difference: where two contents of a buffer differ, for messages. */
#include "spv-emu/format/format_number.h"
#include "spv-emu/script/script.h"

#include <stdio.h>

static size_t first_difference(const uint8_t *x, const uint8_t *y, size_t size) {
  size_t i = 0;
  while (i < size && x[i] == y[i])
    i++;
  return i;
}

/* The differing number that contains byte `at` of an element; NULL: the byte is padding. */
static const EmuField *field_at(const EmuElementLayout *layout, size_t at, const void *x,
                                const void *y) {
  for (uint32_t i = 0; i < layout->field_count; i++) {
    const EmuField *f = &layout->fields[i];
    if (at >= f->offset && at < (size_t)f->offset + f->unit &&
        emu_field_get(f, x).u != emu_field_get(f, y).u)
      return f;
  }
  return NULL;
}

AmberDifference amber_difference(const EmuElementLayout *layout, const void *x, const void *y,
                                 size_t size) {
  const uint8_t *a = x, *b = y;
  AmberDifference d = {.byte = first_difference(a, b, size)};
  size_t start = d.byte - d.byte % layout->stride;
  const EmuField *field = start + layout->stride <= size
                              ? field_at(layout, d.byte - start, a + start, b + start)
                              : NULL;
  if (field) {
    emu_number_print(field, emu_field_get(field, a + start), d.left, sizeof d.left);
    emu_number_print(field, emu_field_get(field, b + start), d.right, sizeof d.right);
  } else {
    snprintf(d.left, sizeof d.left, "0x%02x", a[d.byte]);
    snprintf(d.right, sizeof d.right, "0x%02x", b[d.byte]);
  }
  return d;
}
