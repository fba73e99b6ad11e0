/* SPDX-License-Identifier: Apache-2.0 */
/* Precision of the functions that are not exactly rounded: their error, relative to the C library
 * in a wider type, compared with the limits in Vulkan's (sin, cos, exp, …) and OpenCL's tables.
 * Errors are in units in the last place of the result, or absolute. */
#include "tests/emu/alu/alu_bed.h"

#include <math.h>
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/OpenCL.std.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 150 };

typedef long double One(long double a);
typedef long double Two(long double a, long double b);

typedef struct Case {
  const char *name;
  AluFind *find;
  uint32_t op;
  One *one;
  Two *two;
  double low, high; /* the range of a, and of b except for pow and powr */
  double ulps;      /* allowed, for 32 and 64 bits */
  double absolute;  /* or this absolute error, for 32 bits */
} Case;

static const long double pi = 3.14159265358979323846264338327950288L;

static long double sin_pi(long double a) {
  long double whole = rintl(a), part = sinl(pi * (a - whole));
  return fmodl(whole, 2) == 0 ? part : -part;
}
static long double cos_pi(long double a) {
  return sin_pi(fabsl(a) + 0.5L);
}
static long double tan_pi(long double a) {
  return sin_pi(a) / cos_pi(a);
}
static long double asin_pi(long double a) {
  return asinl(a) / pi;
}
static long double acos_pi(long double a) {
  return acosl(a) / pi;
}
static long double atan_pi(long double a) {
  return atanl(a) / pi;
}
static long double atan2_pi(long double a, long double b) {
  return atan2l(a, b) / pi;
}
static long double radians(long double a) {
  return a * pi / 180;
}
static long double degrees(long double a) {
  return a * 180 / pi;
}

#define GLSL(name) #name, alu_glsl, GLSLstd450##name
#define OPENCL(name) "OpenCL " #name, alu_opencl, OpenCLstd_##name

static const Case cases[] = {
    {GLSL(Radians), radians, NULL, -1e4, 1e4, 2, 0},
    {GLSL(Degrees), degrees, NULL, -1e4, 1e4, 2, 0},
    {GLSL(Sin), sinl, NULL, -3.14159, 3.14159, 4, 0x1p-11},
    {GLSL(Cos), cosl, NULL, -3.14159, 3.14159, 4, 0x1p-11},
    {OPENCL(Sin), sinl, NULL, -1e5, 1e5, 4, 0},
    {OPENCL(Cos), cosl, NULL, -1e5, 1e5, 4, 0},
    {GLSL(Tan), tanl, NULL, -1.5, 1.5, 5, 0},
    {GLSL(Asin), asinl, NULL, -1, 1, 4, 0},
    {GLSL(Acos), acosl, NULL, -1, 1, 4, 0},
    {GLSL(Atan), atanl, NULL, -100, 100, 5, 0},
    {GLSL(Atan2), NULL, atan2l, -100, 100, 6, 0},
    {GLSL(Sinh), sinhl, NULL, -20, 20, 4, 0},
    {GLSL(Cosh), coshl, NULL, -20, 20, 4, 0},
    {GLSL(Tanh), tanhl, NULL, -10, 10, 5, 0},
    {GLSL(Asinh), asinhl, NULL, -1000, 1000, 4, 0},
    {GLSL(Acosh), acoshl, NULL, 1, 1000, 4, 0},
    {GLSL(Atanh), atanhl, NULL, -0.999, 0.999, 5, 0},
    {GLSL(Exp), expl, NULL, -80, 80, 3, 0},
    {GLSL(Exp2), exp2l, NULL, -120, 120, 3, 0},
    {GLSL(Log), logl, NULL, 1e-30, 1e4, 3, 0},
    {GLSL(Log2), log2l, NULL, 1e-30, 1e4, 3, 0},
    {GLSL(Pow), NULL, powl, 0.01, 100, 16, 0},
    {OPENCL(Exp10), exp10l, NULL, -37, 37, 3, 0},
    {OPENCL(Expm1), expm1l, NULL, -20, 20, 3, 0},
    {OPENCL(Log10), log10l, NULL, 1e-30, 1e4, 3, 0},
    {OPENCL(Log1p), log1pl, NULL, -0.9, 1e4, 2, 0},
    {OPENCL(Cbrt), cbrtl, NULL, -1e6, 1e6, 2, 0},
    {OPENCL(Erf), erfl, NULL, -4, 4, 16, 0},
    {OPENCL(Erfc), erfcl, NULL, -4, 8, 16, 0},
    {OPENCL(Tgamma), tgammal, NULL, 0.1, 30, 16, 0},
    {OPENCL(Lgamma), lgammal, NULL, 3, 1000, 16, 0},
    {OPENCL(Sinpi), sin_pi, NULL, -100, 100, 4, 0},
    {OPENCL(Cospi), cos_pi, NULL, -100, 100, 4, 0},
    {OPENCL(Tanpi), tan_pi, NULL, -100, 100, 6, 0},
    {OPENCL(Asinpi), asin_pi, NULL, -1, 1, 5, 0},
    {OPENCL(Acospi), acos_pi, NULL, -1, 1, 5, 0},
    {OPENCL(Atanpi), atan_pi, NULL, -100, 100, 5, 0},
    {OPENCL(Atan2pi), NULL, atan2_pi, -100, 100, 6, 0},
    {OPENCL(Hypot), NULL, hypotl, -1e10, 1e10, 4, 0},
    {OPENCL(Powr), NULL, powl, 0.01, 100, 16, 0},
    {OPENCL(Native_exp2), exp2l, NULL, -120, 120, 3, 0},
    {OPENCL(Half_powr), NULL, powl, 0.01, 100, 16, 0},
};

static double unit_of(long double value, EmuKind kind) {
  int digits = kind == EMU_F16 ? 11 : kind == EMU_F32 ? 24 : 53, exponent;
  int lowest = kind == EMU_F16 ? -13 : kind == EMU_F32 ? -125 : -1021;
  frexpl(value, &exponent);
  return ldexp(1, (exponent < lowest ? lowest : exponent) - digits);
}

static double between(AluBed *bed, double low, double high) {
  double part = (double)(alu_random(bed) >> 11) * 0x1p-53;
  if (low > 0 && high / low > 1e6)
    return low * pow(high / low, part);
  return low + (high - low) * part;
}

/* The error of a result, in units. Out of the kind's range, and at poles, any infinity is
 * correct. */
static double error_of(uint64_t bits, long double value, EmuKind kind) {
  double given = alu_real(bits, kind);
  if (!isfinite(alu_real(alu_real_bits(value, kind), kind)))
    return isfinite(given) ? 1e9 : 0;
  return isfinite(given) ? (double)(fabsl(given - value) / unit_of(value, kind)) : 1e9;
}

static double worst(AluBed *bed, const Case *c, EmuKind kind) {
  double most = 0;
  for (uint32_t round = 0; round < ROUNDS; round++) {
    bool power = c->two == powl;
    for (uint32_t l = 0; l < ALU_LANES; l++) {
      bed->a[l] = alu_real_bits(between(bed, c->low, c->high), kind);
      bed->b[l] =
          alu_real_bits(power ? between(bed, -18, 18) : between(bed, c->low, c->high), kind);
    }
    alu_run(bed, c->find, c->op, (AluKinds){kind, kind, c->two ? kind : EMU_KINDS, EMU_KINDS}, 0);
    for (uint32_t l = 0; l < ALU_LANES; l++) {
      double a = alu_real(bed->a[l], kind), b = alu_real(bed->b[l], kind);
      long double value = c->two ? c->two(a, b) : c->one(a);
      double error = error_of(bed->d[l], value, kind);
      bool close = c->absolute > 0 && fabsl(alu_real(bed->d[l], kind) - value) <= c->absolute;
      if (error > most && !close)
        most = error;
    }
  }
  return most;
}

static void test_precision(void **state) {
  (void)state;
  AluBed bed = {.seed = unit_seed()};
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const Case *c = &cases[i];
    double half = worst(&bed, c, EMU_F16), single = worst(&bed, c, EMU_F32),
           wide = worst(&bed, c, EMU_F64);
    print_message("%-20s half %6.3f  float %6.3f  double %6.3f\n", c->name, half, single, wide);
    assert_true(half <= 1);
    assert_true(single <= c->ulps);
    assert_true(wide <= c->ulps);
  }
}

/* ---- integer powers and roots ---------------------------------------------------------------- */

static long double root(double a, int n) {
  long double size = powl(fabsl(a), 1.0L / n);
  return n % 2 && signbit(a) ? -size : size;
}

static void test_integer_powers(void **state) {
  (void)state;
  AluBed bed = {.seed = unit_seed()};
  for (EmuKind kind = EMU_F16; kind <= EMU_F64; kind++)
    for (uint32_t op = 0; op < 2; op++) {
      double most = 0;
      for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t l = 0; l < ALU_LANES; l++) {
          int n = (int)(alu_random(&bed) % 25) - 12;
          double a = between(&bed, -50, 50);
          bed.b[l] = (uint32_t)(n ? n : 1);
          bed.a[l] = alu_real_bits(op && n % 2 == 0 ? fabs(a) : a, kind);
        }
        alu_run(&bed, alu_opencl, op ? OpenCLstd_Rootn : OpenCLstd_Pown,
                (AluKinds){kind, kind, EMU_U32, EMU_KINDS}, 0);
        for (uint32_t l = 0; l < ALU_LANES; l++) {
          double a = alu_real(bed.a[l], kind);
          int n = (int32_t)bed.b[l];
          long double value = op ? root(a, n) : powl(a, n);
          double error = error_of(bed.d[l], value, kind);
          most = error > most ? error : most;
        }
      }
      print_message("%s of kind %d: %.3f\n", op ? "rootn" : "pown", kind, most);
      assert_true(most <= 16);
    }
}

/* ---- special values -------------------------------------------------------------------------- */

typedef struct Special {
  AluFind *find;
  uint32_t op;
  double a, b, result;
} Special;

static const Special specials[] = {
    {alu_glsl, GLSLstd450Sin, INFINITY, 0, NAN},
    {alu_glsl, GLSLstd450Cos, 0, 0, 1},
    {alu_glsl, GLSLstd450Exp, -INFINITY, 0, 0},
    {alu_glsl, GLSLstd450Exp2, INFINITY, 0, INFINITY},
    {alu_glsl, GLSLstd450Log, 0, 0, -INFINITY},
    {alu_glsl, GLSLstd450Log2, -1, 0, NAN},
    {alu_glsl, GLSLstd450Pow, 2, 10, 1024},
    {alu_glsl, GLSLstd450Pow, 0, 2, 0},
    {alu_glsl, GLSLstd450InverseSqrt, 0, 0, INFINITY},
    {alu_glsl, GLSLstd450Sqrt, -1, 0, NAN},
    {alu_glsl, GLSLstd450Acos, 2, 0, NAN},
    {alu_opencl, OpenCLstd_Powr, -1, 2, NAN},
    {alu_opencl, OpenCLstd_Powr, 0, 0, NAN},
    {alu_opencl, OpenCLstd_Powr, 1, INFINITY, NAN},
    {alu_opencl, OpenCLstd_Powr, 0, 2, 0},
    {alu_opencl, OpenCLstd_Pow, -2, 3, -8},
    {alu_opencl, OpenCLstd_Rsqrt, 4, 0, 0.5},
};

static void test_special_values(void **state) {
  (void)state;
  AluBed bed = {0};
  for (uint32_t i = 0; i < sizeof specials / sizeof *specials; i++)
    for (EmuKind kind = EMU_F16; kind <= EMU_F64; kind++) {
      const Special *c = &specials[i];
      for (uint32_t l = 0; l < ALU_LANES; l++) {
        bed.a[l] = alu_real_bits(c->a, kind);
        bed.b[l] = alu_real_bits(c->b, kind);
      }
      alu_run(&bed, c->find, c->op, (AluKinds){kind, kind, kind, EMU_KINDS}, 0);
      for (uint32_t l = 0; l < ALU_LANES; l++) {
        double value = alu_real(bed.d[l], kind);
        if (isnan(c->result) ? !isnan(value) : value != c->result)
          fail_msg("%u of kind %d (%g, %g): %g, expected %g", c->op, kind, c->a, c->b, value,
                   c->result);
      }
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_precision),
      cmocka_unit_test(test_integer_powers),
      cmocka_unit_test(test_special_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
