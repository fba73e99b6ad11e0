/* SPDX-License-Identifier: Apache-2.0 */
/* parse: see parse.h. */
#include "passes/ir/parse.h"

#include "passes/ir/grammar.h"
#include "passes/ir/operands.h"

enum { MAX_BOUND = 0x3fffff };

/* ---- the words ---- */

/* `at`: an index in the pool, which has the input's words without the header. */
static SrWhere place(uint32_t at) {
  return (SrWhere){.word = SR_HEADER_WORDS + at};
}

/* Its OpName, else its OpEntryPoint; SR_NONE: neither. */
static SrRef name_of(const SrModule *m, uint32_t function, SrRef end) {
  SrRef entry = SR_NONE;
  for (SrRef r = 0; r < end; r++) {
    const uint32_t *w = sr_words(m, r);
    uint16_t op = sr_inst(m, r)->op;
    if (op == SpvOpName && w[1] == function && w[2])
      return r;
    if (op == SpvOpEntryPoint && w[2] == function && w[3] && entry == SR_NONE)
      entry = r;
  }
  return entry;
}

SrWhere sr_parse_place(const SrModule *m, SrRef r) {
  SrWhere where = place(sr_inst(m, r)->at);
  uint32_t block = 0;
  for (SrRef k = r + 1; k-- > 0 && sr_inst(m, k)->op != SpvOpFunctionEnd;) {
    if (sr_inst(m, k)->op == SpvOpLabel && !block)
      block = sr_inst(m, k)->result;
    if (sr_inst(m, k)->op != SpvOpFunction)
      continue;
    const SrFunction f = {.id = sr_inst(m, k)->result,
                          .name = name_of(m, sr_inst(m, k)->result, k)};
    where.function = sr_function_name(m, m->arena, &f);
    where.block = block;
    break;
  }
  return where;
}

static SrStatus define(SrModule *m, SrRef r) {
  uint32_t id = sr_inst(m, r)->result;
  if (id == 0 || id >= sr_bound(m))
    return sr_fail(m->diag, SR_BAD_INPUT, sr_parse_place(m, r), "id %%%u is not below the id bound",
                   id);
  if (m->def[id] != SR_NONE)
    return sr_fail(m->diag, SR_BAD_INPUT, sr_parse_place(m, r), "id %%%u is defined more than once",
                   id);
  m->def[id] = r;
  return SR_OK;
}

/* Is it a decoration Volatile, of an id or a member? */
static bool decorates_volatile(const uint32_t *words, uint32_t count) {
  uint16_t op = words[0] & 0xffff;
  uint32_t at = op == SpvOpDecorate ? 2 : op == SpvOpMemberDecorate ? 3 : count;
  return at < count && words[at] == SpvDecorationVolatile;
}

static SrStatus take_instruction(SrModule *m, uint32_t at, uint32_t count, SrParsed *parsed) {
  SrOperands o = {.m = m, .words = &m->pool.at[at], .count = count, .is_id = m->is_id, .base = at};
  uint16_t op = o.words[0] & 0xffff;
  if (!sr_operands_walk(&o))
    return sr_fail(m->diag, SR_BAD_INPUT, place(at), "Op%s %s", sr_grammar_name(op), o.problem);
  SrRef r = m->inst.count++;
  m->inst.at[r] = (SrInst){.at = at,
                           .prev = SR_NONE,
                           .next = SR_NONE,
                           .type = o.type,
                           .result = o.result,
                           .op = op,
                           .first = (uint8_t)(1 + o.has_type + o.has_result),
                           .nonsemantic = o.nonsemantic,
                           .unknown = o.unknown};
  m->has_undef |= op == SpvOpUndef;
  m->has_volatile |= decorates_volatile(o.words, count);
  parsed->labels += op == SpvOpLabel;
  parsed->functions += op == SpvOpFunction;
  parsed->unknown |= o.unknown;
  return o.has_result ? define(m, r) : SR_OK;
}

static SrStatus parse(SrModule *m, const uint32_t *words, size_t count, SrParsed *parsed) {
  memcpy(m->header, words, sizeof m->header);
  m->pool.count = (uint32_t)count - SR_HEADER_WORDS;
  memcpy(m->pool.at, words + SR_HEADER_WORDS, m->pool.count * sizeof(uint32_t));
  for (uint32_t at = 0, n; at < m->pool.count; at += n) {
    n = m->pool.at[at] >> 16;
    if (n == 0 || n > m->pool.count - at)
      return sr_fail(m->diag, SR_BAD_INPUT, place(at),
                     "truncated: an instruction of %u words where %u are left", n,
                     m->pool.count - at);
    SR_CHECK(take_instruction(m, at, n, parsed));
  }
  return SR_OK;
}

/* ---- what the grammar does not know ---- */

static bool is_undefined(const SrModule *m, uint32_t id) {
  return id > 0 && id < sr_bound(m) && m->def[id] == SR_NONE;
}

/* If an unknown instruction defines an id that others use, the id is its first operand or, after
 * its result type, the second, as in all known instructions. The type may itself be the result of
 * an unknown instruction. */
static void guess_result(SrModule *m, const SrBits *used, SrRef r) {
  const uint32_t *w = sr_words(m, r);
  SrInst *in = sr_inst(m, r);
  for (uint32_t i = 1; i <= 2 && i < w[0] >> 16; i++) {
    if (!is_undefined(m, w[i]) || !sr_bit(used, w[i]))
      continue;
    m->def[w[i]] = r;
    in->result = w[i];
    in->type = i == 2 ? w[1] : 0;
    in->first = (uint8_t)(i + 1);
    for (uint32_t k = 1; k <= i; k++)
      sr_bit_set(m->is_id, in->at + k);
    return;
  }
}

/* The second round finds the definitions of the types that the results of the first round have. */
static void guess_results(SrModule *m) {
  SrMark mark = sr_arena_mark(m->arena);
  SrBits *used = sr_bits_new(m->arena, sr_bound(m));
  for (int round = 0; round < 2; round++) {
    for (uint32_t i = 0; i < m->pool.count; i++)
      if (sr_bit(m->is_id, i) && m->pool.at[i] < sr_bound(m))
        sr_bit_set(used, m->pool.at[i]);
    for (SrRef r = 0; r < m->inst.count; r++)
      if (!sr_inst(m, r)->result && !sr_grammar_instruction(sr_inst(m, r)->op))
        guess_result(m, used, r);
  }
  sr_arena_reset(m->arena, mark);
}

/* ---- the module ---- */

/* The number of instructions up to the first word count that is not valid. */
static uint32_t count_instructions(const uint32_t *words, size_t count) {
  uint32_t n = 0;
  for (size_t i = SR_HEADER_WORDS; i < count && words[i] >> 16 && words[i] >> 16 <= count - i;
       i += words[i] >> 16)
    n++;
  return n;
}

static SrModule *new_module(SrArena *arena, SrDiag *diag, const uint32_t *words, size_t count) {
  SrModule *m = SR_NEW(arena, SrModule, 1);
  uint32_t bound = words[3];
  *m = (SrModule){.arena = arena,
                  .diag = diag,
                  .globals = {SR_NONE, SR_NONE},
                  .tail = {SR_NONE, SR_NONE},
                  .input_words = (uint32_t)count,
                  .input_bound = bound};
  SR_RESERVE(arena, &m->pool, count);
  m->is_id = sr_bits_new(arena, count);
  m->is_id_room = (uint32_t)(count + 63) / 64 * 64;
  SR_RESERVE(arena, &m->inst, count_instructions(words, count) + 1);
  m->id_room = bound + bound / 4 + 64;
  m->def = sr_new_none(arena, m->id_room);
  m->home = sr_new_none(arena, m->id_room);
  return m;
}

SrStatus sr_parse(SrArena *arena, SrDiag *diag, const uint32_t *words, size_t count, SrModule **out,
                  SrParsed *parsed) {
  *out = NULL;
  *parsed = (SrParsed){0};
  if (count < SR_HEADER_WORDS)
    return sr_fail(diag, SR_BAD_INPUT, SR_NOWHERE, "not a SPIR-V module: only %zu words", count);
  if (words[0] != SpvMagicNumber)
    return sr_fail(diag, SR_BAD_INPUT, SR_NOWHERE, "not a SPIR-V module: bad magic number");
  uint32_t bound = words[3];
  if (bound == 0 || bound > MAX_BOUND)
    return sr_fail(diag, SR_BAD_INPUT, (SrWhere){.word = 3},
                   "id bound %u is outside SPIR-V's limits, 1 to %u", bound, (unsigned)MAX_BOUND);
  if (count > UINT32_MAX / 4)
    return sr_fail(diag, SR_BAD_INPUT, SR_NOWHERE, "module too large: %zu words", count);
  SrModule *m = new_module(arena, diag, words, count);
  SR_CHECK(parse(m, words, count, parsed));
  if (parsed->unknown)
    guess_results(m);
  *out = m;
  return SR_OK;
}
