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

/* sin(pi x) and similar functions: x is reduced to [-1, 1] first, which is exact. */
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
  case OpenCLstd_UMad_sat:
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

/* The same type with numbers of a different width. */
static uint32_t of_width(const Call *c, uint32_t type, uint32_t bits) {
  SrKernels *k = c->e->k;
  return sr_kernel_vector(k, sr_kernel_int(k, bits), sr_kernel_components(k->m, type));
}

static uint32_t in_type(Call *c, uint32_t type, SpvOp op, uint32_t id) {
  return sr_emit(c->e, op, type, &id, 1);
}

/* Instructions that count bits have 32 of them: of fewer the number is extended, of 64 there are two
 * halves. */
typedef struct Halves {
  uint32_t type, low, high; /* the call's type; high: 0, or of 64 bits */
} Halves;

static Halves halves_of(Call *c) {
  uint32_t bits = bits_of(c), x = c->x[0];
  Halves h = {.type = c->type, .low = x};
  uint32_t of = of_width(c, c->type, 32);
  if (bits == 64)
    h.high = in_type(c, of, SpvOpUConvert, op2(c, SpvOpShiftRightLogical, x, whole(c, 32)));
  if (bits != 32)
    h.low = in_type(c, of, SpvOpUConvert, x);
  c->type = bits == 32 ? c->type : of;
  return h;
}

static uint32_t join(Call *c, const Halves *h, uint32_t count) {
  uint32_t from = c->type;
  c->type = h->type;
  return from == h->type ? count : op1(c, SpvOpUConvert, count);
}

static uint32_t leading(Call *c, uint32_t x) {
  return op2(c, SpvOpISub, whole(c, 31), glsl1(c, GLSLstd450FindUMsb, x));
}

static uint32_t clz_of(Call *c) {
  uint32_t bits = bits_of(c);
  Halves h = halves_of(c);
  uint32_t count = leading(c, h.low);
  if (bits < 32)
    count = op2(c, SpvOpISub, count, whole(c, 32 - bits));
  if (h.high)
    count = choose(c, test(c, SpvOpIEqual, h.high, whole(c, 0)),
                   op2(c, SpvOpIAdd, count, whole(c, 32)), leading(c, h.high));
  return join(c, &h, count);
}

/* Of zero `bits`; up to 32 of them count. */
static uint32_t trailing(Call *c, uint32_t x, uint32_t bits) {
  return choose(c, test(c, SpvOpIEqual, x, whole(c, 0)), whole(c, bits),
                glsl1(c, GLSLstd450FindILsb, x));
}

static uint32_t ctz_of(Call *c) {
  uint32_t bits = bits_of(c);
  Halves h = halves_of(c);
  uint32_t count = trailing(c, h.low, bits < 32 ? bits : 32);
  if (h.high)
    count = choose(c, test(c, SpvOpIEqual, h.low, whole(c, 0)),
                   op2(c, SpvOpIAdd, trailing(c, h.high, 32), whole(c, 32)), count);
  return join(c, &h, count);
}

static uint32_t popcount_of(Call *c) {
  Halves h = halves_of(c);
  uint32_t count = op1(c, SpvOpBitCount, h.low);
  if (h.high)
    count = op2(c, SpvOpIAdd, count, op1(c, SpvOpBitCount, h.high));
  return join(c, &h, count);
}

/* The product of fewer than 32 bits, in 32. */
static uint32_t wide_product(Call *c, uint32_t type) {
  SpvOp op = is_unsigned(c) ? SpvOpUConvert : SpvOpSConvert;
  uint32_t a = in_type(c, type, op, c->x[0]), b = in_type(c, type, op, c->x[1]);
  return sr_emit(c->e, SpvOpIMul, type, SR_IDS(a, b));
}

/* The high half of a product of 64 bits, from those of the halves of its factors. */
static uint32_t high_of_64(Call *c) {
  uint32_t n32 = whole(c, 32), mask = whole(c, UINT32_MAX), part[2][2], a = c->x[0], b = c->x[1];
  for (int i = 0; i < 2; i++) {
    part[i][0] = op2(c, SpvOpBitwiseAnd, c->x[i], mask);
    part[i][1] = op2(c, SpvOpShiftRightLogical, c->x[i], n32);
  }
  uint32_t low = op2(c, SpvOpIMul, part[0][0], part[1][0]);
  uint32_t one = op2(c, SpvOpIMul, part[0][0], part[1][1]);
  uint32_t other = op2(c, SpvOpIMul, part[0][1], part[1][0]);
  uint32_t middle = op2(c, SpvOpIAdd, op2(c, SpvOpShiftRightLogical, low, n32),
                        op2(c, SpvOpBitwiseAnd, one, mask));
  middle = op2(c, SpvOpIAdd, middle, op2(c, SpvOpBitwiseAnd, other, mask));
  uint32_t high = op2(c, SpvOpIMul, part[0][1], part[1][1]);
  high = op2(c, SpvOpIAdd, high, op2(c, SpvOpShiftRightLogical, one, n32));
  high = op2(c, SpvOpIAdd, high, op2(c, SpvOpShiftRightLogical, other, n32));
  high = op2(c, SpvOpIAdd, high, op2(c, SpvOpShiftRightLogical, middle, n32));
  if (is_unsigned(c))
    return high;
  uint32_t zero = whole(c, 0); /* a negative factor counts 2^64 too much */
  high = op2(c, SpvOpISub, high, choose(c, test(c, SpvOpSLessThan, a, zero), b, zero));
  return op2(c, SpvOpISub, high, choose(c, test(c, SpvOpSLessThan, b, zero), a, zero));
}

static uint32_t high_half(Call *c) {
  SrKernels *k = c->e->k;
  uint32_t bits = bits_of(c), wide = of_width(c, c->type, 32);
  if (bits == 64)
    return high_of_64(c);
  if (bits < 32)
    return op1(c, SpvOpUConvert,
               sr_emit(c->e, SpvOpShiftRightLogical, wide,
                       SR_IDS(wide_product(c, wide), sr_kernel_constant(k, wide, bits))));
  uint32_t pair = sr_kernel_pair(k, c->type);
  uint32_t product = sr_emit(c->e, is_unsigned(c) ? SpvOpUMulExtended : SpvOpSMulExtended, pair,
                             SR_IDS(c->x[0], c->x[1]));
  return sr_emit_extract(c->e, c->type, product, 1);
}

static uint32_t mul_hi(Call *c) {
  uint32_t high = high_half(c);
  return c->count > 2 ? op2(c, SpvOpIAdd, high, c->x[2]) : high;
}

/* a b + c, saturated to the type. For types of fewer than 32 bits, the sum is computed with 32. */
static uint32_t small_mad_sat(Call *c) {
  uint32_t bits = bits_of(c), narrow = c->type;
  c->type = of_width(c, narrow, 32);
  uint32_t product = wide_product(c, c->type);
  uint32_t sum =
      op2(c, SpvOpIAdd, product, op1(c, is_unsigned(c) ? SpvOpUConvert : SpvOpSConvert, c->x[2]));
  uint64_t most = (UINT64_C(1) << (is_unsigned(c) ? bits : bits - 1)) - 1;
  uint32_t value = is_unsigned(c) ? glsl2(c, GLSLstd450UMin, sum, whole(c, most))
                                  : glsl2(c, GLSLstd450SMin, sum, whole(c, most));
  if (!is_unsigned(c))
    value = glsl2(c, GLSLstd450SMax, value, whole(c, ~most));
  c->type = narrow;
  return op1(c, SpvOpUConvert, value);
}

/* The same from both halves of the product. */
static uint32_t mad_sat(Call *c) {
  uint32_t bits = bits_of(c), added = c->x[2];
  if (bits < 32)
    return small_mad_sat(c);
  uint32_t high = high_half(c), low = op2(c, SpvOpIMul, c->x[0], c->x[1]);
  uint32_t sum = op2(c, SpvOpIAdd, low, added), zero = whole(c, 0), all = whole(c, UINT64_MAX);
  uint32_t carry = choose(c, test(c, SpvOpULessThan, sum, added), whole(c, 1), zero);
  high = op2(c, SpvOpIAdd, high, carry);
  if (is_unsigned(c))
    return choose(c, test(c, SpvOpINotEqual, high, zero), all, sum);
  uint32_t shift = whole(c, bits - 1);
  high = op2(c, SpvOpIAdd, high, op2(c, SpvOpShiftRightArithmetic, added, shift));
  uint32_t fits = test(c, SpvOpIEqual, high, op2(c, SpvOpShiftRightArithmetic, sum, shift));
  uint32_t sign = op2(c, SpvOpShiftRightArithmetic, high, shift);
  uint32_t most = op2(c, SpvOpBitwiseXor, sign, whole(c, (UINT64_C(1) << (bits - 1)) - 1));
  return choose(c, fits, sum, most);
}

/* The bits of two numbers as one of twice their width. */
static uint32_t upsample(Call *c) {
  uint32_t high = op1(c, SpvOpUConvert, c->x[0]), low = op1(c, SpvOpUConvert, c->x[1]);
  high = op2(c, SpvOpShiftLeftLogical, high, whole(c, bits_of(c) / 2));
  return op2(c, SpvOpBitwiseOr, high, low);
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

/* Selects a component of one or two vectors by a number; only the low bits of the number count. */
static uint32_t shuffled(Call *c, uint32_t index) {
  SrKernels *k = c->e->k;
  uint32_t scalar = sr_kernel_scalar_of(k->m, c->type), u32 = sr_kernel_int(k, 32);
  uint32_t components = sr_kernel_components(k->m, sr_kernel_type_of(k->m, c->x[0]));
  uint32_t mask = sr_kernel_u32(k, components - 1), part[2];
  if (sr_kernel_bits(k->m, sr_kernel_type_of(k->m, index)) != 32)
    index = sr_emit(c->e, SpvOpUConvert, u32, &index, 1);
  uint32_t low = sr_emit(c->e, SpvOpBitwiseAnd, u32, SR_IDS(index, mask));
  for (uint32_t i = 0; i + 1 < c->count; i++)
    part[i] = sr_emit(c->e, SpvOpVectorExtractDynamic, scalar, SR_IDS(c->x[i], low));
  if (c->count < 3)
    return part[0];
  uint32_t bit = sr_emit(c->e, SpvOpBitwiseAnd, u32, SR_IDS(index, sr_kernel_u32(k, components)));
  uint32_t first = sr_emit(c->e, SpvOpIEqual, sr_kernel_bool(k), SR_IDS(bit, sr_kernel_u32(k, 0)));
  return sr_emit(c->e, SpvOpSelect, scalar, SR_IDS(first, part[0], part[1]));
}

static uint32_t shuffle_of(Call *c) {
  SrKernels *k = c->e->k;
  uint32_t mask = c->x[c->count - 1], type = sr_kernel_type_of(k->m, mask), part[4];
  uint32_t count = sr_kernel_components(k->m, c->type);
  for (uint32_t i = 0; i < count && i < 4; i++) /* others were refused (kernel_wide.h) */
    part[i] = shuffled(c, sr_emit_extract(c->e, sr_kernel_scalar_of(k->m, type), mask, i));
  return sr_emit(c->e, SpvOpCompositeConstruct, c->type, part, count);
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
  if (bits == 16 &&
      c->number == OpenCLstd_Nextafter) /* the next float is rounded to the same half */
    return 0;
  SrMath *m = sr_kernel_math_begin(c->e, sr_kernel_components(k->m, c->type));
  for (uint32_t i = 0; i < c->count; i++)
    x[i] = float_of(c, 32, c->x[i]);
  uint32_t value = float_of(c, bits, sr_kernel_math_call(m, name, x, c->count));
  if (second)
    c->out = float_of(c, bits, sr_kernel_math_call(m, second, x, c->count));
  return value;
}

/* ---- vectors ---- */

/* A vector in 32 bits, scaled so that its squares have a sum. */
typedef struct Scaled {
  uint32_t x, scaled;      /* as it is, and scaled */
  uint32_t most, sum;      /* the largest size of its components; the sum of the squares */
  uint32_t type, scalar;   /* of 32 bits */
  SrMath *component, *one; /* calls for each component, for one number */
} Scaled;

static uint32_t splat(Call *c, uint32_t type, uint32_t id) {
  uint32_t part[4] = {id, id, id, id}, count = sr_kernel_components(c->e->k->m, type);
  return count == 1 ? id : sr_emit(c->e, SpvOpCompositeConstruct, type, part, count);
}

static uint32_t largest_size(Call *c, const Scaled *v) {
  uint32_t size = sr_emit_glsl(c->e, GLSLstd450FAbs, v->type, &v->x, 1);
  uint32_t count = sr_kernel_components(c->e->k->m, v->type);
  uint32_t most = count == 1 ? size : sr_emit_extract(c->e, v->scalar, size, 0);
  for (uint32_t i = 1; i < count; i++)
    most = sr_emit_glsl(c->e, GLSLstd450NMax, v->scalar,
                        SR_IDS(most, sr_emit_extract(c->e, v->scalar, size, i)));
  return most;
}

static Scaled scale(Call *c, uint32_t x) {
  SrKernels *k = c->e->k;
  uint32_t count = sr_kernel_components(k->m, sr_kernel_type_of(k->m, x));
  Scaled v = {.x = float_of(c, 32, x), .scalar = sr_kernel_float(k, 32)};
  v.type = sr_kernel_vector(k, v.scalar, count);
  v.component = sr_kernel_math_begin(c->e, count);
  v.one = sr_kernel_math_begin(c->e, 1);
  v.most = largest_size(c, &v);
  v.scaled =
      sr_kernel_math_call(v.component, "scaled_component", SR_IDS(v.x, splat(c, v.type, v.most)));
  v.sum = sr_emit(c->e, count == 1 ? SpvOpFMul : SpvOpDot, v.scalar, SR_IDS(v.scaled, v.scaled));
  return v;
}

static uint32_t length_of(Call *c) {
  uint32_t x = c->x[0], of = sr_kernel_type_of(c->e->k->m, x);
  if (bits_of(c) == 64)
    return 0;
  if (c->count > 1)
    x = sr_emit(c->e, SpvOpFSub, of, SR_IDS(x, c->x[1]));
  Scaled v = scale(c, x);
  return float_of(c, bits_of(c),
                  sr_kernel_math_call(v.one, "length_of_sum", SR_IDS(v.sum, v.most)));
}

static uint32_t normalize_of(Call *c) {
  if (bits_of(c) == 64)
    return 0;
  Scaled v = scale(c, c->x[0]);
  uint32_t sum = splat(c, v.type, v.sum);
  return float_of(c, bits_of(c),
                  sr_kernel_math_call(v.component, "normal_component", SR_IDS(v.x, v.scaled, sum)));
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
#define SR_CODE_GLSL(name, function, instruction)                                                  \
  [OpenCLstd_##name] = {#name, GLSLstd450##instruction, SpvOpNop, function, NULL, NULL},
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
#undef SR_CODE_GLSL
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
  uint32_t value = row->code && !(k->native && row->glsl) ? row->code(c) : 0;
  if (value)
    return value;
  if (row->op != SpvOpNop)
    return sr_emit(c->e, row->op, c->type, c->x, c->count);
  return row->glsl ? glsl(c, row->glsl, c->x, c->count) : 0;
}

static void store_out(Call *c, SrRef r) {
  SrKernelAccess a = sr_kernel_memory_access(c->e->k, r);
  a.kind = SR_ACCESS_STORE;
  a.value = c->out;
  sr_kernel_access_write(c->e, &a);
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
  if (w[4] == OpenCLstd_Printf)
    return sr_kernel_refuse(k, r, "printf: a shader has no output for text");
  e->result = 0;
  uint32_t value = convert(&c, row);
  if (!value || c.lacks)
    return sr_kernel_refuse(k, r, "there is no %s for %u bits in shaders yet",
                            row->name ? row->name : "function of this number", bits_of(&c));
  if (c.out)
    store_out(&c, r);
  e->result = result;
  sr_emit_is(e, value);
  return SR_OK;
}
