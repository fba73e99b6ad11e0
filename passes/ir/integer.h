/* SPDX-License-Identifier: Apache-2.0 */
/* integer: the values of integer constants and of OpSwitch literals, of any width up to 64 bits.
 *
 * SPIR-V stores a number of at most 32 bits in one word, sign- or zero-extended by its type, and a
 * wider one in two words, low word first. So words must not be compared as they are: the 8-bit
 * numbers 255 and -1 are the same bits in different words. All code that reads a constant's words
 * uses these functions. */
#ifndef SR_INTEGER_H
#define SR_INTEGER_H

#include "passes/ir/module.h"

typedef struct SrInteger {
  uint64_t bits;  /* zero-extended */
  uint32_t width; /* 8, 16, 32 or 64; with some extensions any from 1 to 64 */
  bool is_signed;
} SrInteger;

/* The width of a scalar integer type; 0 for other types and for wider integers. */
uint32_t sr_integer_width(const SrModule *m, uint32_t type);
/* The lowest `width` (1 to 64) bits of `bits`; the others are cleared. */
uint64_t sr_integer_cut(uint64_t bits, uint32_t width);
/* Reads a number of type `type`, one or two words; false if that is not a scalar integer type. */
bool sr_integer_read(const SrModule *m, uint32_t type, const uint32_t *words, SrInteger *out);
/* Is `id`, which need not have a definition, an OpConstant of a scalar integer type? If so, *out is
 * its value. */
bool sr_integer_constant(const SrModule *m, uint32_t id, SrInteger *out);
/* The value sign-extended, even if its type is unsigned. */
int64_t sr_integer_signed(SrInteger i);

#endif
