/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_clean: see reduce_clean.h. */
#include "passes/reduce/reduce_clean.h"

#include "passes/ir/edit.h"
#include "passes/ir/effects.h"
#include "passes/ir/pointer.h"
#include "passes/reduce/reduce_edit.h"
#include "passes/reduce/reduce_step.h"

/* ---- uses ---- */

/* Is it the decoration by which a constant is the size of a workgroup? */
static bool gives_size(const SrModule *m, SrRef r) {
  const uint32_t *w = sr_words(m, r);
  return sr_inst(m, r)->op == SpvOpDecorate && w[2] == SpvDecorationBuiltIn &&
         w[3] == SpvBuiltInWorkgroupSize;
}

static void count_uses(SrModule *m, SrList *list, SrRef r, void *user) {
  (void)list;
  uint32_t *uses = user;
  const uint32_t *w = sr_words(m, r);
  const SrInst *in = sr_inst(m, r);
  if (gives_size(m, r))
    uses[w[1]]++;
  if (sr_reduce_is_note(in->op))
    return;
  for (uint32_t i = 1; i < w[0] >> 16; i++)
    if (sr_word_is_id(m, r, i) && w[i] != in->result)
      uses[w[i]]++;
}

const uint32_t *sr_reduce_uses(SrModule *m) {
  uint32_t *uses = SR_NEW(m->arena, uint32_t, sr_bound(m));
  sr_reduce_each(m, count_uses, uses);
  return uses;
}

/* ---- blocks ---- */

typedef enum Kept { DROPPED, NAMED, REACHED } Kept; /* NAMED: only a merge instruction names it */

typedef struct Blocks {
  uint8_t *kept;       /* by block: Kept */
  uint32_t *continues; /* by block that is a continue target: the header; else SR_NONE */
  uint32_t *stack, depth;
} Blocks;

static void reach(Blocks *k, uint32_t b) {
  if (k->kept[b] == REACHED)
    return;
  k->kept[b] = REACHED;
  k->stack[k->depth++] = b;
}

static void note_merge(const SrModule *m, Blocks *k, uint32_t header, SrRef merge) {
  const uint32_t *w = sr_words(m, merge);
  uint32_t count = sr_inst(m, merge)->op == SpvOpLoopMerge ? 2 : 1;
  for (uint32_t i = 1; i <= count; i++) {
    uint32_t b = sr_block_of(m, w[i]);
    if (k->kept[b] == DROPPED)
      k->kept[b] = NAMED;
    if (i == 2)
      k->continues[b] = header;
  }
}

static Blocks find_blocks(SrModule *m, const SrFunction *f) {
  Blocks k = {.kept = SR_NEW(m->arena, uint8_t, f->block_count),
              .continues = sr_new_none(m->arena, f->block_count),
              .stack = SR_NEW_RAW(m->arena, uint32_t, f->block_count)};
  reach(&k, 0);
  while (k.depth) {
    const SrBlock *b = &f->blocks[k.stack[--k.depth]];
    SrRef merge = sr_merge_inst(m, b), end = sr_terminator(b);
    for (uint32_t at = 0; (at = sr_next_target(m, end, at));)
      reach(&k, sr_block_of(m, sr_words(m, end)[at]));
    if (merge != SR_NONE)
      note_merge(m, &k, sr_block_of(m, b->id), merge);
  }
  return k;
}

/* A block that nothing reaches: only its label and a terminator stay. */
static void empty_block(SrModule *m, SrBlock *b, SrRef terminator) {
  for (SR_EACH_SAFE_FROM(m, r, sr_inst(m, b->label)->next, SR_NONE)) {
    if (sr_inst(m, r)->result)
      m->def[sr_inst(m, r)->result] = SR_NONE;
    sr_remove(m, &b->list, r);
  }
  sr_append(m, &b->list, terminator);
  m->ids_gone = true;
}

static void drop_blocks(SrModule *m, SrFunction *f) {
  const Blocks k = find_blocks(m, f);
  uint32_t count = 0;
  for (uint32_t b = 0; b < f->block_count; b++) {
    if (k.kept[b] == DROPPED) {
      sr_undefine_block(m, &f->blocks[b]);
      m->ids_gone = true;
      continue;
    }
    if (k.kept[b] == NAMED && k.continues[b] != SR_NONE) {
      empty_block(m, &f->blocks[b], sr_reduce_branch(m, f->blocks[k.continues[b]].id));
    } else if (k.kept[b] == NAMED) {
      sr_begin(m, SpvOpUnreachable, 0, 0);
      empty_block(m, &f->blocks[b], sr_end(m));
    }
    f->blocks[count++] = f->blocks[b];
  }
  f->block_count = count;
  sr_set_homes(m, f);
  for (uint32_t b = 0; b < count; b++)
    m->home[f->blocks[b].id] = b;
}

/* ---- phis ---- */

static bool is_edge(const SrModule *m, const SrFunction *f, uint32_t from, uint32_t to) {
  return sr_def(m, from) != SR_NONE && sr_reduce_leads_to(m, &f->blocks[sr_block_of(m, from)], to);
}

/* Drops the phi's operands for edges that no longer exist. If one value is left, uses of the phi
 * get that value. */
static void shorten_phi(SrModule *m, const SrFunction *f, SrBlock *b, SrRef r, SrInstead *instead) {
  uint32_t count = sr_word_count(m, r), result = sr_inst(m, r)->result, only = 0;
  bool one = true;
  sr_begin(m, SpvOpPhi, sr_inst(m, r)->type, result);
  for (uint32_t i = 3; i + 1 < count; i += 2) {
    uint32_t value = sr_words(m, r)[i], from = sr_words(m, r)[i + 1];
    if (!is_edge(m, f, from, b->id))
      continue;
    sr_put_id(m, value);
    sr_put_id(m, from);
    one = one && (only == 0 || value == only || value == result);
    only = value == result ? only : value;
  }
  SrRef shorter = sr_end(m);
  sr_insert_before(m, &b->list, r, shorter);
  sr_remove(m, &b->list, r);
  m->def[result] = shorter;
  if (one)
    instead->id[result] = only ? only : sr_reduce_null(m, sr_inst(m, shorter)->type);
  if (one && instead->id[result]) {
    sr_remove(m, &b->list, shorter);
    m->def[result] = SR_NONE;
    m->ids_gone = true;
  }
}

static void shorten_phis(SrModule *m, SrFunction *f) {
  SrInstead instead = sr_instead_new(m);
  for (uint32_t b = 0; b < f->block_count; b++)
    for (SR_EACH_PHI(m, r, f->blocks[b].list))
      shorten_phi(m, f, &f->blocks[b], r, &instead);
  sr_instead_apply(m, &instead);
}

/* ---- blocks in a row ---- */

static void count_preds(const SrModule *m, const SrFunction *f, uint32_t *preds) {
  for (uint32_t b = 0; b < f->block_count; b++) {
    SrRef end = sr_terminator(&f->blocks[b]), merge = sr_merge_inst(m, &f->blocks[b]);
    for (uint32_t at = 0; (at = sr_next_target(m, end, at));)
      preds[sr_block_of(m, sr_words(m, end)[at])]++;
    if (merge == SR_NONE)
      continue;
    preds[sr_block_of(m, sr_words(m, merge)[1])] += 2; /* what a merge instruction names stays */
    if (sr_inst(m, merge)->op == SpvOpLoopMerge)
      preds[sr_block_of(m, sr_words(m, merge)[2])] += 2;
  }
}

/* The block that b alone leads to, and that nothing else names; SR_NONE: there is none. */
static uint32_t sole_next(const SrModule *m, const SrFunction *f, uint32_t b,
                          const uint32_t *preds) {
  SrRef end = sr_terminator(&f->blocks[b]);
  if (sr_inst(m, end)->op != SpvOpBranch || sr_merge_inst(m, &f->blocks[b]) != SR_NONE)
    return SR_NONE;
  uint32_t next = sr_block_of(m, sr_words(m, end)[1]);
  SrRef merge = sr_merge_inst(m, &f->blocks[next]);
  bool loop = merge != SR_NONE && sr_inst(m, merge)->op == SpvOpLoopMerge;
  return preds[next] == 1 && next != b && next && !loop ? next : SR_NONE;
}

/* The instructions of `next` follow those of b; uses of next's label become uses of b's. */
static void join(SrModule *m, SrFunction *f, uint32_t b, uint32_t next, SrInstead *labels) {
  SrBlock *into = &f->blocks[b], *from = &f->blocks[next];
  sr_remove(m, &into->list, sr_terminator(into));
  for (SR_EACH_SAFE_FROM(m, r, sr_inst(m, from->label)->next, SR_NONE)) {
    sr_remove(m, &from->list, r);
    sr_append(m, &into->list, r);
  }
  labels->id[from->id] = into->id;
}

static void join_blocks(SrModule *m, SrFunction *f) {
  uint32_t *preds = SR_NEW(m->arena, uint32_t, f->block_count), count = 0;
  uint8_t *gone = SR_NEW(m->arena, uint8_t, f->block_count);
  SrInstead labels = sr_instead_new(m);
  count_preds(m, f, preds);
  for (uint32_t b = 0, next; b < f->block_count; b++)
    while (!gone[b] && (next = sole_next(m, f, b, preds)) != SR_NONE && !gone[next]) {
      join(m, f, b, next, &labels);
      gone[next] = 1;
    }
  sr_instead_apply(m, &labels);
  for (uint32_t b = 0; b < f->block_count; b++) {
    if (gone[b]) {
      sr_undefine_block(m, &f->blocks[b]);
      m->ids_gone = true;
    } else {
      f->blocks[count++] = f->blocks[b];
    }
  }
  f->block_count = count;
  sr_set_homes(m, f);
  for (uint32_t b = 0; b < count; b++)
    m->home[f->blocks[b].id] = b;
}

/* ---- what is not used ---- */

static bool is_atomic(SpvOp op) {
  return (op >= SpvOpAtomicLoad && op <= SpvOpAtomicXor) || op == SpvOpAtomicFlagTestAndSet ||
         op == SpvOpAtomicFAddEXT || op == SpvOpAtomicFMinEXT || op == SpvOpAtomicFMaxEXT;
}

bool sr_reduce_only_computes(const SrModule *m, SrRef r) {
  const SrInst *in = sr_inst(m, r);
  if (in->op == SpvOpFunctionCall || is_atomic(in->op) || in->unknown)
    return false;
  return in->op != SpvOpExtInst || sr_is_pure_extended(m, r);
}

typedef struct Sweep {
  const uint32_t *uses;
  bool changed;
} Sweep;

static bool may_go(const SrModule *m, SrRef r) {
  const SrInst *in = sr_inst(m, r);
  switch (in->op) {
  case SpvOpLabel:
  case SpvOpFunction:
  case SpvOpFunctionParameter:
  case SpvOpString:
    return false;
  default:
    return sr_reduce_only_computes(m, r);
  }
}

static void sweep(SrModule *m, SrList *list, SrRef r, void *user) {
  Sweep *s = user;
  uint32_t result = sr_inst(m, r)->result;
  if (!result || s->uses[result] || !may_go(m, r))
    return;
  sr_remove(m, list, r);
  m->def[result] = SR_NONE;
  m->ids_gone = s->changed = true;
}

static bool sweep_results(SrModule *m) {
  Sweep s = {.uses = sr_reduce_uses(m)};
  sr_reduce_each(m, sweep, &s);
  return s.changed;
}

static bool sweep_functions(SrModule *m) {
  const uint32_t *uses = sr_reduce_uses(m);
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->function_count; i++) {
    SrFunction *f = &m->functions[i];
    if (uses[f->id]) {
      m->functions[count++] = *f;
      continue;
    }
    for (uint32_t b = 0; b < f->block_count; b++)
      sr_undefine_block(m, &f->blocks[b]);
    for (SR_EACH(m, r, f->head))
      if (sr_inst(m, r)->result)
        m->def[sr_inst(m, r)->result] = SR_NONE;
    m->ids_gone = true;
  }
  bool changed = count != m->function_count;
  m->function_count = count;
  return changed;
}

/* Names and decorations of what is gone; types may be. */
static void drop_note(SrModule *m, SrList *list, SrRef r, void *user) {
  (void)user;
  if (sr_reduce_is_note(sr_inst(m, r)->op) && sr_def(m, sr_words(m, r)[1]) == SR_NONE)
    sr_remove(m, list, r);
}

/* Non-semantic instructions, such as a shader's reflection, speak of a program that is no more. */
static void drop_nonsemantic(SrModule *m, SrList *list, SrRef r, void *user) {
  (void)user;
  if (!sr_inst(m, r)->nonsemantic)
    return;
  sr_remove(m, list, r);
  m->def[sr_inst(m, r)->result] = SR_NONE;
  m->ids_gone = true;
}

static void drop_all_nonsemantic(SrModule *m) {
  sr_reduce_each(m, drop_nonsemantic, NULL);
  for (SR_EACH_SAFE(m, r, m->tail))
    drop_nonsemantic(m, &m->tail, r, NULL);
}

void sr_reduce_clean(SrModule *m) {
  drop_all_nonsemantic(m);
  for (uint32_t i = 0; i < m->function_count; i++) {
    SrFunction *f = &m->functions[i];
    if (!f->block_count)
      continue;
    drop_blocks(m, f);
    shorten_phis(m, f);
    join_blocks(m, f);
  }
  while (sweep_functions(m) || sweep_results(m))
    ;
  sr_reduce_each(m, drop_note, NULL);
}

/* ---- initializers ---- */

static void initialize(SrModule *m, SrList *list, SrRef r, void *user) {
  (void)user;
  const SrInst in = *sr_inst(m, r);
  if (in.op != SpvOpVariable || sr_word_count(m, r) != 4)
    return;
  uint32_t class = sr_words(m, r)[3], type = sr_words(m, sr_def(m, in.type))[3];
  uint32_t null = class == SpvStorageClassFunction || class == SpvStorageClassPrivate
                      ? sr_reduce_null(m, type)
                      : 0;
  if (!null)
    return;
  sr_begin(m, SpvOpVariable, in.type, in.result);
  sr_put_literal(m, class);
  sr_put_id(m, null);
  SrRef with = sr_end(m);
  sr_insert_before(m, list, r, with);
  sr_remove(m, list, r);
  m->def[in.result] = with;
  /* A module-scope variable comes after its initializer. */
  if (list == &m->globals) {
    sr_remove(m, list, with);
    sr_append(m, list, with);
  }
}

void sr_reduce_initialize(SrModule *m) {
  sr_reduce_each(m, initialize, NULL);
}
