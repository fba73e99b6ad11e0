/* SPDX-License-Identifier: Apache-2.0 */
/* mutate_valid: see mutate_valid.h. Each kind of change is one function on a module whose
 * instructions are listed first; none changes an instruction's length. */
#include "tests/fuzz/mutate_valid.h"

#include "tests/equiv/gen/emit.h"

#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_WORDS = 5 };

typedef struct Module {
  uint32_t *w;
  size_t *at; /* where instructions start */
  uint32_t count, bound;
  uint32_t *type_of; /* by id: 0: no value */
  Rng *rng;
} Module;

static uint32_t opcode(const Module *m, size_t at) {
  return m->w[at] & 0xffff;
}

static uint32_t length(const Module *m, size_t at) {
  return m->w[at] >> 16;
}

/* ---- the module ------------------------------------------------------------------------------ */

/* Core instructions with a type and a result that others may name. */
static bool has_type(uint32_t op) {
  return op == SpvOpUndef || op == SpvOpExtInst ||
         (op >= SpvOpConstantTrue && op <= SpvOpSpecConstantOp) ||
         (op >= SpvOpFunctionParameter && op <= SpvOpVariable && op != SpvOpFunctionEnd) ||
         op == SpvOpLoad || op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain ||
         (op >= SpvOpVectorExtractDynamic && op <= SpvOpTranspose) ||
         (op >= SpvOpConvertFToU && op <= SpvOpBitCount) || op == SpvOpPhi ||
         (op >= SpvOpGroupNonUniformElect && op <= SpvOpGroupNonUniformQuadSwap);
}

static void read_module(Module *m, size_t words) {
  m->at = emit_resize(NULL, words * sizeof *m->at);
  m->bound = m->w[3];
  m->type_of = calloc(m->bound ? m->bound : 1, sizeof *m->type_of);
  if (!m->type_of)
    abort();
  for (size_t at = HEADER_WORDS; at < words && length(m, at); at += length(m, at)) {
    m->at[m->count++] = at;
    if (has_type(opcode(m, at)) && length(m, at) > 2 && m->w[at + 2] < m->bound)
      m->type_of[m->w[at + 2]] = m->w[at + 1];
  }
}

/* An instruction of that opcode at random; 0: there is none. */
static size_t any_of(Module *m, uint32_t op) {
  uint32_t start = rng_below(m->rng, m->count);
  for (uint32_t k = 0; k < m->count; k++) {
    size_t at = m->at[(start + k) % m->count];
    if (opcode(m, at) == op)
      return at;
  }
  return 0;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static uint32_t number(Module *m, uint32_t old) {
  static const uint32_t odd[] = {0,          1,          2,          3,          7,
                                 16,         100,        0x7fffffff, 0x80000000, 0xffffffff,
                                 0xfffffffe, 0x00ffffff, 0xffff0000, 0x00010000, 0x01000000};
  switch (rng_below(m->rng, 4)) {
  case 0:
    return odd[rng_below(m->rng, sizeof odd / sizeof *odd)];
  case 1:
    return (uint32_t)1 << rng_below(m->rng, 32);
  case 2:
    return rng_percent(m->rng, 50) ? 2 * old : old - 1;
  default:
    return rng_below(m->rng, 64);
  }
}

static void change_word(Module *m, size_t at, uint32_t first) {
  if (!at || length(m, at) <= first)
    return;
  uint32_t *w = &m->w[at + first + rng_below(m->rng, length(m, at) - first)];
  *w = number(m, *w);
}

static void constant(Module *m) {
  change_word(m, any_of(m, SpvOpConstant), 3);
}

static void specialized_constant(Module *m) {
  change_word(m, any_of(m, SpvOpSpecConstant), 3);
}

static void decoration(Module *m) {
  change_word(m, any_of(m, SpvOpDecorate), 3);
}

static void member_decoration(Module *m) {
  change_word(m, any_of(m, SpvOpMemberDecorate), 4);
}

static void other_decoration(Module *m) {
  size_t at = any_of(m, SpvOpDecorate);
  if (at)
    m->w[at + 2] = rng_below(m->rng, 48);
}

static void type_number(Module *m) {
  static const uint32_t ops[] = {SpvOpTypeInt, SpvOpTypeFloat, SpvOpTypeVector, SpvOpTypeMatrix,
                                 SpvOpTypeImage};
  size_t at = any_of(m, ops[rng_below(m->rng, sizeof ops / sizeof *ops)]);
  if (at)
    change_word(m, at, opcode(m, at) == SpvOpTypeInt || opcode(m, at) == SpvOpTypeFloat ? 2 : 3);
}

static void local_size(Module *m) {
  change_word(m, any_of(m, SpvOpExecutionMode), 3);
}

static void literal_index(Module *m) {
  static const uint32_t ops[][2] = {{SpvOpCompositeExtract, 4},
                                    {SpvOpCompositeInsert, 5},
                                    {SpvOpVectorShuffle, 5},
                                    {SpvOpExtInst, 4},
                                    {SpvOpLoad, 4},
                                    {SpvOpSpecConstantOp, 3}};
  uint32_t k = rng_below(m->rng, sizeof ops / sizeof *ops);
  change_word(m, any_of(m, ops[k][0]), ops[k][1]);
}

static void switch_literal(Module *m) {
  size_t at = any_of(m, SpvOpSwitch);
  uint32_t cases = at && length(m, at) > 3 ? (length(m, at) - 3) / 2 : 0;
  if (cases) {
    uint32_t *w = &m->w[at + 3 + 2 * rng_below(m->rng, cases)];
    *w = number(m, *w);
  }
}

/* ---- operands and opcodes -------------------------------------------------------------------- */

/* A value of that type that is defined before `at`. */
static uint32_t value_before(Module *m, uint32_t type, size_t at) {
  uint32_t start = rng_below(m->rng, m->count);
  for (uint32_t k = 0; k < m->count; k++) {
    size_t i = m->at[(start + k) % m->count];
    if (i < at && has_type(opcode(m, i)) && length(m, i) > 2 && m->w[i + 1] == type)
      return m->w[i + 2];
  }
  return 0;
}

static void equal_operand(Module *m) {
  size_t at = m->at[rng_below(m->rng, m->count)];
  uint32_t first = has_type(opcode(m, at)) ? 3 : 1;
  if (length(m, at) <= first)
    return;
  uint32_t *w = &m->w[at + first + rng_below(m->rng, length(m, at) - first)];
  uint32_t type = *w < m->bound ? m->type_of[*w] : 0;
  uint32_t other = type ? value_before(m, type, at) : 0;
  if (other)
    *w = other;
}

/* Another operation of the same shape. */
static void other_operation(Module *m) {
  static const uint32_t ranges[][2] = {{SpvOpIAdd, SpvOpFMod},
                                       {SpvOpIEqual, SpvOpFUnordGreaterThanEqual},
                                       {SpvOpShiftRightLogical, SpvOpBitwiseAnd},
                                       {SpvOpAtomicExchange, SpvOpAtomicXor},
                                       {SpvOpGroupNonUniformIAdd, SpvOpGroupNonUniformLogicalXor},
                                       {SpvOpConvertFToU, SpvOpQuantizeToF16}};
  const uint32_t *r = ranges[rng_below(m->rng, sizeof ranges / sizeof *ranges)];
  size_t at = any_of(m, rng_range(m->rng, r[0], r[1]));
  if (at)
    m->w[at] = (m->w[at] & 0xffff0000u) | rng_range(m->rng, r[0], r[1]);
}

/* Replaces one storage class by another, throughout. */
static void other_class(Module *m) {
  static const uint32_t classes[] = {SpvStorageClassPrivate,         SpvStorageClassWorkgroup,
                                     SpvStorageClassStorageBuffer,   SpvStorageClassUniform,
                                     SpvStorageClassFunction,        SpvStorageClassPushConstant,
                                     SpvStorageClassUniformConstant, SpvStorageClassOutput};
  uint32_t from = classes[rng_below(m->rng, sizeof classes / sizeof *classes)];
  uint32_t to = classes[rng_below(m->rng, sizeof classes / sizeof *classes)];
  for (uint32_t k = 0; k < m->count; k++) {
    size_t at = m->at[k];
    uint32_t word = opcode(m, at) == SpvOpTypePointer ? 2 : opcode(m, at) == SpvOpVariable ? 3 : 0;
    if (word && length(m, at) > word && m->w[at + word] == from)
      m->w[at + word] = to;
  }
}

static void null_constant(Module *m) {
  size_t at = any_of(m, SpvOpConstantComposite);
  if (at && length(m, at) == 3)
    m->w[at] = 3u << 16 | SpvOpConstantNull;
  at = any_of(m, rng_percent(m->rng, 50) ? SpvOpConstantNull : SpvOpUndef);
  if (at)
    m->w[at] ^= SpvOpConstantNull ^ SpvOpUndef;
}

/* Gives an array another element type, one that is declared before the array. */
static void other_element(Module *m) {
  size_t array = any_of(m, rng_percent(m->rng, 50) ? SpvOpTypeArray : SpvOpTypeRuntimeArray);
  size_t type = any_of(m, rng_percent(m->rng, 50) ? SpvOpTypeStruct : SpvOpTypeArray);
  if (array && type && type < array)
    m->w[array + 2] = m->w[type + 1];
}

static void (*const kinds[])(Module *) = {
    constant,      constant,      specialized_constant, decoration,       member_decoration,
    type_number,   local_size,    literal_index,        literal_index,    switch_literal,
    equal_operand, equal_operand, equal_operand,        other_operation,  other_operation,
    other_class,   null_constant, other_element,        other_decoration,
};

void mutate_valid(Rng *rng, uint32_t *words, size_t count) {
  Module m = {.w = words, .rng = rng};
  read_module(&m, count);
  for (uint32_t k = 1 + rng_geometric(rng, 50, 6); k > 0 && m.count; k--)
    kinds[rng_below(rng, sizeof kinds / sizeof *kinds)](&m);
  free(m.at);
  free(m.type_of);
}
