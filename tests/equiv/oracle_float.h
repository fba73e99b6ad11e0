/* SPDX-License-Identifier: Apache-2.0 */
/* oracle_float: the floating-point operations of the oracle, on bits of 16 or 32. The generator's
 * numbers are small integers, so every result is exact, without rounding. */
#ifndef EQUIV_ORACLE_FLOAT_H
#define EQUIV_ORACLE_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

/* Is the opcode one of these operations? If so, *result has the bits of the result, or 0 or 1 for a
 * comparison. */
bool oracle_float_binary(uint32_t op, unsigned width, uint64_t x, uint64_t y, uint64_t *result);
/* The bits of a number below 2048. */
uint64_t oracle_float_from(unsigned width, uint64_t number);
/* OpIsNan or OpIsInf, of 32 bits. */
bool oracle_float_test(uint32_t op, uint64_t x);
/* Modf, or Frexp; returns the fraction, and what is stored through the pointer. */
uint64_t oracle_float_split(bool is_modf, uint64_t x, uint64_t *stored);
/* The sum of products of exact numbers. */
uint64_t oracle_float_dot(const uint64_t *x, const uint64_t *y, uint32_t n);

#endif
