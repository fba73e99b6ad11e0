/* SPDX-License-Identifier: Apache-2.0 */
/* oracle_float: computes with the host's float, which represents every half exactly. */
#include "oracle_float.h"

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
  case SpvOpFOrdLessThan:
    *result = a < b;
    return true;
  case SpvOpFOrdEqual:
    *result = a == b;
    return true;
  case SpvOpFUnordGreaterThanEqual:
    *result = !(a < b);
    return true;
  default:
    return false;
  }
}

uint64_t oracle_float_from(unsigned width, uint64_t number) {
  return as_bits(width, (float)number);
}
