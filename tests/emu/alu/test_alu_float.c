/* SPDX-License-Identifier: Apache-2.0 */
/* Floats: exactly rounded operations, comparisons, classes and the functions composed of them, for
 * every width, compared with wider arithmetic or the C library, one lane at a time. */
#include "tests/emu/alu/alu_bed.h"

#include <math.h>
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/OpenCL.std.h>
#include <string.h>

__extension__ typedef __int128 Wide;

enum { ROUNDS = 300 };

/* One lane, with all operands as doubles, which represent every kind exactly. */
typedef struct Lane {
  double a, b, c;
  EmuKind kind;
} Lane;

typedef struct Case {
  AluFind *find;
  uint32_t op;
  long double (*expected)(const Lane *l);
  uint32_t operands;
} Case;

/* In the precision of the kind, or in more if the result is the same. */
#define IN_KIND(l, name, ...) ((l)->kind == EMU_F64 ? name(__VA_ARGS__) : name##f(__VA_ARGS__))

#define LANE(name, value)                                                                          \
  static long double name(const Lane *l) {                                                         \
    return value;                                                                                  \
  }
LANE(negate, -l->a)
LANE(size, fabs(l->a))
/* A sum of doubles is rounded once, in double; a sum of 32-bit floats once, in float. Halves are
 * summed in float and rounded again to half, with the same result (alu_real.h). */
LANE(add, l->kind == EMU_F64 ? l->a + l->b : (float)l->a + (float)l->b)
LANE(subtract, l->kind == EMU_F64 ? l->a - l->b : (float)l->a - (float)l->b)
LANE(multiply, l->a * l->b)
LANE(divide, l->a / l->b)
LANE(root, sqrt(l->a))
LANE(inverse_root, l->kind == EMU_F64 ? 1 / sqrt(l->a) : 1 / sqrtf((float)l->a))
LANE(rounded, rint(l->a))
LANE(cut, trunc(l->a))
LANE(low, floor(l->a))
LANE(high, ceil(l->a))
LANE(away, round(l->a))
LANE(fraction, l->kind == EMU_F64 ? l->a - floor(l->a) : (float)l->a - floorf((float)l->a))
LANE(sign, isnan(l->a) ? 0 : l->a > 0 ? 1 : l->a < 0 ? -1 : l->a)
LANE(least, l->b < l->a ? l->b : l->a)
LANE(greatest, l->a < l->b ? l->b : l->a)
/* The lesser number; if one operand is NaN, the other one. (The C library's fmin and fmax treat
 * signaling NaN differently.) */
static double lesser(double a, double b) {
  return isnan(a) || b < a ? b : a;
}
static double greater(double a, double b) {
  return isnan(a) || b > a ? b : a;
}
LANE(number_least, lesser(l->a, l->b))
LANE(number_greatest, greater(l->a, l->b))
LANE(number_clamp, lesser(greater(l->a, l->b), l->c))
LANE(step, l->b < l->a ? 0 : 1)
LANE(modf_fraction, copysign(isinf(l->a) ? 0 : l->a - trunc(l->a), l->a))
static long double mantissa(const Lane *l) {
  int exponent;
  return isfinite(l->a) ? frexp(l->a, &exponent) : l->a;
}
static long double clamped(const Lane *l) {
  double at_least = l->a < l->b ? l->b : l->a;
  return l->c < at_least ? l->c : at_least;
}
LANE(with_sign, copysign(l->a, l->b))
LANE(positive_difference, l->a <= l->b ? 0 : subtract(l))
LANE(modulo, fmod(l->a, l->b))
LANE(remain, remainder(l->a, l->b))
LANE(log_exponent, logb(l->a))
LANE(reciprocal, 1 / l->a)
static long double larger_size(const Lane *l) {
  double a = fabs(l->a), b = fabs(l->b);
  return a > b ? l->a : b > a ? l->b : greater(l->a, l->b);
}
static long double smaller_size(const Lane *l) {
  double a = fabs(l->a), b = fabs(l->b);
  return a < b ? l->a : b < a ? l->b : lesser(l->a, l->b);
}

static const Case cases[] = {
    {alu_core, SpvOpFNegate, negate, 1},
    {alu_core, SpvOpFAdd, add, 2},
    {alu_core, SpvOpFSub, subtract, 2},
    {alu_core, SpvOpFMul, multiply, 2},
    {alu_core, SpvOpFDiv, divide, 2},
    {alu_glsl, GLSLstd450FAbs, size, 1},
    {alu_glsl, GLSLstd450Sqrt, root, 1},
    {alu_glsl, GLSLstd450InverseSqrt, inverse_root, 1},
    {alu_glsl, GLSLstd450Round, rounded, 1},
    {alu_glsl, GLSLstd450RoundEven, rounded, 1},
    {alu_glsl, GLSLstd450Trunc, cut, 1},
    {alu_glsl, GLSLstd450Floor, low, 1},
    {alu_glsl, GLSLstd450Ceil, high, 1},
    {alu_glsl, GLSLstd450Fract, fraction, 1},
    {alu_glsl, GLSLstd450FSign, sign, 1},
    {alu_glsl, GLSLstd450FMin, least, 2},
    {alu_glsl, GLSLstd450FMax, greatest, 2},
    {alu_glsl, GLSLstd450FClamp, clamped, 3},
    {alu_glsl, GLSLstd450NMin, number_least, 2},
    {alu_glsl, GLSLstd450NMax, number_greatest, 2},
    {alu_glsl, GLSLstd450NClamp, number_clamp, 3},
    {alu_glsl, GLSLstd450Step, step, 2},
    {alu_glsl, EMU_STEP_MODF, modf_fraction, 1},
    {alu_glsl, EMU_STEP_FREXP_MANTISSA, mantissa, 1},
    {alu_opencl, OpenCLstd_Copysign, with_sign, 2},
    {alu_opencl, OpenCLstd_Fdim, positive_difference, 2},
    {alu_opencl, OpenCLstd_Fmod, modulo, 2},
    {alu_opencl, OpenCLstd_Remainder, remain, 2},
    {alu_opencl, OpenCLstd_Round, away, 1},
    {alu_opencl, OpenCLstd_Rint, rounded, 1},
    {alu_opencl, OpenCLstd_Logb, log_exponent, 1},
    {alu_opencl, OpenCLstd_Half_recip, reciprocal, 1},
    {alu_opencl, OpenCLstd_Native_divide, divide, 2},
    {alu_opencl, OpenCLstd_Maxmag, larger_size, 2},
    {alu_opencl, OpenCLstd_Minmag, smaller_size, 2},
    {alu_opencl, OpenCLstd_Fmin, number_least, 2},
    {alu_opencl, OpenCLstd_Fmax, number_greatest, 2},
};

static void fill(AluBed *bed, EmuKind kind) {
  alu_fill(bed, bed->a, kind);
  alu_fill(bed, bed->b, kind);
  alu_fill(bed, bed->c, kind);
}

static Lane lane_of(const AluBed *bed, uint32_t l, EmuKind kind) {
  return (Lane){alu_real(bed->a[l], kind), alu_real(bed->b[l], kind), alu_real(bed->c[l], kind),
                kind};
}

/* Any NaN matches NaN; zero may have either sign if equal operands differ only in it. */
static void expect_real(const AluBed *bed, uint32_t op, EmuKind kind, uint32_t l,
                        long double value) {
  uint64_t expected = alu_real_bits(value, kind);
  if (isnan(value) && alu_is_nan(bed->d[l], kind))
    return;
  bool extreme = op == GLSLstd450NMin || op == GLSLstd450NMax || op == GLSLstd450NClamp ||
                 op == OpenCLstd_Fmin || op == OpenCLstd_Fmax || op == OpenCLstd_Maxmag ||
                 op == OpenCLstd_Minmag;
  if (extreme && value == 0 && alu_real(bed->d[l], kind) == 0)
    return;
  alu_expect(bed, op, kind, l, expected);
}

static void test_values(void **state) {
  (void)state;
  AluBed bed = {.seed = unit_seed()};
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (EmuKind kind = EMU_F16; kind <= EMU_F64; kind++)
      for (uint32_t round = 0; round < ROUNDS; round++) {
        const Case *c = &cases[i];
        fill(&bed, kind);
        alu_run(&bed, c->find, c->op,
                (AluKinds){kind, kind, c->operands > 1 ? kind : EMU_KINDS,
                           c->operands > 2 ? kind : EMU_KINDS},
                0);
        for (uint32_t l = 0; l < ALU_LANES; l++) {
          Lane lane = lane_of(&bed, l, kind);
          expect_real(&bed, c->op, kind, l, c->expected(&lane));
        }
      }
}

/* ---- fused multiply-add ---------------------------------------------------------------------- */

/* Halves are multiples of 2^-24 below 2^16: products and sums of them are exact in integers of 128
 * bits, in units of 2^-48. */
static long double fma_half(const Lane *l) {
  if (!isfinite(l->a) || !isfinite(l->b) || !isfinite(l->c))
    return fma(l->a, l->b, l->c);
  Wide sum = (Wide)ldexp(l->a, 24) * (Wide)ldexp(l->b, 24) + (Wide)ldexp(l->c, 48);
  if (sum == 0)
    return l->a * l->b + l->c; /* for the sign */
  Wide rest = sum < 0 ? -sum : sum;
  int shift = 0;
  bool lost = false;
  for (; rest >> 40; shift++) {
    lost = lost || (rest & 1);
    rest >>= 1;
  }
  long double value = ldexpl((long double)(uint64_t)(rest * 2 + lost), shift - 49);
  return sum < 0 ? -value : value;
}

static void test_fma(void **state) {
  (void)state;
  AluBed bed = {.seed = unit_seed()};
  for (EmuKind kind = EMU_F16; kind <= EMU_F64; kind++)
    for (uint32_t round = 0; round < 20 * ROUNDS; round++) {
      fill(&bed, kind);
      for (uint32_t l = 0; l < ALU_LANES; l += 2) { /* operands whose sum nearly cancels */
        Lane near = lane_of(&bed, l, kind);
        bed.c[l] = alu_real_bits(-(long double)near.a * near.b, kind);
      }
      alu_run(&bed, alu_glsl, GLSLstd450Fma, (AluKinds){kind, kind, kind, kind}, 0);
      for (uint32_t l = 0; l < ALU_LANES; l++) {
        Lane e = lane_of(&bed, l, kind);
        expect_real(&bed, GLSLstd450Fma, kind, l,
                    kind == EMU_F16   ? fma_half(&e)
                    : kind == EMU_F32 ? fmaf((float)e.a, (float)e.b, (float)e.c)
                                      : fma(e.a, e.b, e.c));
      }
    }
}

/* ---- derived functions ----------------------------------------------------------------------- */

/* Each operation rounded to 32 or 64 bits, as the handlers do it for their kinds. */
#define DERIVED(name, F, suffix)                                                                   \
  static F name(uint32_t op, F a, F b, F c) {                                                      \
    F part = (c - a) / (b - a);                                                                    \
    part = part < 0 ? 0 : part;                                                                    \
    part = 1 < part ? 1 : part;                                                                    \
    switch (op) {                                                                                  \
    case GLSLstd450FMix:                                                                           \
      return a * (1 - c) + b * c;                                                                  \
    case GLSLstd450SmoothStep:                                                                     \
      return part * part * (3 - 2 * part);                                                         \
    case SpvOpFRem:                                                                                \
      return a - b * trunc##suffix(a / b);                                                         \
    case SpvOpFMod:                                                                                \
      return a - b * floor##suffix(a / b);                                                         \
    case EMU_STEP_MUL_ADD:                                                                         \
      return a * b + c;                                                                            \
    default:                                                                                       \
      return a * b - c;                                                                            \
    }                                                                                              \
  }
DERIVED(derived, float, f)
DERIVED(derived_wide, double, )

static void test_derived(void **state) {
  (void)state;
  AluBed bed = {.seed = unit_seed()};
  const uint32_t ops[] = {GLSLstd450FMix, GLSLstd450SmoothStep, SpvOpFRem,
                          SpvOpFMod,      EMU_STEP_MUL_ADD,     EMU_STEP_MUL_SUB};
  for (uint32_t i = 0; i < 6; i++)
    for (EmuKind kind = EMU_F16; kind <= EMU_F64; kind++)
      for (uint32_t round = 0; round < ROUNDS; round++) {
        fill(&bed, kind);
        alu_run(&bed, i < 2 ? alu_glsl : alu_core, ops[i], (AluKinds){kind, kind, kind, kind}, 0);
        for (uint32_t l = 0; l < ALU_LANES; l++) {
          Lane e = lane_of(&bed, l, kind);
          expect_real(&bed, ops[i], kind, l,
                      kind == EMU_F64 ? derived_wide(ops[i], e.a, e.b, e.c)
                                      : derived(ops[i], (float)e.a, (float)e.b, (float)e.c));
        }
      }
}

/* ---- booleans -------------------------------------------------------------------------------- */

static bool compared(uint32_t op, double a, double b) {
  bool unordered = isnan(a) || isnan(b);
  switch (op) {
  case SpvOpFOrdEqual:
    return !unordered && a == b;
  case SpvOpFUnordEqual:
    return unordered || a == b;
  case SpvOpFOrdNotEqual:
  case SpvOpLessOrGreater:
    return !unordered && a != b;
  case SpvOpFUnordNotEqual:
    return unordered || a != b;
  case SpvOpFOrdLessThan:
    return !unordered && a < b;
  case SpvOpFUnordLessThan:
    return unordered || a < b;
  case SpvOpFOrdGreaterThan:
    return !unordered && a > b;
  case SpvOpFUnordGreaterThan:
    return unordered || a > b;
  case SpvOpFOrdLessThanEqual:
    return !unordered && a <= b;
  case SpvOpFUnordLessThanEqual:
    return unordered || a <= b;
  case SpvOpFOrdGreaterThanEqual:
    return !unordered && a >= b;
  case SpvOpFUnordGreaterThanEqual:
    return unordered || a >= b;
  case SpvOpOrdered:
    return !unordered;
  default:
    return unordered;
  }
}

static bool classified(uint32_t op, double a, EmuKind kind) {
  double normal = kind == EMU_F16 ? 0x1p-14 : kind == EMU_F32 ? 0x1p-126 : 0x1p-1022;
  switch (op) {
  case SpvOpIsNan:
    return isnan(a);
  case SpvOpIsInf:
    return isinf(a);
  case SpvOpIsFinite:
    return isfinite(a);
  case SpvOpIsNormal:
    return isfinite(a) && fabs(a) >= normal;
  default:
    return signbit(a);
  }
}

static void test_booleans(void **state) {
  (void)state;
  AluBed bed = {.seed = unit_seed()};
  const uint32_t tests[] = {SpvOpFOrdEqual,
                            SpvOpFUnordEqual,
                            SpvOpFOrdNotEqual,
                            SpvOpFUnordNotEqual,
                            SpvOpFOrdLessThan,
                            SpvOpFUnordLessThan,
                            SpvOpFOrdGreaterThan,
                            SpvOpFUnordGreaterThan,
                            SpvOpFOrdLessThanEqual,
                            SpvOpFUnordLessThanEqual,
                            SpvOpFOrdGreaterThanEqual,
                            SpvOpFUnordGreaterThanEqual,
                            SpvOpLessOrGreater,
                            SpvOpOrdered,
                            SpvOpUnordered,
                            SpvOpIsNan,
                            SpvOpIsInf,
                            SpvOpIsFinite,
                            SpvOpIsNormal,
                            SpvOpSignBitSet};
  for (uint32_t i = 0; i < 20; i++)
    for (EmuKind kind = EMU_F16; kind <= EMU_F64; kind++)
      for (uint32_t round = 0; round < ROUNDS; round++) {
        fill(&bed, kind);
        for (uint32_t l = 0; l < ALU_LANES; l += 3)
          bed.b[l] = bed.a[l];
        alu_run(&bed, alu_core, tests[i],
                (AluKinds){EMU_BOOL, kind, i < 15 ? kind : EMU_KINDS, EMU_KINDS}, 0);
        for (uint32_t l = 0; l < ALU_LANES; l++) {
          Lane e = lane_of(&bed, l, kind);
          bool expected = i < 15 ? compared(tests[i], e.a, e.b) : classified(tests[i], e.a, kind);
          alu_expect(&bed, tests[i], kind, l, expected ? UINT32_MAX : 0);
        }
      }
}

/* ---- floats with integers -------------------------------------------------------------------- */

static void test_exponents(void **state) {
  (void)state;
  AluBed bed = {.seed = unit_seed()};
  for (EmuKind kind = EMU_F16; kind <= EMU_F64; kind++)
    for (uint32_t round = 0; round < ROUNDS; round++) {
      fill(&bed, kind);
      alu_fill(&bed, bed.b, EMU_U32);
      for (uint32_t l = 0; l < ALU_LANES; l += 2)
        bed.b[l] = (uint32_t)((int32_t)(alu_random(&bed) % 100) - 50);
      alu_run(&bed, alu_glsl, GLSLstd450Ldexp, (AluKinds){kind, kind, EMU_U32, EMU_KINDS}, 0);
      for (uint32_t l = 0; l < ALU_LANES; l++) {
        double a = alu_real(bed.a[l], kind);
        int by = (int32_t)bed.b[l];
        by = by > 3000 ? 3000 : by < -3000 ? -3000 : by;
        expect_real(&bed, GLSLstd450Ldexp, kind, l, ldexpl(a, by));
      }
      alu_run(&bed, alu_glsl, EMU_STEP_FREXP_EXPONENT,
              (AluKinds){EMU_U32, kind, EMU_KINDS, EMU_KINDS}, 0);
      for (uint32_t l = 0; l < ALU_LANES; l++) {
        int exponent = 0;
        double a = alu_real(bed.a[l], kind);
        if (isfinite(a))
          frexp(a, &exponent);
        alu_expect(&bed, EMU_STEP_FREXP_EXPONENT, kind, l, (uint32_t)exponent);
      }
      alu_run(&bed, alu_opencl, OpenCLstd_Ilogb, (AluKinds){EMU_U32, kind, EMU_KINDS, EMU_KINDS},
              0);
      for (uint32_t l = 0; l < ALU_LANES; l++) {
        double a = alu_real(bed.a[l], kind);
        int32_t expected = a == 0 ? INT32_MIN : isfinite(a) ? ilogb(a) : INT32_MAX;
        alu_expect(&bed, OpenCLstd_Ilogb, kind, l, (uint32_t)expected);
      }
    }
}

/* ---- the rest of OpenCL ---------------------------------------------------------------------- */

static void test_next_after(void **state) {
  (void)state;
  AluBed bed = {.seed = unit_seed()};
  for (EmuKind kind = EMU_F16; kind <= EMU_F64; kind++)
    for (uint32_t round = 0; round < ROUNDS; round++) {
      fill(&bed, kind);
      alu_run(&bed, alu_opencl, OpenCLstd_Nextafter, (AluKinds){kind, kind, kind, EMU_KINDS}, 0);
      for (uint32_t l = 0; l < ALU_LANES; l++) {
        double a = alu_real(bed.a[l], kind), b = alu_real(bed.b[l], kind);
        if (kind == EMU_F64)
          expect_real(&bed, OpenCLstd_Nextafter, kind, l, nextafter(a, b));
        else if (kind == EMU_F32)
          expect_real(&bed, OpenCLstd_Nextafter, kind, l, nextafterf((float)a, (float)b));
        else { /* no float lies between, and it is in the right direction */
          double d = alu_real(bed.d[l], kind);
          if (isnan(a) || isnan(b) || a == b) {
            assert_true(isnan(a) || isnan(b) ? isnan(d) : d == b);
            continue;
          }
          assert_true(a < b ? a < d && d <= b : b <= d && d < a);
          double middle = a / 2 + d / 2;
          uint64_t between = alu_real_bits(middle, kind);
          assert_true(isinf(a) || isinf(d) || alu_real(between, kind) == a ||
                      alu_real(between, kind) == d);
        }
      }
    }
}

static void test_two_results(void **state) {
  (void)state;
  AluBed bed = {.seed = unit_seed()};
  for (EmuKind kind = EMU_F16; kind <= EMU_F64; kind++)
    for (uint32_t round = 0; round < ROUNDS; round++) {
      fill(&bed, kind);
      alu_run(&bed, alu_opencl, EMU_STEP_FRACT, (AluKinds){kind, kind, EMU_KINDS, EMU_KINDS}, 0);
      for (uint32_t l = 0; l < ALU_LANES; l++) {
        double a = alu_real(bed.a[l], kind), d = alu_real(bed.d[l], kind);
        assert_true(isnan(a) ? isnan(d) : d >= 0 && d < 1);
      }
      alu_run(&bed, alu_opencl, EMU_STEP_LGAMMA_SIGN,
              (AluKinds){EMU_U32, kind, EMU_KINDS, EMU_KINDS}, 0);
      for (uint32_t l = 0; l < ALU_LANES; l++) {
        double a = alu_real(bed.a[l], kind);
        bool pole = a < 0 && a == floor(a);
        int sign = 1;
        lgamma_r(a, &sign);
        if (!isnan(a))
          alu_expect(&bed, EMU_STEP_LGAMMA_SIGN, kind, l, (uint32_t)(pole ? 0 : sign));
      }
      alu_run(&bed, alu_opencl, EMU_STEP_REMQUO, (AluKinds){EMU_U32, kind, kind, EMU_KINDS}, 0);
      for (uint32_t l = 0; l < ALU_LANES; l++) {
        double a = alu_real(bed.a[l], kind), b = alu_real(bed.b[l], kind);
        int quotient = 0;
        remquo(a, b, &quotient);
        if (!isfinite(a) || b == 0 || isnan(b))
          continue;
        uint32_t bits = (uint32_t)alu_cut(bed.d[l], EMU_U32); /* the sign and seven bits */
        assert_int_equal(bits % 8, (uint32_t)quotient % 8);
        if (fabs(a / b) < 512)
          assert_int_equal(bits, (uint32_t)(llrintl((long double)a / b) % 128));
      }
    }
}

static void test_nan_codes(void **state) {
  (void)state;
  AluBed bed = {.seed = unit_seed()};
  for (EmuKind kind = EMU_F16; kind <= EMU_F64; kind++) {
    alu_fill(&bed, bed.a, kind);
    alu_run(&bed, alu_opencl, OpenCLstd_Nan, (AluKinds){kind, kind, EMU_KINDS, EMU_KINDS}, 0);
    for (uint32_t l = 0; l < ALU_LANES; l++)
      assert_true(alu_is_nan(bed.d[l], kind));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values),      cmocka_unit_test(test_fma),
      cmocka_unit_test(test_derived),     cmocka_unit_test(test_booleans),
      cmocka_unit_test(test_exponents),   cmocka_unit_test(test_next_after),
      cmocka_unit_test(test_two_results), cmocka_unit_test(test_nan_codes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
