/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_math_code: see kernel_math_code.h. A compiler by recursive descent, whose expressions are
 * values of the code. The texts are the library's own: what is wrong in one is found by assertions
 * when it is first used, and tests/math uses each. */
#include "passes/transform/kernel/kernel_math_code.h"

#include "passes/transform/kernel/kernel_math_token.h"

#include <assert.h>
#include <spirv/unified1/GLSL.std.450.h>

typedef struct Value {
  uint32_t at; /* in the code */
  SrMathKind kind;
} Value;

typedef struct Function {
  const char *type, *name, *parameters, *body;
} Function;

static const Function functions[] = {
#define SR_MATH(type, name, parameters, ...) {#type, #name, #parameters, #__VA_ARGS__},
#include "passes/transform/kernel/math/math.def"
#undef SR_MATH
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

struct SrMathCodes {
  SrArena *arena;
  SrMathCode code[FUNCTIONS];
};

typedef struct Name {
  const char *text;
  size_t length;
  Value value;
} Name;

/* A function whose text is read. */
typedef struct Reader {
  SrMathCodes *codes;
  SrMathCode *code;
  const char *at; /* after the token */
  SrMathToken token;
  SR_VEC(Name) names;
} Reader;

/* ---- steps ---- */

static Value add(Reader *r, SrMathStep step) {
  SR_PUSH(r->codes->arena, &r->code->step, step);
  return (Value){r->code->parameters + r->code->step.count - 1, step.kind};
}

static Value op1(Reader *r, SpvOp op, SrMathKind kind, Value a) {
  return add(r, (SrMathStep){op, kind, 0, {a.at}, 1});
}

static Value op2(Reader *r, SpvOp op, SrMathKind kind, Value a, Value b) {
  return add(r, (SrMathStep){op, kind, 0, {a.at, b.at}, 2});
}

static Value glsl(Reader *r, uint32_t number, Value a) {
  return add(r, (SrMathStep){SpvOpExtInst, a.kind, number, {a.at}, 1});
}

static Value constant(Reader *r, SrMathKind kind, uint32_t bits) {
  return add(r, (SrMathStep){SpvOpConstant, kind, bits, {0}, 0});
}

SpvOp sr_math_conversion(SrMathKind from, SrMathKind to) {
  if (from == to || (from != SR_MATH_FLOAT && to != SR_MATH_FLOAT))
    return SpvOpNop;
  if (to == SR_MATH_FLOAT)
    return from == SR_MATH_UINT ? SpvOpConvertUToF : SpvOpConvertSToF;
  return to == SR_MATH_UINT ? SpvOpConvertFToU : SpvOpConvertFToS;
}

static Value convert(Reader *r, SrMathKind to, Value a) {
  SpvOp op = sr_math_conversion(a.kind, to);
  return op == SpvOpNop ? (Value){a.at, to} : op1(r, op, to, a);
}

static Value reinterpret(Reader *r, SrMathKind to, Value a) {
  bool same = (to == SR_MATH_FLOAT) == (a.kind == SR_MATH_FLOAT);
  return same ? (Value){a.at, to} : op1(r, SpvOpBitcast, to, a);
}

/* ---- operators ---- */

/* An operator with two operands: its instruction for each kind of them. */
typedef struct Operator {
  const char *text;
  int level; /* a higher one binds more closely */
  SpvOp op[SR_MATH_KINDS];
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
static SrMathKind common_kind(Value a, Value b) {
  if (a.kind == b.kind || a.kind == SR_MATH_FLOAT || b.kind == SR_MATH_FLOAT)
    return a.kind == b.kind ? a.kind : SR_MATH_FLOAT;
  return SR_MATH_UINT;
}

static Value apply(Reader *r, const Operator *o, Value a, Value b) {
  SrMathKind kind = o->level == 8 ? a.kind : common_kind(a, b);
  if (kind == SR_MATH_FLOAT)
    a = convert(r, SR_MATH_FLOAT, a), b = convert(r, SR_MATH_FLOAT, b);
  assert(o->op[kind] != SpvOpNop);
  return op2(r, o->op[kind], o->tests ? SR_MATH_BOOL : kind, a, b);
}

static Value choose(Reader *r, Value condition, Value a, Value b) {
  SrMathKind kind = common_kind(a, b);
  a = convert(r, kind, a), b = convert(r, kind, b);
  return add(r, (SrMathStep){SpvOpSelect, kind, 0, {condition.at, a.at, b.at}, 3});
}

/* ---- calls ---- */

uint32_t sr_math_code_find(const char *name, size_t length) {
  for (uint32_t i = 0; i < FUNCTIONS; i++)
    if (strlen(functions[i].name) == length && memcmp(functions[i].name, name, length) == 0)
      return i;
  return SR_NONE;
}

static Value call(Reader *r, uint32_t function, const Value *x, uint32_t count) {
  const SrMathCode *callee = sr_math_code(r->codes, function);
  SrMathStep step = {.op = SpvOpFunctionCall, .kind = callee->kind, .number = function};
  assert(callee->parameters == count);
  for (step.count = 0; step.count < count; step.count++)
    step.operand[step.count] = convert(r, callee->parameter[step.count], x[step.count]).at;
  return add(r, step);
}

static bool is_named(const char *name, const SrMathToken *t) {
  return sr_math_token_is(t, name);
}

static Value call_glsl(Reader *r, const SrMathToken *name, Value a) {
  static const struct {
    const char *name;
    uint32_t number;
  } of[] = {{"fabs", GLSLstd450FAbs},   {"rint", GLSLstd450RoundEven},
            {"floor", GLSLstd450Floor}, {"trunc", GLSLstd450Trunc},
            {"sqrt", GLSLstd450Sqrt},   {"inverse_sqrt", GLSLstd450InverseSqrt}};
  uint32_t i = 0;
  while (!is_named(of[i].name, name))
    assert(i + 1 < sizeof of / sizeof *of), i++;
  return glsl(r, of[i].number, a);
}

static Value call_named(Reader *r, const SrMathToken *name, const Value *x, uint32_t count) {
  uint32_t function = sr_math_code_find(name->text, name->length);
  if (function != SR_NONE)
    return call(r, function, x, count);
  if (is_named("as_float", name))
    return reinterpret(r, SR_MATH_FLOAT, x[0]);
  if (is_named("as_int", name))
    return reinterpret(r, SR_MATH_INT, x[0]);
  if (is_named("as_uint", name))
    return reinterpret(r, SR_MATH_UINT, x[0]);
  if (is_named("mul_high", name))
    return op2(r, SpvOpUMulExtended, SR_MATH_UINT, x[0], x[1]);
  if (is_named("leading_zeros", name))
    return op2(r, SpvOpISub, SR_MATH_INT, constant(r, SR_MATH_INT, 31),
               glsl(r, GLSLstd450FindUMsb, x[0]));
  return call_glsl(r, name, x[0]);
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

static bool at_type(const Reader *r, SrMathKind *kind) {
  static const char *const names[] = {"float", "int", "uint", "bool"}; /* as SrMathKind */
  for (uint32_t i = 0; i < SR_MATH_KINDS; i++)
    if (at(r, names[i])) {
      *kind = (SrMathKind)i;
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
  Value x[SR_MATH_ARGUMENTS];
  uint32_t count = 0;
  next(r);
  if (!at(r, "("))
    return named(r, &name);
  do {
    next(r);
    x[count++] = expression(r);
    assert(count < SR_MATH_ARGUMENTS || at(r, ")"));
  } while (at(r, ","));
  expect(r, ")");
  return call_named(r, &name, x, count);
}

static Value unary(Reader *r);

static Value bracket(Reader *r) {
  SrMathKind kind;
  next(r);
  if (at_type(r, &kind)) {
    next(r);
    expect(r, ")");
    return convert(r, kind, unary(r));
  }
  Value value = expression(r);
  expect(r, ")");
  return value;
}

static Value literal(Reader *r) {
  SrMathKind kind = r->token.kind == SR_TOKEN_FLOAT ? SR_MATH_FLOAT
                    : r->token.kind == SR_TOKEN_INT ? SR_MATH_INT
                                                    : SR_MATH_UINT;
  Value value = constant(r, kind, r->token.bits);
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
    return op1(r, a.kind == SR_MATH_FLOAT ? SpvOpFNegate : SpvOpSNegate, a.kind, a);
  return is_named("!", &sign) ? op1(r, SpvOpLogicalNot, SR_MATH_BOOL, a)
                              : op1(r, SpvOpNot, a.kind, a);
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
    a = apply(r, o, a, binary(r, o->level + 1));
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
  return choose(r, condition, a, expression(r));
}

/* ---- functions ---- */

static void bind(Reader *r, const SrMathToken *name, Value value) {
  SR_PUSH(r->codes->arena, &r->names, (Name){name->text, name->length, value});
}

/* A type; nothing else is possible. */
static SrMathKind take_type(Reader *r) {
  SrMathKind kind = SR_MATH_FLOAT;
  bool typed = at_type(r, &kind);
  assert(typed);
  (void)typed;
  next(r);
  return kind;
}

static void read_parameters(Reader *r) {
  do {
    next(r); /* a bracket or a comma */
    SrMathKind kind = take_type(r);
    bind(r, &r->token, (Value){r->code->parameters, kind});
    r->code->parameter[r->code->parameters++] = kind;
    next(r);
  } while (at(r, ","));
  assert(at(r, ")"));
}

static void read_definition(Reader *r) {
  SrMathKind kind = take_type(r);
  SrMathToken name = r->token;
  next(r);
  expect(r, "=");
  bind(r, &name, convert(r, kind, expression(r)));
  expect(r, ";");
}

static void read_function(SrMathCodes *codes, const Function *f, SrMathCode *code) {
  Reader r = {.codes = codes, .code = code, .at = f->type};
  next(&r);
  code->kind = take_type(&r);
  r.at = f->parameters;
  next(&r);
  read_parameters(&r);
  r.at = f->body;
  next(&r);
  expect(&r, "{");
  while (!at(&r, "return"))
    read_definition(&r);
  next(&r);
  code->result = convert(&r, code->kind, expression(&r)).at;
}

SrMathCodes *sr_math_codes_new(SrArena *arena) {
  SrMathCodes *codes = SR_NEW(arena, SrMathCodes, 1);
  codes->arena = arena;
  return codes;
}

const SrMathCode *sr_math_code(SrMathCodes *codes, uint32_t function) {
  SrMathCode *code = &codes->code[function];
  if (!code->is_read)
    read_function(codes, &functions[function], code);
  code->is_read = true;
  return code;
}
