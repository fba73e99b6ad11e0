/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_intern: see kernel_intern.h. A hash of an instruction's words, without its result, finds
 * the first id with that hash, and `next` the others. Arrays and structs of the input are not
 * shared, since decorations tell them apart. */
#include "passes/transform/kernel/kernel_intern.h"

#include "passes/base/map.h"
#include "passes/ir/edit.h"

typedef struct Shared {
  SrRef r;
  uint32_t stride; /* of an array */
  uint32_t next;   /* index; SR_NONE: the last */
} Shared;

struct SrKernelIntern {
  SrMap first; /* by hash */
  SR_VEC(Shared) at;
};

/* What is wanted: op, type or 0, operands. */
typedef struct Wanted {
  SpvOp op;
  uint32_t type, stride;
  const uint32_t *operands;
  uint32_t count;
  uint32_t ids; /* a bit for each operand that is an id */
} Wanted;

static uint32_t mix(uint32_t hash, uint32_t word) {
  hash = (hash ^ word) * 0x9e3779b1u;
  return hash ^ hash >> 15;
}

static uint32_t hash_of(const Wanted *w) {
  uint32_t hash = mix(mix((uint32_t)w->op, w->type), w->stride);
  for (uint32_t i = 0; i < w->count; i++)
    hash = mix(hash, w->operands[i]);
  return hash;
}

static bool is_shared(uint16_t op) {
  switch (op) {
  case SpvOpTypeVoid:
  case SpvOpTypeBool:
  case SpvOpTypeInt:
  case SpvOpTypeFloat:
  case SpvOpTypeVector:
  case SpvOpTypePointer:
  case SpvOpTypeFunction:
  case SpvOpConstantTrue:
  case SpvOpConstantFalse:
  case SpvOpConstant:
  case SpvOpConstantNull:
  case SpvOpConstantComposite:
    return true;
  default:
    return false;
  }
}

static void add(SrKernels *k, uint32_t hash, SrRef r, uint32_t stride) {
  struct SrKernelIntern *in = k->intern;
  SR_PUSH(k->arena, &in->at, (Shared){r, stride, sr_map_get(&in->first, hash)});
  sr_map_set(&in->first, hash, in->at.count - 1);
}

void sr_kernel_intern_begin(SrKernels *k) {
  SrModule *m = k->m;
  k->intern = SR_NEW(k->arena, struct SrKernelIntern, 1);
  k->intern->first.arena = k->arena;
  for (SR_EACH(m, r, m->globals)) {
    const SrInst *in = sr_inst(m, r);
    if (!is_shared(in->op))
      continue;
    Wanted w = {
        (SpvOp)in->op, in->type, 0, sr_words(m, r) + in->first, sr_word_count(m, r) - in->first, 0};
    add(k, hash_of(&w), r, 0);
  }
}

static bool is_it(const SrModule *m, const Shared *s, const Wanted *w) {
  const SrInst *in = sr_inst(m, s->r);
  return in->op == w->op && in->type == w->type && s->stride == w->stride &&
         sr_word_count(m, s->r) == in->first + w->count &&
         (!w->count ||
          memcmp(sr_words(m, s->r) + in->first, w->operands, w->count * sizeof *w->operands) == 0);
}

static uint32_t make(SrKernels *k, const Wanted *w, uint32_t hash) {
  SrModule *m = k->m;
  uint32_t id = sr_fresh_id(m);
  sr_begin(m, w->op, w->type, id);
  for (uint32_t i = 0; i < w->count; i++)
    if (i < 32 ? w->ids >> i & 1 : w->ids != 0)
      sr_put_id(m, w->operands[i]);
    else
      sr_put_literal(m, w->operands[i]);
  SrRef r = sr_end(m);
  sr_append(m, &m->globals, r);
  add(k, hash, r, w->stride);
  return id;
}

static uint32_t find(SrKernels *k, const Wanted *w) {
  uint32_t hash = hash_of(w);
  for (uint32_t i = sr_map_get(&k->intern->first, hash); i != SR_NONE; i = k->intern->at.at[i].next)
    if (is_it(k->m, &k->intern->at.at[i], w))
      return sr_inst(k->m, k->intern->at.at[i].r)->result;
  return make(k, w, hash);
}

/* ---- types ---- */

uint32_t sr_kernel_type(SrKernels *k, SpvOp op, const uint32_t *operands, uint32_t count) {
  return find(k, &(Wanted){op, 0, 0, operands, count, 1});
}

uint32_t sr_kernel_void(SrKernels *k) {
  return find(k, &(Wanted){.op = SpvOpTypeVoid});
}

uint32_t sr_kernel_bool(SrKernels *k) {
  return find(k, &(Wanted){.op = SpvOpTypeBool});
}

uint32_t sr_kernel_int(SrKernels *k, uint32_t bits) {
  return find(k, &(Wanted){SpvOpTypeInt, 0, 0, (uint32_t[]){bits, 0}, 2, 0});
}

uint32_t sr_kernel_float(SrKernels *k, uint32_t bits) {
  return find(k, &(Wanted){SpvOpTypeFloat, 0, 0, &bits, 1, 0});
}

uint32_t sr_kernel_vector(SrKernels *k, uint32_t scalar, uint32_t components) {
  if (components == 1)
    return scalar;
  return find(k, &(Wanted){SpvOpTypeVector, 0, 0, (uint32_t[]){scalar, components}, 2, 1});
}

uint32_t sr_kernel_pointer(SrKernels *k, SpvStorageClass storage, uint32_t type) {
  return find(k, &(Wanted){SpvOpTypePointer, 0, 0, (uint32_t[]){storage, type}, 2, 2});
}

uint32_t sr_kernel_array(SrKernels *k, uint32_t element, uint32_t length, uint32_t stride) {
  SrModule *m = k->m;
  uint32_t bound = sr_bound(m);
  uint32_t id = find(k, &(Wanted){length ? SpvOpTypeArray : SpvOpTypeRuntimeArray, 0, stride + 1,
                                  (uint32_t[]){element, length}, length ? 2 : 1, 3});
  if (id < bound || !stride)
    return id;
  sr_begin(m, SpvOpDecorate, 0, 0);
  sr_put_id(m, id);
  sr_put_literal(m, SpvDecorationArrayStride);
  sr_put_literal(m, stride);
  sr_insert_before(m, &m->globals, k->decorations, sr_end(m));
  return id;
}

uint32_t sr_kernel_pair(SrKernels *k, uint32_t type) {
  return find(k, &(Wanted){SpvOpTypeStruct, 0, 0, (uint32_t[]){type, type}, 2, 3});
}

/* ---- constants ---- */

uint32_t sr_kernel_boolean(SrKernels *k, bool value) {
  return find(k, &(Wanted){.op = value ? SpvOpConstantTrue : SpvOpConstantFalse,
                           .type = sr_kernel_bool(k)});
}

uint32_t sr_kernel_u32(SrKernels *k, uint32_t value) {
  return find(k, &(Wanted){SpvOpConstant, sr_kernel_int(k, 32), 0, &value, 1, 0});
}

uint32_t sr_kernel_constant(SrKernels *k, uint32_t type, uint64_t bits) {
  uint32_t scalar = sr_kernel_scalar_of(k->m, type), count = sr_kernel_components(k->m, type);
  uint32_t width = sr_kernel_bits(k->m, type);
  if (width < 64)
    bits &= (UINT64_C(1) << width) - 1;
  uint32_t words[] = {(uint32_t)bits, (uint32_t)(bits >> 32)};
  uint32_t one = find(k, &(Wanted){SpvOpConstant, scalar, 0, words, width > 32 ? 2 : 1, 0});
  uint32_t parts[16] = {one, one, one, one, one, one, one, one,
                        one, one, one, one, one, one, one, one};
  return count == 1 ? one : sr_kernel_composite(k, type, parts, count);
}

uint32_t sr_kernel_null(SrKernels *k, uint32_t type) {
  return find(k, &(Wanted){.op = SpvOpConstantNull, .type = type});
}

uint32_t sr_kernel_composite(SrKernels *k, uint32_t type, const uint32_t *parts, uint32_t count) {
  return find(k, &(Wanted){SpvOpConstantComposite, type, 0, parts, count, UINT32_MAX});
}

/* ---- what a type is ---- */

uint32_t sr_kernel_scalar_of(const SrModule *m, uint32_t type) {
  SrRef r = sr_def(m, type);
  return sr_inst(m, r)->op == SpvOpTypeVector ? sr_words(m, r)[2] : type;
}

uint32_t sr_kernel_components(const SrModule *m, uint32_t type) {
  SrRef r = sr_def(m, type);
  return sr_inst(m, r)->op == SpvOpTypeVector ? sr_words(m, r)[3] : 1;
}

uint32_t sr_kernel_bits(const SrModule *m, uint32_t type) {
  if (!type)
    return 0;
  SrRef r = sr_def(m, sr_kernel_scalar_of(m, type));
  uint16_t op = sr_inst(m, r)->op;
  return op == SpvOpTypeInt || op == SpvOpTypeFloat ? sr_words(m, r)[2] : 0;
}

bool sr_kernel_is_float(const SrModule *m, uint32_t type) {
  return sr_def_op(m, sr_kernel_scalar_of(m, type)) == SpvOpTypeFloat;
}
