/* amber_number: words that are numbers. */
#ifndef AMBER_NUMBER_H
#define AMBER_NUMBER_H

#include "script/script.h"

/* The number that a word says, for a field. Integers: decimal, hexadecimal with 0x, or with zeros
 * behind a point; whether the field is signed or not, all that fits its bits (-1 and 255 are the
 * same 8 bits), as google/amber has it. Floats: decimal or hexadecimal, inf, nan; rounded to the
 * field's type, and finite ones must stay so. NULL, or what is wrong. */
const char *amber_number_parse(const char *text, size_t length, const AmberField *field,
                               AmberValue *value);
/* An unsigned integer of up to 64 bits; a double. */
bool amber_number_u64(const char *text, size_t length, uint64_t *value);
bool amber_number_double(const char *text, size_t length, double *value);

#endif
