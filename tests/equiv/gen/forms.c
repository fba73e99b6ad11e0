/* SPDX-License-Identifier: Apache-2.0 */
/* forms: see rich.h. Matrices contain small whole numbers, so that products are exact. Floats of
 * any bits are only compared, negated, moved and chosen, which is exact for NaN, too; denormal
 * numbers, which drivers may flush, are not among them. */
#include "tests/equiv/gen/rich.h"

#include <spirv/unified1/spirv.h>

uint32_t forms_unary(Body *b, uint32_t opcode, uint32_t type, uint32_t x) {
  uint32_t id = emit_id(&b->w->m);
  EMIT(&b->words, opcode, type, id, x);
  return id;
}

uint32_t forms_small(Body *b) {
  return forms_unary(b, SpvOpConvertUToF, b->w->t_f32, body_masked(b, 31));
}

/* ---- floats of any bits ---------------------------------------------------------------------- */

void forms_add_wild(Body *b, uint32_t bits) {
  World *w = b->w;
  bits = body_result(b, SpvOpBitwiseOr, w->t_u32, bits, world_constant(w, 0x20000000));
  body_add(b, KIND_WILD, forms_unary(b, SpvOpBitcast, w->t_f32, bits));
}

/* One of four is NaN or infinite. */
static void make_wild(Body *b) {
  World *w = b->w;
  uint32_t x = body_pick(b, b->now, KIND_U32);
  if (rng_percent(&w->rng, 25))
    x = body_result(b, SpvOpBitwiseOr, w->t_u32, x, world_constant(w, 0x7f800000));
  forms_add_wild(b, x);
  if (rng_percent(&w->rng, 30)) {
    uint32_t last = b->value[b->value_count - 1].id;
    body_add(b, KIND_WILD, forms_unary(b, SpvOpFNegate, w->t_f32, last));
  }
}

static void compare_wild(Body *b) {
  static const uint32_t ops[] = {SpvOpFOrdEqual,
                                 SpvOpFUnordEqual,
                                 SpvOpFOrdNotEqual,
                                 SpvOpFUnordNotEqual,
                                 SpvOpFOrdLessThan,
                                 SpvOpFUnordLessThan,
                                 SpvOpFOrdGreaterThanEqual,
                                 SpvOpFUnordGreaterThanEqual};
  World *w = b->w;
  uint32_t x = body_pick(b, b->now, KIND_WILD);
  if (rng_percent(&w->rng, 30)) {
    body_add(b, KIND_BOOL,
             forms_unary(b, rng_percent(&w->rng, 60) ? SpvOpIsNan : SpvOpIsInf, w->t_bool, x));
    return;
  }
  uint32_t y = body_pick(b, b->now, KIND_WILD), op = ops[rng_below(&w->rng, 8)];
  body_add(b, KIND_BOOL, body_result(b, op, w->t_bool, x, y));
}

static void choose_wild(Body *b) {
  uint32_t c = body_pick(b, b->now, KIND_BOOL), x = body_pick(b, b->now, KIND_WILD);
  uint32_t y = body_pick(b, b->now, KIND_WILD), id = emit_id(&b->w->m);
  EMIT(&b->words, SpvOpSelect, b->w->t_f32, id, c, x, y);
  body_add(b, KIND_WILD, id);
}

/* ---- matrices -------------------------------------------------------------------------------- */

static uint32_t column(Body *b) {
  uint32_t x = forms_small(b), y = forms_small(b);
  return body_result(b, SpvOpCompositeConstruct, b->w->t_fvec2, x, y);
}

static void make_matrix(Body *b) {
  World *w = b->w;
  if (rng_percent(&w->rng, 40)) {
    uint32_t x = body_pick(b, b->now, KIND_MATRIX);
    body_add(b, KIND_MATRIX, forms_unary(b, SpvOpTranspose, w->rich.t_matrix, x));
    return;
  }
  uint32_t x = column(b), y = column(b);
  body_add(b, KIND_MATRIX, body_result(b, SpvOpCompositeConstruct, w->rich.t_matrix, x, y));
}

static void edit_matrix(Body *b) {
  World *w = b->w;
  uint32_t m = body_pick(b, b->now, KIND_MATRIX), x = forms_small(b), id = emit_id(&w->m);
  EMIT(&b->words, SpvOpCompositeInsert, w->rich.t_matrix, id, x, m, rng_below(&w->rng, 2),
       rng_below(&w->rng, 2));
  body_add(b, KIND_MATRIX, id);
}

static void multiply(Body *b) {
  World *w = b->w;
  uint32_t m = body_pick(b, b->now, KIND_MATRIX), v = column(b);
  uint32_t product = rng_percent(&w->rng, 50)
                         ? body_result(b, SpvOpMatrixTimesVector, w->t_fvec2, m, v)
                         : body_result(b, SpvOpVectorTimesMatrix, w->t_fvec2, v, m);
  uint32_t part = rng_below(&w->rng, 2);
  body_add(b, KIND_WILD, body_result(b, SpvOpCompositeExtract, w->t_f32, product, part));
}

/* ---- others ---------------------------------------------------------------------------------- */

static void insert(Body *b) {
  World *w = b->w;
  uint32_t v = body_pick(b, b->now, KIND_VEC), x = body_pick(b, b->now, KIND_U32);
  uint32_t k = body_masked(b, 3), id = emit_id(&w->m);
  EMIT(&b->words, SpvOpVectorInsertDynamic, w->t_vec, id, v, x, k);
  rich_decorate(b, id, false);
  body_add(b, KIND_VEC, id);
}

static void observe(Body *b) {
  Kind kind = b->w->rich.kernel || rng_percent(&b->w->rng, 50) ? KIND_WILD : KIND_MATRIX;
  body_add(b, KIND_U32, rich_observe(b, kind, body_pick(b, b->now, kind)));
}

/* Means nothing, whatever its operands. */
static void note(Body *b) {
  World *w = b->w;
  uint32_t x = body_pick(b, b->now, KIND_U32), y = body_pick(b, b->now, KIND_VEC);
  EMIT(&b->words, SpvOpExtInst, w->t_void, emit_id(&w->m), w->rich.notes, rng_below(&w->rng, 9), x,
       y);
}

/* The last three need matrices. */
static void (*const recipes[])(Body *) = {
    make_wild, compare_wild, compare_wild, choose_wild, insert,      insert,
    observe,   observe,      note,         make_matrix, edit_matrix, multiply,
};

void forms_cook(Body *b) {
  uint32_t count = sizeof recipes / sizeof *recipes;
  recipes[rng_below(&b->w->rng, b->w->rich.kernel ? count - 3 : count)](b);
}

void forms_entry(Body *b) {
  World *w = b->w;
  make_wild(b);
  if (w->rich.kernel)
    return;
  uint32_t x = column(b), y = column(b);
  body_add(b, KIND_MATRIX, body_result(b, SpvOpCompositeConstruct, w->rich.t_matrix, x, y));
}
