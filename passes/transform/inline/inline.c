/* SPDX-License-Identifier: Apache-2.0 */
/* inline: see inline.h. The first round changes nothing. After it, every function is known to be in
 * SSA form, even a function that moves into another one before the pipeline reaches it. */
#include "passes/transform/inline/inline.h"

#include "passes/ir/edit.h"
#include "passes/transform/inline/inline_copy.h"
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
    *made = sr_inline_choice(r->arena, r->m, false);
    r->kept = made;
  }
  const SrInlineChoice *choice = r->kept;
  if (choice->function[f->id] != SR_NONE || !calls_one(r->m, f, choice))
    return;
  *changed = true;
  sr_inline_move(r->scratch, r->m, f, choice, r->counts);
}

/* ---- all ---- */

SrStatus sr_inline_module(SrArena *arena, SrModule *m, uint32_t max_growth, bool marked,
                          SrTransformCounts *counts, bool *changed) {
  SrInlineCopies copies;
  SR_CHECK(sr_inline_copies_begin(arena, m, max_growth, marked, &copies));
  SrInlineChoice choice = sr_inline_choice(arena, m, marked);
  for (uint32_t i = 0; i < copies.own_count; i++) {
    SrFunction *f = &m->functions[i];
    if (choice.function[f->id] != SR_NONE || !calls_one(m, f, &choice))
      continue;
    sr_inline_move(arena, m, f, &choice, &counts[i]);
    changed[i] = true;
  }
  sr_inline_copies_end(arena, m, &copies, changed);
  return sr_check_bound(m);
}

typedef struct InlineAll {
  SrTransformCounts *counts; /* by function */
  bool *changed;
} InlineAll;

static void add_counts(SrTransformCounts *sum, const SrTransformCounts *more) {
#define SR_COUNT(name) sum->name += more->name;
#include "passes/names/counts.def"
#undef SR_COUNT
}

SrStatus sr_inline_all(SrPassRun *r, SrFunction *f, bool *changed) {
  if (r->round == 0) {
    r->again = true;
    return SR_OK;
  }
  InlineAll *all = r->kept;
  if (!all) {
    r->kept = all = SR_NEW(r->arena, InlineAll, 1);
    all->counts = SR_NEW(r->arena, SrTransformCounts, r->m->function_count);
    all->changed = SR_NEW(r->arena, bool, r->m->function_count);
    SR_CHECK(
        sr_inline_module(r->arena, r->m, r->options.max_growth, false, all->counts, all->changed));
  }
  size_t i = (size_t)(f - r->m->functions);
  add_counts(r->counts, &all->counts[i]);
  *changed = all->changed[i] && f->block_count;
  return SR_OK;
}
