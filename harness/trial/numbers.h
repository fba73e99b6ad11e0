/* SPDX-License-Identifier: Apache-2.0 */
/* numbers: what the numbers of a buffer may differ by (typed_numbers.h visits them). */
#ifndef HN_NUMBERS_H
#define HN_NUMBERS_H

#include "spv-emu/cases/typed_numbers.h"

/* Does the number share its bytes with others? */
bool hn_number_is_packed(const EmuField *field);

/* The largest absolute value of a buffer's finite floats. */
double hn_numbers_largest(const EmuTypedNumbers *numbers, const uint8_t *bytes);
/* The amount by which a number may differ, since devices may round differently: floats by a
 * ten-thousandth of `largest` (hn_numbers_largest), normalized numbers by 1, integers by 0. */
double hn_number_tolerance(const EmuField *field, double largest);
/* Do the numbers at `a` and `b` differ by at most `tolerance`? Floats must be finite. */
bool hn_number_agrees(const EmuField *field, const uint8_t *a, const uint8_t *b, double tolerance);

#endif
