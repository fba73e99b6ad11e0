/* SPDX-License-Identifier: Apache-2.0 */
/* wide: values of less common types: integers of 8, 16 and 64 bits, signed and unsigned, float,
 * half, a struct of them, and handles of images and samplers. Each recipe computes one from other
 * values or converts one to a u32, so that it affects the result.
 *
 * Floats are small integers that are negated, selected, carried by phis and added once, so that
 * every result is exact, also in half. */
#include "tests/equiv/gen/body.h"

#include "tests/equiv/gen/rich.h"

#include <spirv/unified1/spirv.h>

static const Kind kinds[2][4] = {{KIND_U8, KIND_U16, KIND_U32, KIND_U64},
                                 {KIND_I8, KIND_I16, KIND_I32, KIND_I64}};

Kind body_int_kind(unsigned sign, unsigned width) {
  return kinds[sign][width];
}

bool body_is_int(Kind kind, unsigned *sign, unsigned *width) {
  for (unsigned k = 0; k < 8; k++)
    if (kinds[k / 4][k % 4] == kind) {
      *sign = k / 4;
      *width = k % 4;
      return true;
    }
  return false;
}

static uint32_t unary(Body *b, uint32_t opcode, uint32_t type, uint32_t x) {
  uint32_t id = emit_id(&b->w->m);
  EMIT(&b->words, opcode, type, id, x);
  return id;
}

uint32_t body_convert(Body *b, uint32_t x, unsigned sign, unsigned width) {
  if (width != 2)
    x = unary(b, SpvOpUConvert, b->w->t_int[0][width], x);
  return sign ? unary(b, SpvOpBitcast, b->w->t_int[1][width], x) : x;
}

/* The bits of a value of any integer type, extended by its sign or by zeros. */
static uint32_t to_u32(Body *b, Kind kind, uint32_t x) {
  World *w = b->w;
  unsigned sign = 0, width = 2;
  body_is_int(kind, &sign, &width);
  if (sign && width != 2 && rng_percent(&w->rng, 50))
    return unary(b, SpvOpSConvert, w->t_u32, x);
  if (sign)
    x = unary(b, SpvOpBitcast, w->t_int[0][width], x);
  return width == 2 ? x : unary(b, SpvOpUConvert, w->t_u32, x);
}

static uint32_t u32(Body *b) {
  return body_pick(b, b->now, KIND_U32);
}

static Kind some_int(Body *b) {
  return kinds[rng_below(&b->w->rng, 2)][rng_below(&b->w->rng, 4)];
}

static void make_int_of(Body *b, Kind kind) {
  unsigned sign = 0, width = 2;
  body_is_int(kind, &sign, &width);
  if (kind != KIND_U32)
    body_add(b, kind, body_convert(b, u32(b), sign, width));
}

static void make_int(Body *b) {
  make_int_of(b, some_int(b));
}

static void mix_ints(Body *b) {
  static const uint32_t ops[] = {SpvOpIAdd,       SpvOpISub,       SpvOpIMul,
                                 SpvOpBitwiseXor, SpvOpBitwiseAnd, SpvOpBitwiseOr};
  Kind kind = some_int(b);
  uint32_t x = body_pick(b, b->now, kind), y = body_pick(b, b->now, kind);
  body_add(b, kind, body_result(b, ops[rng_below(&b->w->rng, 6)], body_type(b, kind), x, y));
}

static void compare_ints(Body *b) {
  static const uint32_t ops[] = {SpvOpIEqual,           SpvOpINotEqual,      SpvOpULessThan,
                                 SpvOpULessThanEqual,   SpvOpUGreaterThan,   SpvOpUGreaterThanEqual,
                                 SpvOpSLessThan,        SpvOpSLessThanEqual, SpvOpSGreaterThan,
                                 SpvOpSGreaterThanEqual};
  Kind kind = some_int(b);
  uint32_t x = body_pick(b, b->now, kind), y = body_pick(b, b->now, kind);
  body_add(b, KIND_BOOL, body_result(b, ops[rng_below(&b->w->rng, 10)], b->w->t_bool, x, y));
}

static void use_int(Body *b) {
  Kind kind = some_int(b);
  body_add(b, KIND_U32, to_u32(b, kind, body_pick(b, b->now, kind)));
}

/* To a narrow type and back: the type alone decides which bits are lost. */
static void squeeze(Body *b) {
  Kind kind = some_int(b);
  unsigned sign = 0, width = 2;
  body_is_int(kind, &sign, &width);
  body_add(b, KIND_U32, to_u32(b, kind, body_convert(b, u32(b), sign, width)));
}

static void choose_any(Body *b) {
  Kind kind = (Kind)(KIND_U8 + rng_below(&b->w->rng, KIND_MIX - KIND_U8));
  uint32_t c = body_pick(b, b->now, KIND_BOOL), x = body_pick(b, b->now, kind);
  uint32_t y = body_pick(b, b->now, kind), id = emit_id(&b->w->m);
  EMIT(&b->words, SpvOpSelect, body_type(b, kind), id, c, x, y);
  body_add(b, kind, id);
}

/* ---- floats ---------------------------------------------------------------------------------- */

static Kind some_float(Body *b) {
  return rng_percent(&b->w->rng, 50) ? KIND_F32 : KIND_F16;
}

static uint32_t small_float(Body *b, Kind kind) {
  World *w = b->w;
  uint32_t x = body_result(b, SpvOpBitwiseAnd, w->t_u32, u32(b), world_constant(w, 31));
  return unary(b, SpvOpConvertUToF, body_type(b, kind), x);
}

static void make_float_of(Body *b, Kind kind) {
  uint32_t x = small_float(b, kind);
  if (rng_percent(&b->w->rng, 50))
    x = body_result(b, rng_percent(&b->w->rng, 50) ? SpvOpFAdd : SpvOpFSub, body_type(b, kind), x,
                    small_float(b, kind));
  body_add(b, kind, x);
}

static void make_float(Body *b) {
  make_float_of(b, some_float(b));
}

static void negate_float(Body *b) {
  Kind kind = some_float(b);
  uint32_t x = body_pick(b, b->now, kind);
  body_add(b, kind, unary(b, SpvOpFNegate, body_type(b, kind), x));
}

static void compare_floats(Body *b) {
  static const uint32_t ops[] = {SpvOpFOrdLessThan, SpvOpFOrdEqual, SpvOpFUnordGreaterThanEqual};
  Kind kind = some_float(b);
  uint32_t x = body_pick(b, b->now, kind), y = body_pick(b, b->now, kind);
  body_add(b, KIND_BOOL, body_result(b, ops[rng_below(&b->w->rng, 3)], b->w->t_bool, x, y));
}

static void use_float(Body *b) {
  World *w = b->w;
  Kind kind = some_float(b);
  uint32_t x = body_pick(b, b->now, kind);
  if (kind == KIND_F16)
    x = unary(b, SpvOpUConvert, w->t_u32, unary(b, SpvOpBitcast, w->t_int[0][1], x));
  else
    x = unary(b, SpvOpBitcast, w->t_u32, x);
  body_add(b, KIND_U32, x);
}

/* ---- the struct ------------------------------------------------------------------------------ */

static const Kind members[4] = {KIND_I8, KIND_F16, KIND_U64, KIND_BOOL};

static void make_mix(Body *b) {
  uint32_t part[4], id = emit_id(&b->w->m);
  for (int k = 0; k < 4; k++)
    part[k] = body_pick(b, b->now, members[k]);
  EMIT(&b->words, SpvOpCompositeConstruct, b->w->t_mix, id, part[0], part[1], part[2], part[3]);
  body_add(b, KIND_MIX, id);
}

static void take_from_mix(Body *b) {
  uint32_t k = rng_below(&b->w->rng, 4), x = body_pick(b, b->now, KIND_MIX);
  body_add(b, members[k], body_result(b, SpvOpCompositeExtract, body_type(b, members[k]), x, k));
}

/* ---- observing values ------------------------------------------------------------------------ */

static uint32_t extract(Body *b, uint32_t type, uint32_t x, uint32_t k) {
  return body_result(b, SpvOpCompositeExtract, type, x, k);
}

uint32_t body_observe(Body *b, Kind kind, uint32_t x) {
  World *w = b->w;
  uint32_t k = rng_below(&w->rng, 4), id;
  switch (kind) {
  case KIND_BOOL:
    id = emit_id(&w->m);
    EMIT(&b->words, SpvOpSelect, w->t_u32, id, x, world_constant(w, 3), world_constant(w, 5));
    return id;
  case KIND_F32:
    return unary(b, SpvOpBitcast, w->t_u32, x);
  case KIND_F16:
    return unary(b, SpvOpUConvert, w->t_u32, unary(b, SpvOpBitcast, w->t_int[0][1], x));
  case KIND_MIX:
    return body_observe(b, members[k], extract(b, body_type(b, members[k]), x, k));
  case KIND_VEC:
  case KIND_ARRAY:
    return extract(b, w->t_u32, x, k);
  case KIND_STRUCT:
    return extract(b, w->t_u32, x, 0);
  case KIND_WILD:
  case KIND_MATRIX:
  case KIND_RECORD_PTR:
  case KIND_VEC_PTR:
  case KIND_U32_PTR:
  case KIND_LOCAL_PTR:
  case KIND_FLOAT_PTR:
  case KIND_SHARED_PTR:
    return rich_observe(b, kind, x);
  default:
    return to_u32(b, kind, x);
  }
}

/* ---- handles --------------------------------------------------------------------------------- */

static void make_image(Body *b) {
  World *w = b->w;
  uint32_t pointer = w->v_image;
  if (rng_percent(&w->rng, 50))
    pointer = body_result(b, SpvOpAccessChain, w->p_image, w->v_images,
                          world_constant(w, rng_below(&w->rng, 4)));
  body_add(b, KIND_IMAGE, body_load(b, w->t_image, pointer));
}

static void make_sampler(Body *b) {
  body_add(b, KIND_SAMPLER, body_load(b, b->w->t_sampler, b->w->v_sampler));
}

static void take_texel(Body *b, uint32_t texel) {
  World *w = b->w;
  uint32_t part = rng_below(&w->rng, 4);
  uint32_t x = body_result(b, SpvOpCompositeExtract, w->t_f32, texel, part);
  body_add(b, KIND_U32, unary(b, SpvOpBitcast, w->t_u32, x));
}

static void fetch(Body *b) {
  World *w = b->w;
  uint32_t image = body_pick(b, b->now, KIND_IMAGE), lod = world_constant(w, 0);
  uint32_t x = body_result(b, SpvOpBitwiseAnd, w->t_u32, u32(b), world_constant(w, 3));
  uint32_t at = body_result(b, SpvOpCompositeConstruct, w->t_uvec2, x, x), id = emit_id(&w->m);
  EMIT(&b->words, SpvOpImageFetch, w->t_fvec4, id, image, at, SpvImageOperandsLodMask, lod);
  take_texel(b, id);
}

/* The sampled image is used only in its block; its image and sampler come from anywhere. */
static void sample(Body *b) {
  World *w = b->w;
  uint32_t image = body_pick(b, b->now, KIND_IMAGE);
  uint32_t sampler = body_pick(b, b->now, KIND_SAMPLER);
  uint32_t both = body_result(b, SpvOpSampledImage, w->t_sampled, image, sampler);
  uint32_t x = small_float(b, KIND_F32), lod = small_float(b, KIND_F32);
  uint32_t at = body_result(b, SpvOpCompositeConstruct, w->t_fvec2, x, x), id = emit_id(&w->m);
  EMIT(&b->words, SpvOpImageSampleExplicitLod, w->t_fvec4, id, both, at, SpvImageOperandsLodMask,
       lod);
  take_texel(b, id);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void (*const recipes[])(Body *) = {
    make_int,   mix_ints,  compare_ints, use_int,        use_int,  squeeze,       choose_any,
    make_float, use_float, negate_float, compare_floats, make_mix, take_from_mix,
};
static void (*const handle_recipes[])(Body *) = {make_image, make_image, make_sampler,
                                                 fetch,      fetch,      sample};

void body_wide_values(Body *b) {
  Rng *r = &b->w->rng;
  for (uint32_t k = rng_geometric(r, 60, 5); k > 0; k--)
    recipes[rng_below(r, sizeof recipes / sizeof *recipes)](b);
  if (b->w->handles && rng_percent(r, 50))
    handle_recipes[rng_below(r, sizeof handle_recipes / sizeof *handle_recipes)](b);
}

void body_wide_entry_values(Body *b) {
  for (unsigned k = 0; k < 8; k++)
    make_int_of(b, kinds[k / 4][k % 4]);
  make_float_of(b, KIND_F32);
  make_float_of(b, KIND_F16);
  make_mix(b);
  if (!b->w->handles)
    return;
  make_image(b);
  make_sampler(b);
}
