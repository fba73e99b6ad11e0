/* SPDX-License-Identifier: Apache-2.0 */
/* amber_number: reads numbers. */
#ifndef AMBER_NUMBER_H
#define AMBER_NUMBER_H

#include "script/script.h"

/* Reads a word as a number of the field's type. Integers: decimal, hexadecimal with 0x, or with
 * zeros after a point; signed or not, the number must fit the field's bits (-1 and 255 are the same
 * 8 bits), as in google/amber. Floats: decimal or hexadecimal, inf, nan; rounded to the field's
 * type, where finite ones must stay finite. Returns NULL, or what is wrong. */
const char *amber_number_parse(const char *text, size_t length, const AmberField *field,
                               AmberValue *value);
/* An unsigned integer of up to 64 bits, and a double. */
bool amber_number_u64(const char *text, size_t length, uint64_t *value);
bool amber_number_double(const char *text, size_t length, double *value);

#endif
