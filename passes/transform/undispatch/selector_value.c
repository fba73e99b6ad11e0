/* SPDX-License-Identifier: Apache-2.0 */
/* selector_value: see selector_value.h. Recursion is bounded by DEEPEST. */
#include "passes/transform/undispatch/selector_value.h"

#include "passes/ir/integer.h"

/* Depth to which an expression is read, in operations. */
enum { DEEPEST = 5 };

void sr_selector_clear(SrSelectorValues *values) {
  sr_ids_clear(values->at);
  values->value.count = 0;
}

void sr_selector_set(SrSelectorValues *values, uint32_t id, SrSelectorValue value) {
  sr_ids_set(values->at, id, values->value.count);
  SR_PUSH(values->arena, &values->value, value);
}

/* ---- types ---- */

/* 1 for booleans; the bits of integers; 0 for other types. */
static uint32_t width_of_type(const SrModule *m, uint32_t type) {
  return sr_def_op(m, type) == SpvOpTypeBool ? 1 : sr_integer_width(m, type);
}

static uint32_t width_of(const SrModule *m, uint32_t id) {
  SrRef r = sr_def(m, id);
  return r == SR_NONE ? 0 : width_of_type(m, sr_inst(m, r)->type);
}

bool sr_selector_is_computed(const SrModule *m, SrRef r) {
  const SrInst *in = sr_inst(m, r);
  const uint32_t *w = sr_words(m, r);
  if (!in->result || !in->type || width_of_type(m, in->type) == 0)
    return false;
  switch (in->op) {
  case SpvOpCopyObject:
  case SpvOpLogicalNot:
  case SpvOpUConvert:
  case SpvOpSConvert:
    return true;
  case SpvOpIAdd:
  case SpvOpISub:
  case SpvOpBitwiseAnd:
  case SpvOpLogicalAnd:
  case SpvOpLogicalOr:
  case SpvOpLogicalEqual:
  case SpvOpLogicalNotEqual:
  case SpvOpIEqual:
  case SpvOpINotEqual:
  case SpvOpULessThan:
  case SpvOpULessThanEqual:
  case SpvOpUGreaterThan:
  case SpvOpUGreaterThanEqual:
  case SpvOpSLessThan:
  case SpvOpSLessThanEqual:
  case SpvOpSGreaterThan:
  case SpvOpSGreaterThanEqual:
    return width_of(m, w[3]) && width_of(m, w[3]) == width_of(m, w[4]);
  case SpvOpSelect:
    return width_of(m, w[3]) == 1;
  default:
    return false;
  }
}

/* ---- operations ---- */

static int64_t as_signed(uint64_t bits, uint32_t width) {
  return sr_integer_signed((SrInteger){bits, width, true});
}

/* The result of an operation on two numbers of `width` bits. */
static uint64_t binary(SpvOp op, uint32_t width, uint64_t a, uint64_t b) {
  int64_t x = as_signed(a, width), y = as_signed(b, width);
  switch (op) {
  case SpvOpIAdd:
    return sr_integer_cut(a + b, width);
  case SpvOpISub:
    return sr_integer_cut(a - b, width);
  case SpvOpBitwiseAnd:
  case SpvOpLogicalAnd:
    return a & b;
  case SpvOpLogicalOr:
    return a | b;
  case SpvOpLogicalEqual:
  case SpvOpIEqual:
    return a == b;
  case SpvOpLogicalNotEqual:
  case SpvOpINotEqual:
    return a != b;
  case SpvOpULessThan:
    return a < b;
  case SpvOpULessThanEqual:
    return a <= b;
  case SpvOpUGreaterThan:
    return a > b;
  case SpvOpUGreaterThanEqual:
    return a >= b;
  case SpvOpSLessThan:
    return x < y;
  case SpvOpSLessThanEqual:
    return x <= y;
  case SpvOpSGreaterThan:
    return x > y;
  default: /* OpSGreaterThanEqual */
    return x >= y;
  }
}

static SrSelectorValue known(uint64_t bits) {
  return (SrSelectorValue){.known = true, .bits = bits};
}

static bool may_be_known(const SrSelectorValue *v) {
  return v->known || v->fork;
}

/* The result of an operation with one operand, whose width may differ from the result's. */
static SrSelectorValue unary(const SrModule *m, SrRef r, const SrSelectorValue *x) {
  uint32_t width = width_of_type(m, sr_inst(m, r)->type), from = width_of(m, sr_words(m, r)[3]);
  if (!x->known || !from)
    return (SrSelectorValue){.fork = x->fork};
  switch (sr_inst(m, r)->op) {
  case SpvOpLogicalNot:
    return known(!x->bits);
  case SpvOpSConvert:
    return known(sr_integer_cut((uint64_t)as_signed(x->bits, from), width));
  case SpvOpUConvert:
    return known(sr_integer_cut(x->bits, width));
  default: /* OpCopyObject */
    return known(x->bits);
  }
}

/* If the condition is not known, but both results may be, the condition itself is the fork. */
static SrSelectorValue choose(const SrSelectorValue *c, const SrSelectorValue *x,
                              const SrSelectorValue *y) {
  if (c->known)
    return c->bits ? *x : *y;
  if (x->known && y->known && x->bits == y->bits)
    return known(x->bits);
  return (SrSelectorValue){.fork = may_be_known(x) && may_be_known(y) ? c->id : 0};
}

static SrSelectorValue combine(const SrModule *m, SrRef r, const SrSelectorValue *x,
                               const SrSelectorValue *y) {
  const SrInst *in = sr_inst(m, r);
  if (x->known && y->known)
    return known(binary((SpvOp)in->op, width_of(m, sr_words(m, r)[3]), x->bits, y->bits));
  for (int k = 0; k < 2; k++) { /* one operand decides */
    const SrSelectorValue *v = k ? y : x;
    if (v->known && in->op == SpvOpLogicalAnd && !v->bits)
      return known(0);
    if (v->known && in->op == SpvOpLogicalOr && v->bits)
      return known(1);
  }
  if (!may_be_known(x) || !may_be_known(y))
    return (SrSelectorValue){0};
  return (SrSelectorValue){.fork = x->fork ? x->fork : y->fork};
}

/* ---- expressions ---- */

static SrSelectorValue value_at(const SrModule *m, const SrSelectorValues *assumed, uint32_t id,
                                unsigned depth);

static SrSelectorValue operand(const SrModule *m, const SrSelectorValues *path,
                               const SrSelectorValues *assumed, uint32_t id, unsigned depth) {
  const SrSelectorValue *v = path ? sr_selector_get(path, id) : NULL;
  return v ? *v : value_at(m, assumed, id, depth);
}

static SrSelectorValue compute(const SrModule *m, const SrSelectorValues *path,
                               const SrSelectorValues *assumed, SrRef r, unsigned depth) {
  const uint32_t *w = sr_words(m, r);
  SrSelectorValue x = operand(m, path, assumed, w[3], depth), y, z;
  switch (sr_inst(m, r)->op) {
  case SpvOpCopyObject:
  case SpvOpLogicalNot:
  case SpvOpUConvert:
  case SpvOpSConvert:
    return unary(m, r, &x);
  case SpvOpSelect:
    y = operand(m, path, assumed, w[4], depth);
    z = operand(m, path, assumed, w[5], depth);
    return choose(&x, &y, &z);
  default:
    y = operand(m, path, assumed, w[4], depth);
    return combine(m, r, &x, &y);
  }
}

static bool constant(const SrModule *m, uint32_t id, SrSelectorValue *v) {
  SrInteger number;
  switch (sr_def_op(m, id)) {
  case SpvOpConstantTrue:
    *v = known(1);
    return true;
  case SpvOpConstantFalse:
    *v = known(0);
    return true;
  case SpvOpConstantNull:
    *v = (SrSelectorValue){.known = width_of(m, id) != 0};
    return v->known;
  default:
    *v = (SrSelectorValue){0};
    if (sr_integer_constant(m, id, &number))
      *v = known(number.bits);
    return v->known;
  }
}

static SrSelectorValue value_at(const SrModule *m, const SrSelectorValues *assumed, uint32_t id,
                                unsigned depth) {
  const SrSelectorValue *is = sr_selector_get(assumed, id);
  SrSelectorValue v;
  SrRef r = sr_def(m, id);
  if (is)
    v = *is;
  else if (!constant(m, id, &v) && r != SR_NONE && depth < DEEPEST && m->home[id] != SR_NONE &&
           sr_selector_is_computed(m, r))
    v = compute(m, NULL, assumed, r, depth + 1);
  v.id = id;
  return v;
}

SrSelectorValue sr_selector_value(const SrModule *m, const SrSelectorValues *assumed, uint32_t id) {
  return value_at(m, assumed, id, 0);
}

SrSelectorValue sr_selector_compute(const SrModule *m, const SrSelectorValues *path,
                                    const SrSelectorValues *assumed, SrRef r) {
  return compute(m, path, assumed, r, 0);
}
