/* SPDX-License-Identifier: Apache-2.0 */
/* Every row of extended_opencl.def with one handler for each component: from the instruction's name
 * in a kernel to its result, compared with the C library in doubles and 64-bit integers.
 * test_alu_math.c and test_alu_int.c test the handlers' precision, test_decode_extended.c rows with
 * several handlers. */
#include "tests/emu/alu/alu_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 2 };

uint64_t alu_seed(void);

static uint32_t bits(double value) {
  float rounded = (float)value;
  uint32_t u;
  memcpy(&u, &rounded, sizeof u);
  return u;
}

/* ---- groups of rows as bodies ---------------------------------------------------------------- */

typedef double Real(double a, double b, double c);
typedef int64_t Whole(int64_t a, int64_t b, int64_t c);

/* A row on reals has `real`, and in `operands` their domains; a row on integers has `whole`. */
typedef struct Row {
  const char *name;
  const char *operands; /* reals: one letter each, see operand(); integers: their number */
  Real *real;
  Whole *whole;
  bool is_signed;
} Row;

/* x: all of [-4, 4); u: [-1, 1); e: [-1/4, 1/4); p: [0, 4]; a: [1, 5] */
static double operand(const AluInput *in, char domain, uint32_t i) {
  double x = (double)in->f[i];
  switch (domain) {
  case 'u':
    return x / 4;
  case 'e':
    return x / 16;
  case 'p':
    return fabs(x);
  case 'a':
    return fabs(x) + 1;
  default:
    return x;
  }
}

static const char domains[] = "%quarter = OpConstant %float 0.25\n"
                              "%sixteenth = OpConstant %float 0.0625\n"
                              "%one = OpConstant %float 1\n";
static const char operands[] = "%x0 = OpCopyObject %float %f0\n"
                               "%x1 = OpCopyObject %float %f1\n"
                               "%x2 = OpCopyObject %float %f2\n"
                               "%u_0 = OpFMul %float %f0 %quarter\n"
                               "%e0 = OpFMul %float %f0 %sixteenth\n"
                               "%p0 = OpExtInst %float %ext fabs %f0\n"
                               "%p1 = OpExtInst %float %ext fabs %f1\n"
                               "%a0 = OpFAdd %float %p0 %one\n"
                               "%a1 = OpFAdd %float %p1 %one\n";

static const Row *at_hand; /* the row that the current run tests */
static uint32_t at_hand_count;

static void expected(const AluInput *in, uint32_t *out) {
  for (uint32_t i = 0; i < at_hand_count; i++) {
    const Row *row = &at_hand[i];
    const char *of = row->operands;
    if (row->real) {
      size_t n = strlen(of);
      out[i] = bits(row->real(operand(in, of[0], 0), n > 1 ? operand(in, of[1], 1) : 0,
                              n > 2 ? operand(in, of[2], 2) : 0));
    } else if (row->is_signed) {
      out[i] = (uint32_t)row->whole((int32_t)in->u[0], (int32_t)in->u[1], (int32_t)in->u[2]);
    } else {
      out[i] = (uint32_t)row->whole(in->u[0], in->u[1], in->u[2]);
    }
  }
}

static size_t put_row(char *to, size_t room, const Row *row, uint32_t result) {
  size_t size = (size_t)snprintf(to, room, "%%o%u = OpExtInst %s %%ext %s", result,
                                 row->real ? "%float" : "%uint", row->name);
  uint32_t count = row->real ? (uint32_t)strlen(row->operands) : (uint32_t)(row->operands[0] - '0');
  for (uint32_t i = 0; i < count; i++) {
    char letter = row->real ? row->operands[i] : 'u';
    size += (size_t)snprintf(to + size, room - size,
                             row->real && letter == 'u' ? " %%%c_%u" : " %%%c%u", letter, i);
  }
  return size + (size_t)snprintf(to + size, room - size, "\n");
}

static void run_rows(const Row *rows, size_t count) {
  uint64_t seed = unit_seed();
  for (size_t from = 0; from < count; from += ALU_TEXT_WORDS) {
    char body[4096], results[ALU_TEXT_WORDS + 1] = "";
    at_hand = &rows[from];
    at_hand_count = (uint32_t)(count - from < ALU_TEXT_WORDS ? count - from : ALU_TEXT_WORDS);
    size_t size = (size_t)snprintf(body, sizeof body, "%s", operands);
    for (uint32_t i = 0; i < at_hand_count; i++) {
      size += put_row(body + size, sizeof body - size, &at_hand[i], i);
      results[i] = at_hand[i].real ? 'f' : 'u';
    }
    assert_true(size < sizeof body - 1);
    const AluText text = {rows[from].name, domains, body, results, expected, 1e-5f, NULL};
    for (uint32_t round = 0; round < ROUNDS; round++)
      alu_text_kernel(&text, &seed);
  }
}

/* ---- floats ---------------------------------------------------------------------------------- */

static const double pi = 3.14159265358979323846;

#define ONE(name, value)                                                                           \
  static double name(double a, double b, double c) {                                               \
    (void)b, (void)c;                                                                              \
    return value;                                                                                  \
  }
#define TWO(name, value)                                                                           \
  static double name(double a, double b, double c) {                                               \
    (void)c;                                                                                       \
    return value;                                                                                  \
  }
#define THREE(name, value)                                                                         \
  static double name(double a, double b, double c) {                                               \
    return value;                                                                                  \
  }

ONE(r_acos, acos(a))
ONE(r_acosh, acosh(a))
ONE(r_acospi, acos(a) / pi)
ONE(r_asin, asin(a))
ONE(r_asinh, asinh(a))
ONE(r_asinpi, asin(a) / pi)
ONE(r_atan, atan(a))
ONE(r_atanh, atanh(a))
ONE(r_atanpi, atan(a) / pi)
TWO(r_atan2, atan2(a, b))
TWO(r_atan2pi, atan2(a, b) / pi)
ONE(r_cbrt, cbrt(a))
ONE(r_ceil, ceil(a))
TWO(r_copysign, copysign(a, b))
ONE(r_cos, cos(a))
ONE(r_cosh, cosh(a))
ONE(r_cospi, cos(pi *a))
ONE(r_erf, erf(a))
ONE(r_erfc, erfc(a))
ONE(r_exp, exp(a))
ONE(r_exp2, exp2(a))
ONE(r_exp10, pow(10, a))
ONE(r_expm1, expm1(a))
ONE(r_fabs, fabs(a))
TWO(r_fdim, fdim(a, b))
ONE(r_floor, floor(a))
TWO(r_fmax, fmax(a, b))
TWO(r_fmin, fmin(a, b))
TWO(r_fmod, fmod(a, b))
TWO(r_hypot, hypot(a, b))
ONE(r_lgamma, lgamma(a))
ONE(r_log, log(a))
ONE(r_log2, log2(a))
ONE(r_log10, log10(a))
ONE(r_log1p, log1p(a))
ONE(r_logb, logb(a))
TWO(r_maxmag, fabs(a) > fabs(b) ? a : fabs(b) > fabs(a) ? b : fmax(a, b))
TWO(r_minmag, fabs(a) < fabs(b) ? a : fabs(b) < fabs(a) ? b : fmin(a, b))
TWO(r_nextafter, (double)nextafterf((float)a, (float)b))
TWO(r_pow, pow(a, b))
TWO(r_remainder, remainder(a, b))
ONE(r_rint, rint(a))
ONE(r_round, round(a))
ONE(r_rsqrt, 1 / sqrt(a))
ONE(r_sin, sin(a))
ONE(r_sinh, sinh(a))
ONE(r_sinpi, sin(pi *a))
ONE(r_sqrt, sqrt(a))
ONE(r_tan, tan(a))
ONE(r_tanh, tanh(a))
ONE(r_tanpi, tan(pi *a))
ONE(r_tgamma, tgamma(a))
ONE(r_trunc, trunc(a))
TWO(r_divide, a / b)
ONE(r_recip, 1 / a)
ONE(r_degrees, a * 180 / pi)
ONE(r_radians, a *pi / 180)
TWO(r_step, b < a ? 0 : 1)
ONE(r_sign, (a > 0) - (a < 0))
THREE(r_mix, a + (b - a) * c)
THREE(r_fma, fma(a, b, c))

static const Row reals[] = {
    {"acos", "u", r_acos, NULL, false},
    {"acosh", "a", r_acosh, NULL, false},
    {"acospi", "u", r_acospi, NULL, false},
    {"asin", "u", r_asin, NULL, false},
    {"asinh", "x", r_asinh, NULL, false},
    {"asinpi", "u", r_asinpi, NULL, false},
    {"atan", "x", r_atan, NULL, false},
    {"atan2", "xx", r_atan2, NULL, false},
    {"atanh", "e", r_atanh, NULL, false},
    {"atanpi", "x", r_atanpi, NULL, false},
    {"atan2pi", "xx", r_atan2pi, NULL, false},
    {"cbrt", "x", r_cbrt, NULL, false},
    {"ceil", "x", r_ceil, NULL, false},
    {"copysign", "xx", r_copysign, NULL, false},
    {"cos", "x", r_cos, NULL, false},
    {"cosh", "x", r_cosh, NULL, false},
    {"cospi", "x", r_cospi, NULL, false},
    {"erfc", "x", r_erfc, NULL, false},
    {"erf", "x", r_erf, NULL, false},
    {"exp", "x", r_exp, NULL, false},
    {"exp2", "x", r_exp2, NULL, false},
    {"exp10", "x", r_exp10, NULL, false},
    {"expm1", "x", r_expm1, NULL, false},
    {"fabs", "x", r_fabs, NULL, false},
    {"fdim", "xx", r_fdim, NULL, false},
    {"floor", "x", r_floor, NULL, false},
    {"fma", "xxx", r_fma, NULL, false},
    {"fmax", "xx", r_fmax, NULL, false},
    {"fmin", "xx", r_fmin, NULL, false},
    {"fmod", "xa", r_fmod, NULL, false},
    {"hypot", "xx", r_hypot, NULL, false},
    {"lgamma", "a", r_lgamma, NULL, false},
    {"log", "a", r_log, NULL, false},
    {"log2", "a", r_log2, NULL, false},
    {"log10", "a", r_log10, NULL, false},
    {"log1p", "p", r_log1p, NULL, false},
    {"logb", "x", r_logb, NULL, false},
    {"mad", "xxx", r_fma, NULL, false},
    {"maxmag", "xx", r_maxmag, NULL, false},
    {"minmag", "xx", r_minmag, NULL, false},
    {"nextafter", "xx", r_nextafter, NULL, false},
    {"pow", "ax", r_pow, NULL, false},
    {"powr", "ax", r_pow, NULL, false},
    {"remainder", "xa", r_remainder, NULL, false},
    {"rint", "x", r_rint, NULL, false},
    {"round", "x", r_round, NULL, false},
    {"rsqrt", "a", r_rsqrt, NULL, false},
    {"sin", "x", r_sin, NULL, false},
    {"sinh", "x", r_sinh, NULL, false},
    {"sinpi", "x", r_sinpi, NULL, false},
    {"sqrt", "p", r_sqrt, NULL, false},
    {"tan", "u", r_tan, NULL, false},
    {"tanh", "x", r_tanh, NULL, false},
    {"tanpi", "e", r_tanpi, NULL, false},
    {"tgamma", "a", r_tgamma, NULL, false},
    {"trunc", "x", r_trunc, NULL, false},
    {"half_cos", "x", r_cos, NULL, false},
    {"half_divide", "xa", r_divide, NULL, false},
    {"half_exp", "x", r_exp, NULL, false},
    {"half_exp2", "x", r_exp2, NULL, false},
    {"half_exp10", "x", r_exp10, NULL, false},
    {"half_log", "a", r_log, NULL, false},
    {"half_log2", "a", r_log2, NULL, false},
    {"half_log10", "a", r_log10, NULL, false},
    {"half_powr", "ax", r_pow, NULL, false},
    {"half_recip", "a", r_recip, NULL, false},
    {"half_rsqrt", "a", r_rsqrt, NULL, false},
    {"half_sin", "x", r_sin, NULL, false},
    {"half_sqrt", "p", r_sqrt, NULL, false},
    {"half_tan", "u", r_tan, NULL, false},
    {"native_cos", "x", r_cos, NULL, false},
    {"native_divide", "xa", r_divide, NULL, false},
    {"native_exp", "x", r_exp, NULL, false},
    {"native_exp2", "x", r_exp2, NULL, false},
    {"native_exp10", "x", r_exp10, NULL, false},
    {"native_log", "a", r_log, NULL, false},
    {"native_log2", "a", r_log2, NULL, false},
    {"native_log10", "a", r_log10, NULL, false},
    {"native_powr", "ax", r_pow, NULL, false},
    {"native_recip", "a", r_recip, NULL, false},
    {"native_rsqrt", "a", r_rsqrt, NULL, false},
    {"native_sin", "x", r_sin, NULL, false},
    {"native_sqrt", "p", r_sqrt, NULL, false},
    {"native_tan", "u", r_tan, NULL, false},
    {"degrees", "x", r_degrees, NULL, false},
    {"fmax_common", "xx", r_fmax, NULL, false},
    {"fmin_common", "xx", r_fmin, NULL, false},
    {"mix", "xxx", r_mix, NULL, false},
    {"radians", "x", r_radians, NULL, false},
    {"step", "xx", r_step, NULL, false},
    {"sign", "x", r_sign, NULL, false},
};

static void test_reals(void **state) {
  (void)state;
  run_rows(reals, sizeof reals / sizeof *reals);
}

/* ---- integers -------------------------------------------------------------------------------- */

__extension__ typedef __int128 Wide;

static int64_t within(Wide value, int64_t least, int64_t most) {
  return value < least ? least : value > most ? most : (int64_t)value;
}
static int64_t low24(int64_t a, bool is_signed) {
  return is_signed ? (int64_t)((uint64_t)a << 40) >> 40 : a & 0xffffff;
}

#define WHOLE(name, value)                                                                         \
  static int64_t name(int64_t a, int64_t b, int64_t c) {                                           \
    (void)a, (void)b, (void)c;                                                                     \
    return value;                                                                                  \
  }
#define S(value) within(value, INT32_MIN, INT32_MAX)
#define UNSIGNED(value) within(value, 0, UINT32_MAX)

WHOLE(w_abs, a < 0 ? -a : a)
WHOLE(w_abs_diff, a < b ? b - a : a - b)
WHOLE(s_add_sat, S(a + b))
WHOLE(u_add_sat, UNSIGNED(a + b))
WHOLE(w_hadd, (a + b) >> 1)
WHOLE(w_rhadd, (a + b + 1) >> 1)
WHOLE(w_clz, a ? __builtin_clz((uint32_t)a) : 32)
WHOLE(w_ctz, a ? __builtin_ctz((uint32_t)a) : 32)
WHOLE(w_popcount, __builtin_popcount((uint32_t)a))
WHOLE(w_mul_hi, (int64_t)((Wide)a *b >> 32))
WHOLE(w_mad_hi, (int64_t)((Wide)a *b >> 32) + c)
WHOLE(s_mad_sat, S((Wide)a *b + c))
WHOLE(u_mad_sat, UNSIGNED((Wide)a *b + c))
WHOLE(w_max, a > b ? a : b)
WHOLE(w_min, a < b ? a : b)
WHOLE(w_rotate, a << (b & 31) | a >> (-b & 31))
WHOLE(s_sub_sat, S(a - b))
WHOLE(u_sub_sat, UNSIGNED(a - b))
WHOLE(s_mad24, low24(a, true) * low24(b, true) + c)
WHOLE(u_mad24, low24(a, false) * low24(b, false) + c)
WHOLE(s_mul24, low24(a, true) * low24(b, true))
WHOLE(u_mul24, low24(a, false) * low24(b, false))
WHOLE(w_bitselect, (a & ~c) | (b & c))

static const Row wholes[] = {
    {"s_abs", "1", NULL, w_abs, true},
    {"u_abs", "1", NULL, w_abs, false},
    {"s_abs_diff", "2", NULL, w_abs_diff, true},
    {"u_abs_diff", "2", NULL, w_abs_diff, false},
    {"s_add_sat", "2", NULL, s_add_sat, true},
    {"u_add_sat", "2", NULL, u_add_sat, false},
    {"s_hadd", "2", NULL, w_hadd, true},
    {"u_hadd", "2", NULL, w_hadd, false},
    {"s_rhadd", "2", NULL, w_rhadd, true},
    {"u_rhadd", "2", NULL, w_rhadd, false},
    {"clz", "1", NULL, w_clz, false},
    {"ctz", "1", NULL, w_ctz, false},
    {"popcount", "1", NULL, w_popcount, false},
    {"s_mul_hi", "2", NULL, w_mul_hi, true},
    {"u_mul_hi", "2", NULL, w_mul_hi, false},
    {"s_mad_hi", "3", NULL, w_mad_hi, true},
    {"u_mad_hi", "3", NULL, w_mad_hi, false},
    {"s_mad_sat", "3", NULL, s_mad_sat, true},
    {"u_mad_sat", "3", NULL, u_mad_sat, false},
    {"s_max", "2", NULL, w_max, true},
    {"u_max", "2", NULL, w_max, false},
    {"s_min", "2", NULL, w_min, true},
    {"u_min", "2", NULL, w_min, false},
    {"rotate", "2", NULL, w_rotate, false},
    {"s_sub_sat", "2", NULL, s_sub_sat, true},
    {"u_sub_sat", "2", NULL, u_sub_sat, false},
    {"s_mad24", "3", NULL, s_mad24, true},
    {"u_mad24", "3", NULL, u_mad24, false},
    {"s_mul24", "2", NULL, s_mul24, true},
    {"u_mul24", "2", NULL, u_mul24, false},
    {"bitselect", "3", NULL, w_bitselect, false},
};

static void test_wholes(void **state) {
  (void)state;
  run_rows(wholes, sizeof wholes / sizeof *wholes);
}

/* ---- operands and results of several kinds, or in a certain order ---------------------------- */

static void mixed(const AluInput *in, uint32_t *out) {
  float x = in->f[0];
  double t = fmin(fmax(((double)x + 2) / 3, 0), 1);
  out[0] = (uint32_t)(x == 0 ? INT32_MIN : ilogbf(x));
  out[1] = bits(cbrt(fabs((double)x)));
  out[2] = bits(ldexp((double)x, 3));
  out[3] = bits(t * t * (3 - 2 * t));
  out[4] = bits(fmin(fmax((double)x, -2), 1));
  out[5] = UINT32_C(0x7fc00000) | (in->u[0] & 0x3fffff);
  out[6] = in->u[1];
  out[7] = (in->u[0] & 0xffff) << 16 | (in->u[1] & 0xffff);
  out[8] = (uint32_t)within((int32_t)in->u[0], -100, 100);
  out[9] = (uint32_t)within(in->u[0], 100, 70000);
  out[10] = bits(lgamma(fabs((double)x) + 1));
  out[11] = 1;
  out[12] = bits((double)x - trunc((double)x));
  out[13] = bits(trunc((double)x));
}

static void vectors(const AluInput *in, uint32_t *out) {
  double d[3], square = 0;
  for (uint32_t i = 0; i < 3; i++) {
    d[i] = (double)in->f[i] - (double)in->f[3 + i];
    square += d[i] * d[i];
    uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
    out[i] =
        bits((double)in->f[j] * (double)in->f[3 + k] - (double)in->f[k] * (double)in->f[3 + j]);
  }
  out[3] = out[4] = bits(sqrt(square));
  double length = sqrt((double)in->f[0] * (double)in->f[0] + (double)in->f[1] * (double)in->f[1]);
  out[5] = bits(length);
  out[6] = bits((double)in->f[1] / length);
}

static void test_mixed(void **state) {
  (void)state;
  static const AluText texts[] = {
      {"mixed",
       "%p_const = OpTypePointer CrossWorkgroup %float\n"
       "%one = OpConstant %float 1\n%minus2 = OpConstant %float -2\n"
       "%m100 = OpConstant %uint 0xffffff9c\n%h100 = OpConstant %uint 100\n"
       "%t70 = OpConstant %uint 70000\n%n1 = OpConstant %ulong 1\n",
       "%abs = OpExtInst %float %ext fabs %f0\n%above = OpFAdd %float %abs %one\n"
       "%o0 = OpExtInst %uint %ext ilogb %f0\n"
       "%o1 = OpExtInst %float %ext rootn %abs %c3\n"
       "%o2 = OpExtInst %float %ext ldexp %f0 %c3\n"
       "%o3 = OpExtInst %float %ext smoothstep %minus2 %one %f0\n"
       "%o4 = OpExtInst %float %ext fclamp %f0 %minus2 %one\n"
       "%nan = OpExtInst %float %ext nan %u0\n"
       "%o5 = OpBitcast %uint %nan\n"
       "%none = OpExtInst %void %ext prefetch %in %n1\n"
       "%o6 = OpCopyObject %uint %u1\n"
       "%h = OpUConvert %ushort %u0\n%l = OpUConvert %ushort %u1\n"
       "%o7 = OpExtInst %uint %ext s_upsample %h %l\n"
       "%o8 = OpExtInst %uint %ext s_clamp %u0 %m100 %h100\n"
       "%o9 = OpExtInst %uint %ext u_clamp %u0 %h100 %t70\n"
       "%o10 = OpExtInst %float %ext lgamma_r %above %var_uint\n"
       "%o11 = OpLoad %uint %var_uint\n"
       "%o12 = OpExtInst %float %ext modf %f0 %var_float\n"
       "%o13 = OpLoad %float %var_float\n",
       "uffffuuuuufuff", mixed, 1e-5f, NULL},
      {"vectors", "",
       "%a = OpCompositeConstruct %v3float %f0 %f1 %f2\n"
       "%b = OpCompositeConstruct %v3float %f3 %f4 %f5\n"
       "%c = OpExtInst %v3float %ext cross %a %b\n"
       "%o0 = OpCompositeExtract %float %c 0\n"
       "%o1 = OpCompositeExtract %float %c 1\n"
       "%o2 = OpCompositeExtract %float %c 2\n"
       "%o3 = OpExtInst %float %ext distance %a %b\n"
       "%o4 = OpExtInst %float %ext fast_distance %a %b\n"
       "%d = OpCompositeConstruct %v2float %f0 %f1\n"
       "%o5 = OpExtInst %float %ext fast_length %d\n"
       "%n = OpExtInst %v2float %ext fast_normalize %d\n"
       "%o6 = OpCompositeExtract %float %n 1\n",
       "fffffff", vectors, 1e-5f, NULL},
  };
  uint64_t seed = unit_seed();
  for (uint32_t i = 0; i < sizeof texts / sizeof *texts; i++)
    for (uint32_t round = 0; round < ROUNDS; round++)
      alu_text_kernel(&texts[i], &seed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reals),
      cmocka_unit_test(test_wholes),
      cmocka_unit_test(test_mixed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
