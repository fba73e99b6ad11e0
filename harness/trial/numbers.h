/* SPDX-License-Identifier: Apache-2.0 */
/* numbers: the numbers of a buffer, an image or the push constants, in the order of its type: the
 * fields of each record of each element of an array. */
#ifndef HN_NUMBERS_H
#define HN_NUMBERS_H

#include "spv-emu/cases/bare_value.h"

typedef struct HnNumbers {
  const spv_emu_shape *shape;
  const EmuElementLayout *texel; /* of an image */
  uint64_t size;                 /* bytes */
} HnNumbers;

/* Calls `visit` for each number, in ascending order, with its position in bytes. */
typedef void HnVisitNumber(void *user, const EmuField *field, uint64_t at);
void hn_numbers_visit(const HnNumbers *numbers, HnVisitNumber *visit, void *user);

/* The number of elements of the record; a run-time array fills the buffer. */
uint64_t hn_numbers_records(const HnNumbers *numbers, const spv_emu_record *record);

/* Does the number share its bytes with others? */
bool hn_number_is_packed(const EmuField *field);

/* The largest absolute value of a buffer's finite floats. */
double hn_numbers_largest(const HnNumbers *numbers, const uint8_t *bytes);
/* The amount by which a number may differ, since devices may round differently: floats by a
 * ten-thousandth of `largest` (hn_numbers_largest), normalized numbers by 1, integers by 0. */
double hn_number_tolerance(const EmuField *field, double largest);
/* Do the numbers at `a` and `b` differ by at most `tolerance`? Floats must be finite. */
bool hn_number_agrees(const EmuField *field, const uint8_t *a, const uint8_t *b, double tolerance);

#endif
