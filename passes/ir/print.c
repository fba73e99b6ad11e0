/* SPDX-License-Identifier: Apache-2.0 */
/* print: see print.h. The syntax is SPIRV-Tools' (docs/syntax.md there, "Arbitrary Integers"): a
 * number may be an optional operand of the instruction in the line before, and after a number the
 * operands continue up to the next name of an instruction. So if an instruction is printed as
 * numbers only, the instruction before it is, too, unless that instruction has neither numbers nor
 * optional operands. */
#include "passes/ir/print.h"
#include "passes/base/text.h"
#include "passes/ir/grammar.h"
#include "passes/ir/operands.h"
#include "passes/ir/parse.h"

#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <string.h>

enum { RESULT_COLUMN = 15 };

static void put_header(SrText *out, const uint32_t *h) {
  sr_text_add(out,
              "; SPIR-V\n; Version: %u.%u\n; Generator: 0x%08x\n; Bound: %u\n; Schema: %u\n"
              "; This SPIRV-Tools, %s, is older than the module: !N is a word of it, which may be "
              "an id:\n; assemble with spirv-as --preserve-numeric-ids, or with spvreconv.\n",
              h[1] >> 16 & 0xff, h[1] >> 8 & 0xff, h[2], h[3], h[4], spvSoftwareVersionString());
}

/* Appends the string that begins at *word; returns how many words it has. */
static uint32_t put_string(SrText *out, const uint32_t *word) {
  const char *text = (const char *)word;
  sr_text_put(out, " \"", 2);
  for (const char *p = text; *p; p++) {
    if (*p == '"' || *p == '\\')
      sr_text_put(out, "\\", 1);
    sr_text_put(out, p, 1);
  }
  sr_text_put(out, "\"", 1);
  return (uint32_t)strlen(text) / 4 + 1;
}

/* Appends all words from word `i` to the end; `strings` has the first word of each string. */
static void put_operands(SrText *out, const SrModule *m, SrRef r, uint32_t i,
                         const SrBits *strings) {
  const uint32_t *w = sr_words(m, r);
  while (i < w[0] >> 16)
    if (sr_bit(strings, i)) {
      i += put_string(out, &w[i]);
    } else {
      sr_text_add(out, sr_word_is_id(m, r, i) ? " %%%u" : " !%u", w[i]);
      i++;
    }
}

static bool is_known(uint16_t op) {
  return sr_grammar_instruction(op) && strcmp(spvOpcodeString(op), "unknown") != 0;
}

static void put_instruction(SrText *out, const SrModule *m, SrRef r, bool raw,
                            const SrBits *strings) {
  const SrInst *in = sr_inst(m, r);
  if (raw) {
    sr_text_add(out, "%*s!%u", RESULT_COLUMN, "", sr_words(m, r)[0]);
    put_operands(out, m, r, 1, strings);
    if (sr_grammar_instruction(in->op))
      sr_text_add(out, " ; Op%s", sr_grammar_name(in->op));
  } else {
    char result[16] = "";
    if (in->result)
      snprintf(result, sizeof result, "%%%u = ", in->result);
    sr_text_add(out, "%*sOp%s", RESULT_COLUMN, result, sr_grammar_name(in->op));
    if (in->type)
      sr_text_add(out, " %%%u", in->type);
    put_operands(out, m, r, in->first, strings);
  }
  sr_text_put(out, "\n", 1);
}

/* Walks the operands once more, to find the strings. */
static SrBits *find_strings(SrArena *scratch, const SrModule *m, SrRef r) {
  uint32_t count = sr_word_count(m, r);
  SrOperands o = {.m = m,
                  .words = sr_words(m, r),
                  .count = count,
                  .is_id = sr_bits_new(scratch, count),
                  .strings = sr_bits_new(scratch, count)};
  sr_operands_walk(&o);
  return o.strings;
}

/* Would the assembler parse a number in the next line as an operand of this instruction? */
static bool takes_number(SrArena *scratch, const SrModule *m, SrRef r) {
  SrOperandList list = sr_grammar_instruction(sr_inst(m, r)->op);
  for (; *list; list++)
    if (*list & (SR_OPERAND_OPTIONAL | SR_OPERAND_MANY))
      return true;
  SrMark mark = sr_arena_mark(scratch);
  const SrBits *strings = find_strings(scratch, m, r);
  bool found = false;
  for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r) && !sr_bit(strings, i); i++)
    found = found || !sr_word_is_id(m, r, i);
  sr_arena_reset(scratch, mark);
  return found;
}

/* By instruction: is it printed as numbers only? */
static SrBits *find_raw(SrArena *scratch, const SrModule *m) {
  SrBits *raw = sr_bits_new(scratch, m->inst.count + 1);
  for (SrRef r = m->inst.count; r-- > 0;)
    if (!is_known(sr_inst(m, r)->op) || (sr_bit(raw, r + 1) && takes_number(scratch, m, r)))
      sr_bit_set(raw, r);
  return raw;
}

static void put_instructions(SrText *out, SrArena *scratch, const SrModule *m) {
  const SrBits *raw = find_raw(scratch, m);
  for (SrRef r = 0; r < m->inst.count; r++) {
    SrMark mark = sr_arena_mark(scratch);
    put_instruction(out, m, r, sr_bit(raw, r), find_strings(scratch, m, r));
    sr_arena_reset(scratch, mark);
  }
}

char *sr_print_words(SrArena *arena, const uint32_t *words, size_t count) {
  SrArena scratch = sr_arena_new(arena->heap);
  SrText out = {.arena = arena};
  SrDiag diag = {.status = SR_OK};
  SrModule *m;
  SrParsed parsed;
  char *text = NULL;
  if (sr_parse(&scratch, &diag, words, count, &m, &parsed) == SR_OK) {
    put_header(&out, m->header);
    put_instructions(&out, &scratch, m);
    text = sr_text_end(&out);
  }
  sr_arena_free(&scratch);
  return text;
}
