/* SPDX-License-Identifier: Apache-2.0 */
/* math_function: see math_function.h. */
#include "tests/math/math_function.h"

#include "tests/math/math_code.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846264338327950288L

/* ---- exact results that C lacks ---- */

static long double exact_powr(long double x, long double y) {
  bool open = (y == 0 && (x == 0 || isinf(x))) || (x == 1 && isinf(y));
  return x < 0 || isnan(x) || isnan(y) || open ? NAN : fabsl(powl(x, y));
}

static long double exact_rootn(long double x, int32_t n) {
  long double root = powl(fabsl(x), 1.0L / n);
  if (n == 0 || (x < 0 && n % 2 == 0))
    return NAN;
  return n % 2 ? copysignl(root, x) : root;
}

static long double exact_sinpi(long double x) {
  long double part = remainderl(x, 2), size = fabsl(part); /* from 1/2 on, 1 less it is exact */
  return isinf(x) ? NAN : copysignl(sinl(PI * (size > 0.5L ? 1 - size : size)), part);
}

static long double exact_cospi(long double x) {
  long double part = fabsl(remainderl(x, 2)); /* near 1/2 the sine of the rest is precise */
  return isinf(x) ? NAN : sinl(PI * (0.5L - part));
}

static long double exact_tanpi(long double x) {
  long double part = remainderl(x, 1);
  return isinf(x)              ? NAN
         : fabsl(part) > 0.25L ? copysignl(1, part) / tanl(PI * (0.5L - fabsl(part)))
                               : tanl(PI * part);
}

static long double exact_tgamma(long double x) {
  bool pole = x < 0 && (isinf(x) || floorl(x) == x);
  return pole ? NAN : x == 0 ? copysignl(INFINITY, x) : tgammal(x);
}

static long double exact_ilogb(long double x) {
  return x == 0 ? INT32_MIN : isinf(x) || isnan(x) ? INT32_MAX : ilogbl(x);
}

static long double exact_frexp(long double x) {
  int exponent;
  return frexpl(x, &exponent);
}

static long double exact_exponent(long double x) {
  int exponent;
  frexpl(x, &exponent);
  return x == 0 || isnan(x) || isinf(x) ? 0 : exponent;
}

/* The seven low bits, with the sign. (The C library's remquo has three.) */
static long double exact_quotient(long double x, long double y) {
  if (isnan(x) || isinf(x) || isnan(y) || isinf(y) || y == 0)
    return 0;
  long double part = fmodl(fabsl(x), 128 * fabsl(y));
  long double low = fmodl(roundl((part - remainderl(part, y)) / fabsl(y)), 128);
  return signbit(x) != signbit(y) ? -low : low;
}

static long double exact_sign(long double x) {
  if (x == 0)
    return signbit(x) ? -1 : 1;
  return x > 0 || isnan(x) ? 1 : floorl(x) == x ? 0 : fmodl(floorl(x), 2) != 0 ? -1 : 1;
}

static long double exact_part(long double x) {
  long double whole;
  return modfl(x, &whole);
}

static long double exact_fract(long double x) {
  long double part = x - floorl(x);
  return isinf(x) ? 0 : part > 0x1.fffffep-1L ? 0x1.fffffep-1L : (float)part;
}

static long double exact_maxmag(long double x, long double y) {
  return fabsl(x) > fabsl(y) ? x : fabsl(y) > fabsl(x) ? y : fmaxl(x, y);
}

static long double exact_minmag(long double x, long double y) {
  return fabsl(x) < fabsl(y) ? x : fabsl(y) < fabsl(x) ? y : fminl(x, y);
}

static long double exact_sign_of(long double x) {
  return isnan(x) ? 0 : x > 0 ? 1 : x < 0 ? -1 : x;
}

/* ---- the table ---- */

#define MATH(name, code, arguments, bound, span, exact)                                            \
  static long double exact_of_##name(long double x, long double y, long double z, int32_t n) {     \
    (void)x, (void)y, (void)z, (void)n;                                                            \
    return exact;                                                                                  \
  }
#define DEVICE(name, arguments, bound, span, exact) MATH(name, 0, arguments, bound, span, exact)
#include "tests/math/math_function.def"
#undef MATH

const MathFunction math_functions[] = {
#define MATH(name, code, arguments, bound, span, exact)                                            \
  {#name, arguments, bound, span, exact_of_##name, math_code_##name},
#undef DEVICE
#define DEVICE(name, arguments, bound, span, exact)                                                \
  {#name, arguments, bound, span, exact_of_##name, NULL},
#include "tests/math/math_function.def"
#undef MATH
#undef DEVICE
};
const size_t math_function_count = sizeof math_functions / sizeof *math_functions;

/* ---- points ---- */

static float float_of(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static const float special[] = {
    0.0f,       -0.0f,      1.0f,       -1.0f,        0.5f,           -0.5f,
    2.0f,       -2.0f,      3.0f,       -3.0f,        10.0f,          0x1p-30f,
    -0x1p-30f,  1e30f,      -1e30f,     FLT_MAX,      -FLT_MAX,       FLT_MIN,
    -FLT_MIN,   INFINITY,   -INFINITY,  NAN,          0x1.fffffep-1f, 0x1.000002p0f,
    0.25f,      0.75f,      1.5f,       2.5f,         88.72283f,      88.7229f,
    89.4159f,   -87.3365f,  -103.9f,    127.9999f,    128.0f,         0.41421357f,
    0.5403f,    1.5707963f, 3.1415927f, 0x1p24f,      16777215.0f,    0x1p23f,
    8388609.5f, 4096.0f,    4097.0f,    16367173e31f, 2.3509886e-38f, 0x1p-149f,
};
static const int32_t special_whole[] = {0,         1,         -1,       2,         -2,   3,   -3,
                                        5,         24,        -24,      127,       -126, 128, -150,
                                        INT32_MAX, INT32_MIN, 16777217, -16777217, 277,  -277};
enum {
  SPECIAL = sizeof special / sizeof *special,
  WHOLE = sizeof special_whole / sizeof *special_whole
};

static uint32_t mix(uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

/* Of five points three are in the span, two have any exponent. */
static float random_float(const MathFunction *f, uint32_t seed) {
  uint32_t bits = mix(seed);
  if (seed % 5 < 2)
    return float_of(bits);
  float part = (float)(mix(bits) >> 8) * 0x1p-23f - 1; /* -1 to 1 */
  float small = seed % 5 == 4 ? ldexpf(1, -(int)(bits % 16)) : 1;
  return f->span * part * small;
}

MathPoint math_point(const MathFunction *f, uint32_t i) {
  bool two = f->arguments[2] == 'f', whole = f->arguments[2] == 'i';
  uint32_t pairs = SPECIAL * (two ? SPECIAL : whole ? WHOLE : 1);
  MathPoint p = {0, 0, 0, 0};
  p.z = random_float(f, UINT32_MAX - i);
  if (i < pairs)
    return (MathPoint){special[i % SPECIAL], two ? special[i / SPECIAL] : 0, p.z,
                       whole ? special_whole[i / SPECIAL] : 0};
  p.x = random_float(f, 2 * i);
  p.y = random_float(f, 2 * i + 1);
  p.n = (int32_t)mix(i ^ 0x5bd1e995u) >> (mix(i) % 32);
  return p;
}

/* ---- errors ---- */

/* A unit in the last place of a float near `exact`. */
static long double last_place(long double exact) {
  int exponent = exact == 0 ? -126 : ilogbl(exact);
  return ldexpl(1, (exponent < -126 ? -126 : exponent > 127 ? 127 : exponent) - 23);
}

static bool is_subnormal(long double x) {
  return x != 0 && fabsl(x) < FLT_MIN;
}

static double error_of(const MathFunction *f, long double exact, float result) {
  if (isnan(exact) || isnan(result))
    return isnan(exact) && isnan(result) ? 0 : INFINITY;
  if (isinf(exact) && isinf(result))
    return exact > 0 ? result > 0 ? 0 : INFINITY : result < 0 ? 0 : INFINITY;
  if (isinf(exact))
    return INFINITY;
  if (f->bound == 0 && (float)exact == result)
    return 0;
  /* An infinite result is one of 2^128. */
  long double value = isinf(result) ? copysignl(ldexpl(1, 128), result) : result;
  if (isinf(result) && fabsl(exact) >= ldexpl(1, 128))
    return (exact > 0) == (value > 0) ? 0 : INFINITY;
  long double error = fabsl(value - exact) / last_place(exact);
  /* Flushed to zero: the exact result is subnormal, or is so within the bound. */
  if (result == 0 && fabsl(exact) < FLT_MIN + f->bound * 0x1p-149L)
    return 0;
  return (double)error;
}

static double error_at(const MathFunction *f, MathPoint p, uint32_t result) {
  long double exact = f->exact(p.x, p.y, p.z, p.n);
  if (f->arguments[0] == 'i')
    return (long double)(int32_t)result == exact ? 0 : INFINITY;
  return error_of(f, exact, float_of(result));
}

double math_error(const MathFunction *f, MathPoint p, uint32_t result) {
  double error = error_at(f, p, result);
  MathPoint flushed = p;
  if (is_subnormal(p.x))
    flushed.x = copysignf(0, p.x), error = fmin(error, error_at(f, flushed, result));
  if (is_subnormal(p.y))
    p.y = copysignf(0, p.y), error = fmin(error, error_at(f, p, result));
  flushed.y = p.y;
  return is_subnormal(p.x) ? fmin(error, error_at(f, flushed, result)) : error;
}
