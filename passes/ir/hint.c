/* SPDX-License-Identifier: Apache-2.0 */
/* hint: see hint.h. A table by label for loops and one for selections; an entry is the merge
 * instruction that was taken out. */
#include "passes/ir/hint.h"

#include "passes/ir/edit.h"
#include "passes/ir/grammar.h"
#include "passes/ir/id_table.h"

static const uint32_t PROMISES =
    SpvLoopControlDependencyInfiniteMask | SpvLoopControlDependencyLengthMask |
    SpvLoopControlMinIterationsMask | SpvLoopControlMaxIterationsMask |
    SpvLoopControlIterationMultipleMask | SpvLoopControlDependencyArrayINTELMask |
    SpvLoopControlLoopCountINTELMask;

/* The index of the word that holds the controls. */
static uint32_t control_word(SpvOp op) {
  return op == SpvOpLoopMerge ? 3 : 2;
}

static SrIdTable *table_of(const SrModule *m, SpvOp op) {
  return m->hints[op == SpvOpLoopMerge];
}

static void set(SrModule *m, SpvOp op, uint32_t label, SrRef merge) {
  SrIdTable **t = &m->hints[op == SpvOpLoopMerge];
  if (!*t && merge == SR_NONE)
    return;
  if (!*t)
    *t = sr_ids_take(m);
  sr_ids_set(*t, label, merge);
}

bool sr_hint_any(const SrModule *m, SpvOp op) {
  return table_of(m, op) != NULL;
}

bool sr_hint_has(const SrModule *m, SrRef merge) {
  return sr_words(m, merge)[control_word((SpvOp)sr_inst(m, merge)->op)] != 0;
}

void sr_hint_keep(SrModule *m, uint32_t label, SrRef merge) {
  if (sr_hint_has(m, merge))
    set(m, (SpvOp)sr_inst(m, merge)->op, label, merge);
}

void sr_hint_take(SrModule *m, SrBlock *b) {
  SrRef merge = sr_merge_inst(m, b);
  if (merge == SR_NONE)
    return;
  sr_remove(m, &b->list, merge);
  sr_hint_keep(m, b->id, merge);
}

SrRef sr_hint_of(const SrModule *m, uint32_t label, SpvOp op) {
  const SrIdTable *t = table_of(m, op);
  return t ? sr_ids_get(t, label) : SR_NONE;
}

/* The words that the parameters of a control take: each is one literal. */
static uint32_t parameters(uint32_t bit) {
  SrOperandList merge = sr_grammar_instruction(SpvOpLoopMerge);
  SrOperandList list = sr_grammar_enumerant((merge[2] & SR_OPERAND_KIND) - 1u, bit);
  uint32_t n = 0;
  while (list && list[n])
    n++;
  return n;
}

void sr_hint_put(SrModule *m, SrRef merge, bool promises) {
  if (merge == SR_NONE) {
    sr_put_literal(m, 0);
    return;
  }
  SpvOp op = (SpvOp)sr_inst(m, merge)->op;
  uint32_t at = control_word(op), count = sr_word_count(m, merge);
  uint32_t control = sr_words(m, merge)[at++], kept = control;
  if (op == SpvOpLoopMerge && !promises)
    kept &= ~PROMISES;
  sr_put_literal(m, kept);
  if (op == SpvOpSelectionMerge)
    return;
  for (uint32_t bit = 1; bit; bit <<= 1)
    for (uint32_t n = control & bit ? parameters(bit) : 0; n && at < count; n--, at++)
      if (kept & bit)
        sr_put_literal(m, sr_words(m, merge)[at]);
}

void sr_hint_move_branch(SrModule *m, uint32_t from, uint32_t to) {
  SrRef merge = sr_hint_of(m, from, SpvOpSelectionMerge);
  set(m, SpvOpSelectionMerge, to, merge);
  set(m, SpvOpSelectionMerge, from, SR_NONE);
}

void sr_hint_copy(SrModule *m, uint32_t from, uint32_t to) {
  sr_hint_loosen(m, from);
  set(m, SpvOpLoopMerge, to, sr_hint_of(m, from, SpvOpLoopMerge));
  set(m, SpvOpSelectionMerge, to, sr_hint_of(m, from, SpvOpSelectionMerge));
}

void sr_hint_put_before(SrModule *m, uint32_t from, uint32_t to) {
  set(m, SpvOpLoopMerge, to, sr_hint_of(m, from, SpvOpLoopMerge));
}

void sr_hint_loosen(SrModule *m, uint32_t label) {
  SrRef merge = sr_hint_of(m, label, SpvOpLoopMerge);
  if (merge == SR_NONE || !(sr_words(m, merge)[control_word(SpvOpLoopMerge)] & PROMISES))
    return;
  uint32_t target[2] = {sr_words(m, merge)[1], sr_words(m, merge)[2]};
  sr_begin(m, SpvOpLoopMerge, 0, 0);
  sr_put_id(m, target[0]);
  sr_put_id(m, target[1]);
  sr_hint_put(m, merge, false);
  merge = sr_end(m);
  set(m, SpvOpLoopMerge, label, sr_hint_has(m, merge) ? merge : SR_NONE);
}

void sr_hint_forget_loop(SrModule *m, uint32_t label) {
  set(m, SpvOpLoopMerge, label, SR_NONE);
}
