/* SPDX-License-Identifier: Apache-2.0 */
/* inline: see inline.h. The first round changes nothing. After it, every function is known to be in
 * SSA form, even a function that moves into another one before the pipeline reaches it. */
#include "passes/transform/inline/inline.h"

#include "passes/transform/inline/inline_move.h"

static bool calls_one(const SrModule *m, const SrFunction *f, const SrInlineChoice *choice) {
  for (uint32_t b = 0; b < f->block_count; b++)
    for (SR_EACH(m, r, f->blocks[b].list))
      if (sr_inst(m, r)->op == SpvOpFunctionCall && choice->function[sr_words(m, r)[3]] != SR_NONE)
        return true;
  return false;
}

void sr_inline(SrPassRun *r, SrFunction *f, bool *changed) {
  if (r->round == 0) {
    r->again = true;
    return;
  }
  if (!r->kept) {
    SrInlineChoice *made = SR_NEW(r->arena, SrInlineChoice, 1);
    *made = sr_inline_choice(r->arena, r->m);
    r->kept = made;
  }
  const SrInlineChoice *choice = r->kept;
  if (choice->function[f->id] != SR_NONE || !calls_one(r->m, f, choice))
    return;
  *changed = true;
  sr_inline_move(r->scratch, r->m, f, choice, r->counts);
}
