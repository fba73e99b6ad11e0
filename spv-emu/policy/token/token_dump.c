/* SPDX-License-Identifier: Apache-2.0 */
/* token_dump: the program of a token stack (token_place.h) as text, like a disassembler for such
 * hardware:
 *
 *   function main
 *   %10:       ...  ; 5 to issue
 *              SSY  %13
 *              @P   BRA %11, else %12
 *   %11:       ...  ; 2 to issue
 *              BRA  %13.sync
 *   %13.sync:  NOP.S
 *   %13:       ...  ; 1 to issue
 *              EXIT
 *
 * A block is named by the id of its label; the parts after its calls have the suffix `+1`, `+2` and
 * so on. BLOCK.sync is the carrier before a block. Instructions on an edge, or at a point before
 * further pushes, are labelled .1, .2 and so on. Where a branch diverges, the arms after `else` are
 * pushed as DIV tokens; lanes of a BRK or CONT arm become inactive instead. */
#include "spv-emu/policy/token/token_place.h"

#include "spv-emu/policy/construct_order.h"

typedef struct Dump {
  const EmuTokens *tokens;
  const EmuBlockTable *table;
  SrText *text;
  const uint32_t *first_part; /* by block */
  uint32_t *number;           /* by instruction: the number of its own label; 0: none */
  uint32_t *arm_at;           /* by rank, of the current branch */
  bool callee;                /* the current function is not the entry point */
} Dump;

enum { COLUMN = 11 };

/* ---- names ----------------------------------------------------------------------------------- */

static void print_block(const Dump *d, uint32_t block) {
  uint32_t part = block - d->first_part[block];
  sr_text_add(d->text, "%%%u", d->table->id[block]);
  if (part)
    sr_text_add(d->text, "+%u", part);
}

static bool has_block(const EmuTokenInst *i) {
  return i->op == EMU_TOKEN_BODY || i->op == EMU_TOKEN_SYNC;
}

static void print_place(const Dump *d, uint32_t at) {
  const EmuTokenInst *i = &d->tokens->code.at[at];
  if (!has_block(i)) {
    sr_text_add(d->text, ".%u", d->number[at]);
    return;
  }
  print_block(d, i->block);
  if (i->op == EMU_TOKEN_SYNC)
    sr_text_add(d->text, ".sync");
}

static void number_place(Dump *d, uint32_t at, uint32_t *next) {
  if (!has_block(&d->tokens->code.at[at]) && !d->number[at])
    d->number[at] = (*next)++;
}

/* Numbers the labels of targets that are not blocks. */
static void number_places(Dump *d) {
  const EmuTokens *t = d->tokens;
  uint32_t next = 1;
  for (uint32_t f = 0; f < d->table->function_count; f++)
    number_place(d, t->entry[f], &next);
  for (uint32_t at = 0; at < t->code.count; at++) {
    const EmuTokenInst *i = &t->code.at[at];
    if (i->op == EMU_TOKEN_PUSH || i->op == EMU_TOKEN_CALL || i->op == EMU_TOKEN_GO)
      number_place(d, i->to, &next);
    for (uint32_t k = 0; i->op == EMU_TOKEN_BRANCH && k < i->arms; k++)
      if (t->arms.at[i->arm + k].to != SR_NONE)
        number_place(d, t->arms.at[i->arm + k].to, &next);
  }
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void print_to(const Dump *d, const char *what, uint32_t at) {
  sr_text_add(d->text, "%-4s ", what);
  print_place(d, at);
}

static void print_arm(const Dump *d, const EmuTokenArm *arm, uint32_t kind, bool first) {
  if (arm->to == SR_NONE)
    sr_text_add(d->text, "%s", emu_leave_name(kind));
  else if (first)
    print_to(d, "BRA", arm->to);
  else
    print_place(d, arm->to);
}

static void print_branch(const Dump *d, const EmuTokenInst *i) {
  const EmuTokenArm *arms = &d->tokens->arms.at[i->arm];
  for (uint32_t k = 0; k < i->arms; k++)
    d->arm_at[arms[k].rank] = k;
  if (i->arms > 1)
    sr_text_add(d->text, "@P   ");
  for (uint32_t rank = 0; rank < i->arms; rank++) {
    if (rank)
      sr_text_add(d->text, ", else ");
    print_arm(d, &arms[d->arm_at[rank]], i->kind, rank == 0);
  }
}

static void print_inst(const Dump *d, uint32_t at) {
  const EmuTokenInst *i = &d->tokens->code.at[at];
  switch ((EmuTokenOp)i->op) {
  case EMU_TOKEN_BODY:
    sr_text_add(d->text, "...  ; %u to issue", d->table->issues[i->block]);
    break;
  case EMU_TOKEN_PUSH:
    print_to(d, emu_push_name(i->kind), i->to);
    break;
  case EMU_TOKEN_BRANCH:
    print_branch(d, i);
    break;
  case EMU_TOKEN_CALL:
    print_to(d, "CAL", d->tokens->entry[d->table->function[i->block]]);
    break;
  case EMU_TOKEN_END:
    sr_text_add(d->text, d->callee ? "RET" : "EXIT");
    break;
  case EMU_TOKEN_SYNC:
    sr_text_add(d->text, "NOP.S");
    break;
  case EMU_TOKEN_GO:
    print_to(d, "BRA", i->to);
    break;
  }
  sr_text_add(d->text, "\n");
}

static void print_line(const Dump *d, uint32_t at) {
  uint32_t from = d->text->count, used;
  if (d->number[at] || has_block(&d->tokens->code.at[at])) {
    print_place(d, at);
    sr_text_add(d->text, ":");
  }
  used = d->text->count - from;
  sr_text_add(d->text, "%*s", used < COLUMN ? (int)(COLUMN - used) : 1, "");
  print_inst(d, at);
}

/* ---- the program ----------------------------------------------------------------------------- */

static void print_function(Dump *d, uint32_t f) {
  const EmuTokens *t = d->tokens;
  uint32_t end = f + 1 < d->table->function_count ? t->first[f + 1] : t->code.count;
  sr_text_add(d->text, "%s", f ? "\n" : "");
  emu_function_name(&d->table->functions[f], d->text);
  sr_text_add(d->text, "\n");
  d->callee = f != d->table->entry_function;
  for (uint32_t at = t->first[f]; at < end; at++)
    print_line(d, at);
}

void emu_tokens_print(const EmuTokens *tokens, const EmuBlockTable *table, SrText *text) {
  SrArena scratch = sr_arena_new(text->arena->heap);
  Dump d = {.tokens = tokens,
            .table = table,
            .text = text,
            .first_part = emu_first_parts(&scratch, table),
            .number = SR_NEW(&scratch, uint32_t, tokens->code.count),
            .arm_at = SR_NEW(&scratch, uint32_t, tokens->arms.count)};
  number_places(&d);
  for (uint32_t f = 0; f < table->function_count; f++)
    print_function(&d, f);
  sr_arena_free(&scratch);
}
