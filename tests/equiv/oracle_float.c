/* SPDX-License-Identifier: Apache-2.0 */
/* oracle_float: computes with the host's float, which represents every half exactly. */
#include "tests/equiv/oracle_float.h"

#include <math.h>
#include <spirv/unified1/spirv.h>
#include <string.h>

static float as_float(unsigned width, uint64_t bits) {
  uint32_t word = (uint32_t)bits;
  float f;
  if (width == 32) {
    memcpy(&f, &word, sizeof f);
    return f;
  }
  int exponent = word >> 10 & 31;
  float mantissa = (float)(word & 1023);
  f = exponent ? ldexpf(mantissa + 1024, exponent - 25) : ldexpf(mantissa, -24);
  return word >> 15 ? -f : f;
}

/* For halves the number must be an integer of at most eleven bits. */
static uint64_t as_bits(unsigned width, float f) {
  uint32_t word;
  memcpy(&word, &f, sizeof word);
  if (width == 32)
    return word;
  if (f == 0)
    return word >> 16;
  uint32_t exponent = (word >> 23 & 255) - 112;
  return (word >> 16 & 0x8000u) | exponent << 10 | (word >> 13 & 1023);
}

bool oracle_float_binary(uint32_t op, unsigned width, uint64_t x, uint64_t y, uint64_t *result) {
  float a = as_float(width, x), b = as_float(width, y);
  switch (op) {
  case SpvOpFAdd:
    *result = as_bits(width, a + b);
    return true;
  case SpvOpFSub:
    *result = as_bits(width, a - b);
    return true;
  case SpvOpFMul:
    *result = as_bits(width, a * b);
    return true;
  case SpvOpFOrdLessThan:
    *result = a < b;
    return true;
  case SpvOpFUnordLessThan:
    *result = !(a >= b);
    return true;
  case SpvOpFOrdEqual:
    *result = a == b;
    return true;
  case SpvOpFUnordEqual:
    *result = a == b || isunordered(a, b);
    return true;
  case SpvOpFOrdNotEqual:
    *result = a != b && !isunordered(a, b);
    return true;
  case SpvOpFUnordNotEqual:
    *result = a != b;
    return true;
  case SpvOpFOrdGreaterThanEqual:
    *result = a >= b;
    return true;
  case SpvOpFUnordGreaterThanEqual:
    *result = !(a < b);
    return true;
  default:
    return false;
  }
}

bool oracle_float_test(uint32_t op, uint64_t x) {
  float a = as_float(32, x);
  return op == SpvOpIsNan ? isnan(a) : isinf(a);
}

uint64_t oracle_float_split(bool is_modf, uint64_t x, uint64_t *stored) {
  float a = as_float(32, x), whole = 0;
  int exponent = 0;
  float rest = is_modf ? modff(a, &whole) : frexpf(a, &exponent);
  *stored = is_modf ? as_bits(32, whole) : (uint32_t)exponent;
  return as_bits(32, rest);
}

uint64_t oracle_float_dot(const uint64_t *x, const uint64_t *y, uint32_t n) {
  float sum = 0;
  for (uint32_t k = 0; k < n; k++)
    sum += as_float(32, x[k]) * as_float(32, y[k]);
  return as_bits(32, sum);
}

uint64_t oracle_float_from(unsigned width, uint64_t number) {
  return as_bits(width, (float)number);
}
