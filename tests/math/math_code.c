/* SPDX-License-Identifier: Apache-2.0 */
/* math_code: see math_code.h. */
#include "tests/math/math_code.h"

#include <math.h>
#include <string.h>

typedef uint32_t uint;

/* ---- what kernel_math.c has built in ---- */

#define AS(to, from, name)                                                                         \
  static to name(from x) {                                                                         \
    to y;                                                                                          \
    memcpy(&y, &x, sizeof y);                                                                      \
    return y;                                                                                      \
  }
AS(float, uint, as_float)
AS(uint, float, bits_of)
#define as_uint(x) _Generic((x), float : bits_of, default : unsigned_of)(x)
#define as_int(x) ((int)as_uint(x))
#define fabs fabsf
#define rint rintf
#define floor floorf
#define trunc truncf
#define sqrt sqrtf
#define inverse_sqrt(x) (1 / sqrtf(x))

static uint unsigned_of(uint x) {
  return x;
}

static uint mul_high(uint a, uint b) {
  return (uint)((uint64_t)a * b >> 32);
}

static int leading_zeros(uint x) {
  int zeros = 32;
  for (; x; x >>= 1)
    zeros--;
  return zeros;
}

#define SR_MATH(type, name, parameters, ...)                                                       \
  __attribute__((unused)) static type name parameters __VA_ARGS__
#include "passes/transform/kernel/math/math.def"
#undef SR_MATH

/* ---- functions of a point ---- */

#define MATH(name, code, arguments, bound, span, exact)                                            \
  uint32_t math_code_##name(MathPoint p) {                                                         \
    float x = p.x, y = p.y, z = p.z;                                                               \
    int n = p.n;                                                                                   \
    (void)x, (void)y, (void)z, (void)n;                                                            \
    return as_uint(code);                                                                          \
  }
#define DEVICE(name, arguments, bound, span, exact)
#include "tests/math/math_function.def"
#undef DEVICE
