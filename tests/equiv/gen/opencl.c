/* SPDX-License-Identifier: Apache-2.0 */
/* opencl: the instructions of OpenCL.std that have pointers: fract, modf, sincos, frexp, remquo,
 * lgamma_r, of floats and of vectors; vector loads and stores, also of halves; prefetch. What is
 * loaded as a half may be any number, and is not computed with. */
#include "tests/equiv/gen/kernel.h"
#include "tests/equiv/gen/rich.h"

#include <spirv/unified1/OpenCL.std.h>
#include <spirv/unified1/spirv.h>

/* ---- floating point -------------------------------------------------------------------------- */

/* 0.25 to 8, or its negative. */
static uint32_t number(Body *b, bool positive) {
  World *w = b->w;
  uint32_t n = body_result(b, SpvOpIAdd, w->t_u32, body_masked(b, 31), world_constant(w, 1));
  uint32_t x = forms_unary(b, SpvOpConvertUToF, w->t_f32, n);
  x = body_result(b, SpvOpFMul, w->t_f32, x, w->rich.quarter);
  return !positive && rng_percent(&w->rng, 40) ? forms_unary(b, SpvOpFNegate, w->t_f32, x) : x;
}

static uint32_t float_pointer(Body *b) {
  World *w = b->w;
  if (rng_percent(&w->rng, 70))
    return body_pick(b, b->now, KIND_FLOAT_PTR);
  return forms_unary(b, SpvOpBitcast, w->rich.p_local_float, body_pick(b, b->now, KIND_LOCAL_PTR));
}

static void part_and_float(Body *b) {
  static const uint32_t ops[] = {OpenCLstd_Fract, OpenCLstd_Modf, OpenCLstd_Sincos};
  World *w = b->w;
  uint32_t op = ops[rng_below(&w->rng, 3)], x = number(b, false), p = float_pointer(b);
  uint32_t id = emit_id(&w->m);
  EMIT(&b->words, SpvOpExtInst, w->t_f32, id, w->rich.set, op, x, p);
  body_add(b, KIND_WILD, id);
}

/* Four parts at once, where the record has a vector. */
static void parts_and_floats(Body *b) {
  static const uint32_t ops[] = {OpenCLstd_Fract, OpenCLstd_Modf, OpenCLstd_Sincos};
  World *w = b->w;
  uint32_t op = ops[rng_below(&w->rng, 3)], x = number(b, false), v = emit_id(&w->m);
  EMIT(&b->words, SpvOpCompositeConstruct, w->t_fvec4, v, x, number(b, true), x, x);
  uint32_t p = forms_unary(b, SpvOpBitcast, w->rich.p_fvec4, body_pick(b, b->now, KIND_VEC_PTR));
  uint32_t id = emit_id(&w->m);
  EMIT(&b->words, SpvOpExtInst, w->t_fvec4, id, w->rich.set, op, v, p);
  uint32_t k = rng_below(&w->rng, 4);
  body_add(b, KIND_WILD, body_result(b, SpvOpCompositeExtract, w->t_f32, id, k));
}

static void part_and_integer(Body *b) {
  static const uint32_t ops[] = {OpenCLstd_Frexp, OpenCLstd_Lgamma_r};
  World *w = b->w;
  uint32_t op = ops[rng_below(&w->rng, 2)], x = number(b, op == OpenCLstd_Lgamma_r);
  uint32_t p = kernel_word_pointer(b), id = emit_id(&w->m);
  EMIT(&b->words, SpvOpExtInst, w->t_f32, id, w->rich.set, op, x, p);
  body_add(b, KIND_WILD, id);
}

static void remainder_and_quotient(Body *b) {
  World *w = b->w;
  uint32_t x = number(b, false), y = number(b, false), p = kernel_word_pointer(b);
  uint32_t id = emit_id(&w->m);
  EMIT(&b->words, SpvOpExtInst, w->t_f32, id, w->rich.set, OpenCLstd_Remquo, x, y, p);
  body_add(b, KIND_WILD, id);
}

/* ---- vectors --------------------------------------------------------------------------------- */

/* The first of the record's four words. */
static uint32_t first_word(Body *b) {
  World *w = b->w;
  uint32_t record = body_pick(b, b->now, KIND_RECORD_PTR), id = emit_id(&w->m);
  EMIT(&b->words, SpvOpAccessChain, w->p_buffer_u32, id, record, world_constant(w, 3),
       world_constant(w, 0));
  return id;
}

/* 0 or 1, as a size_t. */
static uint32_t offset(Body *b) {
  World *w = b->w;
  if (rng_percent(&w->rng, 40))
    return w->rich.c_long[rng_below(&w->rng, 2)];
  return forms_unary(b, SpvOpUConvert, w->t_int[0][3], body_masked(b, 1));
}

static void load_vector(Body *b) {
  World *w = b->w;
  uint32_t id = emit_id(&w->m), first = first_word(b);
  if (rng_percent(&w->rng, 50)) {
    EMIT(&b->words, SpvOpExtInst, w->t_vec, id, w->rich.set, OpenCLstd_Vloadn, w->rich.c_long[0],
         first, 4);
    body_add(b, KIND_VEC, id);
    return;
  }
  EMIT(&b->words, SpvOpExtInst, w->t_uvec2, id, w->rich.set, OpenCLstd_Vloadn, offset(b), first, 2);
  body_add(b, KIND_U32, body_result(b, SpvOpCompositeExtract, w->t_u32, id, 1));
}

static void store_vector(Body *b) {
  World *w = b->w;
  uint32_t first = first_word(b), at = w->rich.c_long[0], v;
  if (rng_percent(&w->rng, 50)) {
    v = body_pick(b, b->now, KIND_VEC);
  } else {
    uint32_t x = body_pick(b, b->now, KIND_U32), y = body_pick(b, b->now, KIND_U32);
    v = body_result(b, SpvOpCompositeConstruct, w->t_uvec2, x, y);
    at = offset(b);
  }
  EMIT(&b->words, SpvOpExtInst, w->t_void, emit_id(&w->m), w->rich.set, OpenCLstd_Vstoren, v, at,
       first);
}

static uint32_t half_pointer(Body *b) {
  return forms_unary(b, SpvOpBitcast, b->w->rich.p_half, first_word(b));
}

static void load_half(Body *b) {
  World *w = b->w;
  uint32_t p = half_pointer(b), at = offset(b), id = emit_id(&w->m);
  if (rng_percent(&w->rng, 50)) {
    EMIT(&b->words, SpvOpExtInst, w->t_f32, id, w->rich.set, OpenCLstd_Vload_half, at, p);
    body_add(b, KIND_WILD, id);
    return;
  }
  uint32_t op = rng_percent(&w->rng, 50) ? OpenCLstd_Vload_halfn : OpenCLstd_Vloada_halfn;
  EMIT(&b->words, SpvOpExtInst, w->t_fvec2, id, w->rich.set, op, at, p, 2);
  body_add(b, KIND_WILD, body_result(b, SpvOpCompositeExtract, w->t_f32, id, 1));
}

static void store_half(Body *b) {
  World *w = b->w;
  uint32_t p = half_pointer(b), at = offset(b), x = number(b, false), none = emit_id(&w->m);
  switch (rng_below(&w->rng, 4)) {
  case 0:
    EMIT(&b->words, SpvOpExtInst, w->t_void, none, w->rich.set, OpenCLstd_Vstore_half, x, at, p);
    return;
  case 1:
    EMIT(&b->words, SpvOpExtInst, w->t_void, none, w->rich.set, OpenCLstd_Vstore_half_r, x, at, p,
         SpvFPRoundingModeRTZ);
    return;
  default:
    x = body_result(b, SpvOpCompositeConstruct, w->t_fvec2, x, number(b, true));
    EMIT(&b->words, SpvOpExtInst, w->t_void, none, w->rich.set,
         rng_percent(&w->rng, 50) ? OpenCLstd_Vstore_halfn : OpenCLstd_Vstorea_halfn, x, at, p);
  }
}

static void prefetch(Body *b) {
  World *w = b->w;
  EMIT(&b->words, SpvOpExtInst, w->t_void, emit_id(&w->m), w->rich.set, OpenCLstd_Prefetch,
       first_word(b), w->rich.c_long[1]);
}

static void (*const recipes[])(Body *) = {
    part_and_float, part_and_float, parts_and_floats, part_and_integer, remainder_and_quotient,
    load_vector,    store_vector,   load_half,        store_half,       prefetch,
};

void kernel_extended(Body *b) {
  recipes[rng_below(&b->w->rng, sizeof recipes / sizeof *recipes)](b);
}
