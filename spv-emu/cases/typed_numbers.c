/* SPDX-License-Identifier: Apache-2.0 */
/* typed_numbers: see typed_numbers.h. */
#include "spv-emu/cases/typed_numbers.h"

static EmuField field_of(const spv_emu_field *f) {
  return (EmuField){.unit = (uint8_t)(f->bits / 8),
                    .bits = (uint8_t)f->bits,
                    .kind = f->kind == SPV_EMU_FLOAT  ? EMU_FORMAT_FLOAT
                            : f->kind == SPV_EMU_SINT ? EMU_FORMAT_SINT
                                                      : EMU_FORMAT_UINT};
}

uint64_t emu_typed_numbers_records(const EmuTypedNumbers *n, const spv_emu_record *r) {
  return r->count ? r->count : r->stride ? (n->size - r->offset) / r->stride : 0;
}

static void visit_record(const EmuTypedNumbers *n, const spv_emu_record *r, EmuVisitNumber *visit,
                         void *user) {
  uint64_t count = emu_typed_numbers_records(n, r);
  for (uint64_t i = 0; i < count; i++)
    for (uint32_t f = 0; f < r->field_count; f++) {
      const EmuField field = field_of(&r->fields[f]);
      for (uint32_t k = 0; k < r->fields[f].count; k++)
        visit(user, &field, r->offset + i * r->stride + r->fields[f].offset + k * field.unit);
    }
}

static void visit_elements(const EmuTypedNumbers *n, EmuVisitNumber *visit, void *user) {
  const EmuElementLayout *element = n->element;
  for (uint64_t at = 0; at + element->stride <= n->size; at += element->stride)
    for (uint32_t f = 0; f < element->field_count; f++) {
      EmuField field = element->fields[f];
      uint32_t offset = field.offset;
      field.offset = 0;
      visit(user, &field, at + offset);
    }
}

void emu_typed_numbers_visit(const EmuTypedNumbers *n, EmuVisitNumber *visit, void *user) {
  if (!n->shape || n->shape->image)
    visit_elements(n, visit, user);
  else
    for (uint32_t i = 0; i < n->shape->record_count; i++)
      visit_record(n, &n->shape->records[i], visit, user);
}
