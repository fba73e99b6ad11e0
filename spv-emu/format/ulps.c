/* SPDX-License-Identifier: Apache-2.0 */
/* ulps: see ulps.h. */
#include "spv-emu/format/ulps.h"

#include <math.h>
#include <string.h>

/* The bits of a float as an integer whose order is that of the floats; both zeros get the same
 * integer. */
static int64_t place_of(const EmuField *field, const void *element) {
  uint64_t bits = 0;
  memcpy(&bits, (const char *)element + field->offset, field->unit);
  uint64_t sign = UINT64_C(1) << (field->bits - 1);
  return bits & sign ? -(int64_t)(bits & (sign - 1)) : (int64_t)bits;
}

uint64_t emu_ulps_between(const EmuField *field, const void *x, const void *y) {
  EmuNumber a = emu_field_get(field, x), b = emu_field_get(field, y);
  bool whole = field->kind != EMU_FORMAT_FLOAT || field->bits < 16;
  if (whole)
    return a.u == b.u ? 0 : UINT64_MAX;
  if (isnan(a.d) || isnan(b.d))
    return isnan(a.d) && isnan(b.d) ? 0 : UINT64_MAX;
  int64_t p = place_of(field, x), q = place_of(field, y);
  return p > q ? (uint64_t)p - (uint64_t)q : (uint64_t)q - (uint64_t)p;
}
