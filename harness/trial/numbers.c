/* SPDX-License-Identifier: Apache-2.0 */
/* numbers: see numbers.h. */
#include "harness/trial/numbers.h"

#include <math.h>
#include <string.h>

bool hn_number_is_packed(const EmuField *field) {
  return field->shift || field->bits != 8u * field->unit;
}

static double float_of(const EmuField *field, const uint8_t *bytes) {
  return emu_field_get(field, bytes).d;
}

typedef struct Largest {
  const uint8_t *bytes;
  double value;
} Largest;

static void find_largest(void *user, const EmuField *field, uint64_t at) {
  Largest *l = user;
  double value = field->kind == EMU_FORMAT_FLOAT ? fabs(float_of(field, l->bytes + at)) : 0;
  if (isfinite(value) && value > l->value)
    l->value = value;
}

double hn_numbers_largest(const EmuTypedNumbers *n, const uint8_t *bytes) {
  Largest l = {bytes, 0};
  emu_typed_numbers_visit(n, find_largest, &l);
  return l.value;
}

double hn_number_tolerance(const EmuField *field, double largest) {
  if (field->kind == EMU_FORMAT_FLOAT)
    return largest > 0 ? 1e-4 * largest : 1e-6;
  return field->kind == EMU_FORMAT_UINT || field->kind == EMU_FORMAT_SINT ? 0 : 1;
}

bool hn_number_agrees(const EmuField *field, const uint8_t *a, const uint8_t *b, double tolerance) {
  if (field->kind != EMU_FORMAT_FLOAT)
    return memcmp(a, b, field->unit) == 0;
  double x = float_of(field, a), y = float_of(field, b);
  return isfinite(x) && fabs(x - y) <= tolerance;
}
