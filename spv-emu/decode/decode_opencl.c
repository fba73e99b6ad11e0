/* SPDX-License-Identifier: Apache-2.0 */
/* decode_opencl: OpenCL.std, from the handlers of alu_opencl.c. Only printf is missing. OpenCL
 * Extended Instruction Set 1.0; OpenCL C 3.0, section 6.15. */
#include "spv-emu/decode/decode_extended.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/OpenCL.std.h>

static bool each(EmuSteps *s, uint32_t op) {
  return emu_each_component(s, s->d->isa->opencl, op);
}

static bool with_exponent(EmuSteps *s, uint32_t op) {
  return emu_with_exponent(s, s->d->isa->opencl, op);
}

static bool nothing(EmuSteps *s, uint32_t op) {
  (void)op;
  return emu_steps_ok(s);
}

/* For `nan`, whose operand is an integer, the handler is chosen by the result's kind. */
static bool by_result(EmuSteps *s, uint32_t op) {
  EmuParts code = emu_extended_parts(s, 0);
  EmuKind kind = emu_type_kind(s->d, sr_inst(emu_module(s->d), s->r)->type);
  uint32_t *result = emu_new_parts(s, code.count);
  for (uint32_t i = 0; i < code.count; i++)
    result[i] = emu_step_opencl(s, op, kind, code.at[i], EMU_NO_ROW, EMU_NO_ROW);
  return emu_steps_end(s, result, code.count);
}

/* upsample(hi, lo): the operands have the high and the low halves of the result. */
static bool upsample(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuParts high = emu_extended_parts(s, 0), low = emu_extended_parts(s, 1);
  EmuKind to = emu_type_kind(s->d, sr_inst(emu_module(s->d), s->r)->type);
  uint32_t *result = emu_new_parts(s, high.count);
  for (uint32_t i = 0; i < high.count; i++) {
    const uint32_t halves[] = {low.at[i], high.at[i]};
    emu_step_reshape(s, &(EmuParts){halves, 2, high.kind}, to, &result[i], 1);
  }
  return emu_steps_end(s, result, high.count);
}

/* In vectors the condition is the highest bit of a component; a scalar condition is true if it is
 * not 0. */
static bool select_each(EmuSteps *s, uint32_t op) {
  EmuParts condition = emu_extended_parts(s, 2);
  return each(s, condition.count > 1 ? (uint32_t)EMU_STEP_VECTOR_SELECT : op);
}

/* ---- functions with two results -------------------------------------------------------------- */

/* Two results: the second, which is stored, has the kind of the first operand, or is an int. */
static bool two(EmuSteps *s, uint32_t first, EmuHandler *second, bool integer, uint32_t arguments) {
  EmuKind kind = emu_extended_parts(s, 0).kind;
  EmuHandler *run = first == EMU_STEP_MODF || first == EMU_STEP_FREXP_MANTISSA
                        ? s->d->isa->glsl(first, kind)
                        : s->d->isa->opencl(first, kind);
  return emu_store_second(s, run, second, integer ? EMU_U32 : kind, arguments);
}

static bool fract_stored(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuKind kind = emu_extended_parts(s, 0).kind;
  return two(s, EMU_STEP_FRACT, s->d->isa->glsl(GLSLstd450Floor, kind), false, 1);
}

static bool modf_stored(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuKind kind = emu_extended_parts(s, 0).kind;
  return two(s, EMU_STEP_MODF, s->d->isa->glsl(GLSLstd450Trunc, kind), false, 1);
}

static bool frexp_stored(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuKind kind = emu_extended_parts(s, 0).kind;
  return two(s, EMU_STEP_FREXP_MANTISSA, s->d->isa->glsl(EMU_STEP_FREXP_EXPONENT, kind), true, 1);
}

static bool sincos_stored(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuKind kind = emu_extended_parts(s, 0).kind;
  return two(s, OpenCLstd_Sin, s->d->isa->opencl(OpenCLstd_Cos, kind), false, 1);
}

static bool lgamma_stored(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuKind kind = emu_extended_parts(s, 0).kind;
  return two(s, OpenCLstd_Lgamma, s->d->isa->opencl(EMU_STEP_LGAMMA_SIGN, kind), true, 1);
}

static bool remquo_stored(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuKind kind = emu_extended_parts(s, 0).kind;
  return two(s, OpenCLstd_Remainder, s->d->isa->opencl(EMU_STEP_REMQUO, kind), true, 2);
}

/* ---- geometry -------------------------------------------------------------------------------- */

/* Squares can be too large or too small for the operand's kind, so they are computed in 64 bits,
 * and the length is rounded to the operand's kind. */
static uint32_t length_of(EmuSteps *s, const EmuParts *a) {
  uint32_t *wide = emu_new_parts(s, a->count);
  for (uint32_t i = 0; i < a->count; i++)
    wide[i] = emu_step_convert(s, SpvOpFConvert, a->kind, EMU_F64, a->at[i]);
  uint32_t size = emu_length(s, &(EmuParts){wide, a->count, EMU_F64});
  return emu_step_convert(s, SpvOpFConvert, EMU_F64, a->kind, size);
}

static bool length(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuParts a = emu_extended_parts(s, 0);
  uint32_t result = length_of(s, &a);
  return emu_steps_end(s, &result, 1);
}

static bool distance(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuParts a = emu_extended_parts(s, 0), b = emu_extended_parts(s, 1);
  uint32_t result = length_of(s, &(EmuParts){emu_difference(s, &a, &b), a.count, a.kind});
  return emu_steps_end(s, &result, 1);
}

/* The result for a zero vector is zero. */
static bool normalize(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuParts a = emu_extended_parts(s, 0);
  uint32_t size = length_of(s, &a), *result = emu_new_parts(s, a.count);
  uint32_t none = emu_step_test(s, SpvOpFOrdEqual, a.kind, size, emu_real(s, a.kind, 0));
  uint32_t by = emu_step_alu(s, SpvOpSelect, a.kind, none, emu_real(s, a.kind, 1), size);
  for (uint32_t i = 0; i < a.count; i++)
    result[i] = emu_step_alu(s, SpvOpFDiv, a.kind, a.at[i], by, EMU_NO_ROW);
  return emu_steps_end(s, result, a.count);
}

/* ---- dynamic shuffles ------------------------------------------------------------------------ */

/* shuffle(x, mask), shuffle2(x, y, mask): the mask's low bits select a component of x, y. */
static bool shuffle(EmuSteps *s, uint32_t op) {
  EmuParts x = emu_extended_parts(s, 0),
           mask = emu_extended_parts(s, op == OpenCLstd_Shuffle2 ? 2 : 1);
  uint32_t count = x.count, *from = emu_new_parts(s, 2 * count);
  memcpy(from, x.at, count * sizeof *from);
  if (op == OpenCLstd_Shuffle2) {
    memcpy(from + count, emu_extended_parts(s, 1).at, count * sizeof *from);
    count *= 2;
  }
  uint32_t low = emu_bits(s->d, EMU_U32, count - 1), none = emu_bits(s->d, x.kind, 0);
  uint32_t *result = emu_new_parts(s, mask.count);
  for (uint32_t i = 0; i < mask.count; i++) {
    uint32_t index = emu_step_convert(s, SpvOpUConvert, mask.kind, EMU_U32, mask.at[i]);
    index = emu_step_alu(s, SpvOpBitwiseAnd, EMU_U32, index, low, EMU_NO_ROW);
    result[i] = emu_step_choose(s, x.kind, from, count, index, none);
  }
  return emu_steps_end(s, result, mask.count);
}

/* ---- vectors in memory ----------------------------------------------------------------------- */

/* The place of that type, `bytes` * offset bytes after the pointee. */
static EmuPointer place_at(EmuSteps *s, uint32_t pointer, const EmuParts *offset, uint64_t bytes,
                           uint32_t type) {
  EmuPointer base = emu_pointer_of(s->d, pointer);
  EmuPointer place = {.segment = SR_NONE, .type = type};
  EmuHandler *add = s->d->isa->index_address[offset->kind];
  place.dynamic = emu_step(s, add, EMU_U64, emu_address_of(s->d, &base), offset->at[0], EMU_NO_ROW,
                           (uint32_t)bytes);
  return place;
}

/* vloadn(offset, pointer): n scalars from pointer + offset * n on. */
static bool load_vector(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuParts offset = emu_extended_parts(s, 0);
  uint32_t type = sr_inst(emu_module(s->d), s->r)->type, count = emu_type_components(s->d, type);
  uint64_t bytes = (uint64_t)count * emu_kind_bytes(emu_type_kind(s->d, type));
  EmuPointer place = place_at(s, emu_extended_id(s, 1), &offset, bytes, type);
  const uint32_t *result = emu_define(s->d, s->r, &count);
  return emu_steps_ok(s) && emu_load_from(s->d, s->r, &place, type, result, count);
}

/* vstoren(data, offset, pointer) */
static bool store_vector(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuParts data = emu_extended_parts(s, 0), offset = emu_extended_parts(s, 1);
  uint32_t type = emu_type_of(s->d, emu_extended_id(s, 0));
  uint64_t bytes = (uint64_t)data.count * emu_kind_bytes(data.kind);
  EmuPointer place = place_at(s, emu_extended_id(s, 2), &offset, bytes, type);
  return emu_steps_ok(s) && emu_store_to(s->d, s->r, &place, data.at, data.count);
}

/* The place of half number i of vector number `offset` of n halves. In the aligned functions
 * vectors of three have the stride of vectors of four. The module may not declare a type for such
 * vectors, so they are accessed half by half. */
static EmuPointer half_at(EmuSteps *s, uint32_t pointer, const EmuParts *offset, uint32_t n,
                          bool aligned, uint32_t i) {
  uint32_t type = emu_type(s->d, emu_type_of(s->d, pointer))->element;
  EmuPointer place = place_at(s, pointer, offset, UINT64_C(2) * (aligned && n == 3 ? 4 : n), type);
  place.offset = UINT64_C(2) * i;
  return place;
}

/* vload_half, vload_halfn, vloada_halfn(offset, pointer) */
static bool load_half(EmuSteps *s, uint32_t op) {
  EmuParts offset = emu_extended_parts(s, 0);
  uint32_t type = sr_inst(emu_module(s->d), s->r)->type, n = emu_type_components(s->d, type);
  EmuKind kind = emu_type_kind(s->d, type);
  uint32_t *result = emu_new_parts(s, n);
  for (uint32_t i = 0; i < n; i++) {
    EmuPointer place =
        half_at(s, emu_extended_id(s, 1), &offset, n, op == OpenCLstd_Vloada_halfn, i);
    uint32_t half = emu_temp(s->d, EMU_F16);
    if (!emu_load_from(s->d, s->r, &place, place.type, &half, 1))
      return false;
    result[i] = emu_step_convert(s, SpvOpFConvert, EMU_F16, kind, half);
  }
  return emu_steps_end(s, result, n);
}

/* The conversion for a store: the _r functions have the rounding mode as operand 3. */
static uint32_t half_conversion(EmuSteps *s) {
  static const uint32_t by_mode[] = {SpvOpFConvert, EMU_STEP_TOWARD_ZERO, EMU_STEP_UP,
                                     EMU_STEP_DOWN};
  return by_mode[emu_extended_id(s, 3) % 4];
}

/* vstore_half, vstore_halfn, vstorea_halfn, each also with _r(data, offset, pointer) */
static bool store_half(EmuSteps *s, uint32_t op) {
  EmuParts data = emu_extended_parts(s, 0), offset = emu_extended_parts(s, 1);
  bool aligned = op == OpenCLstd_Vstorea_halfn || op == OpenCLstd_Vstorea_halfn_r;
  uint32_t conversion = half_conversion(s);
  for (uint32_t i = 0; i < data.count; i++) {
    EmuPointer place = half_at(s, emu_extended_id(s, 2), &offset, data.count, aligned, i);
    uint32_t half = emu_step_convert(s, conversion, data.kind, EMU_F16, data.at[i]);
    if (!emu_steps_ok(s) || !emu_store_to(s->d, s->r, &place, &half, 1))
      return false;
  }
  return true;
}

/* ---- the table ------------------------------------------------------------------------------- */

EmuExtended *emu_opencl_find(uint32_t op, const char **name) {
  switch (op) {
#define EXT(word, run)                                                                             \
  case OpenCLstd_##word:                                                                           \
    *name = #word;                                                                                 \
    return run;
#include "spv-emu/decode/extended_opencl.def"
  }
  return NULL;
}
