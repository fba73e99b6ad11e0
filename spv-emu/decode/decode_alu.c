/* SPDX-License-Identifier: Apache-2.0 */
/* decode_alu: instructions of the SPIR-V core that compute: arithmetic, logic, comparisons, bits
 * and conversions here, composites and matrices in decode_composite.c and decode_linear.c.
 * SPIR-V 1.6, sections 3.49.11 to 3.49.15. */
#include "passes/ir/decorations.h"
#include "spv-emu/decode/decode_step.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/OpenCL.std.h>

/* ---- component by component ------------------------------------------------------------------ */

static bool is_component_wise(SpvOp op) {
  switch (op) {
  case SpvOpSNegate:
  case SpvOpFNegate:
  case SpvOpNot:
  case SpvOpBitReverse:
  case SpvOpIsNan:
  case SpvOpIsInf:
  case SpvOpIsFinite:
  case SpvOpIsNormal:
  case SpvOpSignBitSet:
  case SpvOpLessOrGreater:
  case SpvOpOrdered:
  case SpvOpUnordered:
    return true;
  default:
    return (op >= SpvOpIAdd && op <= SpvOpFMod) ||
           (op >= SpvOpLogicalEqual && op <= SpvOpLogicalNot) ||
           (op >= SpvOpIEqual && op <= SpvOpFUnordGreaterThanEqual) ||
           (op >= SpvOpBitwiseOr && op <= SpvOpBitwiseAnd);
  }
}

/* All operands are of one kind; comparisons give booleans. */
static bool component_wise(EmuSteps *s, SpvOp op) {
  EmuParts operand[2] = {{0}};
  uint32_t operands = emu_operand_count(s->d, s->r);
  for (uint32_t i = 0; i < 2 && i < operands; i++)
    operand[i] = emu_parts(s, i);
  EmuKind kind = operand[0].kind, to = emu_type_kind(s->d, sr_inst(s->d->m, s->r)->type);
  uint32_t *result = emu_new_parts(s, operand[0].count);
  for (uint32_t i = 0; i < operand[0].count; i++) {
    uint32_t a = operand[0].at[i], b = operands > 1 ? emu_part(&operand[1], i) : EMU_NO_ROW;
    result[i] =
        to == kind ? emu_step_alu(s, op, kind, a, b, EMU_NO_ROW) : emu_step_test(s, op, kind, a, b);
  }
  return emu_steps_end(s, result, operand[0].count);
}

/* Shift amounts may have a width other than that of the base. */
static bool shift(EmuSteps *s, SpvOp op) {
  EmuParts base = emu_parts(s, 0), by = emu_parts(s, 1);
  uint32_t *result = emu_new_parts(s, base.count);
  for (uint32_t i = 0; i < base.count; i++) {
    uint32_t amount = emu_step_convert(s, SpvOpUConvert, by.kind, base.kind, emu_part(&by, i));
    result[i] = emu_step_alu(s, op, base.kind, base.at[i], amount, EMU_NO_ROW);
  }
  return emu_steps_end(s, result, base.count);
}

/* ---- OpAny and OpAll, OpSelect --------------------------------------------------------------- */

static bool reduce(EmuSteps *s, SpvOp op) {
  EmuParts operand = emu_parts(s, 0);
  uint32_t result = operand.at[0];
  for (uint32_t i = 1; i < operand.count; i++)
    result = emu_step_alu(s, op, EMU_BOOL, result, operand.at[i], EMU_NO_ROW);
  return emu_steps_end(s, &result, 1);
}

typedef struct Kinds {
  uint8_t *at;
} Kinds;

static void add_kind(void *user, uint64_t offset, EmuKind kind) {
  (void)offset;
  *((Kinds *)user)->at++ = (uint8_t)kind;
}

/* The objects may be composites of several kinds. */
static bool select_parts(EmuSteps *s) {
  EmuParts condition = emu_parts(s, 0), yes = emu_parts(s, 1), no = emu_parts(s, 2);
  uint8_t *kinds = SR_NEW(emu_scratch(s->d), uint8_t, yes.count);
  emu_type_leaves(s->d, sr_inst(s->d->m, s->r)->type, true, (EmuMatrix){0}, 0, add_kind,
                  &(Kinds){kinds});
  uint32_t *result = emu_new_parts(s, yes.count);
  for (uint32_t i = 0; i < yes.count; i++)
    result[i] = emu_step_alu(s, SpvOpSelect, (EmuKind)kinds[i], emu_part(&condition, i), yes.at[i],
                             no.at[i]);
  return emu_steps_end(s, result, yes.count);
}

/* ---- instructions with two results ----------------------------------------------------------- */

/* The result is a struct: the low or plain result, then the carry or high part. */
static bool with_carry(EmuSteps *s, SpvOp low) {
  EmuParts a = emu_parts(s, 0), b = emu_parts(s, 1);
  uint32_t *result = emu_new_parts(s, 2 * a.count);
  uint32_t high = low == SpvOpIAdd ? EMU_STEP_CARRY : EMU_STEP_BORROW;
  for (uint32_t i = 0; i < a.count; i++) {
    result[i] = emu_step_alu(s, low, a.kind, a.at[i], b.at[i], EMU_NO_ROW);
    result[a.count + i] = emu_step_alu(s, high, a.kind, a.at[i], b.at[i], EMU_NO_ROW);
  }
  return emu_steps_end(s, result, 2 * a.count);
}

static bool extended_product(EmuSteps *s, uint32_t high) {
  EmuParts a = emu_parts(s, 0), b = emu_parts(s, 1);
  uint32_t *result = emu_new_parts(s, 2 * a.count);
  for (uint32_t i = 0; i < a.count; i++) {
    result[i] = emu_step_alu(s, SpvOpIMul, a.kind, a.at[i], b.at[i], EMU_NO_ROW);
    result[a.count + i] = emu_step_opencl(s, high, a.kind, a.at[i], b.at[i], EMU_NO_ROW);
  }
  return emu_steps_end(s, result, 2 * a.count);
}

/* ---- bit fields ------------------------------------------------------------------------------ */

/* Operand i, an offset or a count, whose width may differ from that of the base. */
static uint32_t bit_number(EmuSteps *s, uint32_t i, EmuKind kind) {
  EmuParts number = emu_parts(s, i);
  return emu_step_convert(s, EMU_STEP_SATURATE_U, number.kind, kind, number.at[0]);
}

static bool bit_extract(EmuSteps *s, SpvOp op) {
  EmuParts base = emu_parts(s, 0);
  uint32_t offset = bit_number(s, 1, base.kind), count = bit_number(s, 2, base.kind);
  uint32_t *result = emu_new_parts(s, base.count);
  for (uint32_t i = 0; i < base.count; i++)
    result[i] = emu_step_alu(s, op, base.kind, base.at[i], offset, count);
  return emu_steps_end(s, result, base.count);
}

static bool bit_insert(EmuSteps *s) {
  EmuParts base = emu_parts(s, 0), field = emu_parts(s, 1);
  uint32_t offset = bit_number(s, 2, base.kind), count = bit_number(s, 3, base.kind);
  uint32_t mask = emu_step_alu(s, EMU_STEP_BIT_MASK, base.kind, offset, count, EMU_NO_ROW);
  uint32_t *result = emu_new_parts(s, base.count);
  for (uint32_t i = 0; i < base.count; i++) {
    uint32_t moved =
        emu_step_alu(s, SpvOpShiftLeftLogical, base.kind, field.at[i], offset, EMU_NO_ROW);
    result[i] = emu_step_opencl(s, OpenCLstd_Bitselect, base.kind, base.at[i], moved, mask);
  }
  return emu_steps_end(s, result, base.count);
}

static bool bit_count(EmuSteps *s) {
  EmuParts base = emu_parts(s, 0);
  EmuKind to = emu_type_kind(s->d, sr_inst(s->d->m, s->r)->type);
  uint32_t *result = emu_new_parts(s, base.count);
  for (uint32_t i = 0; i < base.count; i++) {
    uint32_t count = emu_step_alu(s, SpvOpBitCount, base.kind, base.at[i], EMU_NO_ROW, EMU_NO_ROW);
    result[i] = emu_step_convert(s, SpvOpUConvert, base.kind, to, count);
  }
  return emu_steps_end(s, result, base.count);
}

/* ---- conversions ----------------------------------------------------------------------------- */

/* A conversion with the decorations SaturatedConversion and FPRoundingMode: the step to use
 * instead, and the rounding to an integer before it (0: none). */
typedef struct Conversion {
  uint32_t op, before;
} Conversion;

static bool rounded(EmuSteps *s, SpvOp op, uint32_t mode, Conversion *c) {
  static const uint32_t to_float[] = {SpvOpFConvert, EMU_STEP_TOWARD_ZERO, EMU_STEP_UP,
                                      EMU_STEP_DOWN};
  static const uint32_t from_unsigned[] = {SpvOpConvertUToF, EMU_STEP_TOWARD_ZERO, EMU_STEP_UP,
                                           EMU_STEP_DOWN};
  static const uint32_t from_signed[] = {SpvOpConvertSToF, EMU_STEP_S_TOWARD_ZERO, EMU_STEP_S_UP,
                                         EMU_STEP_S_DOWN};
  static const uint32_t to_integer[] = {GLSLstd450RoundEven, 0, GLSLstd450Ceil, GLSLstd450Floor};
  if (op == SpvOpFConvert && mode < 4)
    c->op = to_float[mode];
  else if (op == SpvOpConvertUToF && mode < 4)
    c->op = from_unsigned[mode];
  else if (op == SpvOpConvertSToF && mode < 4)
    c->op = from_signed[mode];
  else if ((op == SpvOpConvertFToU || op == SpvOpConvertFToS) && mode < 4)
    c->before = to_integer[mode];
  else if (mode != SpvFPRoundingModeRTE)
    return emu_refuse(
        s->d, s->r, "FPRoundingMode %u is not supported on this conversion: remove the decoration",
        mode);
  return true;
}

static bool convert(EmuSteps *s, SpvOp op) {
  EmuParts from = emu_parts(s, 0);
  const SrInst *in = sr_inst(s->d->m, s->r);
  EmuKind to = emu_type_kind(s->d, in->type);
  Conversion c = {op, 0};
  uint32_t mode;
  if (sr_decoration_value(s->d->m, in->result, SpvDecorationFPRoundingMode, &mode) &&
      !rounded(s, op, mode, &c))
    return false;
  if (sr_is_decorated(s->d->m, in->result, SpvDecorationSaturatedConversion))
    c.op = op == SpvOpUConvert   ? (uint32_t)EMU_STEP_SATURATE_U
           : op == SpvOpSConvert ? (uint32_t)EMU_STEP_SATURATE_S
                                 : c.op;
  EmuHandler *run = s->d->isa->convert((SpvOp)c.op, from.kind, to);
  if (!run && from.kind == to)
    run = s->d->isa->move[emu_kind_bytes(to)];
  uint32_t *result = emu_new_parts(s, from.count);
  for (uint32_t i = 0; i < from.count; i++) {
    uint32_t value = from.at[i];
    if (c.before)
      value = emu_step_glsl(s, c.before, from.kind, value, EMU_NO_ROW, EMU_NO_ROW);
    result[i] = emu_step(s, run, to, value, EMU_NO_ROW, EMU_NO_ROW, 0);
  }
  return emu_steps_end(s, result, from.count);
}

static bool bitcast(EmuSteps *s) {
  EmuParts from = emu_parts(s, 0);
  uint32_t type = sr_inst(s->d->m, s->r)->type, count = emu_type_components(s->d, type);
  uint32_t *result = emu_new_parts(s, count);
  emu_step_reshape(s, &from, emu_type_kind(s->d, type), result, count);
  return emu_steps_end(s, result, count);
}

/* ---- the opcodes ----------------------------------------------------------------------------- */

static bool compute(EmuSteps *s, SpvOp op, bool *mine) {
  if (is_component_wise(op))
    return component_wise(s, op);
  switch (op) {
  case SpvOpShiftLeftLogical:
  case SpvOpShiftRightLogical:
  case SpvOpShiftRightArithmetic:
    return shift(s, op);
  case SpvOpAny:
    return reduce(s, SpvOpLogicalOr);
  case SpvOpAll:
    return reduce(s, SpvOpLogicalAnd);
  case SpvOpSelect:
    return select_parts(s);
  case SpvOpIAddCarry:
    return with_carry(s, SpvOpIAdd);
  case SpvOpISubBorrow:
    return with_carry(s, SpvOpISub);
  case SpvOpUMulExtended:
    return extended_product(s, OpenCLstd_UMul_hi);
  case SpvOpSMulExtended:
    return extended_product(s, OpenCLstd_SMul_hi);
  case SpvOpBitFieldInsert:
    return bit_insert(s);
  case SpvOpBitFieldSExtract:
  case SpvOpBitFieldUExtract:
    return bit_extract(s, op);
  case SpvOpBitCount:
    return bit_count(s);
  case SpvOpConvertFToU:
  case SpvOpConvertFToS:
  case SpvOpConvertSToF:
  case SpvOpConvertUToF:
  case SpvOpUConvert:
  case SpvOpSConvert:
  case SpvOpFConvert:
  case SpvOpSatConvertSToU:
  case SpvOpSatConvertUToS:
    return convert(s, op);
  case SpvOpQuantizeToF16:
    return convert(s, (SpvOp)EMU_STEP_QUANTIZE);
  case SpvOpBitcast:
    return bitcast(s);
  default:
    *mine = false;
    return true;
  }
}

bool emu_decode_alu(EmuDecode *d, SrRef r, bool *mine) {
  static bool (*const families[])(EmuSteps *, SpvOp, bool *) = {compute, emu_decode_composite,
                                                                emu_decode_linear};
  EmuSteps s = {.d = d, .r = r};
  for (uint32_t i = 0; i < sizeof families / sizeof *families; i++) {
    *mine = true;
    if (!families[i](&s, (SpvOp)sr_inst(emu_module(d), r)->op, mine))
      return false;
    if (*mine)
      return true;
  }
  return true;
}
