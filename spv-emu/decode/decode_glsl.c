/* SPDX-License-Identifier: Apache-2.0 */
/* decode_glsl: GLSL.std.450, from the handlers of alu_glsl.c. Geometric functions and matrices are
 * computed as the specification writes them, from rounded products and sums. */
#include "spv-emu/decode/decode_extended.h"

#include <spirv/unified1/GLSL.std.450.h>

static bool each(EmuSteps *s, uint32_t op) {
  return emu_each_component(s, s->d->isa->glsl, op);
}

static bool ldexp_each(EmuSteps *s, uint32_t op) {
  return emu_with_exponent(s, s->d->isa->glsl, op);
}

/* ---- instructions with two results ----------------------------------------------------------- */

static bool modf_stored(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuKind kind = emu_extended_parts(s, 0).kind;
  return emu_store_second(s, s->d->isa->glsl(EMU_STEP_MODF, kind),
                          s->d->isa->glsl(GLSLstd450Trunc, kind), kind, 1);
}

static bool frexp_stored(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuKind kind = emu_extended_parts(s, 0).kind;
  return emu_store_second(s, s->d->isa->glsl(EMU_STEP_FREXP_MANTISSA, kind),
                          s->d->isa->glsl(EMU_STEP_FREXP_EXPONENT, kind), EMU_U32, 1);
}

static bool modf_struct(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuParts value = emu_extended_parts(s, 0);
  uint32_t *result = emu_new_parts(s, 2 * value.count);
  for (uint32_t i = 0; i < value.count; i++) {
    uint32_t a = value.at[i];
    result[i] = emu_step_glsl(s, EMU_STEP_MODF, value.kind, a, EMU_NO_ROW, EMU_NO_ROW);
    result[value.count + i] =
        emu_step_glsl(s, GLSLstd450Trunc, value.kind, a, EMU_NO_ROW, EMU_NO_ROW);
  }
  return emu_steps_end(s, result, 2 * value.count);
}

static bool frexp_struct(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuParts value = emu_extended_parts(s, 0);
  const SrModule *m = emu_module(s->d);
  EmuKind to = emu_type_kind(s->d, sr_words(m, sr_def(m, sr_inst(m, s->r)->type))[3]);
  EmuHandler *exponent = s->d->isa->glsl(EMU_STEP_FREXP_EXPONENT, value.kind);
  uint32_t *result = emu_new_parts(s, 2 * value.count);
  for (uint32_t i = 0; i < value.count; i++) {
    uint32_t a = value.at[i];
    result[i] = emu_step_glsl(s, EMU_STEP_FREXP_MANTISSA, value.kind, a, EMU_NO_ROW, EMU_NO_ROW);
    uint32_t e = emu_step(s, exponent, EMU_U32, a, EMU_NO_ROW, EMU_NO_ROW, 0);
    result[value.count + i] = emu_step_convert(s, SpvOpSConvert, EMU_U32, to, e);
  }
  return emu_steps_end(s, result, 2 * value.count);
}

/* ---- packing --------------------------------------------------------------------------------- */

/* The kind of the parts that are packed into 32 bits, and the conversions to this kind and back. */
typedef struct Packing {
  EmuKind part;
  uint32_t to, from;
} Packing;

static Packing packing_of(uint32_t op) {
  switch (op) {
  case GLSLstd450PackSnorm4x8:
  case GLSLstd450UnpackSnorm4x8:
    return (Packing){EMU_U8, EMU_STEP_TO_SNORM, EMU_STEP_FROM_SNORM};
  case GLSLstd450PackUnorm4x8:
  case GLSLstd450UnpackUnorm4x8:
    return (Packing){EMU_U8, EMU_STEP_TO_UNORM, EMU_STEP_FROM_UNORM};
  case GLSLstd450PackSnorm2x16:
  case GLSLstd450UnpackSnorm2x16:
    return (Packing){EMU_U16, EMU_STEP_TO_SNORM, EMU_STEP_FROM_SNORM};
  case GLSLstd450PackUnorm2x16:
  case GLSLstd450UnpackUnorm2x16:
    return (Packing){EMU_U16, EMU_STEP_TO_UNORM, EMU_STEP_FROM_UNORM};
  default:
    return (Packing){EMU_F16, SpvOpFConvert, SpvOpFConvert};
  }
}

static bool pack(EmuSteps *s, uint32_t op) {
  Packing p = packing_of(op);
  EmuParts value = emu_extended_parts(s, 0);
  uint32_t *parts = emu_new_parts(s, value.count), result;
  for (uint32_t i = 0; i < value.count; i++)
    parts[i] = emu_step_convert(s, p.to, value.kind, p.part, value.at[i]);
  emu_step_reshape(s, &(EmuParts){parts, value.count, p.part}, EMU_U32, &result, 1);
  return emu_steps_end(s, &result, 1);
}

static bool unpack(EmuSteps *s, uint32_t op) {
  Packing p = packing_of(op);
  EmuParts value = emu_extended_parts(s, 0);
  uint32_t count = 4 / emu_kind_bytes(p.part), *parts = emu_new_parts(s, count);
  emu_step_reshape(s, &value, p.part, parts, count);
  for (uint32_t i = 0; i < count; i++)
    parts[i] = emu_step_convert(s, p.from, p.part, EMU_F32, parts[i]);
  return emu_steps_end(s, parts, count);
}

static bool reshape(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuParts value = emu_extended_parts(s, 0);
  uint32_t type = sr_inst(emu_module(s->d), s->r)->type, count = emu_type_components(s->d, type);
  uint32_t *parts = emu_new_parts(s, count);
  emu_step_reshape(s, &value, emu_type_kind(s->d, type), parts, count);
  return emu_steps_end(s, parts, count);
}

/* ---- geometry -------------------------------------------------------------------------------- */

static bool length(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuParts a = emu_extended_parts(s, 0);
  uint32_t result = emu_length(s, &a);
  return emu_steps_end(s, &result, 1);
}

static bool distance(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuParts a = emu_extended_parts(s, 0), b = emu_extended_parts(s, 1);
  EmuParts difference = {emu_difference(s, &a, &b), a.count, a.kind};
  uint32_t result = emu_length(s, &difference);
  return emu_steps_end(s, &result, 1);
}

static bool normalize(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuParts a = emu_extended_parts(s, 0);
  uint32_t size = emu_length(s, &a), *result = emu_new_parts(s, a.count);
  for (uint32_t i = 0; i < a.count; i++)
    result[i] = emu_step_alu(s, SpvOpFDiv, a.kind, a.at[i], size, EMU_NO_ROW);
  return emu_steps_end(s, result, a.count);
}

/* N if dot(Nref, I) is negative, else -N. */
static bool face_forward(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuParts n = emu_extended_parts(s, 0), in = emu_extended_parts(s, 1),
           reference = emu_extended_parts(s, 2);
  uint32_t dot = emu_step_products(s, n.kind, reference.at, 1, in.at, 1, n.count);
  uint32_t toward = emu_step_test(s, SpvOpFOrdLessThan, n.kind, dot, emu_real(s, n.kind, 0));
  uint32_t *result = emu_new_parts(s, n.count);
  for (uint32_t i = 0; i < n.count; i++) {
    uint32_t back = emu_step_alu(s, SpvOpFNegate, n.kind, n.at[i], EMU_NO_ROW, EMU_NO_ROW);
    result[i] = emu_step_alu(s, SpvOpSelect, n.kind, toward, n.at[i], back);
  }
  return emu_steps_end(s, result, n.count);
}

/* I - 2 * dot(N, I) * N. */
static bool reflect(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuParts in = emu_extended_parts(s, 0), n = emu_extended_parts(s, 1);
  EmuKind kind = in.kind;
  uint32_t dot = emu_step_products(s, kind, n.at, 1, in.at, 1, in.count);
  uint32_t factor = emu_step_alu(s, SpvOpFMul, kind, dot, emu_real(s, kind, -2), EMU_NO_ROW);
  uint32_t *result = emu_new_parts(s, in.count);
  for (uint32_t i = 0; i < in.count; i++)
    result[i] = emu_step_alu(s, EMU_STEP_MUL_ADD, kind, factor, n.at[i], in.at[i]);
  return emu_steps_end(s, result, in.count);
}

/* k = 1 - eta^2 * (1 - dot(N, I)^2); 0 if k < 0, else eta * I - (eta * dot(N, I) + sqrt(k)) * N.
 * Eta may have a different width. */
static bool refract(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuParts in = emu_extended_parts(s, 0), n = emu_extended_parts(s, 1),
           ratio = emu_extended_parts(s, 2);
  EmuKind kind = in.kind;
  uint32_t zero = emu_real(s, kind, 0), one = emu_real(s, kind, 1);
  uint32_t eta = emu_step_convert(s, SpvOpFConvert, ratio.kind, kind, ratio.at[0]);
  uint32_t dot = emu_step_products(s, kind, n.at, 1, in.at, 1, in.count);
  uint32_t part = emu_step_alu(s, EMU_STEP_MUL_SUB, kind, dot, dot, one);
  uint32_t square = emu_step_alu(s, SpvOpFMul, kind, eta, eta, EMU_NO_ROW);
  uint32_t k = emu_step_alu(s, EMU_STEP_MUL_ADD, kind, square, part, one);
  uint32_t total = emu_step_test(s, SpvOpFOrdLessThan, kind, k, zero);
  uint32_t root = emu_step_glsl(s, GLSLstd450Sqrt, kind, k, EMU_NO_ROW, EMU_NO_ROW);
  uint32_t factor = emu_step_alu(s, EMU_STEP_MUL_ADD, kind, eta, dot, root);
  uint32_t *result = emu_new_parts(s, in.count);
  for (uint32_t i = 0; i < in.count; i++) {
    uint32_t less = emu_step_alu(s, SpvOpFMul, kind, factor, n.at[i], EMU_NO_ROW);
    uint32_t bent = emu_step_alu(s, EMU_STEP_MUL_SUB, kind, eta, in.at[i], less);
    result[i] = emu_step_alu(s, SpvOpSelect, kind, total, zero, bent);
  }
  return emu_steps_end(s, result, in.count);
}

/* ---- matrices -------------------------------------------------------------------------------- */

/* a * d - b * c */
static uint32_t cross_product(EmuSteps *s, EmuKind kind, uint32_t a, uint32_t b, uint32_t c,
                              uint32_t d) {
  uint32_t less = emu_step_alu(s, SpvOpFMul, kind, b, c, EMU_NO_ROW);
  return emu_step_alu(s, EMU_STEP_MUL_SUB, kind, a, d, less);
}

/* The minor of an n x n matrix without column c and row r, n up to 4. */
static uint32_t minor_of(EmuSteps *s, const EmuParts *m, uint32_t n, uint32_t c, uint32_t r) {
  uint32_t kept[9] = {0}, k = 0;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      if (i != c && j != r)
        kept[k++] = m->at[i * n + j];
  if (n == 2)
    return kept[0];
  if (n == 3)
    return cross_product(s, m->kind, kept[0], kept[1], kept[2], kept[3]);
  uint32_t x = cross_product(s, m->kind, kept[4], kept[5], kept[7], kept[8]);
  uint32_t y = cross_product(s, m->kind, kept[5], kept[3], kept[8], kept[6]);
  uint32_t z = cross_product(s, m->kind, kept[3], kept[4], kept[6], kept[7]);
  const uint32_t minors[] = {x, y, z};
  return emu_step_products(s, m->kind, kept, 1, minors, 1, 3);
}

/* The minor, with the sign of its position. */
static uint32_t cofactor(EmuSteps *s, const EmuParts *m, uint32_t n, uint32_t c, uint32_t r) {
  uint32_t value = minor_of(s, m, n, c, r);
  if ((c + r) % 2 == 0)
    return value;
  return emu_step_alu(s, SpvOpFNegate, m->kind, value, EMU_NO_ROW, EMU_NO_ROW);
}

static uint32_t order_of(EmuSteps *s) {
  return emu_type(s->d, emu_type_of(s->d, emu_extended_id(s, 0)))->count;
}

/* The expansion along the first column, whose cofactors are given. */
static uint32_t expand(EmuSteps *s, const EmuParts *m, uint32_t n, const uint32_t *cofactors) {
  return emu_step_products(s, m->kind, m->at, 1, cofactors, 1, n);
}

static bool determinant(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuParts m = emu_extended_parts(s, 0);
  uint32_t n = order_of(s), cofactors[4];
  for (uint32_t r = 0; r < n; r++)
    cofactors[r] = cofactor(s, &m, n, 0, r);
  uint32_t result = expand(s, &m, n, cofactors);
  return emu_steps_end(s, &result, 1);
}

/* The transposed matrix of cofactors, divided by the determinant. */
static bool inverse(EmuSteps *s, uint32_t op) {
  (void)op;
  EmuParts m = emu_extended_parts(s, 0);
  uint32_t n = order_of(s), cofactors[16], result[16];
  for (uint32_t c = 0; c < n; c++)
    for (uint32_t r = 0; r < n; r++)
      cofactors[c * n + r] = cofactor(s, &m, n, c, r);
  uint32_t whole = expand(s, &m, n, cofactors);
  for (uint32_t c = 0; c < n; c++)
    for (uint32_t r = 0; r < n; r++)
      result[c * n + r] =
          emu_step_alu(s, SpvOpFDiv, m.kind, cofactors[r * n + c], whole, EMU_NO_ROW);
  return emu_steps_end(s, result, n * n);
}

/* ---- the table ------------------------------------------------------------------------------- */

EmuExtended *emu_glsl_find(uint32_t op, const char **name) {
  switch (op) {
#define EXT(word, run)                                                                             \
  case GLSLstd450##word:                                                                           \
    *name = #word;                                                                                 \
    return run;
#include "spv-emu/decode/extended_glsl.def"
  }
  return NULL;
}
