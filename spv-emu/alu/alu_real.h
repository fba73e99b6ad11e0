/* SPDX-License-Identifier: Apache-2.0 */
/* alu_real: functions on floats that compilers turn into vector code on every instruction set, with
 * the same bits on all of them: an instruction that only some sets have is used only if the others
 * can compute exactly the same in more steps.
 *
 * Floats of 16 bits are kept as bits, and arithmetic on them is done in 32 bits: rounding twice
 * gives the same as rounding once for + - * / and square roots, since 24 >= 2 * 11 + 2 (Figueroa,
 * When is double rounding innocuous?, 1995). Where that does not hold (fused multiply-add,
 * conversions from 64 bits) the intermediate result is *rounded to odd*: truncated, with the last
 * bit set if it is inexact (Boldo and Melquiond, Emulation of FMA and correctly rounded sums,
 * 2008). */
#ifndef EMU_ALU_REAL_H
#define EMU_ALU_REAL_H

#include "spv-emu/engine/half.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t bits_f32(float a) {
  uint32_t u;
  memcpy(&u, &a, sizeof u);
  return u;
}
static inline float from_bits_f32(uint32_t u) {
  float a;
  memcpy(&a, &u, sizeof a);
  return a;
}
static inline uint64_t bits_f64(double a) {
  uint64_t u;
  memcpy(&u, &a, sizeof u);
  return u;
}
static inline double from_bits_f64(uint64_t u) {
  double a;
  memcpy(&a, &u, sizeof a);
  return a;
}

/* ---- rounding to odd ------------------------------------------------------------------------- */

static inline float narrow_to_odd(double a) {
  float near = (float)a;
  uint32_t bits = bits_f32(near);
  uint32_t cut = bits - (fabs((double)near) > fabs(a) ? 1 : 0);
  return from_bits_f32((double)near == a ? bits : cut | 1);
}

/* a + b, where each is a float of 32 bits or a product of two such floats; the error `lost` is
 * exact (Knuth's TwoSum). */
static inline double sum_to_odd(double a, double b) {
  double sum = a + b, added = sum - a;
  double lost = (a - (sum - added)) + (b - added);
  uint64_t bits = bits_f64(sum);
  uint64_t cut = bits - ((lost < 0) != (sum < 0));
  return from_bits_f64(fabs(lost) > 0 ? cut | 1 : bits);
}

/* a * b + c, rounded once. For 16-bit floats the result is rounded to odd, so that only the store
 * as 16 bits rounds to nearest. */
static inline float fma_f16(float a, float b, float c) {
  return narrow_to_odd(sum_to_odd((double)a * b, c));
}
static inline float fma_f32(float a, float b, float c) {
#ifdef __FMA__
  return fmaf(a, b, c);
#else
  return (float)sum_to_odd((double)a * b, c);
#endif
}
static inline double fma_f64(double a, double b, double c) {
  return fma(a, b, c);
}

/* ---- rounding to integers -------------------------------------------------------------------- */

#ifdef __SSE4_1__ /* SSE4.1 has instructions for these */
static inline float rint_f32(float a) {
  return rintf(a);
}
static inline double rint_f64(double a) {
  return rint(a);
}
static inline float floor_f32(float a) {
  return floorf(a);
}
static inline double floor_f64(double a) {
  return floor(a);
}
#else
static inline float rint_f32(float a) {
  float size = fabsf(a), rounded = size + 0x1p23f - 0x1p23f;
  return size < 0x1p23f ? copysignf(rounded, a) : a;
}
static inline double rint_f64(double a) {
  double size = fabs(a), rounded = size + 0x1p52 - 0x1p52;
  return size < 0x1p52 ? copysign(rounded, a) : a;
}
static inline float floor_f32(float a) {
  float near = rint_f32(a);
  return near > a ? near - 1 : near;
}
static inline double floor_f64(double a) {
  double near = rint_f64(a);
  return near > a ? near - 1 : near;
}
#endif
static inline float ceil_f32(float a) {
  return -floor_f32(-a);
}
static inline double ceil_f64(double a) {
  return -floor_f64(-a);
}
static inline float trunc_f32(float a) {
  return copysignf(floor_f32(fabsf(a)), a);
}
static inline double trunc_f64(double a) {
  return copysign(floor_f64(fabs(a)), a);
}
/* To the nearest integer, halves away from zero. */
static inline float round_f32(float a) {
  float whole = trunc_f32(a);
  return fabsf(a - whole) >= 0.5f ? whole + copysignf(1, a) : whole;
}
static inline double round_f64(double a) {
  double whole = trunc_f64(a);
  return fabs(a - whole) >= 0.5 ? whole + copysign(1, a) : whole;
}

/* ---- exponents ------------------------------------------------------------------------------- */

/* The exponent e of |a| = m * 2^e with m in [1, 2). For 0, infinity and NaN: any number. */
static inline int32_t exponent_f32(float a) {
  float size = fabsf(a);
  uint32_t small = bits_f32(size * 0x1p24f) >> 23, normal = bits_f32(size) >> 23;
  return size < 0x1p-126f ? (int32_t)small - 151 : (int32_t)normal - 127;
}
static inline int32_t exponent_f64(double a) {
  double size = fabs(a);
  uint64_t small = bits_f64(size * 0x1p54) >> 52, normal = bits_f64(size) >> 52;
  return size < 0x1p-1022 ? (int32_t)small - 1077 : (int32_t)normal - 1023;
}
/* The m of exponent_f32, with the sign of a. */
static inline float mantissa_f32(float a) {
  float normal = fabsf(a) < 0x1p-126f ? a * 0x1p24f : a;
  return from_bits_f32((bits_f32(normal) & 0x807fffff) | 0x3f800000);
}
static inline double mantissa_f64(double a) {
  double normal = fabs(a) < 0x1p-1022 ? a * 0x1p54 : a;
  return from_bits_f64((bits_f64(normal) & 0x800fffffffffffff) | 0x3ff0000000000000);
}

/* a * 2^by, rounded once. */
static inline float scale_f32(float a, int32_t by) {
  by = by < -400 ? -400 : by > 400 ? 400 : by;
  return (float)((double)a * from_bits_f64((uint64_t)(uint32_t)(by + 1023) << 52));
}
static inline double scale_f64(double a, int32_t by) {
  return scalbn(a, by);
}

/* ---- functions with a name for each width ---------------------------------------------------- */

#define REAL_FUNCTIONS(R, F, suffix)                                                               \
  static inline F sqrt_##R(F a) {                                                                  \
    return sqrt##suffix(a);                                                                        \
  }                                                                                                \
  static inline F copysign_##R(F a, F sign) {                                                      \
    return copysign##suffix(a, sign);                                                              \
  }                                                                                                \
  static inline F fmod_##R(F a, F b) {                                                             \
    return fmod##suffix(a, b);                                                                     \
  }                                                                                                \
  static inline F remainder_##R(F a, F b) {                                                        \
    return remainder##suffix(a, b);                                                                \
  }                                                                                                \
  /* The lowest seven bits of the quotient as an integer, with its sign; 0: it is not finite. */   \
  static inline int32_t remquo_##R(F a, F b) {                                                     \
    F size = fabs##suffix(b), low = fmod##suffix(fabs##suffix(a), size * 128);                     \
    F whole = rint##suffix((low - remainder##suffix(low, size)) / size);                           \
    int32_t bits = whole == whole ? (int32_t)whole & 127 : 0;                                      \
    return signbit(a) != signbit(b) ? -bits : bits;                                                \
  }                                                                                                \
  static inline F abs_##R(F a) {                                                                   \
    return fabs##suffix(a);                                                                        \
  }                                                                                                \
  /* Neither zero nor infinite nor NaN. */                                                         \
  static inline bool regular_##R(F a) {                                                            \
    return (a != 0) & (fabs##suffix(a) < (F)INFINITY);                                             \
  }                                                                                                \
  static inline F sign_##R(F a) {                                                                  \
    F zero = a == 0 ? a : 0;                                                                       \
    return fabs##suffix(a) > 0 ? copysign##suffix(1, a) : zero;                                    \
  }                                                                                                \
  /* The smaller or the larger of two numbers; if one is NaN, the other one. */                    \
  static inline F nmin_##R(F a, F b) {                                                             \
    bool first = (a <= b) | (b != b);                                                              \
    return first ? a : b;                                                                          \
  }                                                                                                \
  static inline F nmax_##R(F a, F b) {                                                             \
    bool first = (a >= b) | (b != b);                                                              \
    return first ? a : b;                                                                          \
  }                                                                                                \
  static inline F clamp_##R(F a, F low, F high) {                                                  \
    F least = a < low ? low : a;                                                                   \
    return high < least ? high : least;                                                            \
  }                                                                                                \
  static inline F smooth_##R(F a) {                                                                \
    return a * a * (3 - 2 * a);                                                                    \
  }
REAL_FUNCTIONS(f32, float, f)
REAL_FUNCTIONS(f64, double, )

#endif
