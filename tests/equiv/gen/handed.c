/* SPDX-License-Identifier: Apache-2.0 */
/* handed: functions whose parameters are descriptors, and calls of them from functions of that
 * kind.
 *
 *   FETCH    (image *, u32)            a texel
 *   BY_VALUE (image, u32)              the same, of a loaded image
 *   SAMPLE   (image *, sampler *, u32) a sample, plus what FETCH returns
 *   COMBINED (sampled image *, u32) a sample
 *   RECORD   (record *, u32)           changes a record of the output buffer; with
 *                                      VariablePointers only */
#include "tests/equiv/gen/rich.h"

#include <spirv/unified1/spirv.h>

#define GLOBAL (&w->m.section[EMIT_GLOBAL])
#define OUT (&w->m.section[EMIT_FUNCTION])

enum { FETCH, BY_VALUE, SAMPLE, RECORD, COMBINED, FUNCTIONS };

static bool has(const World *w, int kind) {
  return kind == RECORD ? w->rich.pointers : w->handles;
}

void handed_begin(World *w) {
  WorldRich *r = &w->rich;
  for (int k = 0; k < FUNCTIONS; k++) {
    r->handed[k] = emit_id(&w->m);
    r->t_handed[k] = emit_id(&w->m);
  }
  if (has(w, FETCH)) {
    EMIT(GLOBAL, SpvOpTypeFunction, r->t_handed[FETCH], w->t_u32, w->p_image, w->t_u32);
    EMIT(GLOBAL, SpvOpTypeFunction, r->t_handed[BY_VALUE], w->t_u32, w->t_image, w->t_u32);
    EMIT(GLOBAL, SpvOpTypeFunction, r->t_handed[SAMPLE], w->t_u32, w->p_image, w->p_sampler,
         w->t_u32);
    EMIT(GLOBAL, SpvOpTypeFunction, r->t_handed[COMBINED], w->t_u32, r->p_combined, w->t_u32);
  }
  if (has(w, RECORD))
    EMIT(GLOBAL, SpvOpTypeFunction, r->t_handed[RECORD], w->t_u32, w->p_buffer_record, w->t_u32);
}

/* ---- the functions --------------------------------------------------------------------------- */

static void begin(World *w, int kind, const uint32_t *types, uint32_t *params, int count) {
  EMIT(OUT, SpvOpFunction, w->t_u32, w->rich.handed[kind], 0, w->rich.t_handed[kind]);
  for (int k = 0; k < count; k++) {
    params[k] = emit_id(&w->m);
    EMIT(OUT, SpvOpFunctionParameter, types[k], params[k]);
  }
  EMIT(OUT, SpvOpLabel, emit_id(&w->m));
}

static void finish(World *w, uint32_t value) {
  EMIT(OUT, SpvOpReturnValue, value);
  emit_op(OUT, SpvOpFunctionEnd, 0, NULL);
}

static uint32_t unary(World *w, uint32_t opcode, uint32_t type, uint32_t x) {
  uint32_t id = emit_id(&w->m);
  EMIT(OUT, opcode, type, id, x);
  return id;
}

static uint32_t binary(World *w, uint32_t opcode, uint32_t type, uint32_t x, uint32_t y) {
  uint32_t id = emit_id(&w->m);
  EMIT(OUT, opcode, type, id, x, y);
  return id;
}

static uint32_t word_of(World *w, uint32_t texel, uint32_t part) {
  return unary(w, SpvOpBitcast, w->t_u32, binary(w, SpvOpCompositeExtract, w->t_f32, texel, part));
}

static uint32_t fetch(World *w, uint32_t image, uint32_t x) {
  x = binary(w, SpvOpBitwiseAnd, w->t_u32, x, world_constant(w, 3));
  uint32_t at = binary(w, SpvOpCompositeConstruct, w->t_uvec2, x, x), id = emit_id(&w->m);
  EMIT(OUT, SpvOpImageFetch, w->t_fvec4, id, image, at, SpvImageOperandsLodMask,
       world_constant(w, 0));
  return word_of(w, id, 1);
}

static void write_fetch(World *w) {
  const uint32_t types[] = {w->p_image, w->t_u32};
  uint32_t p[2];
  begin(w, FETCH, types, p, 2);
  finish(w, fetch(w, unary(w, SpvOpLoad, w->t_image, p[0]), p[1]));
}

static void write_by_value(World *w) {
  const uint32_t types[] = {w->t_image, w->t_u32};
  uint32_t p[2];
  begin(w, BY_VALUE, types, p, 2);
  finish(w, fetch(w, p[0], p[1]));
}

static uint32_t sample(World *w, uint32_t both, uint32_t x) {
  x = binary(w, SpvOpBitwiseAnd, w->t_u32, x, world_constant(w, 31));
  x = unary(w, SpvOpConvertUToF, w->t_f32, x);
  uint32_t at = binary(w, SpvOpCompositeConstruct, w->t_fvec2, x, x), id = emit_id(&w->m);
  EMIT(OUT, SpvOpImageSampleExplicitLod, w->t_fvec4, id, both, at, SpvImageOperandsLodMask, x);
  return word_of(w, id, 0);
}

static void write_combined(World *w) {
  const uint32_t types[] = {w->rich.p_combined, w->t_u32};
  uint32_t p[2];
  begin(w, COMBINED, types, p, 2);
  finish(w, sample(w, unary(w, SpvOpLoad, w->t_sampled, p[0]), p[1]));
}

static void write_sample(World *w) {
  const uint32_t types[] = {w->p_image, w->p_sampler, w->t_u32};
  uint32_t p[3];
  begin(w, SAMPLE, types, p, 3);
  uint32_t image = unary(w, SpvOpLoad, w->t_image, p[0]);
  uint32_t sampler = unary(w, SpvOpLoad, w->t_sampler, p[1]);
  uint32_t both = binary(w, SpvOpSampledImage, w->t_sampled, image, sampler);
  uint32_t taken = sample(w, both, p[2]);
  uint32_t texel = emit_id(&w->m);
  EMIT(OUT, SpvOpFunctionCall, w->t_u32, texel, w->rich.handed[FETCH], p[0], p[2]);
  finish(w, binary(w, SpvOpIAdd, w->t_u32, taken, texel));
}

static void write_record(World *w) {
  const uint32_t types[] = {w->p_buffer_record, w->t_u32};
  uint32_t p[2];
  begin(w, RECORD, types, p, 2);
  uint32_t at = binary(w, SpvOpAccessChain, w->p_buffer_u32, p[0], world_constant(w, 1));
  uint32_t old = unary(w, SpvOpLoad, w->t_u32, at);
  EMIT(OUT, SpvOpStore, at, binary(w, SpvOpBitwiseXor, w->t_u32, old, p[1]));
  finish(w, old);
}

void handed_write(World *w) {
  if (has(w, FETCH)) {
    write_fetch(w);
    write_by_value(w);
    write_sample(w);
    write_combined(w);
  }
  if (has(w, RECORD))
    write_record(w);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* An image, or an element of an array of them, by a constant or by any index. */
static uint32_t image_pointer(Body *b) {
  World *w = b->w;
  if (rng_percent(&w->rng, 40))
    return w->v_image;
  bool constant = rng_percent(&w->rng, 50) || !w->rich.non_uniform;
  uint32_t k = constant ? world_constant(w, rng_below(&w->rng, 4)) : body_masked(b, 3);
  uint32_t id = body_chain(b, w->p_image, w->v_images, k);
  if (!constant)
    world_decorate(w, id, SpvDecorationNonUniform);
  return id;
}

static uint32_t call(Body *b, int kind, uint32_t count, const uint32_t *arguments) {
  World *w = b->w;
  uint32_t words[8] = {w->t_u32, emit_id(&w->m), w->rich.handed[kind]};
  for (uint32_t k = 0; k < count; k++)
    words[3 + k] = arguments[k];
  emit_op(&b->words, SpvOpFunctionCall, 3 + count, words);
  return words[1];
}

void handed_call(Body *b) {
  World *w = b->w;
  int kind = (int)rng_below(&w->rng, FUNCTIONS);
  if (!has(w, kind))
    return;
  uint32_t x = body_pick(b, b->now, KIND_U32), id = 0;
  if (kind == FETCH)
    id = call(b, kind, 2, (uint32_t[]){image_pointer(b), x});
  else if (kind == BY_VALUE)
    id = call(b, kind, 2, (uint32_t[]){body_pick(b, b->now, KIND_IMAGE), x});
  else if (kind == SAMPLE)
    id = call(b, kind, 3, (uint32_t[]){image_pointer(b), w->v_sampler, x});
  else if (kind == COMBINED)
    id = call(b, kind, 2, (uint32_t[]){w->rich.v_combined, x});
  else
    id = call(b, kind, 2, (uint32_t[]){body_pick(b, b->now, KIND_RECORD_PTR), x});
  body_add(b, KIND_U32, id);
}
