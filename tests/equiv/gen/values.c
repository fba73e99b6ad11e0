/* SPDX-License-Identifier: Apache-2.0 */
/* values: the instructions of a generated block, from a list of small recipes, each of which reads
 * values that dominate it and computes one more. Pointers are only access chains, which a transform
 * can rematerialize, since logical addressing forbids phis of pointers. */
#include "tests/equiv/gen/body.h"

#include "tests/equiv/gen/kernel.h"
#include "tests/equiv/gen/rich.h"

#include <spirv/unified1/spirv.h>

uint32_t body_type(const Body *b, Kind kind) {
  const World *w = b->w;
  const uint32_t types[KINDS] = {
      [KIND_U32] = w->t_u32,
      [KIND_BOOL] = w->t_bool,
      [KIND_U8] = w->t_int[0][0],
      [KIND_U16] = w->t_int[0][1],
      [KIND_U64] = w->t_int[0][3],
      [KIND_I8] = w->t_int[1][0],
      [KIND_I16] = w->t_int[1][1],
      [KIND_I32] = w->t_int[1][2],
      [KIND_I64] = w->t_int[1][3],
      [KIND_F32] = w->t_f32,
      [KIND_F16] = w->t_f16,
      [KIND_MIX] = w->t_mix,
      [KIND_VEC] = w->t_vec,
      [KIND_STRUCT] = w->t_struct,
      [KIND_ARRAY] = w->t_array,
      [KIND_RECORD_PTR] = w->p_buffer_record,
      [KIND_VEC_PTR] = w->p_buffer_vec,
      [KIND_U32_PTR] = w->p_buffer_u32,
      [KIND_LOCAL_PTR] = w->p_local_u32,
      [KIND_IMAGE] = w->t_image,
      [KIND_SAMPLER] = w->t_sampler,
      [KIND_WILD] = w->t_f32,
      [KIND_MATRIX] = w->rich.t_matrix,
      [KIND_FLOAT_PTR] = w->rich.p_float,
      [KIND_SHARED_PTR] = w->rich.p_shared,
      [KIND_PRIVATE_PTR] = w->rich.p_private,
  };
  return types[kind];
}

uint32_t body_add(Body *b, Kind kind, uint32_t id) {
  if (b->value_count == b->value_capacity) {
    b->value_capacity = b->value_capacity * 2 + 64;
    b->value = emit_resize(b->value, b->value_capacity * sizeof *b->value);
  }
  b->value[b->value_count++] = (Value){id, kind, false};
  if (rng_percent(&b->w->rng, 2))
    world_name(b->w, id, "value");
  return id;
}

/* A composite or pointer used inside of a cycle and defined outside, or the reverse. */
static uint32_t use(Body *b, uint32_t index, uint32_t from, uint32_t at) {
  Value *v = &b->value[index];
  bool crosses = b->f.scc[from] != b->f.scc[at] && (b->f.cyclic[from] || b->f.cyclic[at]);
  if (v->kind >= KIND_VEC && crosses && !v->live) {
    v->live = true;
    b->w->live++;
  }
  return v->id;
}

static uint32_t find_in(const Body *b, uint32_t block, Kind kind, uint32_t start) {
  uint32_t first = b->value_first[block];
  uint32_t last = block == b->now ? b->value_count : b->value_last[block], n = last - first;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t i = first + (start + k) % n;
    if (b->value[i].kind == kind)
      return i;
  }
  return GRAPH_NONE;
}

uint32_t body_pick(Body *b, uint32_t block, Kind kind) {
  Rng *r = &b->w->rng;
  uint32_t at = block;
  for (uint32_t steps = 0; at != 0 && steps < 40; steps++, at = b->f.idom[at]) {
    if (!rng_percent(r, 40))
      continue;
    uint32_t i = find_in(b, at, kind, (uint32_t)rng_next(r) >> 1);
    if (i != GRAPH_NONE)
      return use(b, i, at, block);
  }
  return use(b, find_in(b, 0, kind, (uint32_t)rng_next(r) >> 1), 0, block);
}

uint32_t body_result(Body *b, uint32_t opcode, uint32_t type, uint32_t x, uint32_t y) {
  uint32_t id = emit_id(&b->w->m);
  EMIT(&b->words, opcode, type, id, x, y);
  return id;
}

uint32_t body_load(Body *b, uint32_t type, uint32_t pointer) {
  uint32_t id = emit_id(&b->w->m);
  EMIT(&b->words, SpvOpLoad, type, id, pointer);
  return id;
}

uint32_t body_chain(Body *b, uint32_t type, uint32_t base, uint32_t index) {
  return body_result(b, SpvOpAccessChain, type, base, index);
}

static uint32_t chain2(Body *b, uint32_t type, uint32_t base, uint32_t i, uint32_t j) {
  uint32_t id = emit_id(&b->w->m);
  EMIT(&b->words, SpvOpAccessChain, type, id, base, i, j);
  return id;
}

static uint32_t number(Body *b, uint32_t value) {
  return world_constant(b->w, value);
}

uint32_t body_uniform(Body *b) {
  World *w = b->w;
  uint32_t member = rng_below(&w->rng, 2);
  if (rng_percent(&w->rng, 50))
    return body_load(b, w->t_u32, body_chain(b, w->p_push_u32, w->v_push, number(b, member)));
  return body_load(b, w->t_u32,
                   body_chain(b, w->p_uniform_u32, w->v_uniform, number(b, member + 1)));
}

static uint32_t u32(Body *b) {
  return body_pick(b, b->now, KIND_U32);
}

uint32_t body_masked(Body *b, uint32_t mask) {
  return body_result(b, SpvOpBitwiseAnd, b->w->t_u32, u32(b), number(b, mask));
}

static void decorate(Body *b, uint32_t id) {
  if (rng_percent(&b->w->rng, 10))
    world_decorate(b->w, id, SpvDecorationRelaxedPrecision);
  else if (rng_percent(&b->w->rng, 3))
    world_decorate(b->w, id, SpvDecorationNoContraction);
}

static void arithmetic(Body *b) {
  static const uint32_t ops[] = {SpvOpIAdd,       SpvOpISub,      SpvOpIMul, SpvOpBitwiseXor,
                                 SpvOpBitwiseAnd, SpvOpBitwiseOr, SpvOpUMod, SpvOpUDiv};
  uint32_t op = ops[rng_below(&b->w->rng, 8)], y = u32(b);
  if (op == SpvOpUMod || op == SpvOpUDiv)
    y = body_result(b, SpvOpBitwiseOr, b->w->t_u32, y, number(b, 1));
  uint32_t id = body_result(b, op, b->w->t_u32, u32(b), y);
  decorate(b, id);
  body_add(b, KIND_U32, id);
}

static void shift(Body *b) {
  static const uint32_t ops[] = {SpvOpShiftLeftLogical, SpvOpShiftRightLogical,
                                 SpvOpShiftRightArithmetic};
  uint32_t by = body_masked(b, 31), op = ops[rng_below(&b->w->rng, 3)];
  body_add(b, KIND_U32, body_result(b, op, b->w->t_u32, u32(b), by));
}

static void compare(Body *b) {
  static const uint32_t ops[] = {SpvOpIEqual,    SpvOpINotEqual,         SpvOpULessThan,
                                 SpvOpSLessThan, SpvOpUGreaterThanEqual, SpvOpSLessThanEqual};
  uint32_t op = ops[rng_below(&b->w->rng, 6)];
  body_add(b, KIND_BOOL, body_result(b, op, b->w->t_bool, u32(b), u32(b)));
}

static void logic(Body *b) {
  static const uint32_t ops[] = {SpvOpLogicalAnd, SpvOpLogicalOr, SpvOpLogicalNotEqual};
  uint32_t x = body_pick(b, b->now, KIND_BOOL), y = body_pick(b, b->now, KIND_BOOL);
  body_add(b, KIND_BOOL, body_result(b, ops[rng_below(&b->w->rng, 3)], b->w->t_bool, x, y));
}

static void choose(Body *b) {
  uint32_t c = body_pick(b, b->now, KIND_BOOL), x = u32(b), y = u32(b), id = emit_id(&b->w->m);
  EMIT(&b->words, SpvOpSelect, b->w->t_u32, id, c, x, y);
  body_add(b, KIND_U32, id);
}

static void make_vector(Body *b) {
  uint32_t x = u32(b), y = u32(b), z = u32(b), t = u32(b), id = emit_id(&b->w->m);
  EMIT(&b->words, SpvOpCompositeConstruct, b->w->t_vec, id, x, y, z, t);
  body_add(b, KIND_VEC, id);
}

static void mix_vectors(Body *b) {
  uint32_t x = body_pick(b, b->now, KIND_VEC), y = body_pick(b, b->now, KIND_VEC);
  if (rng_percent(&b->w->rng, 50)) {
    body_add(b, KIND_VEC, body_result(b, SpvOpIAdd, b->w->t_vec, x, y));
    return;
  }
  uint32_t id = emit_id(&b->w->m), k[4];
  for (int i = 0; i < 4; i++)
    k[i] = rng_below(&b->w->rng, 8);
  EMIT(&b->words, SpvOpVectorShuffle, b->w->t_vec, id, x, y, k[0], k[1], k[2], k[3]);
  body_add(b, KIND_VEC, id);
}

static void take_from_vector(Body *b) {
  uint32_t x = body_pick(b, b->now, KIND_VEC), id;
  if (rng_percent(&b->w->rng, 50))
    id = body_result(b, SpvOpCompositeExtract, b->w->t_u32, x, rng_below(&b->w->rng, 4));
  else
    id = body_result(b, SpvOpVectorExtractDynamic, b->w->t_u32, x, body_masked(b, 3));
  body_add(b, KIND_U32, id);
}

static void make_struct(Body *b) {
  uint32_t x = u32(b), v = body_pick(b, b->now, KIND_VEC), a = body_pick(b, b->now, KIND_ARRAY);
  uint32_t id = emit_id(&b->w->m);
  EMIT(&b->words, SpvOpCompositeConstruct, b->w->t_struct, id, x, v, a);
  body_add(b, KIND_STRUCT, id);
}

static void edit_struct(Body *b) {
  uint32_t s = body_pick(b, b->now, KIND_STRUCT), x = u32(b), id = emit_id(&b->w->m);
  EMIT(&b->words, SpvOpCompositeInsert, b->w->t_struct, id, x, s, 2, rng_below(&b->w->rng, 4));
  body_add(b, KIND_STRUCT, id);
}

static void take_from_struct(Body *b) {
  uint32_t s = body_pick(b, b->now, KIND_STRUCT), id = emit_id(&b->w->m);
  if (rng_percent(&b->w->rng, 40)) {
    EMIT(&b->words, SpvOpCompositeExtract, b->w->t_vec, id, s, 1);
    body_add(b, KIND_VEC, id);
  } else {
    EMIT(&b->words, SpvOpCompositeExtract, b->w->t_u32, id, s, 2, rng_below(&b->w->rng, 4));
    body_add(b, KIND_U32, id);
  }
}

static void make_array(Body *b) {
  uint32_t x = u32(b), y = u32(b), z = u32(b), t = u32(b), id = emit_id(&b->w->m);
  EMIT(&b->words, SpvOpCompositeConstruct, b->w->t_array, id, x, y, z, t);
  body_add(b, KIND_ARRAY, id);
}

static void take_from_array(Body *b) {
  uint32_t a = body_pick(b, b->now, KIND_ARRAY);
  uint32_t k = rng_below(&b->w->rng, 4);
  body_add(b, KIND_U32, body_result(b, SpvOpCompositeExtract, b->w->t_u32, a, k));
}

static void make_buffer_pointer(Body *b) {
  World *w = b->w;
  uint32_t record = body_pick(b, b->now, KIND_RECORD_PTR);
  switch (rng_below(&w->rng, 4)) {
  case 0:
    body_add(b, KIND_RECORD_PTR, chain2(b, w->p_buffer_record, w->v_out, number(b, 0), b->gid));
    break;
  case 1:
    body_add(b, KIND_VEC_PTR, body_chain(b, w->p_buffer_vec, record, number(b, 2)));
    break;
  case 2:
    body_add(b, KIND_U32_PTR, chain2(b, w->p_buffer_u32, record, number(b, 3), body_masked(b, 3)));
    break;
  default:
    body_add(b, KIND_U32_PTR,
             body_chain(b, w->p_buffer_u32, body_pick(b, b->now, KIND_VEC_PTR), body_masked(b, 3)));
  }
}

static void make_local_pointer(Body *b) {
  uint32_t index = body_masked(b, WORLD_LOCALS - 1);
  body_add(b, KIND_LOCAL_PTR, body_chain(b, b->w->p_local_u32, b->locals, index));
}

static void load_word(Body *b) {
  Kind k = rng_percent(&b->w->rng, 50) ? KIND_U32_PTR : KIND_LOCAL_PTR;
  body_add(b, KIND_U32, body_load(b, b->w->t_u32, body_pick(b, b->now, k)));
}

static void store_word(Body *b) {
  Kind k = rng_percent(&b->w->rng, 50) ? KIND_U32_PTR : KIND_LOCAL_PTR;
  uint32_t pointer = body_pick(b, b->now, k);
  EMIT(&b->words, SpvOpStore, pointer, u32(b));
}

static void move_vector(Body *b) {
  uint32_t pointer = body_pick(b, b->now, KIND_VEC_PTR);
  if (rng_percent(&b->w->rng, 50))
    body_add(b, KIND_VEC, body_load(b, b->w->t_vec, pointer));
  else
    EMIT(&b->words, SpvOpStore, pointer, body_pick(b, b->now, KIND_VEC));
}

static void move_struct(Body *b) {
  if (rng_percent(&b->w->rng, 50))
    body_add(b, KIND_STRUCT, body_load(b, b->w->t_struct, b->aggregate));
  else
    EMIT(&b->words, SpvOpStore, b->aggregate, body_pick(b, b->now, KIND_STRUCT));
}

static void read_input(Body *b) {
  World *w = b->w;
  uint32_t index = body_masked(b, WORLD_INPUTS - 1);
  uint32_t pointer = chain2(b, w->p_buffer_u32, w->v_in, number(b, 0), index);
  body_add(b, KIND_U32, body_load(b, w->t_u32, pointer));
}

static void copy(Body *b) {
  static const Kind narrow[] = {KIND_U32, KIND_BOOL, KIND_VEC, KIND_STRUCT, KIND_ARRAY};
  Kind k =
      b->w->wide ? (Kind)rng_below(&b->w->rng, KIND_RECORD_PTR) : narrow[rng_below(&b->w->rng, 5)];
  uint32_t x = body_pick(b, b->now, k), id = emit_id(&b->w->m);
  EMIT(&b->words, SpvOpCopyObject, body_type(b, k), id, x);
  body_add(b, k, id);
}

/* Calls any helper that is written later, or, if each is called once, the next one. */
static void call(Body *b) {
  World *w = b->w;
  uint32_t first = b->callees > w->next ? b->callees : w->next;
  if (first >= w->helper_count || !rng_percent(&w->rng, w->once ? 80 : 25)) {
    read_input(b);
    return;
  }
  uint32_t pick = first;
  if (w->once)
    w->next = first + 1;
  else
    pick = rng_range(&w->rng, first, w->helper_count - 1);
  uint32_t x = u32(b), y = u32(b), id = emit_id(&w->m);
  if (w->rich.kernel)
    EMIT(&b->words, SpvOpFunctionCall, w->t_u32, id, w->helper[pick], x, y, b->state, b->fuel,
         w->v_in, w->v_out, w->v_uniform, w->v_push);
  else
    EMIT(&b->words, SpvOpFunctionCall, w->t_u32, id, w->helper[pick], x, y, b->state, b->fuel);
  body_add(b, KIND_U32, id);
}

static void (*const recipes[])(Body *) = {
    arithmetic,
    arithmetic,
    arithmetic,
    shift,
    compare,
    compare,
    logic,
    choose,
    make_vector,
    mix_vectors,
    take_from_vector,
    take_from_vector,
    make_struct,
    edit_struct,
    take_from_struct,
    take_from_struct,
    make_array,
    take_from_array,
    load_word,
    load_word,
    store_word,
    make_buffer_pointer,
    make_buffer_pointer,
    move_vector,
    move_struct,
    make_local_pointer,
    read_input,
    copy,
    call,
};

/* Recipes that create and use composites and pointers. */
static void (*const heavy_recipes[])(Body *) = {
    make_vector, mix_vectors, take_from_vector,    take_from_struct,   make_struct, edit_struct,
    load_word,   store_word,  make_buffer_pointer, make_local_pointer, move_vector, take_from_array,
};

static void line(Body *b) {
  Rng *r = &b->w->rng;
  if (rng_percent(r, 12))
    EMIT(&b->words, SpvOpLine, b->w->file, rng_range(r, 1, 999), rng_below(r, 80));
  else if (rng_percent(r, 2))
    emit_op(&b->words, SpvOpNoLine, 0, NULL);
}

static void cook(Body *b, void (*const *list)(Body *), uint32_t size, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    line(b);
    list[rng_below(&b->w->rng, size)](b);
  }
}

void body_random_values(Body *b) {
  Rng *r = &b->w->rng;
  cook(b, recipes, sizeof recipes / sizeof *recipes, 1 + rng_geometric(r, 55, 6));
  if (b->w->heavy)
    cook(b, heavy_recipes, sizeof heavy_recipes / sizeof *heavy_recipes, rng_range(r, 1, 3));
  if (b->w->wide)
    body_wide_values(b);
  if (b->w->rich.on)
    rich_values(b);
}

uint32_t body_invocation(Body *b) {
  World *w = b->w;
  if (w->rich.kernel)
    return kernel_invocation(b);
  uint32_t id3 = body_load(b, w->t_vec3, w->v_gid);
  return body_result(b, SpvOpCompositeExtract, w->t_u32, id3, 0);
}

/* At least one value of every kind, so that body_pick always finds one. */
void body_entry_values(Body *b) {
  World *w = b->w;
  b->gid = body_add(b, KIND_U32, body_invocation(b));
  if (!b->is_main)
    for (int k = 0; k < 2; k++)
      body_add(b, KIND_U32, b->params[k]);
  read_input(b);
  read_input(b);
  b->uniform[0] = body_uniform(b);
  b->uniform[1] = body_uniform(b);
  compare(b);
  make_vector(b);
  make_array(b);
  make_struct(b);
  body_add(b, KIND_RECORD_PTR, chain2(b, w->p_buffer_record, w->v_out, number(b, 0), b->gid));
  uint32_t record = body_pick(b, 0, KIND_RECORD_PTR);
  body_add(b, KIND_VEC_PTR, body_chain(b, w->p_buffer_vec, record, number(b, 2)));
  body_add(b, KIND_U32_PTR, chain2(b, w->p_buffer_u32, record, number(b, 3), body_masked(b, 3)));
  make_local_pointer(b);
  if (w->wide)
    body_wide_entry_values(b);
  if (w->rich.on)
    rich_entry_values(b);
  if (w->heavy)
    cook(b, heavy_recipes, sizeof heavy_recipes / sizeof *heavy_recipes, 20);
}
