/* SPDX-License-Identifier: Apache-2.0 */
/* decode_linear: products of vectors and matrices. Sums start with the first product; each product
 * and each sum is rounded. Matrices are stored by column. SPIR-V 1.6, section 3.49.13; Vulkan,
 * Precision and Operation of SPIR-V Instructions (dot products are sums of products). */
#include "spv-emu/decode/decode_step.h"

#include <spirv/unified1/OpenCL.std.h>

/* ---- floats ---------------------------------------------------------------------------------- */

static bool dot(EmuSteps *s) {
  EmuParts a = emu_parts(s, 0), b = emu_parts(s, 1);
  uint32_t result = emu_step_products(s, a.kind, a.at, 1, b.at, 1, a.count);
  return emu_steps_end(s, &result, 1);
}

static bool times_scalar(EmuSteps *s) {
  EmuParts whole = emu_parts(s, 0), scalar = emu_parts(s, 1);
  uint32_t *result = emu_new_parts(s, whole.count);
  for (uint32_t i = 0; i < whole.count; i++)
    result[i] = emu_step_alu(s, SpvOpFMul, whole.kind, whole.at[i], scalar.at[0], EMU_NO_ROW);
  return emu_steps_end(s, result, whole.count);
}

static bool outer_product(EmuSteps *s) {
  EmuParts column = emu_parts(s, 0), row = emu_parts(s, 1);
  uint32_t *result = emu_new_parts(s, column.count * row.count);
  for (uint32_t c = 0; c < row.count; c++)
    for (uint32_t r = 0; r < column.count; r++)
      result[c * column.count + r] =
          emu_step_alu(s, SpvOpFMul, column.kind, column.at[r], row.at[c], EMU_NO_ROW);
  return emu_steps_end(s, result, column.count * row.count);
}

/* Operand 0 has `rows` rows, operand 1 has `columns` columns, and `inner` is their common
 * dimension; a vector has one row, or one column. */
static bool product(EmuSteps *s, uint32_t rows, uint32_t inner, uint32_t columns) {
  EmuParts a = emu_parts(s, 0), b = emu_parts(s, 1);
  uint32_t *result = emu_new_parts(s, rows * columns);
  for (uint32_t c = 0; c < columns; c++)
    for (uint32_t r = 0; r < rows; r++)
      result[c * rows + r] =
          emu_step_products(s, a.kind, a.at + r, rows, b.at + (size_t)c * inner, 1, inner);
  return emu_steps_end(s, result, rows * columns);
}

static uint32_t components(EmuSteps *s, uint32_t i) {
  return emu_type_components(s->d, emu_type_of(s->d, emu_operand(s->d, s->r, i)));
}

static uint32_t columns_of(EmuSteps *s, uint32_t i) {
  return emu_type(s->d, emu_type_of(s->d, emu_operand(s->d, s->r, i)))->count;
}

/* ---- integers -------------------------------------------------------------------------------- */

/* An operand of an integer dot product as components of the result's kind. */
static const uint32_t *widened(EmuSteps *s, uint32_t i, bool is_signed, EmuKind to,
                               uint32_t *count) {
  EmuParts from = emu_parts(s, i);
  *count = from.count == 1 ? 4 : from.count; /* a single register holds four packed bytes */
  uint32_t *parts = emu_new_parts(s, *count);
  memcpy(parts, from.at, from.count * sizeof *parts);
  if (from.count == 1)
    emu_step_reshape(s, &from, EMU_U8, parts, 4);
  EmuKind kind = from.count == 1 ? EMU_U8 : from.kind;
  for (uint32_t k = 0; k < *count; k++)
    parts[k] = emu_step_convert(s, is_signed ? SpvOpSConvert : SpvOpUConvert, kind, to, parts[k]);
  return parts;
}

/* The operands must be vectors of one length and width, or 32 bits that hold four bytes each;
 * SPIRV-Tools' validator does not check this. */
static bool take_operands(EmuSteps *s) {
  EmuParts a = emu_parts(s, 0), b = emu_parts(s, 1);
  uint32_t bytes = emu_kind_bytes(a.kind);
  if (a.count == b.count && bytes == emu_kind_bytes(b.kind) && (a.count > 1 || bytes == 4))
    return true;
  return emu_refuse(s->d, s->r,
                    "the operands are not two vectors of one length and width, or two packed ones");
}

/* Computed modulo the result's width. The accumulator of the saturating forms is operand 2. */
static bool integer_dot(EmuSteps *s, bool a_signed, bool b_signed, bool accumulate) {
  EmuKind to = emu_type_kind(s->d, sr_inst(emu_module(s->d), s->r)->type);
  uint32_t count;
  if (!take_operands(s))
    return false;
  const uint32_t *a = widened(s, 0, a_signed, to, &count);
  const uint32_t *b = widened(s, 1, b_signed, to, &count);
  uint32_t result = emu_step_products(s, to, a, 1, b, 1, count);
  if (accumulate) {
    EmuParts sum = emu_parts(s, 2);
    uint32_t add = a_signed ? OpenCLstd_SAdd_sat : OpenCLstd_UAdd_sat;
    result = emu_step_opencl(s, add, to, result, sum.at[0], EMU_NO_ROW);
  }
  return emu_steps_end(s, &result, 1);
}

/* ---- the opcodes ----------------------------------------------------------------------------- */

bool emu_decode_linear(EmuSteps *s, SpvOp op, bool *mine) {
  switch (op) {
  case SpvOpDot:
    return dot(s);
  case SpvOpVectorTimesScalar:
  case SpvOpMatrixTimesScalar:
    return times_scalar(s);
  case SpvOpOuterProduct:
    return outer_product(s);
  case SpvOpVectorTimesMatrix:
    return product(s, 1, components(s, 0), columns_of(s, 1));
  case SpvOpMatrixTimesVector:
    return product(s, components(s, 0) / columns_of(s, 0), columns_of(s, 0), 1);
  case SpvOpMatrixTimesMatrix:
    return product(s, components(s, 0) / columns_of(s, 0), columns_of(s, 0), columns_of(s, 1));
  case SpvOpSDot:
    return integer_dot(s, true, true, false);
  case SpvOpUDot:
    return integer_dot(s, false, false, false);
  case SpvOpSUDot:
    return integer_dot(s, true, false, false);
  case SpvOpSDotAccSat:
    return integer_dot(s, true, true, true);
  case SpvOpUDotAccSat:
    return integer_dot(s, false, false, true);
  case SpvOpSUDotAccSat:
    return integer_dot(s, true, false, true);
  default:
    *mine = false;
    return true;
  }
}
