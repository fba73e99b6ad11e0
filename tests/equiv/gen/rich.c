/* SPDX-License-Identifier: Apache-2.0 */
/* rich: see rich.h. */
#include "tests/equiv/gen/rich.h"

#include "tests/equiv/gen/kernel.h"

#include <spirv/unified1/spirv.h>

#define GLOBAL (&w->m.section[EMIT_GLOBAL])
#define ANNOTATION (&w->m.section[EMIT_ANNOTATION])

/* ---- the module ------------------------------------------------------------------------------ */

static uint32_t import(World *w, const char *name) {
  uint32_t id = emit_id(&w->m);
  emit_string_op(&w->m.section[EMIT_CAPABILITY], SpvOpExtInstImport, 1, &id, name, 0, NULL);
  return id;
}

static void extension(World *w, const char *name) {
  emit_string_op(&w->m.section[EMIT_CAPABILITY], SpvOpExtension, 0, NULL, name, 0, NULL);
}

void rich_capabilities(World *w) {
  EmitWords *out = &w->m.section[EMIT_CAPABILITY];
  if (w->rich.kernel) {
    w->rich.pointers = true; /* they are addresses */
    extension(w, "SPV_INTEL_optnone");
    extension(w, "SPV_KHR_non_semantic_info");
    w->rich.set = import(w, "OpenCL.std");
    w->rich.notes = import(w, "NonSemantic.Notes");
    return;
  }
  w->rich.pointers = rng_percent(&w->rng, 60);
  w->rich.non_uniform = rng_percent(&w->rng, 50);
  if (w->rich.pointers) {
    EMIT(out, SpvOpCapability, SpvCapabilityVariablePointersStorageBuffer);
    EMIT(out, SpvOpCapability, SpvCapabilityVariablePointers);
  }
  if (w->handles)
    EMIT(out, SpvOpCapability, SpvCapabilitySampledImageArrayDynamicIndexing);
  if (w->rich.non_uniform) {
    EMIT(out, SpvOpCapability, SpvCapabilityShaderNonUniform);
    if (w->handles)
      EMIT(out, SpvOpCapability, SpvCapabilitySampledImageArrayNonUniformIndexing);
  }
  if (w->rich.non_uniform && w->m.version < 0x10500)
    extension(w, "SPV_EXT_descriptor_indexing");
  if (w->rich.fragment && w->m.version < 0x10600)
    extension(w, "SPV_KHR_terminate_invocation");
  extension(w, "SPV_KHR_non_semantic_info");
  w->rich.set = import(w, "GLSL.std.450");
  w->rich.notes = import(w, "NonSemantic.Notes");
}

static uint32_t spec_constant(World *w, uint32_t number) {
  uint32_t id = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpSpecConstant, w->t_u32, id, (uint32_t)rng_next(&w->rng) >> 16);
  EMIT(ANNOTATION, SpvOpDecorate, id, SpvDecorationSpecId, number);
  return id;
}

static void spec_constants(World *w) {
  uint32_t *s = w->rich.spec, *c = w->rich.spec_bool;
  for (uint32_t k = 0; k < 2; k++)
    s[k] = spec_constant(w, 10 + k);
  c[0] = emit_id(&w->m);
  EMIT(GLOBAL, rng_percent(&w->rng, 50) ? SpvOpSpecConstantTrue : SpvOpSpecConstantFalse, w->t_bool,
       c[0]);
  EMIT(ANNOTATION, SpvOpDecorate, c[0], SpvDecorationSpecId, 12);
  c[1] = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpSpecConstantOp, w->t_bool, c[1], SpvOpULessThan, s[0], s[1]);
  s[2] = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpSpecConstantOp, w->t_u32, s[2], SpvOpIAdd, s[0], s[1]);
  s[3] = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpSpecConstantOp, w->t_u32, s[3], SpvOpSelect, c[1], s[0], s[2]);
  w->rich.spec_vec = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpSpecConstantComposite, w->t_vec, w->rich.spec_vec, s[0], s[1], s[2], s[3]);
}

void rich_begin(World *w) {
  if (!w->t_f32) {
    w->t_f32 = emit_id(&w->m);
    EMIT(GLOBAL, SpvOpTypeFloat, w->t_f32, 32);
  }
  w->t_fvec2 = world_vector(w, w->t_f32, 2);
  w->t_fvec4 = world_vector(w, w->t_f32, 4);
  if (w->rich.kernel)
    w->t_uvec2 = world_vector(w, w->t_u32, 2);
  if (!w->rich.kernel) {
    w->rich.t_matrix = emit_id(&w->m);
    EMIT(GLOBAL, SpvOpTypeMatrix, w->rich.t_matrix, w->t_fvec2, 2);
  }
  w->rich.quarter = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpConstant, w->t_f32, w->rich.quarter, 0x3e800000);
  w->rich.nine_eighths = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpConstant, w->t_f32, w->rich.nine_eighths, 0x3f900000);
  spec_constants(w);
  places_begin(w);
  if (!w->rich.kernel)
    EMIT(ANNOTATION, SpvOpDecorate, w->v_in, SpvDecorationRestrict);
}

uint32_t rich_interface(const World *w, uint32_t *id) {
  if (w->rich.kernel) {
    *id = w->rich.v_shared;
    return 1;
  }
  const uint32_t all[] = {w->rich.v_alias, w->rich.v_private, w->rich.v_floats, w->rich.v_struct,
                          w->rich.v_shared};
  uint32_t count = w->rich.v_shared ? 5 : 4;
  for (uint32_t k = 0; k < count; k++)
    id[k] = all[k];
  if (w->handles)
    id[count++] = w->rich.v_combined;
  return count;
}

/* ---- decorations and controls ---------------------------------------------------------------- */

void rich_decorate(Body *b, uint32_t id, bool pointer) {
  World *w = b->w;
  if (w->rich.non_uniform && rng_percent(&w->rng, 20))
    world_decorate(w, id, SpvDecorationNonUniform);
  else if (!pointer && rng_percent(&w->rng, 5))
    world_decorate(w, id, SpvDecorationRelaxedPrecision);
}

uint32_t rich_function_control(Body *b) {
  Rng *r = &b->w->rng;
  if (b->is_main || !rng_percent(r, 60))
    return 0;
  if (b->w->rich.kernel && rng_percent(r, 20))
    return SpvFunctionControlOptNoneINTELMask;
  return rng_percent(r, 50) ? SpvFunctionControlInlineMask : SpvFunctionControlDontInlineMask;
}

void rich_loop_merge(Body *b, uint32_t merge, uint32_t cont) {
  Rng *r = &b->w->rng;
  bool newer = b->w->m.version >= 0x10400;
  uint32_t one = newer ? SpvLoopControlMinIterationsMask << rng_below(r, 5)
                       : SpvLoopControlDependencyLengthMask;
  uint32_t n = rng_range(r, 1, 4);
  if (one == SpvLoopControlDependencyLengthMask || rng_percent(r, 50))
    EMIT(&b->words, SpvOpLoopMerge, merge, cont, one, n);
  else
    EMIT(&b->words, SpvOpLoopMerge, merge, cont, SpvLoopControlDependencyLengthMask | one, 8, n);
}

void rich_kill(Body *b) {
  emit_op(&b->words, rng_percent(&b->w->rng, 50) ? SpvOpKill : SpvOpTerminateInvocation, 0, NULL);
}

/* ---- values ---------------------------------------------------------------------------------- */

Kind rich_phi_kind(Body *b) {
  if (b->w->rich.kernel)
    return kernel_kind(b);
  static const Kind list[] = {KIND_WILD,       KIND_MATRIX,    KIND_U32_PTR, KIND_VEC_PTR,
                              KIND_RECORD_PTR, KIND_FLOAT_PTR, KIND_U32_PTR, KIND_SHARED_PTR};
  uint32_t count = !b->w->rich.pointers ? 2 : b->w->rich.v_shared ? 8 : 7;
  return list[rng_below(&b->w->rng, count)];
}

uint32_t rich_observe(Body *b, Kind kind, uint32_t x) {
  World *w = b->w;
  uint32_t id = emit_id(&w->m);
  switch (kind) {
  case KIND_RECORD_PTR:
    return body_load(b, w->t_u32,
                     body_chain(b, w->p_buffer_u32, x, world_constant(w, rng_below(&w->rng, 2))));
  case KIND_VEC_PTR:
    return body_load(b, w->t_u32, body_chain(b, w->p_buffer_u32, x, body_masked(b, 3)));
  case KIND_FLOAT_PTR:
    x = body_load(b, w->t_f32, x);
    break;
  case KIND_MATRIX:
    EMIT(&b->words, SpvOpCompositeExtract, w->t_f32, id, x, rng_below(&w->rng, 2),
         rng_below(&w->rng, 2));
    x = id;
    break;
  case KIND_WILD:
    break;
  default:
    return body_load(b, w->t_u32, x);
  }
  return forms_unary(b, SpvOpBitcast, w->t_u32, x);
}

void rich_entry_values(Body *b) {
  for (int k = 0; k < 4; k++)
    body_add(b, KIND_U32, b->w->rich.spec[k]);
  for (int k = 0; k < 2; k++)
    body_add(b, KIND_BOOL, b->w->rich.spec_bool[k]);
  body_add(b, KIND_VEC, b->w->rich.spec_vec);
  places_entry(b);
  forms_entry(b);
}

void rich_values(Body *b) {
  Rng *r = &b->w->rng;
  for (uint32_t k = 1 + rng_geometric(r, 60, 5); k > 0; k--)
    if (rng_percent(r, 65))
      places_cook(b);
    else
      forms_cook(b);
  if (rng_percent(r, 15))
    handed_call(b);
}

/* A part of a vector that is stored where no run comes. */
void rich_unreachable(Body *b) {
  if (rng_percent(&b->w->rng, 60))
    places_store_part(b, rng_percent(&b->w->rng, 60) ? b->idle : b->vector,
                      world_fresh_constant(b->w));
}
