/* SPDX-License-Identifier: Apache-2.0 */
/* numbers: see numbers.h. */
#include "harness/trial/numbers.h"

#include <math.h>
#include <string.h>

static EmuField field_of(const spv_emu_field *f) {
  return (EmuField){.unit = (uint8_t)(f->bits / 8),
                    .bits = (uint8_t)f->bits,
                    .kind = f->kind == SPV_EMU_FLOAT  ? EMU_FORMAT_FLOAT
                            : f->kind == SPV_EMU_SINT ? EMU_FORMAT_SINT
                                                      : EMU_FORMAT_UINT};
}

uint64_t hn_numbers_records(const HnNumbers *n, const spv_emu_record *r) {
  return r->count ? r->count : r->stride ? (n->size - r->offset) / r->stride : 0;
}

static void visit_record(const HnNumbers *n, const spv_emu_record *r, HnVisitNumber *visit,
                         void *user) {
  uint64_t count = hn_numbers_records(n, r);
  for (uint64_t i = 0; i < count; i++)
    for (uint32_t f = 0; f < r->field_count; f++) {
      const EmuField field = field_of(&r->fields[f]);
      for (uint32_t k = 0; k < r->fields[f].count; k++)
        visit(user, &field, r->offset + i * r->stride + r->fields[f].offset + k * field.unit);
    }
}

static void visit_texels(const HnNumbers *n, HnVisitNumber *visit, void *user) {
  const EmuElementLayout *texel = n->texel;
  for (uint64_t at = 0; at + texel->stride <= n->size; at += texel->stride)
    for (uint32_t f = 0; f < texel->field_count; f++) {
      EmuField field = texel->fields[f];
      uint32_t offset = field.offset;
      field.offset = 0;
      visit(user, &field, at + offset);
    }
}

void hn_numbers_visit(const HnNumbers *n, HnVisitNumber *visit, void *user) {
  if (n->shape->image)
    visit_texels(n, visit, user);
  else
    for (uint32_t i = 0; i < n->shape->record_count; i++)
      visit_record(n, &n->shape->records[i], visit, user);
}

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

double hn_numbers_largest(const HnNumbers *n, const uint8_t *bytes) {
  Largest l = {bytes, 0};
  hn_numbers_visit(n, find_largest, &l);
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
