/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_extended: see kernel_extended.h. */
#include "passes/transform/kernel/kernel_extended.h"

#include "passes/transform/kernel/kernel_access.h"
#include "passes/transform/kernel/kernel_math.h"

#include <math.h>
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/OpenCL.std.h>

/* A call of a function. */
typedef struct Call {
  SrEmit *e;
  uint32_t number;
  uint32_t type; /* of the result */
  uint32_t x[4], count;
  uint32_t out; /* set by the function: what it stores through its last operand, or 0 */
  bool lacks;   /* set by the function: GLSL.std.450 has no instruction for this width */
} Call;

/* ---- short forms ---- */

static uint32_t op1(Call *c, SpvOp op, uint32_t a) {
  return sr_emit(c->e, op, c->type, &a, 1);
}

static uint32_t op2(Call *c, SpvOp op, uint32_t a, uint32_t b) {
  return sr_emit(c->e, op, c->type, SR_IDS(a, b));
}

static uint32_t bits_of(const Call *c) {
  return sr_kernel_bits(c->e->k->m, c->type);
}

/* GLSL.std.450 has trigonometry, powers and logarithms of 16 and 32 bits only. */
static bool is_wide(uint32_t glsl) {
  switch (glsl) {
  case GLSLstd450Sqrt:
  case GLSLstd450InverseSqrt:
  case GLSLstd450Length:
  case GLSLstd450Distance:
  case GLSLstd450Normalize:
    return true;
  default:
    return glsl <= GLSLstd450Fract || glsl >= GLSLstd450FMin;
  }
}

/* An instruction of GLSL.std.450. */
static uint32_t glsl(Call *c, uint32_t number, const uint32_t *ids, uint32_t count) {
  c->lacks = c->lacks || (bits_of(c) == 64 && !is_wide(number));
  return sr_emit_glsl(c->e, number, c->type, ids, count);
}

static uint32_t glsl1(Call *c, uint32_t number, uint32_t a) {
  return glsl(c, number, &a, 1);
}

static uint32_t glsl2(Call *c, uint32_t number, uint32_t a, uint32_t b) {
  return glsl(c, number, SR_IDS(a, b));
}

/* An integer in each component of the type. */
static uint32_t whole(Call *c, uint64_t value) {
  return sr_kernel_constant(c->e->k, c->type, value);
}

static uint64_t half_bits(double value) {
  float narrow = (float)value; /* exact for what is used here: powers of two and small integers */
  uint32_t w;
  memcpy(&w, &narrow, sizeof w);
  if (!(w << 1))
    return w >> 16;
  return (w >> 16 & 0x8000) | ((((w >> 23 & 0xff) - 112) << 10 | (w >> 13 & 0x3ff)) & 0x7fff);
}

/* A float in each component of the type. */
static uint32_t real(Call *c, double value) {
  float narrow = (float)value;
  uint64_t bits = 0;
  if (bits_of(c) == 16)
    bits = half_bits(value);
  else if (bits_of(c) == 32)
    memcpy(&bits, &narrow, sizeof narrow);
  else
    memcpy(&bits, &value, sizeof value);
  return sr_kernel_constant(c->e->k, c->type, bits);
}

static uint32_t test(Call *c, SpvOp op, uint32_t a, uint32_t b) {
  SrKernels *k = c->e->k;
  uint32_t type = sr_kernel_vector(k, sr_kernel_bool(k), sr_kernel_components(k->m, c->type));
  return sr_emit(c->e, op, type, SR_IDS(a, b));
}

static uint32_t choose(Call *c, uint32_t condition, uint32_t a, uint32_t b) {
  return sr_emit(c->e, SpvOpSelect, c->type, SR_IDS(condition, a, b));
}

/* The integer type of the same shape. */
static uint32_t bits_type(const Call *c) {
  SrKernels *k = c->e->k;
  return sr_kernel_vector(k, sr_kernel_int(k, bits_of(c)), sr_kernel_components(k->m, c->type));
}

/* ---- floats ---- */

static uint32_t copysign_bits(Call *c, uint32_t size, uint32_t sign) {
  SrKernels *k = c->e->k;
  uint32_t type = bits_type(c), bits = bits_of(c);
  uint64_t top = UINT64_C(1) << (bits - 1);
  uint32_t a = sr_emit(c->e, SpvOpBitcast, type, &size, 1);
  uint32_t b = sr_emit(c->e, SpvOpBitcast, type, &sign, 1);
  a = sr_emit(c->e, SpvOpBitwiseAnd, type, SR_IDS(a, sr_kernel_constant(k, type, top - 1)));
  b = sr_emit(c->e, SpvOpBitwiseAnd, type, SR_IDS(b, sr_kernel_constant(k, type, top)));
  return op1(c, SpvOpBitcast, sr_emit(c->e, SpvOpBitwiseOr, type, SR_IDS(a, b)));
}

static uint32_t copysign_of(Call *c) {
  return copysign_bits(c, c->x[0], c->x[1]);
}

static uint32_t over_pi(Call *c) {
  static const struct {
    uint32_t number, glsl;
  } of[] = {{OpenCLstd_Acospi, GLSLstd450Acos},
            {OpenCLstd_Asinpi, GLSLstd450Asin},
            {OpenCLstd_Atanpi, GLSLstd450Atan},
            {OpenCLstd_Atan2pi, GLSLstd450Atan2}};
  uint32_t i = 0;
  while (of[i].number != c->number)
    i++;
  uint32_t angle = glsl(c, of[i].glsl, c->x, c->count);
  return op2(c, SpvOpFMul, angle, real(c, 1 / M_PI));
}

/* sin(pi x) and its like: x is reduced to [-1, 1] first, which is exact. */
static uint32_t of_pi(Call *c) {
  uint32_t half = op2(c, SpvOpFMul, c->x[0], real(c, 0.5));
  uint32_t turns = op2(c, SpvOpFMul, glsl1(c, GLSLstd450RoundEven, half), real(c, 2));
  uint32_t angle = op2(c, SpvOpFMul, op2(c, SpvOpFSub, c->x[0], turns), real(c, M_PI));
  return glsl1(c,
               c->number == OpenCLstd_Sinpi   ? GLSLstd450Sin
               : c->number == OpenCLstd_Cospi ? GLSLstd450Cos
                                              : GLSLstd450Tan,
               angle);
}

static uint32_t exp10_of(Call *c) {
  return glsl1(c, GLSLstd450Exp2, op2(c, SpvOpFMul, c->x[0], real(c, 3.3219280948873623479)));
}

static uint32_t log10_of(Call *c) {
  return op2(c, SpvOpFMul, glsl1(c, GLSLstd450Log2, c->x[0]), real(c, 0.30102999566398119521));
}

/* With u = 1 + x rounded, log(u) x / (u - 1): the errors of u cancel (Kahan). */
static uint32_t log1p_of(Call *c) {
  uint32_t x = c->x[0], one = real(c, 1), u = op2(c, SpvOpFAdd, x, one);
  uint32_t ratio = op2(c, SpvOpFDiv, x, op2(c, SpvOpFSub, u, one));
  uint32_t log = glsl1(c, GLSLstd450Log, u);
  uint32_t value = op2(c, SpvOpFMul, log, ratio);
  value = choose(c, test(c, SpvOpFOrdEqual, u, real(c, INFINITY)), log, value);
  return choose(c, test(c, SpvOpFOrdEqual, u, one), x, value);
}

/* The same for exp(x) - 1: with u = exp(x) rounded, (u - 1) x / log(u). */
static uint32_t expm1_of(Call *c) {
  uint32_t x = c->x[0], one = real(c, 1), u = glsl1(c, GLSLstd450Exp, x);
  uint32_t less = op2(c, SpvOpFSub, u, one);
  uint32_t value = op2(c, SpvOpFDiv, op2(c, SpvOpFMul, less, x), glsl1(c, GLSLstd450Log, u));
  uint32_t far = test(c, SpvOpFOrdGreaterThan, glsl1(c, GLSLstd450FAbs, x), real(c, 16));
  value = choose(c, far, less, value);
  return choose(c, test(c, SpvOpFOrdEqual, u, one), x, value);
}

static uint32_t mad_of(Call *c) {
  return op2(c, SpvOpFAdd, op2(c, SpvOpFMul, c->x[0], c->x[1]), c->x[2]);
}

static uint32_t fdim_of(Call *c) {
  uint32_t less = test(c, SpvOpFOrdLessThanEqual, c->x[0], c->x[1]);
  return choose(c, less, real(c, 0), op2(c, SpvOpFSub, c->x[0], c->x[1]));
}

static uint32_t step_of(Call *c) {
  return choose(c, test(c, SpvOpFOrdLessThan, c->x[1], c->x[0]), real(c, 0), real(c, 1));
}

static uint32_t fract_of(Call *c) {
  c->out = glsl1(c, GLSLstd450Floor, c->x[0]);
  uint32_t rest = op2(c, SpvOpFSub, c->x[0], c->out);
  double below_one = bits_of(c) == 64 ? 1 - 0x1p-53 : bits_of(c) == 32 ? 1 - 0x1p-24 : 1 - 0x1p-11;
  uint32_t infinite = test(c, SpvOpFOrdEqual, glsl1(c, GLSLstd450FAbs, c->x[0]), real(c, INFINITY));
  rest = choose(c, infinite, real(c, 0), rest);
  uint32_t most = real(c, below_one);
  return choose(c, test(c, SpvOpFOrdGreaterThan, rest, most), most, rest);
}

static uint32_t modf_of(Call *c) {
  uint32_t x = c->x[0];
  c->out = glsl1(c, GLSLstd450Trunc, x);
  uint32_t infinite = test(c, SpvOpFOrdEqual, glsl1(c, GLSLstd450FAbs, x), real(c, INFINITY));
  uint32_t rest = choose(c, infinite, real(c, 0), op2(c, SpvOpFSub, x, c->out));
  return copysign_bits(c, rest, x);
}

/* The larger size times the root of one plus the square of the ratio: nothing overflows early. */
static uint32_t hypot_of(Call *c) {
  uint32_t a = glsl1(c, GLSLstd450FAbs, c->x[0]), b = glsl1(c, GLSLstd450FAbs, c->x[1]);
  uint32_t large = glsl2(c, GLSLstd450FMax, a, b), small = glsl2(c, GLSLstd450FMin, a, b);
  uint32_t infinity = real(c, INFINITY), zero = real(c, 0);
  uint32_t ratio = op2(c, SpvOpFDiv, small, large);
  uint32_t root = op2(c, SpvOpFAdd, op2(c, SpvOpFMul, ratio, ratio), real(c, 1));
  uint32_t value = op2(c, SpvOpFMul, large, glsl1(c, GLSLstd450Sqrt, root));
  value = choose(c, test(c, SpvOpFOrdEqual, large, zero), zero, value);
  value = choose(c, test(c, SpvOpFOrdEqual, a, infinity), infinity, value);
  return choose(c, test(c, SpvOpFOrdEqual, b, infinity), infinity, value);
}

static uint32_t magnitude(Call *c) {
  uint32_t x = c->x[0], y = c->x[1];
  bool larger = c->number == OpenCLstd_Maxmag;
  uint32_t a = glsl1(c, GLSLstd450FAbs, x), b = glsl1(c, GLSLstd450FAbs, y);
  SpvOp op = larger ? SpvOpFOrdGreaterThan : SpvOpFOrdLessThan;
  uint32_t both = glsl2(c, larger ? GLSLstd450NMax : GLSLstd450NMin, x, y);
  return choose(c, test(c, op, a, b), x, choose(c, test(c, op, b, a), y, both));
}

/* A power of |x|, with the sign that a whole exponent gives. */
static uint32_t power(Call *c) {
  uint32_t x = c->x[0], y = c->x[1], zero = real(c, 0), one = real(c, 1);
  if (c->number == OpenCLstd_Powr)
    return glsl2(c, GLSLstd450Pow, x, y);
  if (c->number == OpenCLstd_Pown)
    y = op1(c, SpvOpConvertSToF, y);
  uint32_t value = glsl2(c, GLSLstd450Pow, glsl1(c, GLSLstd450FAbs, x), y);
  uint32_t half = op2(c, SpvOpFMul, y, real(c, 0.5));
  uint32_t odd = test(c, SpvOpFOrdNotEqual, glsl1(c, GLSLstd450Trunc, half), half);
  uint32_t is_whole = test(c, SpvOpFOrdEqual, glsl1(c, GLSLstd450Trunc, y), y);
  uint32_t negative = choose(c, odd, op1(c, SpvOpFNegate, value), value);
  negative = choose(c, is_whole, negative, real(c, NAN));
  value = choose(c, test(c, SpvOpFOrdLessThan, x, zero), negative, value);
  value = choose(c, test(c, SpvOpFOrdEqual, x, one), one, value);
  return choose(c, test(c, SpvOpFOrdEqual, y, zero), one, value);
}

/* The root of |x|; of an odd degree, it has the sign of x. */
static uint32_t rootn_of(Call *c) {
  uint32_t n = op1(c, SpvOpConvertSToF, c->x[1]), x = c->x[0];
  uint32_t inverse = op2(c, SpvOpFDiv, real(c, 1), n);
  uint32_t value = glsl2(c, GLSLstd450Pow, glsl1(c, GLSLstd450FAbs, x), inverse);
  uint32_t half = op2(c, SpvOpFMul, n, real(c, 0.5));
  uint32_t odd = test(c, SpvOpFOrdNotEqual, glsl1(c, GLSLstd450Trunc, half), half);
  uint32_t negative = choose(c, odd, op1(c, SpvOpFNegate, value), real(c, NAN));
  return choose(c, test(c, SpvOpFOrdLessThan, x, real(c, 0)), negative, value);
}

static uint32_t cbrt_of(Call *c) {
  uint32_t x = c->x[0], size = glsl1(c, GLSLstd450FAbs, x);
  return copysign_bits(c, glsl2(c, GLSLstd450Pow, size, real(c, 1.0 / 3)), x);
}

/* Halves away from zero. */
static uint32_t round_of(Call *c) {
  uint32_t x = c->x[0], whole_part = glsl1(c, GLSLstd450Trunc, x);
  uint32_t rest = glsl1(c, GLSLstd450FAbs, op2(c, SpvOpFSub, x, whole_part));
  uint32_t up = copysign_bits(c, real(c, 1), x);
  uint32_t far = test(c, SpvOpFOrdGreaterThanEqual, rest, real(c, 0.5));
  return copysign_bits(c, choose(c, far, op2(c, SpvOpFAdd, whole_part, up), whole_part), x);
}

static uint32_t sincos_of(Call *c) {
  c->out = glsl1(c, GLSLstd450Cos, c->x[0]);
  return glsl1(c, GLSLstd450Sin, c->x[0]);
}

static uint32_t recip(Call *c) {
  return op2(c, SpvOpFDiv, real(c, 1), c->x[0]);
}

static uint32_t nan_of(Call *c) {
  return real(c, NAN);
}

/* The cross product of three components; a fourth is zero. */
static uint32_t cross_of(Call *c) {
  SrKernels *k = c->e->k;
  uint32_t scalar = sr_kernel_scalar_of(k->m, c->type), part[2][4], of = c->type;
  if (sr_kernel_components(k->m, c->type) == 3)
    return glsl2(c, GLSLstd450Cross, c->x[0], c->x[1]);
  c->type = sr_kernel_vector(k, scalar, 3);
  for (int i = 0; i < 2; i++) {
    for (uint32_t j = 0; j < 3; j++)
      part[i][j] = sr_emit_extract(c->e, scalar, c->x[i], j);
    part[i][0] = sr_emit(c->e, SpvOpCompositeConstruct, c->type, part[i], 3);
  }
  uint32_t product = glsl2(c, GLSLstd450Cross, part[0][0], part[1][0]);
  for (uint32_t j = 0; j < 3; j++)
    part[0][j] = sr_emit_extract(c->e, scalar, product, j);
  part[0][3] = sr_kernel_constant(k, scalar, 0);
  c->type = of;
  return sr_emit(c->e, SpvOpCompositeConstruct, of, part[0], 4);
}

/* ---- integers ---- */

static bool is_unsigned(const Call *c) {
  switch (c->number) {
  case OpenCLstd_UAdd_sat:
  case OpenCLstd_USub_sat:
  case OpenCLstd_UHadd:
  case OpenCLstd_URhadd:
  case OpenCLstd_UAbs_diff:
  case OpenCLstd_UMul_hi:
  case OpenCLstd_UMad_hi:
    return true;
  default:
    return false;
  }
}

static uint32_t abs_diff(Call *c) {
  SpvOp less = is_unsigned(c) ? SpvOpULessThan : SpvOpSLessThan;
  return choose(c, test(c, less, c->x[0], c->x[1]), op2(c, SpvOpISub, c->x[1], c->x[0]),
                op2(c, SpvOpISub, c->x[0], c->x[1]));
}

static uint32_t saturate(Call *c) {
  uint32_t a = c->x[0], b = c->x[1], bits = bits_of(c);
  bool adds = c->number == OpenCLstd_UAdd_sat || c->number == OpenCLstd_SAdd_sat;
  uint32_t sum = op2(c, adds ? SpvOpIAdd : SpvOpISub, a, b);
  if (is_unsigned(c))
    return adds ? choose(c, test(c, SpvOpULessThan, sum, a), whole(c, UINT64_MAX), sum)
                : choose(c, test(c, SpvOpULessThan, a, b), whole(c, 0), sum);
  /* It overflows if the sum's sign is neither that of a nor that of b (of -b). */
  uint32_t other = op2(c, SpvOpBitwiseXor, adds ? b : a, adds ? sum : b);
  uint32_t over = op2(c, SpvOpBitwiseAnd, op2(c, SpvOpBitwiseXor, a, sum), other);
  uint32_t sign = op2(c, SpvOpShiftRightArithmetic, a, whole(c, bits - 1));
  uint32_t most = op2(c, SpvOpBitwiseXor, sign, whole(c, (UINT64_C(1) << (bits - 1)) - 1));
  return choose(c, test(c, SpvOpSLessThan, over, whole(c, 0)), most, sum);
}

static uint32_t halving(Call *c) {
  uint32_t a = c->x[0], b = c->x[1];
  bool up = c->number == OpenCLstd_SRhadd || c->number == OpenCLstd_URhadd;
  uint32_t differ = op2(c, SpvOpBitwiseXor, a, b);
  uint32_t half = op2(c, is_unsigned(c) ? SpvOpShiftRightLogical : SpvOpShiftRightArithmetic,
                      differ, whole(c, 1));
  return up ? op2(c, SpvOpISub, op2(c, SpvOpBitwiseOr, a, b), half)
            : op2(c, SpvOpIAdd, op2(c, SpvOpBitwiseAnd, a, b), half);
}

/* The same call on 32 bits, for a type of less. */
static uint32_t widened(Call *c, uint32_t (*function)(Call *c), uint32_t *narrow) {
  SrKernels *k = c->e->k;
  *narrow = c->type;
  c->type = sr_kernel_vector(k, sr_kernel_int(k, 32), sr_kernel_components(k->m, *narrow));
  for (uint32_t i = 0; i < c->count; i++)
    c->x[i] = op1(c, SpvOpUConvert, c->x[i]);
  return function(c);
}

static uint32_t narrowed(Call *c, uint32_t id, uint32_t narrow) {
  c->type = narrow;
  return op1(c, SpvOpUConvert, id);
}

static uint32_t clz_of(Call *c) {
  uint32_t bits = bits_of(c), narrow;
  if (bits == 32)
    return op2(c, SpvOpISub, whole(c, 31), glsl1(c, GLSLstd450FindUMsb, c->x[0]));
  if (bits > 32)
    return 0;
  uint32_t wide = widened(c, clz_of, &narrow);
  return narrowed(c, op2(c, SpvOpISub, wide, whole(c, 32 - bits)), narrow);
}

static uint32_t ctz_of(Call *c) {
  uint32_t bits = bits_of(c), narrow;
  if (bits == 32)
    return choose(c, test(c, SpvOpIEqual, c->x[0], whole(c, 0)), whole(c, 32),
                  glsl1(c, GLSLstd450FindILsb, c->x[0]));
  if (bits > 32)
    return 0;
  uint32_t wide = widened(c, ctz_of, &narrow);
  return narrowed(c, glsl2(c, GLSLstd450UMin, wide, whole(c, bits)), narrow);
}

static uint32_t mul_hi(Call *c) {
  SrKernels *k = c->e->k;
  if (bits_of(c) != 32)
    return 0;
  uint32_t pair = sr_kernel_pair(k, c->type);
  uint32_t product = sr_emit(c->e, is_unsigned(c) ? SpvOpUMulExtended : SpvOpSMulExtended, pair,
                             SR_IDS(c->x[0], c->x[1]));
  uint32_t high = sr_emit_extract(c->e, c->type, product, 1);
  return c->count > 2 ? op2(c, SpvOpIAdd, high, c->x[2]) : high;
}

static uint32_t rotate_of(Call *c) {
  uint32_t mask = whole(c, bits_of(c) - 1);
  uint32_t left = op2(c, SpvOpBitwiseAnd, c->x[1], mask);
  uint32_t right = op2(c, SpvOpBitwiseAnd, op2(c, SpvOpISub, whole(c, 0), left), mask);
  return op2(c, SpvOpBitwiseOr, op2(c, SpvOpShiftLeftLogical, c->x[0], left),
             op2(c, SpvOpShiftRightLogical, c->x[0], right));
}

static uint32_t mad24(Call *c) {
  return op2(c, SpvOpIAdd, op2(c, SpvOpIMul, c->x[0], c->x[1]), c->x[2]);
}

static uint32_t uabs_of(Call *c) {
  return c->x[0];
}

/* ---- both ---- */

static uint32_t bitselect_of(Call *c) {
  uint32_t type = bits_type(c), x[3], of = c->type;
  for (int i = 0; i < 3; i++)
    x[i] = sr_emit_bitcast(c->e, type, c->x[i]);
  c->type = type;
  uint32_t differ = op2(c, SpvOpBitwiseXor, x[0], x[1]);
  uint32_t value = op2(c, SpvOpBitwiseXor, x[0], op2(c, SpvOpBitwiseAnd, differ, x[2]));
  c->type = of;
  return sr_emit_bitcast(c->e, of, value);
}

/* A scalar selects by not being zero, a vector by its sign bits. */
static uint32_t select_of(Call *c) {
  SrKernels *k = c->e->k;
  uint32_t type = sr_kernel_type_of(k->m, c->x[2]), zero = sr_kernel_constant(k, type, 0);
  bool scalar = sr_kernel_components(k->m, type) == 1;
  return choose(c, test(c, scalar ? SpvOpINotEqual : SpvOpSLessThan, c->x[2], zero), c->x[1],
                c->x[0]);
}

static uint32_t nothing(Call *c) {
  return c->type;
}

/* ---- code of math.def ---- */

/* A float of 32 bits, of one of 16. */
static uint32_t float_of(Call *c, uint32_t bits, uint32_t id) {
  SrKernels *k = c->e->k;
  uint32_t type = sr_kernel_type_of(k->m, id), components = sr_kernel_components(k->m, type);
  if (!sr_kernel_is_float(k->m, type) || sr_kernel_bits(k->m, type) == bits)
    return id;
  type = sr_kernel_vector(k, sr_kernel_float(k, bits), components);
  return sr_emit(c->e, SpvOpFConvert, type, &id, 1);
}

/* The function and, where it has a second result, the one for that. */
static uint32_t precise(Call *c, const char *name, const char *second) {
  SrKernels *k = c->e->k;
  uint32_t bits = sr_kernel_bits(k->m, sr_kernel_type_of(k->m, c->x[0])), x[4];
  SrMath *m = sr_kernel_math_begin(c->e, sr_kernel_components(k->m, c->type));
  for (uint32_t i = 0; i < c->count; i++)
    x[i] = float_of(c, 32, c->x[i]);
  uint32_t value = float_of(c, bits, sr_kernel_math_call(m, name, x, c->count));
  if (second)
    c->out = float_of(c, bits, sr_kernel_math_call(m, second, x, c->count));
  return value;
}

/* ---- the table ---- */

typedef struct Row {
  const char *name;
  uint32_t glsl;
  SpvOp op;
  uint32_t (*code)(Call *c);
  const char *precise, *second; /* in math.def; or NULL */
} Row;

static const Row rows[] = {
#define SR_GLSL(name, instruction)                                                                 \
  [OpenCLstd_##name] = {#name, GLSLstd450##instruction, SpvOpNop, NULL, NULL, NULL},
#define SR_OP(name, instruction)                                                                   \
  [OpenCLstd_##name] = {#name, 0, SpvOp##instruction, NULL, NULL, NULL},
#define SR_CODE(name, function) [OpenCLstd_##name] = {#name, 0, SpvOpNop, function, NULL, NULL},
#define SR_PRECISE_GLSL(name, function, instruction)                                               \
  [OpenCLstd_##name] = {#name, GLSLstd450##instruction, SpvOpNop, NULL, #function, NULL},
#define SR_PRECISE_OP(name, function, instruction)                                                 \
  [OpenCLstd_##name] = {#name, 0, SpvOp##instruction, NULL, #function, NULL},
#define SR_PRECISE_CODE(name, function, second, code)                                              \
  [OpenCLstd_##name] = {#name, 0, SpvOpNop, code, #function, second},
#define SR_PRECISE(name, function, second)                                                         \
  [OpenCLstd_##name] = {#name, 0, SpvOpNop, NULL, #function, second},
#define SR_MISSING(name) [OpenCLstd_##name] = {#name, 0, SpvOpNop, NULL, NULL, NULL},
#include "passes/transform/kernel/kernel_extended.def"
#undef SR_GLSL
#undef SR_OP
#undef SR_CODE
#undef SR_PRECISE_GLSL
#undef SR_PRECISE_OP
#undef SR_PRECISE_CODE
#undef SR_PRECISE
#undef SR_MISSING
};

static bool has_fast(const Row *row) {
  return row->glsl || row->op != SpvOpNop || row->code;
}

static uint32_t convert(Call *c, const Row *row) {
  const SrKernels *k = c->e->k;
  bool wide = sr_kernel_bits(k->m, sr_kernel_type_of(k->m, c->x[0])) == 64;
  if (row->precise && !wide && !(k->native && has_fast(row)))
    return precise(c, row->precise, row->second);
  if (row->code)
    return row->code(c);
  if (row->op != SpvOpNop)
    return sr_emit(c->e, row->op, c->type, c->x, c->count);
  return row->glsl ? glsl(c, row->glsl, c->x, c->count) : 0;
}

static SrStatus store_out(Call *c, SrRef r) {
  SrKernelAccess a = sr_kernel_memory_access(c->e->k, r);
  a.kind = SR_ACCESS_STORE;
  a.value = c->out;
  return sr_kernel_access_write(c->e, r, &a);
}

SrStatus sr_kernel_extended_write(SrEmit *e, SrRef r) {
  SrKernels *k = e->k;
  const SrModule *m = k->m;
  const uint32_t *w = sr_words(m, r);
  uint32_t result = sr_inst(m, r)->result;
  Call c = {.e = e, .number = w[4], .type = sr_inst(m, r)->type};
  const Row *row = w[4] < sizeof rows / sizeof *rows ? &rows[w[4]] : &rows[0];
  for (uint32_t i = 5; i < w[0] >> 16 && c.count < 4; i++)
    c.x[c.count++] = w[i];
  if (sr_kernel_memory_access(k, r).kind == SR_ACCESS_OUT)
    c.count--;
  e->result = 0;
  uint32_t value = convert(&c, row);
  if (!value || c.lacks)
    return sr_kernel_refuse(k, r, "there is no %s for %u bits in shaders yet",
                            row->name ? row->name : "function of this number", bits_of(&c));
  if (c.out)
    SR_CHECK(store_out(&c, r));
  e->result = result;
  sr_emit_is(e, value);
  return SR_OK;
}
