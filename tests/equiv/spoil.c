/* SPDX-License-Identifier: Apache-2.0 */
/* spoil: see spoil.h. Candidates are collected in one pass, and the seed picks one. */
#include "spoil.h"

#include "emit.h"
#include "opcode.h"

#include <stdlib.h>
#include <string.h>

const char *const spoil_names[SPOIL_KINDS] = {"sides", "target", "phi",  "operand", "opcode",
                                              "drop",  "twice",  "case", "default", "return"};

enum { HEADER = 5 };

typedef struct Places {
  uint32_t *at; /* words */
  size_t count;
} Places;

typedef bool WantsFn(const uint32_t *words, size_t at, size_t count);

static uint32_t op_of(const uint32_t *words, size_t at) {
  return words[at] & 0xffff;
}

static size_t length_of(const uint32_t *words, size_t at) {
  return words[at] >> 16;
}

static Places find(const uint32_t *words, size_t count, WantsFn *wants) {
  Places p = {emit_resize(NULL, count * sizeof *p.at), 0};
  bool inside = false;
  for (size_t at = HEADER; at < count; at += length_of(words, at)) {
    inside = inside || op_of(words, at) == SpvOpFunction;
    if (inside && wants(words, at, count))
      p.at[p.count++] = (uint32_t)at;
  }
  return p;
}

/* A random instruction that `wants` accepts; 0 if there is none. */
static size_t pick(const uint32_t *words, size_t count, Rng *rng, WantsFn *wants) {
  Places p = find(words, count, wants);
  size_t at = p.count ? p.at[rng_below(rng, (uint32_t)p.count)] : 0;
  free(p.at);
  return at;
}

static void swap(uint32_t *a, uint32_t *b) {
  uint32_t old = *a;
  *a = *b;
  *b = old;
}

/* ---- control --------------------------------------------------------------------------------- */

static bool is_branch(const uint32_t *words, size_t at, size_t count) {
  (void)count;
  return op_of(words, at) == SpvOpBranchConditional && words[at + 2] != words[at + 3];
}

static bool sides(uint32_t *words, size_t count, Rng *rng) {
  size_t at = pick(words, count, rng, is_branch);
  if (at)
    swap(&words[at + 2], &words[at + 3]);
  return at;
}

static bool is_edge(const uint32_t *words, size_t at, size_t count) {
  (void)count;
  return op_of(words, at) == SpvOpBranch;
}

static bool is_label(const uint32_t *words, size_t at, size_t count) {
  (void)count;
  return op_of(words, at) == SpvOpLabel;
}

/* The start of the function that contains an instruction. */
static size_t function_of(const uint32_t *words, size_t place) {
  size_t function = 0;
  for (size_t at = HEADER; at <= place; at += length_of(words, at))
    if (op_of(words, at) == SpvOpFunction)
      function = at;
  return function;
}

static bool target(uint32_t *words, size_t count, Rng *rng) {
  size_t at = pick(words, count, rng, is_edge), label = pick(words, count, rng, is_label);
  if (!at || function_of(words, at) != function_of(words, label) ||
      words[at + 1] == words[label + 1] || op_of(words, label - 1) == SpvOpFunction)
    return false;
  words[at + 1] = words[label + 1];
  return true;
}

static bool is_leaving(const uint32_t *words, size_t at, size_t count) {
  return is_edge(words, at, count) && length_of(words, at) == 2;
}

static bool leave(uint32_t *words, size_t count, Rng *rng) {
  size_t at = pick(words, count, rng, is_leaving);
  if (!at)
    return false;
  words[at] = 1u << 16 | SpvOpReturn;
  words[at + 1] = 1u << 16 | SpvOpNop;
  return true;
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool is_wide_phi(const uint32_t *words, size_t at, size_t count) {
  (void)count;
  return op_of(words, at) == SpvOpPhi && length_of(words, at) >= 7 &&
         words[at + 3] != words[at + 5];
}

static bool phi(uint32_t *words, size_t count, Rng *rng) {
  size_t at = pick(words, count, rng, is_wide_phi);
  if (at)
    swap(&words[at + 3], &words[at + 5]);
  return at;
}

static bool is_sum(const uint32_t *words, size_t at, size_t count) {
  (void)count;
  uint32_t op = op_of(words, at);
  return op == SpvOpIAdd || op == SpvOpISub || op == SpvOpBitwiseXor || op == SpvOpIMul;
}

/* The left operand is replaced by that of another sum of the same type, anywhere. */
static bool operand(uint32_t *words, size_t count, Rng *rng) {
  size_t at = pick(words, count, rng, is_sum), other = pick(words, count, rng, is_sum);
  if (!at || words[at + 1] != words[other + 1] || words[at + 3] == words[other + 3] ||
      function_of(words, at) != function_of(words, other))
    return false;
  words[at + 3] = words[other + 3];
  return true;
}

static bool has_opposite(const uint32_t *words, size_t at, size_t count) {
  (void)count;
  uint32_t op = op_of(words, at);
  return op == SpvOpIAdd || op == SpvOpISub || op == SpvOpIEqual || op == SpvOpINotEqual ||
         op == SpvOpULessThan || op == SpvOpUGreaterThanEqual || op == SpvOpLogicalAnd ||
         op == SpvOpLogicalOr;
}

static uint32_t opposite(uint32_t op) {
  static const uint32_t pairs[][2] = {{SpvOpIAdd, SpvOpISub},
                                      {SpvOpIEqual, SpvOpINotEqual},
                                      {SpvOpULessThan, SpvOpUGreaterThanEqual},
                                      {SpvOpLogicalAnd, SpvOpLogicalOr}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (op == pairs[i][0] || op == pairs[i][1])
      return pairs[i][op == pairs[i][0]];
  return op;
}

static bool opcode(uint32_t *words, size_t count, Rng *rng) {
  size_t at = pick(words, count, rng, has_opposite);
  if (at)
    words[at] = (words[at] & 0xffff0000) | opposite(op_of(words, at));
  return at;
}

/* ---- effects --------------------------------------------------------------------------------- */

static bool is_store(const uint32_t *words, size_t at, size_t count) {
  (void)count;
  return op_of(words, at) == SpvOpStore && length_of(words, at) == 3;
}

static bool drop(uint32_t *words, size_t count, Rng *rng) {
  size_t at = pick(words, count, rng, is_store);
  for (size_t i = 0; at && i < 3; i++)
    words[at + i] = 1u << 16 | SpvOpNop;
  return at;
}

static bool is_store_before_store(const uint32_t *words, size_t at, size_t count) {
  return is_store(words, at, count) && at + 3 < count && is_store(words, at + 3, count) &&
         memcmp(&words[at], &words[at + 3], 3 * sizeof *words) != 0;
}

static bool twice(uint32_t *words, size_t count, Rng *rng) {
  size_t at = pick(words, count, rng, is_store_before_store);
  if (at)
    memcpy(&words[at + 3], &words[at], 3 * sizeof *words);
  return at;
}

/* ---- switches -------------------------------------------------------------------------------- */

static bool is_switch(const uint32_t *words, size_t at, size_t count) {
  (void)count;
  return op_of(words, at) == SpvOpSwitch && length_of(words, at) >= 5 &&
         length_of(words, at) % 2 == 1;
}

static bool change_case(uint32_t *words, size_t count, Rng *rng) {
  size_t at = pick(words, count, rng, is_switch);
  if (at)
    words[at + 3] ^= 0x40;
  return at;
}

static bool change_default(uint32_t *words, size_t count, Rng *rng) {
  size_t at = pick(words, count, rng, is_switch);
  if (!at || words[at + 2] == words[at + 4])
    return false;
  swap(&words[at + 2], &words[at + 4]);
  return true;
}

bool spoil(SpoilKind kind, uint32_t *words, size_t count, Rng *rng) {
  static bool (*const spoilers[SPOIL_KINDS])(uint32_t *, size_t, Rng *) = {
      sides, target, phi, operand, opcode, drop, twice, change_case, change_default, leave};
  return spoilers[kind](words, count, rng);
}
