/* SPDX-License-Identifier: Apache-2.0 */
/* format_number: reads numbers. */
#ifndef EMU_FORMAT_NUMBER_H
#define EMU_FORMAT_NUMBER_H

#include "spv-emu/format/format.h"

/* Reads a word as a number of the field's type. Integers: decimal, hexadecimal with 0x, or with
 * zeros after a point; signed or not, the number must fit the field's bits (-1 and 255 are the same
 * 8 bits), as in google/amber. Floats: decimal or hexadecimal, inf, nan; rounded to the field's
 * type, where finite ones must stay finite. Returns NULL, or what is wrong. */
const char *emu_number_parse(const char *text, size_t length, const EmuField *field,
                             EmuNumber *value);
/* An unsigned integer of up to 64 bits, and a double. */
bool emu_number_u64(const char *text, size_t length, uint64_t *value);
bool emu_number_double(const char *text, size_t length, double *value);

/* A number of a buffer as a real number; large integers are rounded. */
double emu_number_real(const EmuField *field, EmuNumber value);
/* Prints a number of a buffer, for messages. */
void emu_number_print(const EmuField *field, EmuNumber value, char *text, size_t size);

#endif
