/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_math: see kernel_math.h. A compiler by recursive descent, whose expressions are ids. The
 * texts are the library's own: what is wrong in one is found by assertions when it is first used,
 * and the unit test uses each. */
#include "passes/transform/kernel/kernel_math.h"

#include "passes/base/map.h"
#include "passes/transform/kernel/kernel_math_token.h"
#include "passes/transform/kernel/kernel_variable.h"

#include <assert.h>
#include <spirv/unified1/GLSL.std.450.h>

typedef enum Kind { FLOAT, INT, UINT, BOOL, KINDS } Kind;

typedef struct Value {
  uint32_t id;
  Kind kind;
} Value;

typedef struct Function {
  const char *type, *name, *parameters, *body;
} Function;

static const Function functions[] = {
#define SR_MATH(type, name, parameters, ...) {#type, #name, #parameters, #__VA_ARGS__},
#include "passes/transform/kernel/math/math.def"
#undef SR_MATH
};

enum { MOST_ARGUMENTS = 6 };

/* An instruction that was written, or a call. */
typedef struct Written {
  SpvOp op;
  uint32_t number; /* of an instruction of GLSL.std.450; of a call: the function's index */
  uint32_t type;   /* of a call: the kinds of the arguments */
  uint32_t operand[MOST_ARGUMENTS], count, id;
  uint32_t next; /* with the same hash; SR_NONE: the last */
} Written;

struct SrMath {
  SrEmit *e;
  uint32_t types[KINDS];
  SrMap first; /* by hash: index in written */
  SR_VEC(Written) written;
};

typedef struct Name {
  const char *text;
  size_t length;
  Value value;
} Name;

/* A function whose text is read. */
typedef struct Reader {
  SrMath *m;
  const char *at; /* after the token */
  SrMathToken token;
  SR_VEC(Name) names;
} Reader;

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

static Value op1(SrMath *m, SpvOp op, Kind kind, Value a) {
  return (Value){write(m, (Written){op, 0, m->types[kind], {a.id}, 1, 0, 0}), kind};
}

static Value op2(SrMath *m, SpvOp op, Kind kind, Value a, Value b) {
  return (Value){write(m, (Written){op, 0, m->types[kind], {a.id, b.id}, 2, 0, 0}), kind};
}

static Value glsl(SrMath *m, uint32_t number, Value a) {
  return (Value){write(m, (Written){SpvOpExtInst, number, m->types[a.kind], {a.id}, 1, 0, 0}),
                 a.kind};
}

static Value constant(SrMath *m, Kind kind, uint32_t bits) {
  return (Value){sr_kernel_constant(m->e->k, m->types[kind], bits), kind};
}

static Value convert(SrMath *m, Kind to, Value a) {
  if (to == FLOAT)
    return a.kind == FLOAT  ? a
           : a.kind == UINT ? op1(m, SpvOpConvertUToF, FLOAT, a)
                            : op1(m, SpvOpConvertSToF, FLOAT, a);
  if (a.kind == FLOAT)
    return op1(m, to == UINT ? SpvOpConvertFToU : SpvOpConvertFToS, to, a);
  return (Value){a.id, to};
}

static Value reinterpret(SrMath *m, Kind to, Value a) {
  return m->types[to] == m->types[a.kind] ? (Value){a.id, to} : op1(m, SpvOpBitcast, to, a);
}

/* ---- operators ---- */

/* An operator with two operands: its instruction for each kind of them. */
typedef struct Operator {
  const char *text;
  int level; /* a higher one binds more closely */
  SpvOp op[KINDS];
  bool tests;
} Operator;

#define SR_BITS(text, level, op)                                                                   \
  { text, level, {SpvOpNop, op, op, SpvOpNop}, false }
static const Operator operators[] = {
    {"||", 1, {SpvOpNop, SpvOpNop, SpvOpNop, SpvOpLogicalOr}, true},
    {"&&", 2, {SpvOpNop, SpvOpNop, SpvOpNop, SpvOpLogicalAnd}, true},
    SR_BITS("|", 3, SpvOpBitwiseOr),
    SR_BITS("^", 4, SpvOpBitwiseXor),
    SR_BITS("&", 5, SpvOpBitwiseAnd),
    {"==", 6, {SpvOpFOrdEqual, SpvOpIEqual, SpvOpIEqual, SpvOpLogicalEqual}, true},
    {"!=", 6, {SpvOpFUnordNotEqual, SpvOpINotEqual, SpvOpINotEqual, SpvOpLogicalNotEqual}, true},
    {"<", 7, {SpvOpFOrdLessThan, SpvOpSLessThan, SpvOpULessThan, SpvOpNop}, true},
    {">", 7, {SpvOpFOrdGreaterThan, SpvOpSGreaterThan, SpvOpUGreaterThan, SpvOpNop}, true},
    {"<=", 7, {SpvOpFOrdLessThanEqual, SpvOpSLessThanEqual, SpvOpULessThanEqual, SpvOpNop}, true},
    {">=",
     7,
     {SpvOpFOrdGreaterThanEqual, SpvOpSGreaterThanEqual, SpvOpUGreaterThanEqual, SpvOpNop},
     true},
    SR_BITS("<<", 8, SpvOpShiftLeftLogical),
    {">>", 8, {SpvOpNop, SpvOpShiftRightArithmetic, SpvOpShiftRightLogical, SpvOpNop}, false},
    {"+", 9, {SpvOpFAdd, SpvOpIAdd, SpvOpIAdd, SpvOpNop}, false},
    {"-", 9, {SpvOpFSub, SpvOpISub, SpvOpISub, SpvOpNop}, false},
    {"*", 10, {SpvOpFMul, SpvOpIMul, SpvOpIMul, SpvOpNop}, false},
    {"/", 10, {SpvOpFDiv, SpvOpSDiv, SpvOpUDiv, SpvOpNop}, false},
};
#undef SR_BITS
enum { OPERATORS = sizeof operators / sizeof *operators };

/* The kind in which C computes with operands of two kinds. A shift's is that of the first. */
static Kind common_kind(Value a, Value b) {
  if (a.kind == b.kind || a.kind == FLOAT || b.kind == FLOAT)
    return a.kind == b.kind ? a.kind : FLOAT;
  return UINT;
}

static Value apply(SrMath *m, const Operator *o, Value a, Value b) {
  Kind kind = o->level == 8 ? a.kind : common_kind(a, b);
  if (kind == FLOAT)
    a = convert(m, FLOAT, a), b = convert(m, FLOAT, b);
  assert(o->op[kind] != SpvOpNop);
  return op2(m, o->op[kind], o->tests ? BOOL : kind, a, b);
}

static Value choose(SrMath *m, Value condition, Value a, Value b) {
  Kind kind = common_kind(a, b);
  a = convert(m, kind, a), b = convert(m, kind, b);
  if (a.id == b.id)
    return a;
  return (Value){
      write(m, (Written){SpvOpSelect, 0, m->types[kind], {condition.id, a.id, b.id}, 3, 0, 0}),
      kind};
}

/* ---- calls ---- */

static Value call(SrMath *m, const Function *f, const Value *arguments, uint32_t count);

static bool is_named(const char *name, const SrMathToken *t) {
  return sr_math_token_is(t, name);
}

static Value call_glsl(SrMath *m, const SrMathToken *name, Value a) {
  static const struct {
    const char *name;
    uint32_t number;
  } of[] = {{"fabs", GLSLstd450FAbs},   {"rint", GLSLstd450RoundEven},
            {"floor", GLSLstd450Floor}, {"trunc", GLSLstd450Trunc},
            {"sqrt", GLSLstd450Sqrt},   {"inverse_sqrt", GLSLstd450InverseSqrt}};
  uint32_t i = 0;
  while (!is_named(of[i].name, name))
    assert(i + 1 < sizeof of / sizeof *of), i++;
  return glsl(m, of[i].number, a);
}

static Value call_named(SrMath *m, const SrMathToken *name, const Value *x, uint32_t count) {
  for (uint32_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (is_named(functions[i].name, name))
      return call(m, &functions[i], x, count);
  if (is_named("as_float", name))
    return reinterpret(m, FLOAT, x[0]);
  if (is_named("as_int", name))
    return reinterpret(m, INT, x[0]);
  if (is_named("as_uint", name))
    return reinterpret(m, UINT, x[0]);
  if (is_named("mul_high", name))
    return op2(m, SpvOpUMulExtended, UINT, x[0], x[1]);
  if (is_named("leading_zeros", name))
    return op2(m, SpvOpISub, INT, constant(m, INT, 31), glsl(m, GLSLstd450FindUMsb, x[0]));
  return call_glsl(m, name, x[0]);
}

/* ---- expressions ---- */

static Value expression(Reader *r);

static void next(Reader *r) {
  r->token = sr_math_token_next(&r->at);
}

static bool at(const Reader *r, const char *text) {
  return sr_math_token_is(&r->token, text);
}

static void expect(Reader *r, const char *text) {
  assert(at(r, text));
  (void)text;
  next(r);
}

static bool at_type(const Reader *r, Kind *kind) {
  static const char *const names[] = {"float", "int", "uint", "bool"};
  for (uint32_t i = 0; i < KINDS; i++)
    if (at(r, names[i])) {
      *kind = (Kind)i;
      return true;
    }
  return false;
}

static Value named(Reader *r, const SrMathToken *name) {
  uint32_t i = r->names.count;
  while (r->names.at[i - 1].length != name->length ||
         memcmp(r->names.at[i - 1].text, name->text, name->length) != 0)
    assert(i > 1), i--;
  return r->names.at[i - 1].value;
}

static Value name_or_call(Reader *r) {
  SrMathToken name = r->token;
  Value x[MOST_ARGUMENTS];
  uint32_t count = 0;
  next(r);
  if (!at(r, "("))
    return named(r, &name);
  do {
    next(r);
    x[count++] = expression(r);
    assert(count < MOST_ARGUMENTS || at(r, ")"));
  } while (at(r, ","));
  expect(r, ")");
  return call_named(r->m, &name, x, count);
}

static Value unary(Reader *r);

static Value bracket(Reader *r) {
  Kind kind;
  next(r);
  if (at_type(r, &kind)) {
    next(r);
    expect(r, ")");
    return convert(r->m, kind, unary(r));
  }
  Value value = expression(r);
  expect(r, ")");
  return value;
}

static Value literal(Reader *r) {
  Kind kind = r->token.kind == SR_TOKEN_FLOAT ? FLOAT : r->token.kind == SR_TOKEN_INT ? INT : UINT;
  Value value = constant(r->m, kind, r->token.bits);
  next(r);
  return value;
}

static Value unary(Reader *r) {
  if (at(r, "("))
    return bracket(r);
  if (r->token.kind == SR_TOKEN_NAME)
    return name_or_call(r);
  if (r->token.kind != SR_TOKEN_SIGN)
    return literal(r);
  SrMathToken sign = r->token;
  next(r);
  Value a = unary(r);
  if (is_named("-", &sign))
    return op1(r->m, a.kind == FLOAT ? SpvOpFNegate : SpvOpSNegate, a.kind, a);
  return is_named("!", &sign) ? op1(r->m, SpvOpLogicalNot, BOOL, a)
                              : op1(r->m, SpvOpNot, a.kind, a);
}

static const Operator *at_operator(const Reader *r) {
  for (uint32_t i = 0; i < OPERATORS; i++)
    if (at(r, operators[i].text))
      return &operators[i];
  return NULL;
}

/* Operators of at least this level. */
static Value binary(Reader *r, int level) {
  Value a = unary(r);
  for (const Operator *o; (o = at_operator(r)) != NULL && o->level >= level;) {
    next(r);
    a = apply(r->m, o, a, binary(r, o->level + 1));
  }
  return a;
}

static Value expression(Reader *r) {
  Value condition = binary(r, 0);
  if (!at(r, "?"))
    return condition;
  next(r);
  Value a = expression(r);
  expect(r, ":");
  return choose(r->m, condition, a, expression(r));
}

/* ---- functions ---- */

static void bind(Reader *r, const SrMathToken *name, Value value) {
  SR_PUSH(r->m->e->k->arena, &r->names, (Name){name->text, name->length, value});
}

/* A type; nothing else is possible. */
static Kind take_type(Reader *r) {
  Kind kind = FLOAT;
  bool typed = at_type(r, &kind);
  assert(typed);
  (void)typed;
  next(r);
  return kind;
}

static void read_parameters(Reader *r, const Value *arguments, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    next(r); /* a bracket or a comma */
    Kind kind = take_type(r);
    bind(r, &r->token, convert(r->m, kind, arguments[i]));
    next(r);
  }
  assert(at(r, ")"));
}

static void read_definition(Reader *r) {
  Kind kind = take_type(r);
  SrMathToken name = r->token;
  next(r);
  expect(r, "=");
  bind(r, &name, convert(r->m, kind, expression(r)));
  expect(r, ";");
}

static uint32_t read_function(SrMath *m, const Function *f, const Value *arguments, uint32_t count,
                              Kind kind) {
  Reader r = {.m = m, .at = f->parameters};
  next(&r);
  read_parameters(&r, arguments, count);
  r.at = f->body;
  next(&r);
  expect(&r, "{");
  while (!at(&r, "return"))
    read_definition(&r);
  next(&r);
  return convert(m, kind, expression(&r)).id;
}

/* A function whose arguments were the same before is not read again. */
static Value call(SrMath *m, const Function *f, const Value *arguments, uint32_t count) {
  Reader r = {.m = m, .at = f->type};
  next(&r);
  Kind kind = take_type(&r);
  Written w = {.op = SpvOpFunctionCall, .number = (uint32_t)(f - functions), .count = count};
  for (uint32_t i = 0; i < count; i++) {
    w.operand[i] = arguments[i].id;
    w.type = w.type * KINDS + (uint32_t)arguments[i].kind;
  }
  uint32_t id = find(m, &w);
  if (!id) {
    id = read_function(m, f, arguments, count, kind);
    remember(m, &w, id);
  }
  return (Value){id, kind};
}

SrMath *sr_kernel_math_begin(SrEmit *e, uint32_t components) {
  SrKernels *k = e->k;
  SrMath *m = k->math[components - 1];
  uint32_t whole = sr_kernel_vector(k, sr_kernel_int(k, 32), components);
  if (!m)
    k->math[components - 1] = m = SR_NEW(k->arena, SrMath, 1);
  m->e = e;
  m->written.count = 0;
  sr_map_clear(&m->first);
  m->first.arena = k->arena;
  m->types[FLOAT] = sr_kernel_vector(k, sr_kernel_float(k, 32), components);
  m->types[INT] = m->types[UINT] = whole;
  m->types[BOOL] = sr_kernel_vector(k, sr_kernel_bool(k), components);
  return m;
}

uint32_t sr_kernel_math_call(SrMath *m, const char *name, const uint32_t *arguments,
                             uint32_t count) {
  const SrModule *of = m->e->k->m;
  SrMathToken token = {SR_TOKEN_NAME, name, strlen(name), 0};
  Value x[MOST_ARGUMENTS];
  for (uint32_t i = 0; i < count; i++)
    x[i] = (Value){arguments[i],
                   sr_kernel_is_float(of, sr_kernel_type_of(of, arguments[i])) ? FLOAT : INT};
  return call_named(m, &token, x, count).id;
}
