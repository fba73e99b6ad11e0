/* SPDX-License-Identifier: Apache-2.0 */
/* kernel: see kernel.h. */
#include "tests/equiv/gen/kernel.h"

#include "tests/equiv/gen/rich.h"

#include <spirv/unified1/spirv.h>

#define GLOBAL (&w->m.section[EMIT_GLOBAL])

/* ---- the module ------------------------------------------------------------------------------ */

void kernel_capabilities(World *w) {
  static const uint32_t list[] = {SpvCapabilityKernel, SpvCapabilityAddresses,
                                  SpvCapabilityFloat16Buffer, SpvCapabilityOptNoneINTEL};
  for (size_t k = 0; k < sizeof list / sizeof *list; k++)
    EMIT(&w->m.section[EMIT_CAPABILITY], SpvOpCapability, list[k]);
}

static uint32_t pointer_to_struct(World *w, uint32_t storage, uint32_t count,
                                  const uint32_t *members) {
  uint32_t words[4] = {emit_id(&w->m)};
  for (uint32_t k = 0; k < count; k++)
    words[1 + k] = members[k];
  emit_op(GLOBAL, SpvOpTypeStruct, 1 + count, words);
  return world_pointer(w, storage, words[0]);
}

static uint32_t pointer_to_array(World *w, uint32_t element, uint32_t length) {
  uint32_t array = world_array(w, element, length, 0);
  return pointer_to_struct(w, SpvStorageClassCrossWorkgroup, 1, &array);
}

void kernel_types(World *w) {
  const uint32_t uniform[] = {w->t_vec, w->t_u32, w->t_u32}, push[] = {w->t_u32, w->t_u32};
  uint32_t *p = w->rich.p_buffers;
  p[0] = pointer_to_array(w, w->t_u32, WORLD_INPUTS);
  p[1] = pointer_to_array(w, w->t_record, RICH_LANES);
  p[2] = pointer_to_struct(w, SpvStorageClassUniformConstant, 3, uniform);
  p[3] = pointer_to_struct(w, SpvStorageClassCrossWorkgroup, 2, push);
}

uint32_t kernel_gid_type(World *w) {
  return w->rich.t_gid = world_vector(w, w->t_int[0][3], 3);
}

void kernel_parameters(World *w) {
  uint32_t *to[WORLD_BUFFERS] = {&w->v_in, &w->v_out, &w->v_uniform, &w->v_push};
  for (int k = 0; k < WORLD_BUFFERS; k++) {
    *to[k] = emit_id(&w->m);
    EMIT(&w->m.section[EMIT_FUNCTION], SpvOpFunctionParameter, w->rich.p_buffers[k], *to[k]);
  }
}

void kernel_memory(World *w) {
  WorldRich *r = &w->rich;
  r->p_float = world_pointer(w, SpvStorageClassCrossWorkgroup, w->t_f32);
  r->p_half = world_pointer(w, SpvStorageClassCrossWorkgroup, w->t_f16);
  r->p_fvec4 = world_pointer(w, SpvStorageClassCrossWorkgroup, w->t_fvec4);
  r->p_local_float = world_pointer(w, SpvStorageClassFunction, w->t_f32);
  for (uint32_t k = 0; k < 2; k++)
    r->c_long[k] = world_wide_constant(w, 0, 3, k);
}

/* ---- values ---------------------------------------------------------------------------------- */

uint32_t kernel_invocation(Body *b) {
  World *w = b->w;
  uint32_t id3 = body_load(b, w->rich.t_gid, w->v_gid);
  return forms_unary(b, SpvOpUConvert, w->t_u32,
                     body_result(b, SpvOpCompositeExtract, w->t_int[0][3], id3, 0));
}

Kind kernel_kind(Body *b) {
  static const Kind list[] = {KIND_WILD,       KIND_U32_PTR,   KIND_VEC_PTR,   KIND_U32_PTR,
                              KIND_RECORD_PTR, KIND_FLOAT_PTR, KIND_LOCAL_PTR, KIND_SHARED_PTR};
  return list[rng_below(&b->w->rng, 8)];
}

uint32_t kernel_word_pointer(Body *b) {
  static const Kind list[] = {KIND_U32_PTR, KIND_LOCAL_PTR, KIND_SHARED_PTR};
  return body_pick(b, b->now, list[rng_below(&b->w->rng, 3)]);
}

void kernel_float_pointer(Body *b) {
  uint32_t word = body_pick(b, b->now, KIND_U32_PTR);
  body_add(b, KIND_FLOAT_PTR, forms_unary(b, SpvOpBitcast, b->w->rich.p_float, word));
}

void kernel_copy(Body *b) {
  uint32_t to = kernel_word_pointer(b), from = kernel_word_pointer(b);
  if (to != from)
    EMIT(&b->words, SpvOpCopyMemorySized, to, from, world_constant(b->w, 4));
}
