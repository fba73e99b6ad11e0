/* SPDX-License-Identifier: Apache-2.0 */
/* oracle: a plain interpreter of the words of the module. Calls have frames on an explicit stack;
 * oracle_decode.h describes the layout of values and memory. */
#include "tests/equiv/oracle.h"

#include "tests/equiv/gen/emit.h"
#include "tests/equiv/gen/opcode.h"
#include "tests/equiv/gen/rng.h"
#include "tests/equiv/oracle_decode.h"
#include "tests/equiv/oracle_float.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <stdlib.h>
#include <string.h>

enum { PRECISE = 0x2545f491 };

/* ---- values ---------------------------------------------------------------------------------- */

static Cell *cells(Oracle *o, uint32_t id) {
  const Def *d = oracle_def(o, id);
  if (!d->type)
    oracle_fail(o, "%%%u is no value", (unsigned)id);
  return d->pooled ? o->pool.data + d->slot
                   : o->values.data + o->frame[o->frame_count - 1].base + d->slot;
}

static uint32_t size_of(Oracle *o, uint32_t id) {
  return oracle_def(o, oracle_def(o, id)->type)->size;
}

static uint64_t scalar(Oracle *o, uint32_t id, const char *use) {
  const Cell *c = cells(o, id);
  if (c->poison)
    oracle_fail(o, "undefined %s %%%u", use, (unsigned)id);
  return c->v;
}

static void set(Oracle *o, uint32_t id, const Cell *from) {
  memmove(cells(o, id), from, size_of(o, id) * sizeof *from);
}

static int64_t as_signed(uint64_t v, unsigned width) {
  return width >= 64 ? (int64_t)v : (int64_t)(v << (64 - width)) >> (64 - width);
}

/* Does SPIR-V leave the result undefined? */
static bool is_undefined(uint32_t op, uint64_t y, unsigned width) {
  if (op == SpvOpUDiv || op == SpvOpUMod)
    return y == 0;
  return op >= SpvOpShiftRightLogical && op <= SpvOpShiftLeftLogical && y >= width;
}

static uint64_t shift(uint32_t op, uint64_t x, uint64_t y, unsigned width) {
  if (op == SpvOpShiftLeftLogical)
    return x << y;
  return op == SpvOpShiftRightLogical ? x >> y : (uint64_t)(as_signed(x, width) >> y);
}

static uint64_t binary(Oracle *o, uint32_t op, uint64_t x, uint64_t y, unsigned width) {
  int64_t a = as_signed(x, width), b = as_signed(y, width);
  switch (op) {
  case SpvOpIAdd:
    return x + y;
  case SpvOpISub:
    return x - y;
  case SpvOpIMul:
    return x * y;
  case SpvOpUDiv:
    return x / y;
  case SpvOpUMod:
    return x % y;
  case SpvOpBitwiseXor:
    return x ^ y;
  case SpvOpBitwiseAnd:
  case SpvOpLogicalAnd:
    return x & y;
  case SpvOpBitwiseOr:
  case SpvOpLogicalOr:
    return x | y;
  case SpvOpShiftLeftLogical:
  case SpvOpShiftRightLogical:
  case SpvOpShiftRightArithmetic:
    return shift(op, x, y, width);
  case SpvOpIEqual:
  case SpvOpLogicalEqual:
    return x == y;
  case SpvOpINotEqual:
  case SpvOpLogicalNotEqual:
    return x != y;
  case SpvOpULessThan:
    return x < y;
  case SpvOpULessThanEqual:
    return x <= y;
  case SpvOpUGreaterThan:
    return x > y;
  case SpvOpUGreaterThanEqual:
    return x >= y;
  case SpvOpSLessThan:
    return a < b;
  case SpvOpSLessThanEqual:
    return a <= b;
  case SpvOpSGreaterThan:
    return a > b;
  case SpvOpSGreaterThanEqual:
    return a >= b;
  default:
    oracle_fail(o, "opcode %u is not in the oracle's subset", (unsigned)op);
  }
}

static void run_binary(Oracle *o, const uint32_t *i) {
  unsigned width = oracle_scalar_width(o, oracle_def(o, i[3])->type),
           to_width = oracle_scalar_width(o, i[1]);
  uint32_t n = oracle_def(o, i[1])->size;
  Cell *to = cells(o, i[2]);
  const Cell *x = cells(o, i[3]), *y = cells(o, i[4]);
  for (uint32_t k = 0; k < n; k++) {
    bool poison = x[k].poison || y[k].poison || is_undefined(i[0] & 0xffff, y[k].v, width);
    uint64_t v = 0;
    if (!poison && !oracle_float_binary(i[0] & 0xffff, width, x[k].v, y[k].v, &v))
      v = binary(o, i[0] & 0xffff, x[k].v, y[k].v, width);
    to[k] =
        (Cell){oracle_mask_to(to_width, oracle_def(o, i[2])->precise ? v ^ PRECISE : v), poison};
  }
}

static void run_unary(Oracle *o, const uint32_t *i) {
  unsigned from = oracle_scalar_width(o, oracle_def(o, i[3])->type),
           to_width = oracle_scalar_width(o, i[1]);
  uint32_t op = i[0] & 0xffff;
  Cell x = *cells(o, i[3]);
  uint64_t v = x.v;
  if (op == SpvOpSConvert)
    v = (uint64_t)as_signed(v, from);
  else if (op == SpvOpNot)
    v = ~v;
  else if (op == SpvOpLogicalNot)
    v = !v;
  else if (op == SpvOpFNegate)
    v ^= UINT64_C(1) << (from - 1);
  else if (op == SpvOpConvertUToF)
    v = oracle_float_from(to_width, v);
  else if (op == SpvOpIsNan || op == SpvOpIsInf)
    v = oracle_float_test(op, v);
  *cells(o, i[2]) = (Cell){oracle_mask_to(to_width, v), x.poison};
}

static void run_select(Oracle *o, const uint32_t *i) {
  uint32_t n = oracle_def(o, i[1])->size;
  Cell c = *cells(o, i[3]);
  Cell *to = cells(o, i[2]);
  memmove(to, cells(o, i[c.v ? 4 : 5]), n * sizeof *to);
  for (uint32_t k = 0; c.poison && k < n; k++)
    to[k].poison = true;
}

/* ---- composites ------------------------------------------------------------------------------ */

/* Steps into member `index` of `*type`; adds the cells skipped. False if it is out of bounds. */
static bool step(Oracle *o, uint32_t *type, uint64_t index, uint32_t *cell) {
  const uint32_t *t = oracle_type_words(o, *type);
  bool is_struct = (t[0] & 0xffff) == SpvOpTypeStruct;
  if (index >= (is_struct ? (t[0] >> 16) - 2 : oracle_array_length(o, *type)))
    return false;
  for (uint32_t k = 0; is_struct && k < index; k++)
    *cell += oracle_def(o, t[2 + k])->size;
  if (!is_struct)
    *cell += (uint32_t)index * oracle_def(o, t[2])->size;
  *type = t[2 + (is_struct ? index : 0)];
  return true;
}

static uint32_t path(Oracle *o, uint32_t type, const uint32_t *index, uint32_t count) {
  uint32_t cell = 0;
  for (uint32_t k = 0; k < count; k++)
    if (!step(o, &type, index[k], &cell))
      oracle_fail(o, "no member %u", (unsigned)index[k]);
  return cell;
}

static void run_construct(Oracle *o, const uint32_t *i, uint32_t length) {
  Cell *to = cells(o, i[2]);
  for (uint32_t k = 3; k < length; k++) {
    uint32_t n = size_of(o, i[k]);
    memmove(to, cells(o, i[k]), n * sizeof *to);
    to += n;
  }
}

static void run_extract(Oracle *o, const uint32_t *i, uint32_t length) {
  set(o, i[2], cells(o, i[3]) + path(o, oracle_def(o, i[3])->type, i + 4, length - 4));
}

static void run_insert(Oracle *o, const uint32_t *i, uint32_t length) {
  set(o, i[2], cells(o, i[4]));
  memmove(cells(o, i[2]) + path(o, i[1], i + 5, length - 5), cells(o, i[3]),
          size_of(o, i[3]) * sizeof(Cell));
}

static void run_shuffle(Oracle *o, const uint32_t *i, uint32_t length) {
  uint32_t n = size_of(o, i[3]);
  for (uint32_t k = 5; k < length; k++)
    cells(o, i[2])[k - 5] = i[k] == UINT32_MAX ? (Cell){0, true}
                            : i[k] < n         ? cells(o, i[3])[i[k]]
                                               : cells(o, i[4])[i[k] - n];
}

static void run_extract_dynamic(Oracle *o, const uint32_t *i) {
  const Cell *index = cells(o, i[4]);
  if (index->poison || index->v >= size_of(o, i[3]))
    *cells(o, i[2]) = (Cell){0, true};
  else
    set(o, i[2], cells(o, i[3]) + index->v);
}

static void run_insert_dynamic(Oracle *o, const uint32_t *i) {
  const Cell *index = cells(o, i[5]);
  bool inside = !index->poison && index->v < size_of(o, i[3]);
  uint64_t at = index->v;
  Cell part = *cells(o, i[4]);
  set(o, i[2], cells(o, i[3]));
  for (uint32_t k = 0; !inside && k < size_of(o, i[2]); k++)
    cells(o, i[2])[k].poison = true;
  if (inside)
    cells(o, i[2])[at] = part;
}

/* The operands of matrix instructions, of two columns of two floats. */
static void run_matrix(Oracle *o, const uint32_t *i) {
  uint32_t op = i[0] & 0xffff;
  const Cell *m = cells(o, i[op == SpvOpVectorTimesMatrix ? 4 : 3]);
  Cell *to = cells(o, i[2]);
  if (op == SpvOpTranspose) {
    const Cell out[4] = {m[0], m[2], m[1], m[3]};
    memcpy(to, out, sizeof out);
    return;
  }
  const Cell *v = cells(o, i[op == SpvOpVectorTimesMatrix ? 3 : 4]);
  uint32_t column = op == SpvOpVectorTimesMatrix ? 2 : 1, row = 3 - column;
  for (uint32_t k = 0; k < 2; k++) {
    const Cell *x = m + k * column, *y = x + row;
    uint64_t parts[2] = {x->v, y->v}, by[2] = {v[0].v, v[1].v};
    to[k] = (Cell){oracle_float_dot(parts, by, 2),
                   x->poison || y->poison || v[0].poison || v[1].poison};
  }
}

/* A texel is a small number that depends on all operands: the handles, which are numbers from
 * memory, the coordinate, and the level. It is undefined if one of them is. */
static void run_texel(Oracle *o, const uint32_t *i, uint32_t length) {
  Cell all = *cells(o, i[3]);
  for (uint32_t k = 4; k < length; k++)
    for (uint32_t c = 0; k != 5 && c < size_of(o, i[k]); c++) {
      const Cell *part = cells(o, i[k]) + c;
      all = (Cell){rng_mix(all.v * 31 + part->v), all.poison || part->poison};
    }
  for (uint32_t k = 0; k < size_of(o, i[2]); k++)
    cells(o, i[2])[k] = (Cell){oracle_float_from(32, rng_mix(all.v + k) & 255), all.poison};
}

static void run_sampled_image(Oracle *o, const uint32_t *i) {
  const Cell *image = cells(o, i[3]), *sampler = cells(o, i[4]);
  *cells(o, i[2]) = (Cell){rng_mix(image->v * 31 + sampler->v), image->poison || sampler->poison};
}

/* ---- memory ---------------------------------------------------------------------------------- */

static Cell *memory_at(Oracle *o, uint32_t pointer, uint32_t size, const Object **object) {
  uint64_t p = scalar(o, pointer, "pointer");
  if (p >> 32 >= o->object_count)
    oracle_fail(o, "dangling pointer %%%u", (unsigned)pointer);
  *object = &o->object[p >> 32];
  if ((uint32_t)p + size > (*object)->count)
    oracle_fail(o, "pointer %%%u out of bounds", (unsigned)pointer);
  return o->memory.data + (*object)->first + (uint32_t)p;
}

/* A pointer out of bounds is undefined; so is what it loads, and a store by it is an error. */
static void run_chain(Oracle *o, const uint32_t *i, uint32_t length) {
  Cell p = *cells(o, i[3]);
  uint32_t type = oracle_pointee(o, oracle_def(o, i[3])->type), cell = 0, first = 4;
  if ((i[0] & 0xffff) == SpvOpPtrAccessChain) {
    const Cell *element = cells(o, i[first++]);
    p.poison = p.poison || element->poison;
    cell = (uint32_t)element->v * oracle_def(o, type)->size;
  }
  for (uint32_t k = first; k < length; k++) {
    const Cell *index = cells(o, i[k]);
    p.poison = p.poison || index->poison || !step(o, &type, index->v, &cell);
  }
  *cells(o, i[2]) = (Cell){p.v + cell, p.poison};
}

static void mix_into(uint64_t *hash, uint64_t v) {
  *hash = rng_mix(*hash * 31 + v);
}

/* Adds a value to the trace, and, if `seen`, to the effects. */
static void mix(Oracle *o, bool seen, uint64_t v) {
  mix_into(&o->trace, v);
  if (!seen)
    return;
  mix_into(&o->effects, v);
  mix_into(&o->stores, v);
}

/* Every volatile access is in the trace, also those that otherwise would not be. */
static void note_volatile(Oracle *o, uint32_t pointer, const uint32_t *mask, bool given) {
  const Object *object;
  if (!given || !(*mask & SpvMemoryAccessVolatileMask))
    return;
  Cell *at = memory_at(o, pointer, 1, &object);
  bool seen = object - o->object < o->frame[0].objects;
  mix(o, seen,
      oracle_pointer_to(object->variable, (uint32_t)(at - o->memory.data) - object->first) + 1);
}

/* `what` is the id that a message names. */
static void put(Oracle *o, uint32_t pointer, const Cell *from, uint32_t n, uint32_t what) {
  const Object *object;
  Cell *to = memory_at(o, pointer, n, &object);
  bool seen = object - o->object < o->frame[0].objects; /* the module's, not a function's */
  bool added = object->variable >= o->old_bound;
  if (!added)
    mix(o, seen,
        oracle_pointer_to(object->variable, (uint32_t)(to - o->memory.data) - object->first));
  for (uint32_t k = 0; k < n; k++) {
    if (from[k].poison && seen)
      oracle_fail(o, "undefined stored value %%%u", (unsigned)what);
    to[k] = from[k];
    if (!added)
      mix(o, seen, from[k].poison ? 0 : from[k].v);
  }
}

/* Scope and semantics are part of the trace. */
static void run_barrier(Oracle *o, const uint32_t *i, uint32_t length) {
  for (uint32_t k = 1; k < length; k++)
    mix(o, true, scalar(o, i[k], "scope or semantics"));
}

static void run_store(Oracle *o, const uint32_t *i) {
  note_volatile(o, i[1], i + 3, i[0] >> 16 > 3);
  put(o, i[1], cells(o, i[2]), size_of(o, i[2]), i[2]);
}

static void run_copy_memory(Oracle *o, const uint32_t *i) {
  const Object *object;
  uint32_t n = oracle_def(o, oracle_pointee(o, oracle_def(o, i[2])->type))->size;
  put(o, i[1], memory_at(o, i[2], n, &object), n, i[2]);
}

/* Operations on memory that no other invocation uses. */
static void run_atomic(Oracle *o, const uint32_t *i) {
  const Object *object;
  uint32_t op = i[0] & 0xffff;
  bool compares = op == SpvOpAtomicCompareExchange;
  for (uint32_t k = 4; k < (compares ? 7 : 6); k++)
    mix(o, true, scalar(o, i[k], "scope or semantics"));
  uint64_t old = memory_at(o, i[3], 1, &object)->v;
  uint64_t x = scalar(o, i[compares ? 7 : 6], "operand");
  if (compares)
    x = old == scalar(o, i[8], "comparator") ? x : old;
  else if (op == SpvOpAtomicUMax)
    x = old > x ? old : x;
  else if (op == SpvOpAtomicIAdd)
    x += old;
  else if (op == SpvOpAtomicXor)
    x ^= old;
  put(o, i[3], &(Cell){oracle_mask_to(32, x), false}, 1, i[3]);
  *cells(o, i[2]) = (Cell){old, false};
}

/* Modf and Frexp of GLSL.std.450; an instruction without a result is a note. */
static void run_extended(Oracle *o, const uint32_t *i) {
  if (size_of(o, i[2]) == 0)
    return;
  if (i[4] != GLSLstd450Modf && i[4] != GLSLstd450Frexp)
    oracle_fail(o, "extended instruction %u is not in the oracle's subset", (unsigned)i[4]);
  const Cell of = *cells(o, i[5]);
  uint64_t stored, rest = oracle_float_split(i[4] == GLSLstd450Modf, of.v, &stored);
  put(o, i[6], &(Cell){stored, of.poison}, 1, i[6]);
  *cells(o, i[2]) = (Cell){rest, of.poison};
}

static void run_load(Oracle *o, const uint32_t *i) {
  const Object *object;
  uint32_t n = oracle_def(o, i[1])->size;
  note_volatile(o, i[3], i + 4, i[0] >> 16 > 4);
  if (!cells(o, i[3])->poison)
    set(o, i[2], memory_at(o, i[3], n, &object));
  for (uint32_t k = 0; cells(o, i[3])->poison && k < n; k++)
    cells(o, i[2])[k] = (Cell){0, true};
}

static void run_variable(Oracle *o, const uint32_t *i, uint32_t length) {
  uint32_t size = oracle_def(o, oracle_pointee(o, i[1]))->size,
           object = oracle_new_object(o, i[2], size);
  if (length > 4)
    memcpy(o->memory.data + o->object[object].first, cells(o, i[4]), size * sizeof(Cell));
  *cells(o, i[2]) = (Cell){oracle_pointer_to(object, 0), false};
}

/* ---- control --------------------------------------------------------------------------------- */

/* All phis of a block are read before any is written. One without a value for the block that the
 * lane comes from is undefined. */
static void run_phis(Oracle *o) {
  uint32_t start = o->pc;
  o->scratch.count = 0;
  for (; oracle_opcode_at(o, o->pc) == SpvOpPhi || oracle_opcode_at(o, o->pc) == SpvOpLine;
       o->pc += oracle_length_at(o, o->pc)) {
    const uint32_t *i = o->w + o->pc;
    uint32_t length = oracle_length_at(o, o->pc), k = 4;
    if ((i[0] & 0xffff) == SpvOpLine)
      continue;
    while (k < length && i[k] != o->previous)
      k += 2;
    uint32_t n = size_of(o, i[2]), to = oracle_grow(&o->scratch, n);
    if (k < length)
      memcpy(o->scratch.data + to, cells(o, i[k - 1]), n * sizeof(Cell));
  }
  uint32_t from = 0;
  for (uint32_t at = start; at < o->pc; at += oracle_length_at(o, at)) {
    if (oracle_opcode_at(o, at) != SpvOpPhi)
      continue;
    set(o, o->w[at + 2], o->scratch.data + from);
    from += size_of(o, o->w[at + 2]);
  }
}

static void jump(Oracle *o, uint32_t label) {
  o->previous = o->label;
  o->label = label;
  o->pc = oracle_def(o, label)->at + 2;
  run_phis(o);
}

static void run_switch(Oracle *o, const uint32_t *i, uint32_t length) {
  unsigned width = oracle_scalar_width(o, oracle_def(o, i[1])->type);
  uint32_t wide = width > 32, target = i[2];
  uint64_t x = scalar(o, i[1], "selector");
  for (uint32_t k = 3; k < length; k += 2 + wide) {
    uint64_t literal = i[k] | (wide ? (uint64_t)i[k + 1] << 32 : 0);
    if (oracle_mask_to(width, literal) == x) {
      target = i[k + 1 + wide];
      break;
    }
  }
  jump(o, target);
}

static void enter(Oracle *o, uint32_t function, uint32_t result) {
  if (o->frame_count == o->frame_capacity) {
    o->frame_capacity = o->frame_capacity * 2 + 8;
    o->frame = emit_resize(o->frame, o->frame_capacity * sizeof *o->frame);
  }
  uint32_t size = o->frame_size[function];
  o->frame[o->frame_count++] = (Frame){function,
                                       oracle_grow(&o->values, size),
                                       size,
                                       o->object_count,
                                       o->memory.count,
                                       o->pc,
                                       o->label,
                                       result};
  o->pc = oracle_def(o, function)->at + oracle_length_at(o, oracle_def(o, function)->at);
}

static void skip_to_body(Oracle *o) {
  while (oracle_opcode_at(o, o->pc) != SpvOpLabel)
    o->pc += oracle_length_at(o, o->pc);
  o->label = o->w[o->pc + 1];
  o->pc += 2;
}

static void run_call(Oracle *o, const uint32_t *i, uint32_t length) {
  mix_into(&o->trace, i[3]);
  mix_into(&o->effects, i[3]);
  o->scratch.count = 0;
  for (uint32_t k = 4; k < length; k++) {
    uint32_t n = size_of(o, i[k]), to = oracle_grow(&o->scratch, n);
    memcpy(o->scratch.data + to, cells(o, i[k]), n * sizeof(Cell));
  }
  o->pc += length;
  enter(o, i[3], i[2]);
  uint32_t from = 0;
  for (; oracle_opcode_at(o, o->pc) == SpvOpFunctionParameter; o->pc += 3) {
    set(o, o->w[o->pc + 2], o->scratch.data + from);
    from += size_of(o, o->w[o->pc + 2]);
  }
  skip_to_body(o);
}

/* Returns from a function. False when the entry point has returned. */
static bool run_return(Oracle *o, uint32_t value) {
  o->scratch.count = 0;
  uint32_t n = value ? size_of(o, value) : 0;
  oracle_grow(&o->scratch, n);
  if (value)
    memcpy(o->scratch.data, cells(o, value), n * sizeof(Cell));
  Frame f = o->frame[--o->frame_count];
  o->values.count = f.base;
  o->object_count = f.objects;
  o->memory.count = f.memory;
  o->pc = f.pc;
  o->label = f.label;
  if (o->frame_count && value)
    set(o, f.result, o->scratch.data);
  return o->frame_count > 0;
}

/* Terminators; false when the entry point has returned. */
static bool run_control(Oracle *o, const uint32_t *i, uint32_t length) {
  switch (i[0] & 0xffff) {
  case SpvOpBranch:
    jump(o, i[1]);
    return true;
  case SpvOpBranchConditional:
    jump(o, scalar(o, i[1], "condition") ? i[2] : i[3]);
    return true;
  case SpvOpSwitch:
    run_switch(o, i, length);
    return true;
  case SpvOpReturn:
    return run_return(o, 0);
  case SpvOpReturnValue:
    return run_return(o, i[1]);
  case SpvOpKill:
  case SpvOpTerminateInvocation:
    while (run_return(o, 0))
      ;
    return false;
  default:
    oracle_fail(o, "OpUnreachable was reached");
  }
}

static void run_plain(Oracle *o, const uint32_t *i, uint32_t length) {
  switch (i[0] & 0xffff) {
  case SpvOpSelectionMerge:
  case SpvOpLoopMerge:
  case SpvOpLine:
  case SpvOpNoLine:
  case SpvOpNop:
    return;
  case SpvOpUndef:
    for (uint32_t k = 0; k < size_of(o, i[2]); k++)
      cells(o, i[2])[k] = (Cell){0, true};
    return;
  case SpvOpCopyObject:
    set(o, i[2], cells(o, i[3]));
    return;
  case SpvOpSelect:
    run_select(o, i);
    return;
  case SpvOpUConvert:
  case SpvOpSConvert:
  case SpvOpBitcast:
  case SpvOpNot:
  case SpvOpLogicalNot:
  case SpvOpFNegate:
  case SpvOpConvertUToF:
  case SpvOpIsNan:
  case SpvOpIsInf:
    run_unary(o, i);
    return;
  case SpvOpTranspose:
  case SpvOpMatrixTimesVector:
  case SpvOpVectorTimesMatrix:
    run_matrix(o, i);
    return;
  case SpvOpSampledImage:
    run_sampled_image(o, i);
    return;
  case SpvOpImageFetch:
  case SpvOpImageSampleExplicitLod:
    run_texel(o, i, length);
    return;
  case SpvOpCompositeConstruct:
    run_construct(o, i, length);
    return;
  case SpvOpCompositeExtract:
    run_extract(o, i, length);
    return;
  case SpvOpCompositeInsert:
    run_insert(o, i, length);
    return;
  case SpvOpVectorShuffle:
    run_shuffle(o, i, length);
    return;
  case SpvOpVectorExtractDynamic:
    run_extract_dynamic(o, i);
    return;
  case SpvOpVectorInsertDynamic:
    run_insert_dynamic(o, i);
    return;
  case SpvOpVariable:
    run_variable(o, i, length);
    return;
  case SpvOpAtomicCompareExchange:
  case SpvOpAtomicExchange:
  case SpvOpAtomicIAdd:
  case SpvOpAtomicUMax:
  case SpvOpAtomicXor:
    run_atomic(o, i);
    return;
  case SpvOpExtInst:
    run_extended(o, i);
    return;
  case SpvOpCopyMemory:
    run_copy_memory(o, i);
    return;
  case SpvOpPtrAccessChain:
  case SpvOpAccessChain:
  case SpvOpInBoundsAccessChain:
    run_chain(o, i, length);
    return;
  case SpvOpLoad:
    run_load(o, i);
    return;
  case SpvOpStore:
    run_store(o, i);
    return;
  case SpvOpMemoryBarrier:
  case SpvOpControlBarrier:
    run_barrier(o, i, length);
    return;
  default:
    run_binary(o, i);
  }
}

static void run_invocation(Oracle *o) {
  o->pc = o->label = 0;
  o->trace = o->effects = o->stores = o->invocation;
  enter(o, o->entry, 0);
  skip_to_body(o);
  for (bool running = true; running;) {
    const uint32_t *i = o->w + o->pc;
    uint32_t op = i[0] & 0xffff, length = i[0] >> 16;
    if (o->result->steps++ > o->limit)
      oracle_fail(o, "more than %llu instructions", (unsigned long long)o->limit);
    if (opcode_is_terminator(op)) {
      running = run_control(o, i, length);
    } else if (op == SpvOpFunctionCall) {
      run_call(o, i, length);
    } else {
      run_plain(o, i, length);
      o->pc += length;
    }
  }
  o->result->trace[o->invocation] = o->trace;
  o->result->effects[o->invocation] = o->effects;
  o->result->stores[o->invocation] = o->stores;
}

static void fill_buffers(Oracle *o, uint64_t seed) {
  Rng r = {seed};
  for (uint32_t k = 0; k < o->memory.count; k++)
    o->memory.data[k] = (Cell){(uint32_t)rng_next(&r), false};
}

/* A Private variable starts with its initializer. */
static void fill_private(Oracle *o, const Object *object) {
  const uint32_t *v = o->w + oracle_def(o, object->variable)->at;
  if (v[3] == SpvStorageClassPrivate && v[0] >> 16 > 4)
    memcpy(o->memory.data + object->first, o->pool.data + oracle_def(o, v[4])->slot,
           object->count * sizeof(Cell));
}

/* Input variables contain the invocation's number. */
static void fill_inputs(Oracle *o) {
  for (uint32_t k = 0; k < o->object_count; k++) {
    fill_private(o, &o->object[k]);
    if (o->w[oracle_def(o, o->object[k].variable)->at + 3] != SpvStorageClassInput)
      continue;
    for (uint32_t c = 0; c < o->object[k].count; c++)
      o->memory.data[o->object[k].first + c] = (Cell){c == 0 ? o->invocation : 0, false};
  }
}

/* Computes an OpSpecConstantOp, as the instruction that it names. */
static void run_constant(Oracle *o, const uint32_t *c) {
  uint32_t words[8] = {0}, length = c[0] >> 16;
  if (length > 8)
    oracle_fail(o, "a long OpSpecConstantOp");
  words[0] = (length - 1) << 16 | c[3];
  words[1] = c[1];
  words[2] = c[2];
  memcpy(words + 3, c + 4, (length - 4) * sizeof *words);
  run_plain(o, words, length - 1);
}

/* Values of the specialization constants that depend on others. */
static void run_constants(Oracle *o) {
  for (uint32_t at = 5; oracle_opcode_at(o, at) != SpvOpFunction; at += oracle_length_at(o, at)) {
    const uint32_t *c = o->w + at;
    if (oracle_opcode_at(o, at) == SpvOpSpecConstantOp)
      run_constant(o, c);
    else if (oracle_opcode_at(o, at) == SpvOpSpecConstantComposite)
      run_construct(o, c, oracle_length_at(o, at));
  }
}

static uint32_t *copy_memory(const Oracle *o) {
  uint32_t *copy = emit_resize(NULL, (o->memory.count + 1) * sizeof *copy);
  for (uint32_t k = 0; k < o->memory.count; k++)
    copy[k] = (uint32_t)o->memory.data[k].v;
  return copy;
}

static void run_all(Oracle *o, uint64_t seed) {
  if (setjmp(o->out))
    return;
  oracle_decode(o);
  run_constants(o);
  fill_buffers(o, seed);
  if (o->kept)
    *o->kept = (OracleMemory){.before = copy_memory(o), .count = o->memory.count};
  for (o->invocation = 0; o->invocation < ORACLE_INVOCATIONS; o->invocation++) {
    fill_inputs(o);
    run_invocation(o);
  }
  for (uint32_t k = 0; k < o->memory.count; k++)
    o->result->memory = rng_mix(o->result->memory * 31 + o->memory.data[k].v);
  if (o->kept)
    o->kept->after = copy_memory(o);
  o->result->ok = true;
}

void oracle_run(const uint32_t *words, size_t count, uint64_t seed, uint64_t step_limit,
                OracleResult *result) {
  oracle_run_memory(words, count, seed, step_limit, result, NULL);
}

/* `o` has what differs between the runs. */
static void run_module(Oracle o, const uint32_t *words, size_t count, uint64_t seed) {
  memset(o.result, 0, sizeof *o.result);
  o.w = words;
  o.count = count;
  o.bound = words[3];
  o.def = emit_resize(NULL, o.bound * sizeof *o.def);
  memset(o.def, 0, o.bound * sizeof *o.def);
  o.frame_size = emit_resize(NULL, o.bound * sizeof *o.frame_size);
  memset(o.frame_size, 0, o.bound * sizeof *o.frame_size);
  run_all(&o, seed);
  free(o.def);
  free(o.frame_size);
  free(o.pool.data);
  free(o.values.data);
  free(o.memory.data);
  free(o.scratch.data);
  free(o.object);
  free(o.frame);
}

void oracle_run_output(const uint32_t *words, size_t count, uint32_t old_bound, uint64_t seed,
                       uint64_t step_limit, OracleResult *result) {
  run_module((Oracle){.limit = step_limit, .old_bound = old_bound, .result = result}, words, count,
             seed);
}

void oracle_run_memory(const uint32_t *words, size_t count, uint64_t seed, uint64_t step_limit,
                       OracleResult *result, OracleMemory *memory) {
  if (memory)
    *memory = (OracleMemory){0};
  run_module(
      (Oracle){.limit = step_limit, .old_bound = UINT32_MAX, .result = result, .kept = memory},
      words, count, seed);
}

bool oracle_equal(const OracleResult *a, const OracleResult *b) {
  return a->ok && b->ok && a->memory == b->memory &&
         memcmp(a->trace, b->trace, sizeof a->trace) == 0;
}

bool oracle_same_effects(const OracleResult *a, const OracleResult *b) {
  return a->ok && b->ok && a->memory == b->memory &&
         memcmp(a->effects, b->effects, sizeof a->effects) == 0;
}

bool oracle_same_stores(const OracleResult *a, const OracleResult *b) {
  return a->ok && b->ok && a->memory == b->memory &&
         memcmp(a->stores, b->stores, sizeof a->stores) == 0;
}
