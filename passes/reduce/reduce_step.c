/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_step: see reduce_step.h. Both functions visit all steps in the same order, so that a
 * number means the same step in both. */
#include "passes/reduce/reduce_step.h"
#include "passes/analysis/graph/dom.h"
#include "passes/ir/constants.h"
#include "passes/ir/edit.h"
#include "passes/ir/pointer.h"
#include "passes/reduce/reduce_clean.h"
#include "passes/reduce/reduce_edit.h"

enum { MOST_TARGETS = 8 };             /* of a switch, that may become its only one */
enum { EARLIER = 3, LOOKED_AT = 200 }; /* values for SR_REDUCE_EARLIER, instructions before one */

typedef struct Visit {
  SrModule *m;
  const SrReduceRules *rules;
  const uint32_t *uses; /* by id */
  uint32_t at;          /* number of the next step */
  uint32_t first, last; /* those that are taken */
  SrInstead instead;    /* SR_REDUCE_VALUE */
} Visit;

/* Counts a step; is it taken? */
static bool take(Visit *v) {
  uint32_t number = v->at++;
  return number >= v->first && number < v->last;
}

/* ---- bodies ---- */

static SrRef make_return(SrModule *m, const SrFunction *f) {
  uint32_t type = sr_inst(m, sr_def(m, f->id))->type;
  uint32_t value = sr_def_op(m, type) == SpvOpTypeVoid ? 0 : sr_reduce_null(m, type);
  sr_begin(m, value ? SpvOpReturnValue : SpvOpReturn, 0, 0);
  if (value)
    sr_put_id(m, value);
  return sr_end(m);
}

static bool may_return_at_once(SrModule *m, const SrFunction *f) {
  uint32_t type = sr_inst(m, sr_def(m, f->id))->type;
  return sr_def_op(m, type) == SpvOpTypeVoid || sr_reduce_null(m, type);
}

static bool is_short(const SrModule *m, const SrFunction *f) {
  return f->block_count == 1 &&
         sr_inst(m, f->blocks[0].label)->next == sr_terminator(&f->blocks[0]);
}

/* Keeps only the variables. Nothing uses the other results, because the other blocks are
 * removed. */
static void return_at_once(SrModule *m, SrFunction *f) {
  SrBlock *b = &f->blocks[0];
  sr_reduce_end(m, b, make_return(m, f), true);
  for (SR_EACH_SAFE_FROM(m, r, sr_inst(m, b->label)->next, sr_terminator(b)))
    if (!sr_is_variable(sr_inst(m, r)->op))
      sr_remove(m, &b->list, r);
}

static void visit_bodies(Visit *v) {
  SrModule *m = v->m;
  for (uint32_t i = 0; i < m->function_count; i++) {
    SrFunction *f = &m->functions[i];
    if (f->block_count && !is_short(m, f) && may_return_at_once(m, f) && take(v))
      return_at_once(m, f);
  }
}

/* ---- branches ---- */

/* The ith distinct target; 0: there are fewer. */
static uint32_t distinct_target(const SrModule *m, SrRef end, uint32_t i) {
  uint32_t seen[MOST_TARGETS], count = 0;
  for (uint32_t at = 0; (at = sr_next_target(m, end, at)) && count < MOST_TARGETS;) {
    uint32_t target = sr_words(m, end)[at], k = 0;
    while (k < count && seen[k] != target)
      k++;
    if (k == count)
      seen[count++] = target;
  }
  return i < count ? seen[i] : 0;
}

static void visit_branch(Visit *v, SrBlock *b) {
  SrModule *m = v->m;
  SrRef end = sr_terminator(b), merge = sr_merge_inst(m, b);
  SpvOp op = sr_inst(m, end)->op;
  bool loop = merge != SR_NONE && sr_inst(m, merge)->op == SpvOpLoopMerge;
  uint32_t target;
  if (op != SpvOpBranchConditional && op != SpvOpSwitch)
    return;
  for (uint32_t i = 0; (target = distinct_target(m, end, i)); i++)
    if (take(v))
      sr_reduce_end(m, b, sr_reduce_branch(m, target), !loop);
}

/* ---- loops ---- */

/* Block `from`, which led to the header, leads to the merge block: its phis get an operand. */
static void add_operands(SrModule *m, SrBlock *merge, uint32_t from) {
  for (SR_EACH_PHI(m, r, merge->list)) {
    uint32_t null = sr_reduce_null(m, sr_inst(m, r)->type), count = sr_word_count(m, r);
    sr_begin(m, SpvOpPhi, sr_inst(m, r)->type, sr_inst(m, r)->result);
    for (uint32_t i = 3; i < count; i++)
      sr_put_id(m, sr_words(m, r)[i]);
    sr_put_id(m, null ? null : sr_words(m, r)[3]);
    sr_put_id(m, from);
    SrRef longer = sr_end(m);
    sr_insert_before(m, &merge->list, r, longer);
    sr_remove(m, &merge->list, r);
    m->def[sr_inst(m, longer)->result] = longer;
  }
}

static void run_once(SrModule *m, SrFunction *f, SrBlock *header) {
  SrRef merge = sr_merge_inst(m, header);
  uint32_t after = sr_words(m, merge)[1], head = header->id;
  const SrGraph *g = sr_cfg_build(m->arena, m, f);
  const SrDom *dom = sr_dom_build(m->arena, g, 0);
  for (SR_PREDS(p, g, sr_block_of(m, header->id))) {
    SrBlock *b = &f->blocks[*p];
    if (!sr_dominates(dom, sr_block_of(m, head), *p) || !sr_reduce_leads_to(m, b, head))
      continue;
    bool had = sr_reduce_leads_to(m, b, after);
    for (uint32_t at = 0; (at = sr_next_target(m, sr_terminator(b), at));)
      if (sr_words(m, sr_terminator(b))[at] == head)
        sr_words(m, sr_terminator(b))[at] = after;
    if (!had)
      add_operands(m, &f->blocks[sr_block_of(m, after)], b->id);
  }
  sr_remove(m, &header->list, merge);
  if (sr_inst(m, sr_terminator(header))->op == SpvOpBranch)
    return;
  sr_begin(m, SpvOpSelectionMerge, 0, 0);
  sr_put_id(m, after);
  sr_put_literal(m, SpvSelectionControlMaskNone);
  sr_insert_before(m, &header->list, sr_terminator(header), sr_end(m));
}

static void visit_loop(Visit *v, SrFunction *f, SrBlock *b) {
  SrRef merge = sr_merge_inst(v->m, b);
  if (merge != SR_NONE && sr_inst(v->m, merge)->op == SpvOpLoopMerge && take(v))
    run_once(v->m, f, b);
}

/* ---- effects ---- */

/* Does the pointer lead to memory of one invocation, or of a workgroup? */
static bool is_local(const SrModule *m, uint32_t pointer) {
  uint32_t class = sr_pointer_class(m, pointer);
  return class == SpvStorageClassFunction || class == SpvStorageClassPrivate ||
         class == SpvStorageClassWorkgroup;
}

static bool must_stay(const Visit *v, SrRef r) {
  const SrInst *in = sr_inst(v->m, r);
  bool stores = in->op == SpvOpStore || in->op == SpvOpCopyMemory ||
                in->op == SpvOpCopyMemorySized || in->op == SpvOpAtomicStore;
  return stores && v->rules->keeps_local_stores && is_local(v->m, sr_words(v->m, r)[1]);
}

static bool is_frame(const SrInst *in) {
  return in->op == SpvOpLabel || in->op == SpvOpSelectionMerge || in->op == SpvOpLoopMerge ||
         sr_is_terminator(in->op) || sr_is_debug_line(in);
}

static void visit_effects(Visit *v, SrBlock *b) {
  SrModule *m = v->m;
  for (SR_EACH_SAFE(m, r, b->list)) {
    const SrInst *in = sr_inst(m, r);
    if (is_frame(in) || sr_is_variable(in->op) || in->op == SpvOpPhi || must_stay(v, r) ||
        (in->result && v->uses[in->result]))
      continue;
    if (take(v))
      sr_remove(m, &b->list, r);
  }
}

/* ---- values ---- */

enum { FLOAT_ONE = 0x3f800000 };

/* 1 or true; 0: the type has neither. */
static uint32_t one_of(SrModule *m, uint32_t type) {
  SpvOp op = sr_def_op(m, type);
  if (op == SpvOpTypeBool)
    return sr_const_bool(m, true);
  if ((op != SpvOpTypeInt && op != SpvOpTypeFloat) || sr_words(m, sr_def(m, type))[2] != 32)
    return 0;
  return sr_reduce_number(m, type, op == SpvOpTypeInt ? 1 : FLOAT_ONE);
}

static uint32_t value_type(const SrModule *m, uint32_t id) {
  SrRef r = sr_def(m, id);
  return r == SR_NONE || sr_inst(m, r)->op == SpvOpFunction ? 0 : sr_inst(m, r)->type;
}

/* A step in which `to` replaces a result. An instruction that does more than compute it goes, too. */
static void offer(Visit *v, SrBlock *b, uint32_t from, uint32_t to) {
  SrModule *m = v->m;
  SrRef r = sr_def(m, from);
  if (!to || to == from || !take(v))
    return;
  if (!v->instead.id[from] && !sr_reduce_only_computes(m, r))
    sr_remove(m, &b->list, r);
  v->instead.id[from] = to;
}

static void visit_value(Visit *v, SrBlock *b, SrRef r) {
  SrModule *m = v->m;
  const SrInst in = *sr_inst(m, r);
  if (!in.result || !in.type || !v->uses[in.result] || in.op == SpvOpLabel || sr_is_variable(in.op))
    return;
  offer(v, b, in.result, sr_reduce_null(m, in.type));
  for (uint32_t i = in.first; i < sr_word_count(m, r); i++)
    if (sr_word_is_id(m, r, i) && value_type(m, sr_words(m, r)[i]) == in.type)
      offer(v, b, in.result, sr_words(m, r)[i]);
  offer(v, b, in.result, one_of(m, in.type));
}

static void visit_values(Visit *v, SrBlock *b) {
  for (SR_EACH_SAFE(v->m, r, b->list))
    visit_value(v, b, r);
}

/* ---- earlier values ---- */

static bool is_operand(const SrModule *m, SrRef r, uint32_t id) {
  for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++)
    if (sr_word_is_id(m, r, i) && sr_words(m, r)[i] == id)
      return true;
  return false;
}

static bool may_become_earlier(const Visit *v, SrRef r) {
  const SrInst *in = sr_inst(v->m, r);
  return in->result && in->type && in->op != SpvOpLabel && !sr_is_variable(in->op) &&
         sr_def_op(v->m, in->type) != SpvOpTypePointer && sr_reduce_only_computes(v->m, r);
}

/* Offers the last values of the type of r before it, in its block and those that dominate it. A
 * step changes no instruction before the last one, so that all steps keep their numbers. */
static void visit_earlier(Visit *v, SrFunction *f, const SrDom *dom, uint32_t block, SrRef r) {
  SrModule *m = v->m;
  const SrInst in = *sr_inst(m, r);
  SrRef at = in.prev;
  for (uint32_t found = 0, looked = 0; found < EARLIER && looked < LOOKED_AT; looked++) {
    while (at == SR_NONE && (block = dom->idom[block]) != SR_NONE)
      at = f->blocks[block].list.last;
    if (at == SR_NONE)
      return;
    if (sr_inst(m, at)->type == in.type && may_become_earlier(v, at) &&
        !is_operand(m, r, sr_inst(m, at)->result)) {
      offer(v, &f->blocks[block], in.result, sr_inst(m, at)->result);
      found++;
    }
    at = sr_inst(m, at)->prev;
  }
}

static void visit_earlier_all(Visit *v, SrFunction *f) {
  SrModule *m = v->m;
  if (!f->block_count)
    return;
  const SrDom *dom = sr_dom_build(m->arena, sr_cfg_build(m->arena, m, f), 0);
  for (uint32_t b = 0; b < f->block_count; b++)
    if (dom->enter[b] != SR_NONE)
      for (SR_EACH(m, r, f->blocks[b].list))
        if (may_become_earlier(v, r) && v->uses[sr_inst(m, r)->result])
          visit_earlier(v, f, dom, b, r);
}

/* ---- all ---- */

static void visit_block(Visit *v, SrReduceKind kind, SrFunction *f, SrBlock *b) {
  switch (kind) {
  case SR_REDUCE_BRANCH:
    visit_branch(v, b);
    break;
  case SR_REDUCE_LOOP:
    visit_loop(v, f, b);
    break;
  case SR_REDUCE_EFFECT:
    visit_effects(v, b);
    break;
  default:
    visit_values(v, b);
  }
}

static void visit_all(Visit *v, SrReduceKind kind) {
  SrModule *m = v->m;
  v->uses = sr_reduce_uses(m);
  if (kind == SR_REDUCE_BODY)
    visit_bodies(v);
  else if (kind == SR_REDUCE_EARLIER)
    for (uint32_t i = 0; i < m->function_count; i++)
      visit_earlier_all(v, &m->functions[i]);
  else
    for (uint32_t i = 0; i < m->function_count; i++)
      for (uint32_t b = 0; b < m->functions[i].block_count; b++)
        visit_block(v, kind, &m->functions[i], &m->functions[i].blocks[b]);
}

uint32_t sr_reduce_count(SrModule *m, SrReduceKind kind, const SrReduceRules *rules) {
  Visit v = {.m = m, .rules = rules, .instead = sr_instead_new(m)};
  visit_all(&v, kind);
  return v.at;
}

void sr_reduce_apply(SrModule *m, SrReduceKind kind, const SrReduceRules *rules, uint32_t first,
                     uint32_t count) {
  Visit v = {
      .m = m, .rules = rules, .first = first, .last = first + count, .instead = sr_instead_new(m)};
  if (count)
    visit_all(&v, kind);
  sr_instead_apply(m, &v.instead);
  sr_reduce_clean(m);
}
