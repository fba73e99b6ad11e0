/* SPDX-License-Identifier: Apache-2.0 */
/* typed_numbers: the numbers of a buffer, an image or the push constants, in the order of its type:
 * the fields of each record of each element of an array. */
#ifndef EMU_TYPED_NUMBERS_H
#define EMU_TYPED_NUMBERS_H

#include "spv-emu/cases/bare_value.h"

typedef struct EmuTypedNumbers {
  const spv_emu_shape *shape;      /* NULL: not known, and `element` says what there is */
  const EmuElementLayout *element; /* of an image, a texel */
  uint64_t size;                   /* bytes */
} EmuTypedNumbers;

/* Calls `visit` for each number, in ascending order, with its position in bytes. */
typedef void EmuVisitNumber(void *user, const EmuField *field, uint64_t at);
void emu_typed_numbers_visit(const EmuTypedNumbers *numbers, EmuVisitNumber *visit, void *user);

/* The number of elements of the record; a run-time array fills the buffer. */
uint64_t emu_typed_numbers_records(const EmuTypedNumbers *numbers, const spv_emu_record *record);

#endif
