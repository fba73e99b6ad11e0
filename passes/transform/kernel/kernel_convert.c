/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_convert: see kernel_convert.h. If a float is out of range, a shader's conversion has an
 * undefined value. Comparisons of the float make sure that this value is not used. */
#include "passes/transform/kernel/kernel_convert.h"

#include "passes/ir/decorations.h"

#include <spirv/unified1/GLSL.std.450.h>

/* A conversion from `from` to a different type. */
typedef struct Conversion {
  SrKernels *k;
  uint32_t from, type;     /* id of the value; type of the result */
  uint32_t of;             /* type of the value */
  uint32_t bits, of_bits;  /* of a component of either */
  uint32_t test;           /* type of a comparison of either */
  bool from_sign, to_sign; /* is the integer signed? */
} Conversion;

static uint32_t choose(SrEmit *e, const Conversion *c, SpvOp op, uint32_t a, uint32_t b,
                       uint32_t yes, uint32_t no) {
  uint32_t test = sr_emit(e, op, c->test, SR_IDS(a, b));
  return sr_emit(e, SpvOpSelect, sr_kernel_type_of(c->k->m, no), SR_IDS(test, yes, no));
}

/* ---- from floats ---- */

/* The power of two as a float of the type; infinity if it has none that large. */
static uint32_t power(SrKernels *k, uint32_t type, uint32_t exponent, bool negative) {
  uint32_t bits = sr_kernel_bits(k->m, type);
  uint64_t sign = negative ? UINT64_C(1) << (bits - 1) : 0;
  uint64_t value = bits == 16   ? (uint64_t)(exponent < 16 ? exponent + 15 : 31) << 10
                   : bits == 32 ? (uint64_t)(exponent + 127) << 23
                                : (uint64_t)(exponent + 1023) << 52;
  return sr_kernel_constant(k, type, value | sign);
}

/* The float that the conversion truncates: rounded as the decoration says. */
static uint32_t rounded(SrEmit *e, uint32_t id, uint32_t mode) {
  static const uint32_t glsl[] = {GLSLstd450RoundEven, 0, GLSLstd450Ceil, GLSLstd450Floor};
  if (mode >= sizeof glsl / sizeof *glsl || !glsl[mode])
    return id;
  return sr_emit_glsl(e, glsl[mode], sr_kernel_type_of(e->k->m, id), &id, 1);
}

static uint32_t saturate_float(SrEmit *e, const Conversion *c, SpvOp op, uint32_t value) {
  SrKernels *k = c->k;
  uint64_t most = UINT64_MAX >> (64 - c->bits + c->to_sign);
  uint32_t zero = sr_kernel_constant(k, c->type, 0), nothing = sr_kernel_constant(k, c->of, 0);
  uint32_t above = power(k, c->of, c->bits - c->to_sign, false);
  uint32_t result = sr_emit(e, op, c->type, &value, 1);
  result = choose(e, c, SpvOpFOrdGreaterThanEqual, value, above,
                  sr_kernel_constant(k, c->type, most), result);
  if (!c->to_sign)
    return choose(e, c, SpvOpFOrdGreaterThan, value, nothing, result, zero);
  result = choose(e, c, SpvOpFOrdLessThanEqual, value, power(k, c->of, c->bits - 1, true),
                  sr_kernel_constant(k, c->type, UINT64_C(1) << (c->bits - 1)), result);
  return choose(e, c, SpvOpFOrdEqual, value, value, result, zero);
}

/* ---- from integers ---- */

/* The nearest number that the result's type has. */
static uint32_t saturate_integer(SrEmit *e, const Conversion *c) {
  SrKernels *k = c->k;
  uint64_t most = UINT64_MAX >> (64 - c->bits + c->to_sign);
  bool from_sign = c->from_sign, to_sign = c->to_sign;
  uint32_t value = c->from;
  uint32_t least = sr_kernel_constant(k, c->of, to_sign ? ~most : 0);
  uint32_t largest = sr_kernel_constant(k, c->of, most);
  bool above = c->of_bits - from_sign > c->bits - to_sign;
  bool below = from_sign && (!to_sign || c->of_bits > c->bits);
  if (below)
    value = choose(e, c, SpvOpSLessThan, value, least, least, value);
  if (above)
    value = choose(e, c, from_sign ? SpvOpSGreaterThan : SpvOpUGreaterThan, value, largest, largest,
                   value);
  return value;
}

/* ---- the instructions ---- */

static Conversion read(SrKernels *k, SrRef r) {
  const SrModule *m = k->m;
  Conversion c = {.k = k, .from = sr_words(m, r)[3], .type = sr_inst(m, r)->type};
  uint16_t op = sr_inst(m, r)->op;
  c.of = sr_kernel_type_of(m, c.from);
  c.bits = sr_kernel_bits(m, c.type);
  c.of_bits = sr_kernel_bits(m, c.of);
  c.test = sr_kernel_vector(k, sr_kernel_bool(k), sr_kernel_components(m, c.type));
  c.from_sign = op == SpvOpSConvert || op == SpvOpSatConvertSToU;
  c.to_sign = op == SpvOpConvertFToS || op == SpvOpSConvert || op == SpvOpSatConvertUToS;
  return c;
}

static bool from_float(uint16_t op) {
  return op == SpvOpConvertFToS || op == SpvOpConvertFToU;
}

/* Ends with the conversion of an integer that the result's type has. */
static void finish_integer(SrEmit *e, const Conversion *c, uint32_t value, uint32_t result) {
  e->result = result;
  if (c->bits == c->of_bits)
    (void)sr_emit_is(e, value);
  else
    (void)sr_emit_last(e, c->from_sign && c->to_sign ? SpvOpSConvert : SpvOpUConvert, c->type,
                       &value, 1);
}

/* Does a conversion to a float round in a way that a shader's does not? */
static bool rounds_otherwise(const SrModule *m, SrRef r, uint32_t mode) {
  uint16_t op = sr_inst(m, r)->op;
  return mode != SpvFPRoundingModeRTE && op >= SpvOpConvertSToF && op <= SpvOpFConvert &&
         op != SpvOpUConvert && op != SpvOpSConvert;
}

SrStatus sr_kernel_convert(SrEmit *e, SrRef r, bool *done) {
  SrKernels *k = e->k;
  SrModule *m = k->m;
  const SrInst in = *sr_inst(m, r);
  uint32_t result = e->result, mode = SpvFPRoundingModeRTE;
  bool always = in.op == SpvOpSatConvertSToU || in.op == SpvOpSatConvertUToS;
  bool converts = always || (in.op >= SpvOpConvertFToU && in.op <= SpvOpFConvert);
  *done = false;
  if (!converts)
    return SR_OK;
  bool saturates = always || sr_is_decorated(m, in.result, SpvDecorationSaturatedConversion);
  bool has_mode = sr_decoration_value(m, in.result, SpvDecorationFPRoundingMode, &mode);
  if (has_mode && rounds_otherwise(m, r, mode))
    return sr_kernel_refuse(k, r, "a conversion to a float that does not round to nearest");
  if (!saturates && !(has_mode && from_float(in.op)))
    return SR_OK;
  *done = true;
  const Conversion c = read(k, r);
  e->result = 0;
  if (!from_float(in.op)) {
    finish_integer(e, &c, saturate_integer(e, &c), result);
    return SR_OK;
  }
  uint32_t value = has_mode ? rounded(e, c.from, mode) : c.from;
  if (saturates) {
    value = saturate_float(e, &c, (SpvOp)in.op, value);
    e->result = result;
    (void)sr_emit_is(e, value);
    return SR_OK;
  }
  e->result = result;
  (void)sr_emit_last(e, (SpvOp)in.op, in.type, &value, 1);
  return SR_OK;
}
