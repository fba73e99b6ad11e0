/* SPDX-License-Identifier: Apache-2.0 */
/* calls: the same three functions called from many blocks, as compilers write calls: one takes
 * values, the other one the address of a variable for each argument
 * (passes/transform/share/call_argument.h), and that of the state, which is the same at all calls.
 * Some calls do not keep to the pattern. */
#include "tests/equiv/gen/body.h"

#include <spirv/unified1/spirv.h>

#define GLOBAL (&w->m.section[EMIT_GLOBAL])

enum { BY_VALUE, BY_VARIABLE, OUT, FUNCTIONS };

void calls_begin(World *w) {
  for (int k = 0; k < FUNCTIONS; k++) {
    w->called[k] = emit_id(&w->m);
    w->t_called[k] = emit_id(&w->m);
  }
  EMIT(GLOBAL, SpvOpTypeFunction, w->t_called[BY_VALUE], w->t_u32, w->t_u32, w->t_u32);
  EMIT(GLOBAL, SpvOpTypeFunction, w->t_called[BY_VARIABLE], w->t_u32, w->p_local_u32,
       w->p_local_u32, w->p_local_u32);
  EMIT(GLOBAL, SpvOpTypeFunction, w->t_called[OUT], w->t_u32, w->p_local_u32, w->p_local_u32);
}

static void begin(World *w, int kind, uint32_t *params, int count) {
  EmitWords *out = &w->m.section[EMIT_FUNCTION];
  EMIT(out, SpvOpFunction, w->t_u32, w->called[kind], 0, w->t_called[kind]);
  for (int k = 0; k < count; k++) {
    params[k] = emit_id(&w->m);
    EMIT(out, SpvOpFunctionParameter, kind == BY_VALUE ? w->t_u32 : w->p_local_u32, params[k]);
  }
  EMIT(out, SpvOpLabel, emit_id(&w->m));
}

static uint32_t compute(World *w, uint32_t opcode, uint32_t x, uint32_t y) {
  uint32_t id = emit_id(&w->m);
  EMIT(&w->m.section[EMIT_FUNCTION], opcode, w->t_u32, id, x, y);
  return id;
}

static uint32_t load(World *w, uint32_t pointer) {
  uint32_t id = emit_id(&w->m);
  EMIT(&w->m.section[EMIT_FUNCTION], SpvOpLoad, w->t_u32, id, pointer);
  return id;
}

static void finish(World *w, uint32_t value) {
  EmitWords *out = &w->m.section[EMIT_FUNCTION];
  EMIT(out, SpvOpReturnValue, value);
  emit_op(out, SpvOpFunctionEnd, 0, NULL);
}

static void write_by_value(World *w) {
  uint32_t p[2];
  begin(w, BY_VALUE, p, 2);
  uint32_t x = compute(w, SpvOpIMul, p[0], world_fresh_constant(w));
  x = compute(w, SpvOpBitwiseXor, x, p[1]);
  finish(w, compute(w, SpvOpIAdd, x, world_fresh_constant(w)));
}

/* Changes its arguments and the state, by all of them. */
static void write_by_variable(World *w) {
  EmitWords *out = &w->m.section[EMIT_FUNCTION];
  uint32_t p[3];
  begin(w, BY_VARIABLE, p, 3);
  uint32_t x = load(w, p[0]), y = load(w, p[1]), s = load(w, p[2]);
  x = compute(w, SpvOpIMul, x, world_fresh_constant(w));
  s = compute(w, SpvOpBitwiseXor, s, compute(w, SpvOpIAdd, x, y));
  EMIT(out, SpvOpStore, p[0], s);
  EMIT(out, SpvOpStore, p[1], x);
  EMIT(out, SpvOpStore, p[2], compute(w, SpvOpIMul, s, world_fresh_constant(w)));
  finish(w, compute(w, SpvOpIAdd, s, y));
}

/* Sets its first argument by the second one, the state. */
static void write_out(World *w) {
  uint32_t p[2];
  begin(w, OUT, p, 2);
  uint32_t s = load(w, p[1]), x = compute(w, SpvOpIMul, s, world_fresh_constant(w));
  EMIT(&w->m.section[EMIT_FUNCTION], SpvOpStore, p[0], x);
  finish(w, compute(w, SpvOpIAdd, s, x));
}

void calls_write(World *w) {
  write_by_value(w);
  write_by_variable(w);
  write_out(w);
}

void body_passed_variables(Body *b) {
  b->passed_count = 2 * b->g->count;
  b->passed = emit_resize(NULL, b->passed_count * sizeof *b->passed);
  for (uint32_t k = 0; k < b->passed_count; k++) {
    b->passed[k] = emit_id(&b->w->m);
    EMIT(&b->words, SpvOpVariable, b->w->p_local_u32, b->passed[k], SpvStorageClassFunction);
  }
}

static uint32_t number(Body *b) {
  return rng_percent(&b->w->rng, 20) ? world_constant(b->w, rng_below(&b->w->rng, 8))
                                     : body_pick(b, b->now, KIND_U32);
}

static void call_by_value(Body *b) {
  World *w = b->w;
  uint32_t x = number(b), y = number(b), id = emit_id(&w->m);
  EMIT(&b->words, SpvOpFunctionCall, w->t_u32, id, w->called[BY_VALUE], x, y);
  body_add(b, KIND_U32, id);
}

/* Some loads come after the call. A store after it is not in the pattern. */
static void call_by_variable(Body *b) {
  World *w = b->w;
  uint32_t p[2], id = 0;
  for (int k = 0; k < 2; k++) {
    p[k] = b->passed[--b->passed_count];
    EMIT(&b->words, SpvOpStore, p[k], number(b));
  }
  if (rng_percent(&w->rng, 10))
    EMIT(&b->words, SpvOpStore, p[rng_below(&w->rng, 2)], number(b));
  if (rng_percent(&w->rng, 10))
    call_by_value(b);
  id = emit_id(&w->m);
  EMIT(&b->words, SpvOpFunctionCall, w->t_u32, id, w->called[BY_VARIABLE], p[0], p[1], b->state);
  body_add(b, KIND_U32, id);
  for (int k = 0; k < 2; k++)
    if (rng_percent(&w->rng, 40))
      body_add(b, KIND_U32, body_load(b, w->t_u32, p[k]));
  if (rng_percent(&w->rng, 3))
    EMIT(&b->words, SpvOpStore, p[0], number(b));
}

static void call_out(Body *b) {
  World *w = b->w;
  uint32_t p = b->passed[--b->passed_count], id = emit_id(&w->m);
  EMIT(&b->words, SpvOpFunctionCall, w->t_u32, id, w->called[OUT], p, b->state);
  body_add(b, KIND_U32, id);
  body_add(b, KIND_U32, body_load(b, w->t_u32, p));
}

void body_calls(Body *b) {
  Rng *r = &b->w->rng;
  for (uint32_t k = rng_geometric(r, 45, 3); k > 0; k--)
    if (b->passed_count < 2 || rng_percent(r, 40))
      call_by_value(b);
    else if (rng_percent(r, 30))
      call_out(b);
    else
      call_by_variable(b);
}
