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

#endif
