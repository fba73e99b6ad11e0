/* SPDX-License-Identifier: Apache-2.0 */
/* places: see rich.h. The output buffer has a second variable, decorated Aliased like the first,
 * with floats in place of some integers:
 *
 *   alias   set 0, binding 1   { float, float, vec4, float[4] } recs[];
 *
 * Floats that an extended instruction splits are quarters of small numbers plus 9/8, so that every
 * result is exact, and none is 0, of which a driver may choose the sign. */
#include "tests/equiv/gen/rich.h"

#include "tests/equiv/gen/kernel.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.h>

#define GLOBAL (&w->m.section[EMIT_GLOBAL])
#define ANNOTATION (&w->m.section[EMIT_ANNOTATION])

/* ---- the module ------------------------------------------------------------------------------ */

static uint32_t alias_variable(World *w) {
  uint32_t strided = world_array(w, w->t_f32, 4, 4), record = emit_id(&w->m);
  EMIT(GLOBAL, SpvOpTypeStruct, record, w->t_f32, w->t_f32, w->t_fvec4, strided);
  const uint32_t offsets[4] = {0, 4, 16, 32};
  for (uint32_t k = 0; k < 4; k++)
    world_offset(w, record, k, offsets[k]);
  uint32_t block = world_block(w, record, 48);
  uint32_t id = world_variable(w, SpvStorageClassStorageBuffer, block);
  world_bind(w, id, 1);
  EMIT(ANNOTATION, SpvOpDecorate, id, SpvDecorationAliased);
  EMIT(ANNOTATION, SpvOpDecorate, w->v_out, SpvDecorationAliased);
  return id;
}

static uint32_t private_variable(World *w, uint32_t type, uint32_t *pointer) {
  uint32_t initial = world_null(w, type), id = emit_id(&w->m);
  *pointer = world_pointer(w, SpvStorageClassPrivate, type);
  EMIT(GLOBAL, SpvOpVariable, *pointer, id, SpvStorageClassPrivate, initial);
  return id;
}

/* Those of a shader only. */
static void shader_memory(World *w) {
  WorldRich *r = &w->rich;
  uint32_t unused;
  r->v_alias = alias_variable(w);
  r->p_float = world_pointer(w, SpvStorageClassStorageBuffer, w->t_f32);
  r->t_floats = world_array(w, w->t_f32, 2, 0);
  r->v_private = private_variable(w, w->t_array, &unused);
  r->v_floats = private_variable(w, r->t_floats, &unused);
  r->v_struct = private_variable(w, w->t_struct, &r->p_private_struct);
  r->p_private = world_pointer(w, SpvStorageClassPrivate, w->t_u32);
  r->p_private_float = world_pointer(w, SpvStorageClassPrivate, w->t_f32);
  EMIT(ANNOTATION, SpvOpDecorate, w->p_buffer_u32, SpvDecorationArrayStride, 4);
  EMIT(ANNOTATION, SpvOpDecorate, w->p_buffer_record, SpvDecorationArrayStride, 48);
}

void places_begin(World *w) {
  WorldRich *r = &w->rich;
  r->p_local_vec = world_pointer(w, SpvStorageClassFunction, w->t_vec);
  if (r->kernel)
    kernel_memory(w);
  else
    shader_memory(w);
  if (r->fragment)
    return;
  uint32_t all = world_array(w, w->t_u32, RICH_LANES * RICH_SLOT, 0);
  r->v_shared = world_variable(w, SpvStorageClassWorkgroup, all);
  r->p_shared = world_pointer(w, SpvStorageClassWorkgroup, w->t_u32);
}

/* ---- pointers -------------------------------------------------------------------------------- */

static uint32_t number(Body *b, uint32_t value) {
  return world_constant(b->w, value);
}

static uint32_t u32(Body *b) {
  return body_pick(b, b->now, KIND_U32);
}

static uint32_t slot(Body *b) {
  return body_result(b, SpvOpIMul, b->w->t_u32, b->gid, number(b, RICH_SLOT));
}

static void add_pointer(Body *b, Kind kind, uint32_t id) {
  body_add(b, kind, id);
  rich_decorate(b, id, true);
}

static void make_shared(Body *b) {
  World *w = b->w;
  if (!w->rich.v_shared)
    return;
  uint32_t first = slot(b), k = body_masked(b, RICH_SLOT - 1);
  if (w->rich.pointers && rng_percent(&w->rng, 40)) {
    uint32_t base = body_chain(b, w->rich.p_shared, w->rich.v_shared, first);
    add_pointer(b, KIND_SHARED_PTR, body_result(b, SpvOpPtrAccessChain, w->rich.p_shared, base, k));
    return;
  }
  uint32_t at = body_result(b, SpvOpIAdd, w->t_u32, first, k);
  add_pointer(b, KIND_SHARED_PTR, body_chain(b, w->rich.p_shared, w->rich.v_shared, at));
}

static void make_private(Body *b) {
  if (!b->w->rich.v_private)
    return;
  add_pointer(b, KIND_PRIVATE_PTR,
              body_chain(b, b->w->rich.p_private, b->w->rich.v_private, body_masked(b, 3)));
}

static void make_float(Body *b) {
  World *w = b->w;
  if (w->rich.kernel) {
    kernel_float_pointer(b);
    return;
  }
  uint32_t k = body_masked(b, 3), id = emit_id(&w->m);
  EMIT(&b->words, SpvOpAccessChain, w->rich.p_float, id, w->rich.v_alias, number(b, 0), b->gid,
       number(b, 3), k);
  add_pointer(b, KIND_FLOAT_PTR, id);
}

/* An element of the record's array, or of the record, by OpPtrAccessChain. */
static void step_pointer(Body *b) {
  World *w = b->w;
  if (!w->rich.pointers)
    return;
  uint32_t record = body_pick(b, b->now, KIND_RECORD_PTR), k = body_masked(b, 3);
  uint32_t id = emit_id(&w->m);
  if (rng_percent(&w->rng, 50)) {
    uint32_t first = emit_id(&w->m);
    EMIT(&b->words, SpvOpAccessChain, w->p_buffer_u32, first, record, number(b, 3), number(b, 0));
    EMIT(&b->words, SpvOpPtrAccessChain, w->p_buffer_u32, id, first, k);
  } else {
    EMIT(&b->words, SpvOpPtrAccessChain, w->p_buffer_u32, id, record, number(b, 0), number(b, 3),
         k);
  }
  add_pointer(b, KIND_U32_PTR, id);
}

static void choose_pointer(Body *b) {
  static const Kind list[] = {KIND_U32_PTR, KIND_VEC_PTR, KIND_FLOAT_PTR, KIND_RECORD_PTR,
                              KIND_SHARED_PTR};
  World *w = b->w;
  if (!w->rich.pointers)
    return;
  Kind kind = w->rich.kernel ? kernel_kind(b) : list[rng_below(&w->rng, w->rich.v_shared ? 5 : 4)];
  uint32_t c = body_pick(b, b->now, KIND_BOOL), x = body_pick(b, b->now, kind);
  uint32_t y = body_pick(b, b->now, kind), id = emit_id(&w->m);
  EMIT(&b->words, SpvOpSelect, body_type(b, kind), id, c, x, y);
  add_pointer(b, kind, id);
}

/* The address of a word. */
static uint32_t word_pointer(Body *b) {
  if (b->w->rich.kernel)
    return kernel_word_pointer(b);
  static const Kind list[] = {KIND_U32_PTR, KIND_LOCAL_PTR, KIND_PRIVATE_PTR, KIND_SHARED_PTR};
  return body_pick(b, b->now, list[rng_below(&b->w->rng, b->w->rich.v_shared ? 4 : 3)]);
}

/* That of a float, in the buffer or in a Private variable. */
static uint32_t float_pointer(Body *b) {
  World *w = b->w;
  if (w->rich.kernel || rng_percent(&w->rng, 60))
    return body_pick(b, b->now, KIND_FLOAT_PTR);
  return body_chain(b, w->rich.p_private_float, w->rich.v_floats, body_masked(b, 1));
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void load_word(Body *b) {
  uint32_t id = body_load(b, b->w->t_u32, word_pointer(b));
  rich_decorate(b, id, false);
  body_add(b, KIND_U32, id);
}

static void store_word(Body *b) {
  uint32_t pointer = word_pointer(b);
  EMIT(&b->words, SpvOpStore, pointer, u32(b));
}

static void move_float(Body *b) {
  uint32_t pointer = float_pointer(b);
  if (rng_percent(&b->w->rng, 50))
    forms_add_wild(b,
                   forms_unary(b, SpvOpBitcast, b->w->t_u32, body_load(b, b->w->t_f32, pointer)));
  else
    EMIT(&b->words, SpvOpStore, pointer, body_pick(b, b->now, KIND_WILD));
}

static void copy_memory(Body *b) {
  World *w = b->w;
  uint32_t to, from;
  if (w->rich.kernel && rng_percent(&w->rng, 50)) {
    kernel_copy(b);
    return;
  }
  if (w->rich.kernel || rng_percent(&w->rng, 60)) {
    to = word_pointer(b);
    from = word_pointer(b);
  } else {
    bool out = rng_percent(&w->rng, 50);
    to = out ? w->rich.v_struct : b->aggregate;
    from = out ? b->aggregate : w->rich.v_struct;
  }
  if (to != from)
    EMIT(&b->words, SpvOpCopyMemory, to, from);
}

/* Compare-exchange, or another atomic operation, on memory that only this invocation uses. */
static void exchange(Body *b) {
  static const uint32_t ops[] = {SpvOpAtomicIAdd, SpvOpAtomicUMax, SpvOpAtomicExchange,
                                 SpvOpAtomicXor};
  World *w = b->w;
  bool shared = w->rich.v_shared && rng_percent(&w->rng, 40);
  uint32_t pointer = body_pick(b, b->now, shared ? KIND_SHARED_PTR : KIND_U32_PTR);
  uint32_t scope = number(b, SpvScopeDevice), none = number(b, 0), value = u32(b);
  if (rng_percent(&w->rng, 40)) {
    uint32_t op = ops[rng_below(&w->rng, 4)], id = emit_id(&w->m);
    EMIT(&b->words, op, w->t_u32, id, pointer, scope, none, value);
    body_add(b, KIND_U32, id);
    return;
  }
  uint32_t old = rng_percent(&w->rng, 60) ? body_load(b, w->t_u32, pointer) : u32(b);
  uint32_t id = emit_id(&w->m);
  EMIT(&b->words, SpvOpAtomicCompareExchange, w->t_u32, id, pointer, scope, none, none, value, old);
  body_add(b, KIND_U32, id);
}

/* Modf and Frexp store through their second operand. */
static void take_apart(Body *b) {
  World *w = b->w;
  if (w->rich.kernel) {
    kernel_extended(b);
    return;
  }
  uint32_t x = body_result(b, SpvOpFMul, w->t_f32, forms_small(b), w->rich.quarter);
  x = body_result(b, SpvOpFAdd, w->t_f32, x, w->rich.nine_eighths);
  if (rng_percent(&w->rng, 40))
    x = forms_unary(b, SpvOpFNegate, w->t_f32, x);
  bool whole = rng_percent(&w->rng, 50);
  uint32_t pointer = whole ? float_pointer(b) : word_pointer(b), id = emit_id(&w->m);
  EMIT(&b->words, SpvOpExtInst, w->t_f32, id, w->rich.set, whole ? GLSLstd450Modf : GLSLstd450Frexp,
       x, pointer);
  body_add(b, KIND_WILD, id);
}

void places_store_part(Body *b, uint32_t vector, uint32_t value) {
  World *w = b->w;
  uint32_t k = number(b, rng_below(&w->rng, 4));
  uint32_t part = body_chain(b, w->p_local_u32, vector, k);
  EMIT(&b->words, SpvOpStore, part, value);
}

/* A vector variable, as a whole and in parts. */
static void move_vector(Body *b) {
  World *w = b->w;
  if (rng_percent(&w->rng, 40))
    body_add(b, KIND_VEC, body_load(b, w->t_vec, b->vector));
  else if (rng_percent(&w->rng, 20))
    EMIT(&b->words, SpvOpStore, b->idle, body_pick(b, b->now, KIND_VEC));
  else if (rng_percent(&w->rng, 50))
    EMIT(&b->words, SpvOpStore, b->vector, body_pick(b, b->now, KIND_VEC));
  else
    places_store_part(b, b->vector, u32(b));
}

static void set_flag(Body *b) {
  EMIT(&b->words, SpvOpStore, b->flag, number(b, rng_below(&b->w->rng, 3)));
}

uint32_t places_test_flag(Body *b) {
  World *w = b->w;
  uint32_t x = body_load(b, w->t_u32, b->flag), y = number(b, rng_below(&w->rng, 3));
  return body_result(b, SpvOpIEqual, w->t_bool, x, y);
}

static void (*const recipes[])(Body *) = {
    set_flag,       make_shared, make_private, make_float,  step_pointer, choose_pointer,
    choose_pointer, load_word,   load_word,    store_word,  move_float,   copy_memory,
    exchange,       take_apart,  take_apart,   move_vector, move_vector,
};

void places_cook(Body *b) {
  recipes[rng_below(&b->w->rng, sizeof recipes / sizeof *recipes)](b);
}

void places_entry(Body *b) {
  World *w = b->w;
  for (uint32_t k = 0; k < RICH_SLOT && w->rich.v_shared && b->is_main; k++) {
    uint32_t at = body_result(b, SpvOpIAdd, w->t_u32, slot(b), number(b, k));
    uint32_t pointer = body_chain(b, w->rich.p_shared, w->rich.v_shared, at);
    EMIT(&b->words, SpvOpStore, pointer, u32(b));
  }
  make_shared(b);
  make_private(b);
  make_float(b);
}
