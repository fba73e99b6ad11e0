/* SPDX-License-Identifier: Apache-2.0 */
/* jip_dump: the program that policy `jip` runs (jip_place.h) as text:
 *
 *   function main
 *   %10:       ...  ; 5 to issue
 *              GOTO %11, else %12, JIP %12
 *   %11:       ...  ; 2 to issue
 *              GOTO %13, JIP %12
 *   %12:       JOIN JIP %13
 *              ...  ; 4 to issue
 *              JMPI %13
 *   %13:       JOIN
 *              ...  ; 1 to issue
 *              EXIT
 *
 * A block is named by the id of its label; the parts after its calls have the suffix `+1`, `+2` and
 * so on. JIP is where the subgroup goes if no lane continues here: the next JOIN at which lanes may
 * wait. GOTO names the targets of the lanes; a branch that needs no JIP is JMPI. jip_read.c reads
 * the text back. */
#include "spv-emu/policy/jip/jip_place.h"

typedef struct Dump {
  const EmuJips *jips;
  const EmuBlockTable *table;
  SrText *text;
} Dump;

static void print_jip(const Dump *d, const char *before, uint32_t block) {
  if (block == SR_NONE)
    return;
  sr_text_add(d->text, "%sJIP ", before);
  emu_block_name(d->table, block, d->text);
}

static void print_end(const Dump *d, const EmuFunctionBlocks *fn, uint32_t b) {
  uint32_t block = fn->first + b, callee = d->table->callee[block];
  const char *between = "";
  if (callee != SR_NONE) {
    sr_text_add(d->text, "CALL ");
    emu_block_name(d->table, d->table->functions[callee].first, d->text);
  } else if (!sr_succ_count(fn->graph, b)) {
    sr_text_add(d->text, fn == &d->table->functions[d->table->entry_function] ? "EXIT" : "RET");
  } else {
    sr_text_add(d->text, d->jips->jump[block] ? "JMPI " : "GOTO ");
    for (SR_SUCCS(t, fn->graph, b)) {
      sr_text_add(d->text, "%s", between);
      emu_block_name(d->table, fn->first + *t, d->text);
      between = ", else ";
    }
    if (d->jips->jump[block])
      return;
  }
  print_jip(d, ", ", d->jips->leave[block]);
}

enum { COLUMN = 11 };

static void print_block(const Dump *d, const EmuFunctionBlocks *fn, uint32_t b) {
  uint32_t from = d->text->count, block = fn->first + b;
  emu_block_name(d->table, block, d->text);
  sr_text_add(d->text, ":");
  uint32_t used = d->text->count - from;
  sr_text_add(d->text, "%*s", used < COLUMN ? (int)(COLUMN - used) : 1, "");
  if (d->jips->join[block]) {
    sr_text_add(d->text, "JOIN");
    print_jip(d, " ", d->jips->empty[block]);
    sr_text_add(d->text, "\n%*s", COLUMN, "");
  }
  sr_text_add(d->text, "...  ; %u to issue\n%*s", d->table->issues[block], COLUMN, "");
  print_end(d, fn, b);
  sr_text_add(d->text, "\n");
}

void emu_jips_print(const EmuJips *jips, const EmuBlockTable *table, SrText *text) {
  const Dump d = {jips, table, text};
  for (uint32_t f = 0; f < table->function_count; f++) {
    const EmuFunctionBlocks *fn = &table->functions[f];
    sr_text_add(text, "%s", f ? "\n" : "");
    emu_function_name(fn, text);
    sr_text_add(text, "\n");
    for (uint32_t b = 0; b < fn->count; b++)
      print_block(&d, fn, b);
  }
}
