/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_math: see kernel_math.h. */
#include "passes/transform/kernel/kernel_math.h"

#include "passes/base/map.h"
#include "passes/transform/kernel/kernel_math_code.h"
#include "passes/transform/kernel/kernel_variable.h"

#include <assert.h>

/* An instruction that was written, or a call. */
typedef struct Written {
  SpvOp op;
  uint32_t number; /* of an instruction of GLSL.std.450; of a call: the function's */
  uint32_t type;   /* of a call: 0 */
  uint32_t operand[SR_MATH_ARGUMENTS], count, id;
  uint32_t next; /* with the same hash; SR_NONE: the last */
} Written;

struct SrMath {
  SrEmit *e;
  uint32_t types[SR_MATH_KINDS];
  SrMap first; /* by hash: index in written */
  SR_VEC(Written) written;
  SR_VEC(uint32_t) value; /* ids of the values of functions that are being written */
};

/* ---- instructions ---- */

static uint32_t hash_of(const Written *w) {
  uint32_t hash = (uint32_t)w->op * 31 + w->number;
  hash = hash * 0x9e3779b1u + w->type;
  for (uint32_t i = 0; i < w->count; i++)
    hash = (hash ^ hash >> 15) * 0x9e3779b1u + w->operand[i];
  return hash;
}

static bool is_same(const Written *a, const Written *b) {
  return a->op == b->op && a->number == b->number && a->type == b->type && a->count == b->count &&
         memcmp(a->operand, b->operand, a->count * sizeof *a->operand) == 0;
}

static bool may_contract(SpvOp op) {
  return op == SpvOpFAdd || op == SpvOpFSub || op == SpvOpFMul;
}

static uint32_t make(SrMath *m, const Written *w) {
  if (w->op == SpvOpExtInst)
    return sr_emit_glsl(m->e, w->number, w->type, w->operand, w->count);
  if (w->op == SpvOpUMulExtended) /* the high half of the product */
    return sr_emit_extract(
        m->e, w->type, sr_emit(m->e, w->op, sr_kernel_pair(m->e->k, w->type), w->operand, 2), 1);
  uint32_t id = sr_emit(m->e, w->op, w->type, w->operand, w->count);
  if (may_contract(w->op))
    sr_kernel_variable_decorate(m->e->k, id, SpvDecorationNoContraction, SR_NONE);
  return id;
}

/* The id that the instruction or call has got; 0: there is none. */
static uint32_t find(const SrMath *m, const Written *w) {
  for (uint32_t i = sr_map_get(&m->first, hash_of(w)); i != SR_NONE; i = m->written.at[i].next)
    if (is_same(&m->written.at[i], w))
      return m->written.at[i].id;
  return 0;
}

static void remember(SrMath *m, Written *w, uint32_t id) {
  uint32_t hash = hash_of(w);
  w->id = id;
  w->next = sr_map_get(&m->first, hash);
  SR_PUSH(m->e->k->arena, &m->written, *w);
  sr_map_set(&m->first, hash, m->written.count - 1);
}

static uint32_t write(SrMath *m, Written w) {
  uint32_t id = find(m, &w);
  if (id)
    return id;
  id = make(m, &w);
  remember(m, &w, id);
  return id;
}

/* ---- functions ---- */

static uint32_t call(SrMath *m, uint32_t function, const uint32_t *arguments, uint32_t count);

/* Values of the function that is being written begin at `first`. */
static uint32_t write_step(SrMath *m, const SrMathStep *s, uint32_t first) {
  if (s->op == SpvOpConstant)
    return sr_kernel_constant(m->e->k, m->types[s->kind], s->number);
  Written w = {.op = s->op, .number = s->number, .type = m->types[s->kind], .count = s->count};
  for (uint32_t i = 0; i < s->count; i++)
    w.operand[i] = m->value.at[first + s->operand[i]];
  if (s->op == SpvOpFunctionCall)
    return call(m, s->number, w.operand, s->count);
  if (s->op == SpvOpSelect && w.operand[1] == w.operand[2])
    return w.operand[1];
  return write(m, w);
}

static uint32_t write_function(SrMath *m, const SrMathCode *code, const uint32_t *arguments) {
  uint32_t first = m->value.count;
  for (uint32_t i = 0; i < code->parameters; i++)
    SR_PUSH(m->e->k->arena, &m->value, arguments[i]);
  for (uint32_t i = 0; i < code->step.count; i++) {
    uint32_t id = write_step(m, &code->step.at[i], first);
    SR_PUSH(m->e->k->arena, &m->value, id);
  }
  m->value.count = first;
  return m->value.at[first + code->result];
}

/* A function whose arguments were the same before is not written again. */
static uint32_t call(SrMath *m, uint32_t function, const uint32_t *arguments, uint32_t count) {
  Written w = {.op = SpvOpFunctionCall, .number = function, .count = count};
  memcpy(w.operand, arguments, count * sizeof *arguments);
  uint32_t id = find(m, &w);
  if (!id) {
    id = write_function(m, sr_math_code(m->e->k->math_codes, function), arguments);
    remember(m, &w, id);
  }
  return id;
}

SrMath *sr_kernel_math_begin(SrEmit *e, uint32_t components) {
  SrKernels *k = e->k;
  SrMath *m = k->math[components - 1];
  uint32_t whole = sr_kernel_vector(k, sr_kernel_int(k, 32), components);
  if (!m)
    k->math[components - 1] = m = SR_NEW(k->arena, SrMath, 1);
  if (!k->math_codes)
    k->math_codes = sr_math_codes_new(k->arena);
  m->e = e;
  m->written.count = 0;
  sr_map_clear(&m->first);
  m->first.arena = k->arena;
  m->types[SR_MATH_FLOAT] = sr_kernel_vector(k, sr_kernel_float(k, 32), components);
  m->types[SR_MATH_INT] = m->types[SR_MATH_UINT] = whole;
  m->types[SR_MATH_BOOL] = sr_kernel_vector(k, sr_kernel_bool(k), components);
  return m;
}

/* An argument as a value of the parameter's kind. */
static uint32_t passed(SrMath *m, uint32_t argument, SrMathKind kind) {
  const SrModule *of = m->e->k->m;
  bool is_float = sr_kernel_is_float(of, sr_kernel_type_of(of, argument));
  SpvOp op = sr_math_conversion(is_float ? SR_MATH_FLOAT : SR_MATH_INT, kind);
  return op == SpvOpNop
             ? argument
             : write(m, (Written){
                            .op = op, .type = m->types[kind], .operand = {argument}, .count = 1});
}

uint32_t sr_kernel_math_call(SrMath *m, const char *name, const uint32_t *arguments,
                             uint32_t count) {
  uint32_t function = sr_math_code_find(name, strlen(name)), x[SR_MATH_ARGUMENTS];
  const SrMathCode *code = sr_math_code(m->e->k->math_codes, function);
  assert(code->parameters == count);
  for (uint32_t i = 0; i < count; i++)
    x[i] = passed(m, arguments[i], code->parameter[i]);
  return call(m, function, x, count);
}
