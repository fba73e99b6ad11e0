/* SPDX-License-Identifier: Apache-2.0 */
/* spoil: see spoil.h. Candidates are collected in one pass, and the seed picks one. */
#include "tests/equiv/spoil.h"

#include "tests/equiv/gen/emit.h"
#include "tests/equiv/gen/opcode.h"
#include "tests/equiv/scope.h"

#include <stdlib.h>
#include <string.h>

const char *const spoil_names[SPOIL_KINDS] = {
    "sides",   "negate",   "target", "case",    "arm",   "leave",     "phi",      "joined",
    "operand", "constant", "opcode", "select",  "copy",  "value",     "argument", "drop",
    "twice",   "repeat",   "order",  "barrier", "scope", "decoration"};

enum { HEADER = 5 };

/* What an error needs to know of an instruction, which begins at word `at`. */
typedef bool WantsFn(const SpoilModule *m, size_t at);

static uint32_t op_of(const SpoilModule *m, size_t at) {
  return at < m->count ? m->words[at] & 0xffff : (uint32_t)SpvOpNop;
}

static size_t length_of(const SpoilModule *m, size_t at) {
  return m->words[at] >> 16;
}

/* A random instruction of a function that `wants` accepts; 0 if there is none. */
static size_t pick(const SpoilModule *m, Rng *rng, WantsFn *wants) {
  size_t found = 0;
  uint32_t count = 0;
  bool inside = false;
  for (size_t at = HEADER; at < m->count; at += length_of(m, at)) {
    inside = inside || op_of(m, at) == SpvOpFunction;
    if (inside && wants(m, at) && rng_below(rng, ++count) == 0)
      found = at;
  }
  return found;
}

/* The last instruction with that opcode before a place. */
static size_t last_before(const SpoilModule *m, size_t place, uint32_t op) {
  size_t found = 0;
  for (size_t at = HEADER; at <= place; at += length_of(m, at))
    if (op_of(m, at) == op)
      found = at;
  return found;
}

static uint32_t label_of(const SpoilModule *m, size_t at) {
  return m->words[last_before(m, at, SpvOpLabel) + 1];
}

static void swap(uint32_t *a, uint32_t *b) {
  uint32_t old = *a;
  *a = *b;
  *b = old;
}

static void insert(SpoilModule *m, size_t at, const uint32_t *words, size_t count) {
  m->words = emit_resize(m->words, (m->count + count) * sizeof *m->words);
  memmove(&m->words[at + count], &m->words[at], (m->count - at) * sizeof *words);
  memcpy(&m->words[at], words, count * sizeof *words);
  m->count += count;
}

static void erase(SpoilModule *m, size_t at) {
  size_t length = length_of(m, at);
  memmove(&m->words[at], &m->words[at + length], (m->count - at - length) * sizeof *m->words);
  m->count -= length;
}

/* Instructions at `at` and after it change places. */
static void swap_with_next(SpoilModule *m, size_t at) {
  uint32_t first[16];
  size_t length = length_of(m, at), next = length_of(m, at + length);
  memcpy(first, &m->words[at], length * sizeof *first);
  memmove(&m->words[at], &m->words[at + length], next * sizeof *first);
  memcpy(&m->words[at + next], first, length * sizeof *first);
}

/* ---- control --------------------------------------------------------------------------------- */

static bool is_branch(const SpoilModule *m, size_t at) {
  return op_of(m, at) == SpvOpBranchConditional && m->words[at + 2] != m->words[at + 3];
}

static bool sides(SpoilModule *m, Rng *rng) {
  size_t at = pick(m, rng, is_branch);
  if (at)
    swap(&m->words[at + 2], &m->words[at + 3]);
  return at;
}

/* The branch may follow its merge instruction, which has to stay before it. */
static bool negate(SpoilModule *m, Rng *rng) {
  size_t at = pick(m, rng, is_branch), before = HEADER;
  if (!at)
    return false;
  for (size_t k = HEADER; k < at; k += length_of(m, k))
    before = k;
  uint32_t id = m->words[3]++, condition = m->words[at + 1], type = 0;
  for (size_t k = HEADER; k < m->count && !type; k += length_of(m, k))
    if (op_of(m, k) == SpvOpTypeBool)
      type = m->words[k + 1];
  const uint32_t words[] = {4u << 16 | SpvOpLogicalNot, type, id, condition};
  m->words[at + 1] = id;
  insert(m, opcode_is_merge(op_of(m, before)) ? before : at, words, 4);
  return true;
}

static bool has_target(const SpoilModule *m, size_t at) {
  uint32_t op = op_of(m, at);
  return op == SpvOpBranch || op == SpvOpBranchConditional || op == SpvOpSwitch;
}

static bool is_label(const SpoilModule *m, size_t at) {
  return op_of(m, at) == SpvOpLabel;
}

static bool target(SpoilModule *m, Rng *rng) {
  size_t at = pick(m, rng, has_target), label = pick(m, rng, is_label);
  if (!at || last_before(m, at, SpvOpFunction) != last_before(m, label, SpvOpFunction))
    return false;
  uint32_t op = op_of(m, at), *edge = &m->words[at + (op == SpvOpBranch      ? 1
                                                      : op == SpvOpSwitch    ? 2
                                                      : rng_percent(rng, 50) ? 2
                                                                             : 3)];
  uint32_t to = m->words[label + 1];
  if (*edge == to || to == m->words[last_before(m, at, SpvOpFunction) + 6])
    return false;
  *edge = to;
  return true;
}

static bool is_leaving(const SpoilModule *m, size_t at) {
  return op_of(m, at) == SpvOpBranch;
}

static bool leave(SpoilModule *m, Rng *rng) {
  size_t at = pick(m, rng, is_leaving);
  if (!at)
    return false;
  m->words[at] = 1u << 16 | SpvOpReturn;
  m->words[at + 1] = 1u << 16 | SpvOpNop;
  return true;
}

/* ---- switches -------------------------------------------------------------------------------- */

static bool is_switch(const SpoilModule *m, size_t at) {
  return op_of(m, at) == SpvOpSwitch && length_of(m, at) >= 5 && length_of(m, at) % 2 == 1;
}

static bool change_case(SpoilModule *m, Rng *rng) {
  size_t at = pick(m, rng, is_switch);
  if (at)
    m->words[at + 3] ^= 0x40;
  return at;
}

static bool change_arm(SpoilModule *m, Rng *rng) {
  size_t at = pick(m, rng, is_switch);
  if (!at)
    return false;
  uint32_t cases = (uint32_t)(length_of(m, at) - 3) / 2;
  uint32_t *one = &m->words[at + 4 + 2 * rng_below(rng, cases)];
  uint32_t *other = &m->words[at + 2 + 2 * rng_below(rng, cases + 1)];
  if (*one == *other)
    return false;
  *one = *other;
  return true;
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool is_wide_phi(const SpoilModule *m, size_t at) {
  return op_of(m, at) == SpvOpPhi && length_of(m, at) >= 7 && m->words[at + 3] != m->words[at + 5];
}

static bool phi(SpoilModule *m, Rng *rng) {
  size_t at = pick(m, rng, is_wide_phi);
  if (at)
    swap(&m->words[at + 3], &m->words[at + 5]);
  return at;
}

static bool is_phi(const SpoilModule *m, size_t at) {
  return op_of(m, at) == SpvOpPhi && length_of(m, at) >= 5;
}

/* Replaces the id at word `place`, which is used at the end of block `label`. */
static bool replace_id(SpoilModule *m, size_t place, uint32_t label, size_t use, bool constant,
                       Rng *rng) {
  Scope s;
  scope_find(m->words, m->count, &s);
  uint32_t id = m->words[place];
  uint32_t other =
      constant ? scope_other_constant(&s, id, rng) : scope_other(&s, id, label, use, rng);
  scope_free(&s);
  if (other)
    m->words[place] = other;
  return other != 0;
}

static bool joined(SpoilModule *m, Rng *rng) {
  size_t at = pick(m, rng, is_phi);
  if (!at)
    return false;
  size_t k = at + 3 + 2 * rng_below(rng, (uint32_t)(length_of(m, at) - 3) / 2);
  return replace_id(m, k, m->words[k + 1], m->count, false, rng);
}

/* Does an instruction only compute, from operands that are ids, from word 3 on? */
static bool computes(uint32_t op) {
  return (op >= SpvOpConvertFToU && op <= SpvOpBitcast) || (op >= SpvOpSNegate && op <= SpvOpNot) ||
         op == SpvOpCompositeConstruct || op == SpvOpAccessChain;
}

static bool has_operands(const SpoilModule *m, size_t at) {
  return op_of(m, at) == SpvOpStore || (computes(op_of(m, at)) && length_of(m, at) > 3);
}

static bool change_operand(SpoilModule *m, Rng *rng, WantsFn *wants, bool constant) {
  size_t at = pick(m, rng, wants);
  if (!at)
    return false;
  uint32_t first = op_of(m, at) == SpvOpStore ? 1 : 3;
  uint32_t count = op_of(m, at) == SpvOpStore ? 2 : (uint32_t)length_of(m, at) - first;
  return replace_id(m, at + first + rng_below(rng, count), label_of(m, at), at, constant, rng);
}

static bool operand(SpoilModule *m, Rng *rng) {
  return change_operand(m, rng, has_operands, false);
}

static bool constant(SpoilModule *m, Rng *rng) {
  return change_operand(m, rng, has_operands, true);
}

/* Transforms add no arithmetic but comparisons, sums and logic of their own. */
static bool is_copied(const SpoilModule *m, size_t at) {
  uint32_t op = op_of(m, at);
  return has_operands(m, at) && op != SpvOpStore && op != SpvOpBitcast && op < SpvOpLogicalEqual &&
         m->words[at + 2] >= m->own_from;
}

static bool copy(SpoilModule *m, Rng *rng) {
  return change_operand(m, rng, is_copied, rng_percent(rng, 50));
}

static const uint32_t opposites[][2] = {{SpvOpIAdd, SpvOpISub},
                                        {SpvOpIEqual, SpvOpINotEqual},
                                        {SpvOpULessThan, SpvOpUGreaterThanEqual},
                                        {SpvOpULessThan, SpvOpULessThanEqual},
                                        {SpvOpLogicalAnd, SpvOpLogicalOr}};

static uint32_t opposite(uint32_t op) {
  for (size_t i = 0; i < sizeof opposites / sizeof *opposites; i++)
    if (op == opposites[i][0] || op == opposites[i][1])
      return opposites[i][op == opposites[i][0]];
  return op;
}

static bool has_opposite(const SpoilModule *m, size_t at) {
  return opposite(op_of(m, at)) != op_of(m, at);
}

static bool opcode(SpoilModule *m, Rng *rng) {
  size_t at = pick(m, rng, has_opposite);
  if (at)
    m->words[at] = (m->words[at] & 0xffff0000) | opposite(op_of(m, at));
  return at;
}

static bool is_select(const SpoilModule *m, size_t at) {
  return op_of(m, at) == SpvOpSelect && m->words[at + 4] != m->words[at + 5];
}

static bool change_select(SpoilModule *m, Rng *rng) {
  size_t at = pick(m, rng, is_select);
  if (at)
    swap(&m->words[at + 4], &m->words[at + 5]);
  return at;
}

static bool returns_value(const SpoilModule *m, size_t at) {
  return op_of(m, at) == SpvOpReturnValue;
}

static bool change_value(SpoilModule *m, Rng *rng) {
  size_t at = pick(m, rng, returns_value);
  return at && replace_id(m, at + 1, label_of(m, at), at, false, rng);
}

static bool has_arguments(const SpoilModule *m, size_t at) {
  return op_of(m, at) == SpvOpFunctionCall && length_of(m, at) >= 6;
}

/* Of the same type, if there are such. */
static bool change_argument(SpoilModule *m, Rng *rng) {
  size_t at = pick(m, rng, has_arguments);
  if (!at)
    return false;
  uint32_t count = (uint32_t)length_of(m, at) - 4;
  uint32_t *one = &m->words[at + 4 + rng_below(rng, count)];
  uint32_t *other = &m->words[at + 4 + rng_below(rng, count)];
  Scope s;
  scope_find(m->words, m->count, &s);
  bool may = *one != *other && s.type[*one] == s.type[*other];
  scope_free(&s);
  if (may)
    swap(one, other);
  return may;
}

/* ---- effects --------------------------------------------------------------------------------- */

static bool is_store(const SpoilModule *m, size_t at) {
  return op_of(m, at) == SpvOpStore && length_of(m, at) == 3;
}

static bool drop(SpoilModule *m, Rng *rng) {
  size_t at = pick(m, rng, is_store);
  if (at)
    erase(m, at);
  return at;
}

static bool is_store_before_store(const SpoilModule *m, size_t at) {
  return is_store(m, at) && is_store(m, at + 3) &&
         memcmp(&m->words[at], &m->words[at + 3], 3 * sizeof *m->words) != 0;
}

static bool twice(SpoilModule *m, Rng *rng) {
  size_t at = pick(m, rng, is_store_before_store);
  if (at)
    memcpy(&m->words[at + 3], &m->words[at], 3 * sizeof *m->words);
  return at;
}

static bool order(SpoilModule *m, Rng *rng) {
  size_t at = pick(m, rng, is_store_before_store);
  if (at)
    swap_with_next(m, at);
  return at;
}

static bool has_effect(const SpoilModule *m, size_t at) {
  uint32_t op = op_of(m, at);
  return op == SpvOpStore || op == SpvOpAtomicIAdd || op == SpvOpFunctionCall;
}

static bool repeat(SpoilModule *m, Rng *rng) {
  size_t at = pick(m, rng, has_effect), length;
  uint32_t words[16];
  if (!at || (length = length_of(m, at)) > sizeof words / sizeof *words)
    return false;
  memcpy(words, &m->words[at], length * sizeof *words);
  if (op_of(m, at) != SpvOpStore)
    words[2] = m->words[3]++;
  insert(m, at, words, length);
  return true;
}

static bool is_memory(const SpoilModule *m, size_t at) {
  return op_of(m, at) == SpvOpStore || op_of(m, at) == SpvOpAtomicIAdd;
}

static bool is_barrier(const SpoilModule *m, size_t at) {
  return op_of(m, at) == SpvOpMemoryBarrier;
}

static bool is_at_barrier(const SpoilModule *m, size_t at) {
  size_t next = at + length_of(m, at);
  return (is_memory(m, at) && is_barrier(m, next)) || (is_barrier(m, at) && is_memory(m, next));
}

static bool barrier(SpoilModule *m, Rng *rng) {
  size_t at = pick(m, rng, is_at_barrier);
  if (at)
    swap_with_next(m, at);
  return at;
}

static bool has_scope(const SpoilModule *m, size_t at) {
  return is_barrier(m, at) || op_of(m, at) == SpvOpAtomicIAdd;
}

static bool scope(SpoilModule *m, Rng *rng) {
  size_t at = pick(m, rng, has_scope);
  if (!at)
    return false;
  size_t place = at + (is_barrier(m, at) ? 1 : 4) + rng_below(rng, 2);
  return replace_id(m, place, 0, at, true, rng);
}

/* Is the id a sum or a difference? These are numbers to the checker, whatever their decorations. */
static bool is_sum(const SpoilModule *m, uint32_t id) {
  for (size_t at = HEADER; at < m->count; at += length_of(m, at))
    if ((op_of(m, at) == SpvOpIAdd || op_of(m, at) == SpvOpISub) && m->words[at + 2] == id)
      return true;
  return false;
}

/* Erases a decoration. These come before all functions. */
static bool decoration(SpoilModule *m, Rng *rng) {
  size_t found = 0;
  uint32_t count = 0,
           which = rng_percent(rng, 70) ? SpvDecorationNoContraction : SpvDecorationNonUniform;
  for (size_t at = HEADER; at < m->count; at += length_of(m, at))
    if (op_of(m, at) == SpvOpDecorate && m->words[at + 2] == which &&
        !is_sum(m, m->words[at + 1]) && rng_below(rng, ++count) == 0)
      found = at;
  if (found)
    erase(m, found);
  return found;
}

bool spoil(SpoilKind kind, SpoilModule *m, Rng *rng) {
  static bool (*const spoilers[SPOIL_KINDS])(SpoilModule *, Rng *) = {
      sides, negate,       target,          change_case, change_arm, leave,
      phi,   joined,       operand,         constant,    opcode,     change_select,
      copy,  change_value, change_argument, drop,        twice,      repeat,
      order, barrier,      scope,           decoration};
  return spoilers[kind](m, rng);
}
