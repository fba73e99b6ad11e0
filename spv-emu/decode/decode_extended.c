/* SPDX-License-Identifier: Apache-2.0 */
/* decode_extended: see decode_extended.h. */
#include "spv-emu/decode/decode_extended.h"

#include <spirv/unified1/GLSL.std.450.h>

/* ---- operands -------------------------------------------------------------------------------- */

enum { FIRST_ARGUMENT = 2 }; /* the arguments follow the set and the number */

EmuParts emu_extended_parts(EmuSteps *s, uint32_t i) {
  return emu_parts(s, FIRST_ARGUMENT + i);
}

uint32_t emu_extended_id(EmuSteps *s, uint32_t i) {
  return emu_operand(s->d, s->r, FIRST_ARGUMENT + i);
}

/* ---- component by component ------------------------------------------------------------------ */

/* Scalar operands are used for every component of a vector. */
static uint32_t *each(EmuSteps *s, EmuHandler *run, EmuKind to, uint32_t arguments,
                      uint32_t *count) {
  EmuParts argument[3] = {{0}};
  *count = 1;
  for (uint32_t i = 0; i < arguments; i++) {
    argument[i] = emu_extended_parts(s, i);
    *count = argument[i].count > *count ? argument[i].count : *count;
  }
  uint32_t *result = emu_new_parts(s, *count);
  for (uint32_t k = 0; k < *count; k++) {
    uint32_t reg[3] = {EMU_NO_ROW, EMU_NO_ROW, EMU_NO_ROW};
    for (uint32_t i = 0; i < arguments; i++)
      reg[i] = emu_part(&argument[i], k);
    result[k] = emu_step(s, run, to, reg[0], reg[1], reg[2], 0);
  }
  return result;
}

bool emu_each_component(EmuSteps *s, EmuLookUp *look_up, uint32_t op) {
  uint32_t arguments = emu_operand_count(s->d, s->r) - FIRST_ARGUMENT, count;
  EmuKind to = emu_type_kind(s->d, sr_inst(emu_module(s->d), s->r)->type);
  EmuHandler *run = look_up(op, emu_extended_parts(s, 0).kind);
  uint32_t *result = each(s, run, to, arguments < 3 ? arguments : 3, &count);
  return emu_steps_end(s, result, count);
}

bool emu_with_exponent(EmuSteps *s, EmuLookUp *look_up, uint32_t op) {
  EmuParts value = emu_extended_parts(s, 0), exponent = emu_extended_parts(s, 1);
  EmuHandler *run = look_up(op, value.kind);
  uint32_t *result = emu_new_parts(s, value.count);
  for (uint32_t k = 0; k < value.count; k++) {
    uint32_t by =
        emu_step_convert(s, EMU_STEP_SATURATE_S, exponent.kind, EMU_U32, emu_part(&exponent, k));
    result[k] = emu_step(s, run, value.kind, value.at[k], by, EMU_NO_ROW, 0);
  }
  return emu_steps_end(s, result, value.count);
}

bool emu_store_second(EmuSteps *s, EmuHandler *first, EmuHandler *second, EmuKind kind,
                      uint32_t arguments) {
  EmuKind to = emu_extended_parts(s, 0).kind;
  uint32_t pointer = emu_extended_id(s, arguments), count;
  EmuKind pointee = emu_type_kind(s->d, emu_type(s->d, emu_type_of(s->d, pointer))->element);
  uint32_t *result = each(s, first, to, arguments, &count);
  uint32_t *stored = each(s, second, kind, arguments, &count);
  for (uint32_t k = 0; k < count; k++)
    stored[k] = emu_step_convert(s, SpvOpSConvert, kind, pointee, stored[k]);
  return emu_steps_end(s, result, count) && emu_store_registers(s->d, s->r, pointer, stored, count);
}

bool emu_refuse_extended(EmuSteps *s, uint32_t op) {
  return emu_refuse(s->d, s->r, "extended instruction %s (%u) is not supported", s->name, op);
}

/* ---- geometry -------------------------------------------------------------------------------- */

bool emu_extended_cross(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuParts a = emu_extended_parts(s, 0), b = emu_extended_parts(s, 1);
  uint32_t *result = emu_new_parts(s, a.count);
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
    uint32_t less = emu_step_alu(s, SpvOpFMul, a.kind, a.at[k], b.at[j], EMU_NO_ROW);
    result[i] = emu_step_alu(s, EMU_STEP_MUL_SUB, a.kind, a.at[j], b.at[k], less);
  }
  if (a.count == 4) /* OpenCL: the fourth component is 0 */
    result[3] = emu_real(s, a.kind, 0);
  return emu_steps_end(s, result, a.count);
}

uint32_t *emu_difference(EmuSteps *s, const EmuParts *a, const EmuParts *b) {
  uint32_t *result = emu_new_parts(s, a->count);
  for (uint32_t i = 0; i < a->count; i++)
    result[i] = emu_step_alu(s, SpvOpFSub, a->kind, a->at[i], b->at[i], EMU_NO_ROW);
  return result;
}

uint32_t emu_length(EmuSteps *s, const EmuParts *a) {
  if (a->count == 1)
    return emu_step_glsl(s, GLSLstd450FAbs, a->kind, a->at[0], EMU_NO_ROW, EMU_NO_ROW);
  uint32_t squares = emu_step_products(s, a->kind, a->at, 1, a->at, 1, a->count);
  return emu_step_glsl(s, GLSLstd450Sqrt, a->kind, squares, EMU_NO_ROW, EMU_NO_ROW);
}
