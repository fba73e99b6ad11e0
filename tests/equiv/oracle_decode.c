/* SPDX-License-Identifier: Apache-2.0 */
/* oracle_decode: see oracle_decode.h. */
#include "tests/equiv/oracle_decode.h"

#include "tests/equiv/gen/emit.h"
#include "tests/equiv/gen/opcode.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_WORDS = 5 };

_Noreturn void oracle_fail(Oracle *o, const char *format, ...) {
  char text[100];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  snprintf(o->result->message, sizeof o->result->message, "%s (invocation %u, block %%%u, word %u)",
           text, (unsigned)o->invocation, (unsigned)o->label, (unsigned)o->pc);
  longjmp(o->out, 1);
}

uint32_t oracle_grow(Cells *c, uint32_t count) {
  uint32_t first = c->count;
  if (c->count + count > c->capacity) {
    c->capacity = (c->count + count) * 2 + 64;
    c->data = emit_resize(c->data, c->capacity * sizeof *c->data);
  }
  for (uint32_t i = 0; i < count; i++)
    c->data[first + i] = (Cell){0, true};
  c->count += count;
  return first;
}

/* ---- words and types ------------------------------------------------------------------------- */

uint32_t oracle_opcode_at(const Oracle *o, uint32_t at) {
  return o->w[at] & 0xffff;
}

uint32_t oracle_length_at(const Oracle *o, uint32_t at) {
  return o->w[at] >> 16;
}

Def *oracle_def(Oracle *o, uint32_t id) {
  if (id >= o->bound)
    oracle_fail(o, "id %u out of bound", (unsigned)id);
  return &o->def[id];
}

const uint32_t *oracle_type_words(Oracle *o, uint32_t type) {
  return o->w + oracle_def(o, type)->at;
}

unsigned oracle_scalar_width(Oracle *o, uint32_t type) {
  const uint32_t *t = oracle_type_words(o, type);
  if ((t[0] & 0xffff) == SpvOpTypeMatrix)
    t = oracle_type_words(o, t[2]);
  if ((t[0] & 0xffff) == SpvOpTypeVector)
    t = oracle_type_words(o, t[2]);
  return (t[0] & 0xffff) == SpvOpTypeInt || (t[0] & 0xffff) == SpvOpTypeFloat ? t[2] : 1;
}

static uint32_t constant_value(Oracle *o, uint32_t id) {
  return (uint32_t)o->pool.data[oracle_def(o, id)->slot].v;
}

uint32_t oracle_array_length(Oracle *o, uint32_t type) {
  const uint32_t *t = oracle_type_words(o, type);
  uint32_t op = t[0] & 0xffff;
  return op == SpvOpTypeRuntimeArray                      ? ORACLE_RUNTIME_LENGTH
         : op == SpvOpTypeVector || op == SpvOpTypeMatrix ? t[3]
                                                          : constant_value(o, t[3]);
}

static uint32_t type_size(Oracle *o, const uint32_t *t) {
  uint32_t size = 0;
  switch (t[0] & 0xffff) {
  case SpvOpTypeVector:
    return t[3];
  case SpvOpTypeMatrix:
    return t[3] * oracle_def(o, t[2])->size;
  case SpvOpTypeArray:
    return constant_value(o, t[3]) * oracle_def(o, t[2])->size;
  case SpvOpTypeRuntimeArray:
    return ORACLE_RUNTIME_LENGTH * oracle_def(o, t[2])->size;
  case SpvOpTypeStruct:
    for (uint32_t k = 2; k < t[0] >> 16; k++)
      size += oracle_def(o, t[k])->size;
    return size;
  case SpvOpTypeVoid:
  case SpvOpTypeFunction:
    return 0;
  default:
    return 1;
  }
}

static void decode_type(Oracle *o, uint32_t at) {
  Def *d = oracle_def(o, o->w[at + 1]);
  d->at = at;
  d->size = type_size(o, o->w + at);
}

uint64_t oracle_mask_to(unsigned width, uint64_t v) {
  return width >= 64 ? v : v & ((UINT64_C(1) << width) - 1);
}

static void decode_constant(Oracle *o, uint32_t at) {
  const uint32_t *c = o->w + at;
  Def *d = oracle_def(o, c[2]);
  uint32_t n = oracle_def(o, c[1])->size, op = c[0] & 0xffff;
  *d = (Def){.at = at, .type = c[1], .slot = oracle_grow(&o->pool, n), .pooled = true};
  Cell *to = o->pool.data + d->slot;
  if (op == SpvOpUndef)
    return;
  for (uint32_t k = 0; k < n; k++)
    to[k] = (Cell){op == SpvOpConstantTrue || op == SpvOpSpecConstantTrue, false};
  if (op == SpvOpConstant || op == SpvOpSpecConstant)
    to->v = oracle_mask_to(oracle_scalar_width(o, c[1]),
                           c[3] | (oracle_length_at(o, at) > 4 ? (uint64_t)c[4] << 32 : 0));
  bool composite = op == SpvOpConstantComposite;
  for (uint32_t k = 3; composite && k < oracle_length_at(o, at); k++) {
    const Def *part = oracle_def(o, c[k]);
    uint32_t size = oracle_def(o, part->type)->size;
    memcpy(to, o->pool.data + part->slot, size * sizeof *to);
    to += size;
  }
}

uint32_t oracle_new_object(Oracle *o, uint32_t variable, uint32_t size) {
  if (o->object_count == o->object_capacity) {
    o->object_capacity = o->object_capacity * 2 + 16;
    o->object = emit_resize(o->object, o->object_capacity * sizeof *o->object);
  }
  o->object[o->object_count] = (Object){variable, oracle_grow(&o->memory, size), size};
  return o->object_count++;
}

uint32_t oracle_pointee(Oracle *o, uint32_t pointer_type) {
  return oracle_type_words(o, pointer_type)[3];
}

uint64_t oracle_pointer_to(uint32_t object, uint32_t cell) {
  return (uint64_t)object << 32 | cell;
}

/* The object of an earlier variable with this binding, or of the variable alone. */
static uint32_t object_of(Oracle *o, uint32_t variable, uint32_t size) {
  uint32_t binding = oracle_def(o, variable)->binding;
  for (uint32_t k = 0; binding && k < o->object_count; k++)
    if (oracle_def(o, o->object[k].variable)->binding == binding && o->object[k].count == size)
      return k;
  return oracle_new_object(o, variable, size);
}

static void decode_variable(Oracle *o, uint32_t at) {
  const uint32_t *v = o->w + at;
  Def *d = oracle_def(o, v[2]);
  *d = (Def){.at = at,
             .type = v[1],
             .slot = oracle_grow(&o->pool, 1),
             .pooled = true,
             .binding = d->binding};
  uint32_t object = object_of(o, v[2], oracle_def(o, oracle_pointee(o, v[1]))->size);
  o->pool.data[d->slot] = (Cell){oracle_pointer_to(object, 0), false};
}

static bool is_type(uint32_t op) {
  return op >= SpvOpTypeVoid && op <= SpvOpTypePipe && op != SpvOpTypeForwardPointer;
}

static bool is_constant(uint32_t op) {
  return op == SpvOpConstant || op == SpvOpConstantTrue || op == SpvOpConstantFalse ||
         op == SpvOpConstantNull || op == SpvOpConstantComposite || op == SpvOpUndef ||
         op == SpvOpSpecConstant || op == SpvOpSpecConstantTrue || op == SpvOpSpecConstantFalse ||
         op == SpvOpSpecConstantComposite || op == SpvOpSpecConstantOp;
}

/* Assigns places to a function's values; returns the word after it. */
static uint32_t decode_function(Oracle *o, uint32_t at) {
  uint32_t function = o->w[at + 2], size = 0;
  for (; oracle_opcode_at(o, at) != SpvOpFunctionEnd; at += oracle_length_at(o, at)) {
    const uint32_t *i = o->w + at;
    uint32_t op = i[0] & 0xffff;
    if (op == SpvOpFunction || op == SpvOpLabel) {
      oracle_def(o, i[op == SpvOpLabel ? 1 : 2])->at = at;
    } else if (opcode_has_result(op)) {
      *oracle_def(o, i[2]) =
          (Def){.at = at, .type = i[1], .slot = size, .precise = oracle_def(o, i[2])->precise};
      size += oracle_def(o, i[1])->size;
    }
  }
  o->frame_size[function] = size;
  return at;
}

void oracle_decode(Oracle *o) {
  for (uint32_t at = HEADER_WORDS; at < o->count; at += oracle_length_at(o, at)) {
    uint32_t op = oracle_opcode_at(o, at);
    if (op == SpvOpEntryPoint)
      o->entry = o->w[at + 2];
    else if (op == SpvOpDecorate && o->w[at + 2] == SpvDecorationNoContraction && !o->kept)
      oracle_def(o, o->w[at + 1])->precise = true;
    else if (op == SpvOpDecorate && o->w[at + 2] == SpvDecorationBinding)
      oracle_def(o, o->w[at + 1])->binding = o->w[at + 3] + 1;
    else if (is_type(op))
      decode_type(o, at);
    else if (is_constant(op))
      decode_constant(o, at);
    else if (op == SpvOpVariable)
      decode_variable(o, at);
    else if (op == SpvOpFunction)
      at = decode_function(o, at);
  }
}
