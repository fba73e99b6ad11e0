/* SPDX-License-Identifier: Apache-2.0 */
/* decode_step: see decode_step.h. */
#include "spv-emu/decode/decode_step.h"
#include "spv-emu/engine/half.h"

/* ---- operands and results -------------------------------------------------------------------- */

EmuParts emu_parts(EmuSteps *s, uint32_t i) {
  EmuParts parts;
  uint32_t id = emu_operand(s->d, s->r, i);
  parts.kind = emu_type_kind(s->d, emu_type_of(s->d, id));
  parts.at = emu_use(s->d, id, &parts.count);
  return parts;
}

uint32_t *emu_new_parts(EmuSteps *s, uint32_t count) {
  return SR_NEW_RAW(emu_scratch(s->d), uint32_t, count);
}

bool emu_steps_ok(EmuSteps *s) {
  if (!s->missing)
    return true;
  bool core = s->name == NULL;
  return emu_refuse(s->d, s->r, "%s%s not supported on operands of this type",
                    core ? "it is" : s->name, core ? "" : " is");
}

bool emu_steps_end(EmuSteps *s, const uint32_t *parts, uint32_t count) {
  if (!emu_steps_ok(s))
    return false;
  emu_alias(s->d, s->r, parts, count);
  return true;
}

/* ---- steps of one handler -------------------------------------------------------------------- */

uint32_t emu_step(EmuSteps *s, EmuHandler *run, EmuKind kind, uint32_t a, uint32_t b, uint32_t c,
                  uint32_t x) {
  uint32_t to = emu_temp(s->d, kind);
  if (run)
    emu_emit_x(s->d, run, to, a, b, c, x);
  else
    s->missing = true;
  return to;
}

uint32_t emu_step_alu(EmuSteps *s, uint32_t op, EmuKind kind, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t to = emu_step(s, s->d->isa->alu((SpvOp)op, kind), kind, a, b, c, 0);
  if (!s->missing && op < EMU_STEP_FIRST) {
    SR_LAST(&s->d->emitted).op = (uint16_t)op;
    SR_LAST(&s->d->emitted).kind = (uint8_t)kind;
  }
  return to;
}

uint32_t emu_step_test(EmuSteps *s, uint32_t op, EmuKind kind, uint32_t a, uint32_t b) {
  uint32_t to = emu_step(s, s->d->isa->alu((SpvOp)op, kind), EMU_BOOL, a, b, EMU_NO_ROW, 0);
  if (!s->missing)
    SR_LAST(&s->d->emitted).compares = op >= SpvOpIEqual && op <= SpvOpFUnordGreaterThanEqual;
  return to;
}

uint32_t emu_step_glsl(EmuSteps *s, uint32_t op, EmuKind kind, uint32_t a, uint32_t b, uint32_t c) {
  return emu_step(s, s->d->isa->glsl(op, kind), kind, a, b, c, 0);
}

uint32_t emu_step_opencl(EmuSteps *s, uint32_t op, EmuKind kind, uint32_t a, uint32_t b,
                         uint32_t c) {
  return emu_step(s, s->d->isa->opencl(op, kind), kind, a, b, c, 0);
}

uint32_t emu_step_convert(EmuSteps *s, uint32_t op, EmuKind from, EmuKind to, uint32_t a) {
  if (from == to)
    return a;
  EmuHandler *run = s->d->isa->convert((SpvOp)op, from, to);
  return emu_step(s, run, to, a, EMU_NO_ROW, EMU_NO_ROW, 0);
}

/* ---- steps of several handlers --------------------------------------------------------------- */

uint32_t emu_step_choose(EmuSteps *s, EmuKind kind, const uint32_t *parts, uint32_t count,
                         uint32_t index, uint32_t none) {
  EmuHandler *take = s->d->isa->alu((SpvOp)EMU_STEP_TAKE, kind);
  uint32_t chosen = none;
  for (uint32_t i = 0; i < count; i++)
    chosen = emu_step(s, take, kind, parts[i], index, chosen, i);
  return chosen;
}

uint32_t emu_step_products(EmuSteps *s, EmuKind kind, const uint32_t *a, uint32_t step_a,
                           const uint32_t *b, uint32_t step_b, uint32_t count) {
  SpvOp multiply = kind >= EMU_F16 ? SpvOpFMul : SpvOpIMul;
  uint32_t sum = emu_step_alu(s, multiply, kind, a[0], b[0], EMU_NO_ROW);
  for (size_t i = 1; i < count; i++)
    sum = emu_step_alu(s, EMU_STEP_MUL_ADD, kind, a[i * step_a], b[i * step_b], sum);
  return sum;
}

void emu_step_reshape(EmuSteps *s, const EmuParts *from, EmuKind kind, uint32_t *parts,
                      uint32_t count) {
  uint32_t had = 8 * emu_kind_bytes(from->kind), wanted = 8 * emu_kind_bytes(kind);
  EmuKind a = emu_integer_kind(from->kind), b = emu_integer_kind(kind);
  EmuHandler *cut = s->d->isa->convert((SpvOp)EMU_STEP_PART, a, b);
  EmuHandler *join = s->d->isa->convert((SpvOp)EMU_STEP_JOIN, a, b);
  EmuHandler *widen = s->d->isa->convert(SpvOpUConvert, a, b);
  if ((uint64_t)had * from->count != (uint64_t)wanted * count) {
    s->missing = true;
    return;
  }
  for (uint32_t i = 0; i < count; i++)
    if (had == wanted) {
      parts[i] = from->at[i];
    } else if (had > wanted) {
      uint32_t bit = i * wanted;
      parts[i] = emu_step(s, cut, kind, from->at[bit / had], EMU_NO_ROW, EMU_NO_ROW, bit % had);
    } else {
      const uint32_t *piece = &from->at[(size_t)i * (wanted / had)];
      parts[i] = emu_step(s, widen, kind, piece[0], EMU_NO_ROW, EMU_NO_ROW, 0);
      for (uint32_t k = 1; k < wanted / had; k++)
        parts[i] = emu_step(s, join, kind, piece[k], parts[i], EMU_NO_ROW, k * had);
    }
}

uint32_t emu_step_index(EmuSteps *s, EmuKind kind, uint32_t a) {
  return emu_step_convert(s, EMU_STEP_SATURATE_U, kind, EMU_U32, a);
}

/* ---- constants ------------------------------------------------------------------------------- */

uint32_t emu_real(EmuSteps *s, EmuKind kind, double value) {
  float single = (float)value;
  uint64_t bits = 0;
  if (kind == EMU_F16)
    bits = emu_half_from_float(single);
  else if (kind == EMU_F32)
    memcpy(&bits, &single, sizeof single);
  else
    memcpy(&bits, &value, sizeof value);
  return emu_bits(s->d, kind, bits);
}
