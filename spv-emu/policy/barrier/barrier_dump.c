/* SPDX-License-Identifier: Apache-2.0 */
/* barrier_dump: a program for convergence barriers (barrier_program.h) as text:
 *
 *   scheduling lifo
 *   start %10
 *
 *   function main
 *   %10:       ...  ; 5 to issue
 *              BSSY B0, %13
 *              @P   BRA %11, else %12 by .1
 *   %11:       ...  ; 2 to issue
 *              BRA  %13 by .2
 *   .2:        BSYNC B0
 *   %13:       ...  ; 1 to issue
 *              EXIT
 *   .1:        BREAK B0
 *              BRA  %12
 *
 * A block is named by the id of its label; the parts after its calls have the suffix `+1`, `+2` and
 * so on. A branch names the blocks that lanes go to, in the order in which its sides run, and after
 * `by` a label if there is code on the path. A call names the callee's entry and where its lanes
 * continue. Barriers that share a register are B0, B0.1, B0.2 and so on. `;` begins a comment. */
#include "spv-emu/policy/barrier/barrier_text.h"

const char *const emu_barrier_words[EMU_BARRIER_GO + 1] = {
    [EMU_BARRIER_BODY] = "...",     [EMU_BARRIER_BSSY] = "BSSY",
    [EMU_BARRIER_BSYNC] = "BSYNC",  [EMU_BARRIER_BREAK] = "BREAK",
    [EMU_BARRIER_YIELD] = "YIELD",  [EMU_BARRIER_WARPSYNC] = "WARPSYNC",
    [EMU_BARRIER_BMOV] = "BMOV",    [EMU_BARRIER_ESCAPE] = "MOV ESC,",
    [EMU_BARRIER_TEST] = "BRA.ESC", [EMU_BARRIER_BRANCH] = "BRA",
    [EMU_BARRIER_CALL] = "CALL",    [EMU_BARRIER_END] = "EXIT",
    [EMU_BARRIER_GO] = "BRA"};

const char *const emu_barrier_schedulings[] = {"lifo", "round-robin", "oldest", NULL};

typedef struct Dump {
  const EmuBarriers *barriers;
  const EmuBlockTable *table;
  SrText *text;
  uint32_t *number; /* by instruction: the number of its own label; 0: none */
  uint32_t *arm_at; /* by rank: index of the current branch's arm */
  bool callee;      /* the current function is not the entry point */
} Dump;

enum { COLUMN = 11 };

static const EmuBarrierInst *inst(const Dump *d, uint32_t at) {
  return &d->barriers->code.at[at];
}

/* ---- labels ---------------------------------------------------------------------------------- */

static void number_place(Dump *d, uint32_t at, uint32_t *next) {
  if (inst(d, at)->op != EMU_BARRIER_BODY && !d->number[at])
    d->number[at] = (*next)++;
}

/* Numbers the labels of targets that are not blocks. */
static void number_places(Dump *d) {
  const EmuBarriers *b = d->barriers;
  uint32_t next = 1;
  number_place(d, b->start, &next);
  for (uint32_t at = 0; at < b->code.count; at++) {
    const EmuBarrierInst *i = inst(d, at);
    if (i->op == EMU_BARRIER_TEST || i->op == EMU_BARRIER_GO || i->op == EMU_BARRIER_CALL)
      number_place(d, i->to, &next);
    if (i->op == EMU_BARRIER_CALL)
      number_place(d, i->back, &next);
    for (uint32_t k = 0; i->op == EMU_BARRIER_BRANCH && k < i->arms; k++)
      number_place(d, b->arms.at[i->arm + k].to, &next);
  }
}

static void print_block(const Dump *d, uint32_t block) {
  emu_block_name(d->table, block, d->text);
}

static void print_place(const Dump *d, uint32_t at) {
  if (d->number[at])
    sr_text_add(d->text, ".%u", d->number[at]);
  else
    print_block(d, inst(d, at)->block);
}

/* Prints a block, and the label through which lanes get there if they do not go directly. */
static void print_target(const Dump *d, uint32_t block, uint32_t at) {
  print_block(d, block);
  if (d->number[at])
    sr_text_add(d->text, " by .%u", d->number[at]);
}

/* ---- instructions ---------------------------------------------------------------------------- */

static void print_barrier(const Dump *d, uint32_t bar) {
  const EmuBarrier *b = &d->barriers->all.at[bar];
  sr_text_add(d->text, "B%u", b->reg);
  if (b->twin)
    sr_text_add(d->text, ".%u", b->twin);
}

static void print_depth(const Dump *d, uint32_t depth) {
  if (depth == SR_NONE)
    sr_text_add(d->text, " none");
  else
    sr_text_add(d->text, " %u", depth);
}

static void print_branch(const Dump *d, const EmuBarrierInst *i) {
  const EmuBarrierArm *arms = &d->barriers->arms.at[i->arm];
  for (uint32_t k = 0; k < i->arms; k++)
    d->arm_at[arms[k].rank] = k;
  sr_text_add(d->text, "%sBRA  ", i->arms > 1 ? "@P   " : "");
  for (uint32_t rank = 0; rank < i->arms; rank++) {
    const EmuBarrierArm *arm = &arms[d->arm_at[rank]];
    sr_text_add(d->text, "%s", rank ? ", else " : "");
    print_target(d, arm->block, arm->to);
  }
}

static void print_inst(const Dump *d, const EmuBarrierInst *i, uint32_t block) {
  if (i->op != EMU_BARRIER_BRANCH && i->op != EMU_BARRIER_END)
    sr_text_add(d->text, "%s", emu_barrier_words[i->op]);
  switch ((EmuBarrierOp)i->op) {
  case EMU_BARRIER_BODY:
    sr_text_add(d->text, "  ; %u to issue", d->table->issues[i->block]);
    break;
  case EMU_BARRIER_BSSY:
    sr_text_add(d->text, " ");
    print_barrier(d, i->bar);
    sr_text_add(d->text, ", ");
    print_block(d, d->barriers->all.at[i->bar].point);
    break;
  case EMU_BARRIER_BSYNC:
  case EMU_BARRIER_BREAK:
  case EMU_BARRIER_BMOV:
    sr_text_add(d->text, " ");
    print_barrier(d, i->bar);
    break;
  case EMU_BARRIER_ESCAPE:
    print_depth(d, i->bar);
    break;
  case EMU_BARRIER_TEST:
    sr_text_add(d->text, " %u, ", i->bar);
    print_place(d, i->to);
    break;
  case EMU_BARRIER_BRANCH:
    print_branch(d, i);
    break;
  case EMU_BARRIER_CALL:
    sr_text_add(d->text, " ");
    print_target(d, i->block, i->to);
    sr_text_add(d->text, ", then ");
    print_target(d, d->table->next[block], i->back);
    break;
  case EMU_BARRIER_END:
    sr_text_add(d->text, d->callee ? "RET" : "EXIT");
    break;
  case EMU_BARRIER_GO:
    sr_text_add(d->text, "  ");
    print_place(d, i->to);
    break;
  default:
    break;
  }
  sr_text_add(d->text, "\n");
}

static void print_line(const Dump *d, uint32_t at, uint32_t block) {
  uint32_t from = d->text->count, used;
  if (d->number[at] || inst(d, at)->op == EMU_BARRIER_BODY) {
    print_place(d, at);
    sr_text_add(d->text, ":");
  }
  used = d->text->count - from;
  sr_text_add(d->text, "%*s", used < COLUMN ? (int)(COLUMN - used) : 1, "");
  print_inst(d, inst(d, at), block);
}

/* ---- the program ----------------------------------------------------------------------------- */

static void print_function(Dump *d, uint32_t f) {
  const EmuBarriers *b = d->barriers;
  uint32_t end = f + 1 < d->table->function_count ? b->first[f + 1] : b->code.count;
  uint32_t block = SR_NONE;
  sr_text_add(d->text, "\n");
  emu_function_name(&d->table->functions[f], d->text);
  sr_text_add(d->text, "\n");
  d->callee = f != d->table->entry_function;
  for (uint32_t at = b->first[f]; at < end; at++) {
    if (inst(d, at)->op == EMU_BARRIER_BODY)
      block = inst(d, at)->block;
    print_line(d, at, block);
  }
}

void emu_barriers_print(const EmuBarriers *barriers, const EmuBlockTable *table, SrText *text) {
  SrArena scratch = sr_arena_new(text->arena->heap);
  Dump d = {.barriers = barriers,
            .table = table,
            .text = text,
            .number = SR_NEW(&scratch, uint32_t, barriers->code.count),
            .arm_at = SR_NEW(&scratch, uint32_t, barriers->arms.count)};
  number_places(&d);
  sr_text_add(text, "scheduling %s\nstart ", emu_barrier_schedulings[barriers->scheduling]);
  print_place(&d, barriers->start);
  sr_text_add(text, "\n");
  for (uint32_t f = 0; f < table->function_count; f++)
    print_function(&d, f);
  sr_arena_free(&scratch);
}
