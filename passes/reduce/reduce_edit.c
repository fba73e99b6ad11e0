/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_edit: see reduce_edit.h. */
#include "passes/reduce/reduce_edit.h"

#include "passes/ir/edit.h"

bool sr_reduce_is_note(SpvOp op) {
  switch (op) {
  case SpvOpName:
  case SpvOpMemberName:
  case SpvOpDecorate:
  case SpvOpDecorateId:
  case SpvOpDecorateString:
  case SpvOpMemberDecorate:
    return true;
  default:
    return false;
  }
}

enum { DEEPEST = 16 }; /* types in types */

static bool has_null(const SrModule *m, uint32_t type, unsigned depth) {
  if (depth > DEEPEST)
    return false;
  switch (sr_def_op(m, type)) {
  case SpvOpTypeBool:
  case SpvOpTypeInt:
  case SpvOpTypeFloat:
    return true;
  case SpvOpTypeVector:
  case SpvOpTypeMatrix:
  case SpvOpTypeArray:
    return has_null(m, sr_words(m, sr_def(m, type))[2], depth + 1);
  case SpvOpTypeStruct: {
    const uint32_t *w = sr_words(m, sr_def(m, type));
    bool all = true;
    for (uint32_t i = 2; i < w[0] >> 16; i++)
      all = all && has_null(m, w[i], depth + 1);
    return all;
  }
  default:
    return false;
  }
}

uint32_t sr_reduce_null(SrModule *m, uint32_t type) {
  if (!has_null(m, type, 0))
    return 0;
  for (SR_EACH(m, r, m->globals))
    if (sr_inst(m, r)->op == SpvOpConstantNull && sr_inst(m, r)->type == type)
      return sr_inst(m, r)->result;
  uint32_t id = sr_fresh_id(m);
  sr_begin(m, SpvOpConstantNull, type, id);
  sr_append(m, &m->globals, sr_end(m));
  return id;
}

uint32_t sr_reduce_number(SrModule *m, uint32_t type, uint32_t bits) {
  for (SR_EACH(m, r, m->globals))
    if (sr_inst(m, r)->op == SpvOpConstant && sr_inst(m, r)->type == type &&
        sr_words(m, r)[3] == bits)
      return sr_inst(m, r)->result;
  uint32_t id = sr_fresh_id(m);
  sr_begin(m, SpvOpConstant, type, id);
  sr_put_literal(m, bits);
  sr_append(m, &m->globals, sr_end(m));
  return id;
}

bool sr_reduce_leads_to(const SrModule *m, const SrBlock *b, uint32_t label) {
  SrRef end = sr_terminator(b);
  for (uint32_t at = 0; (at = sr_next_target(m, end, at));)
    if (sr_words(m, end)[at] == label)
      return true;
  return false;
}

SrRef sr_reduce_branch(SrModule *m, uint32_t label) {
  sr_begin(m, SpvOpBranch, 0, 0);
  sr_put_id(m, label);
  return sr_end(m);
}

void sr_reduce_end(SrModule *m, SrBlock *b, SrRef terminator, bool bare) {
  SrRef merge = sr_merge_inst(m, b);
  if (bare && merge != SR_NONE)
    sr_remove(m, &b->list, merge);
  sr_remove(m, &b->list, sr_terminator(b));
  sr_append(m, &b->list, terminator);
}

static void each_in(SrModule *m, SrList *list,
                    void (*visit)(SrModule *m, SrList *list, SrRef r, void *user), void *user) {
  for (SR_EACH_SAFE(m, r, *list))
    visit(m, list, r, user);
}

void sr_reduce_each(SrModule *m, void (*visit)(SrModule *m, SrList *list, SrRef r, void *user),
                    void *user) {
  each_in(m, &m->globals, visit, user);
  for (uint32_t i = 0; i < m->function_count; i++) {
    SrFunction *f = &m->functions[i];
    each_in(m, &f->head, visit, user);
    for (uint32_t b = 0; b < f->block_count; b++)
      each_in(m, &f->blocks[b].list, visit, user);
  }
}

SrInstead sr_instead_new(const SrModule *m) {
  return (SrInstead){SR_NEW(m->arena, uint32_t, sr_bound(m)), sr_bound(m)};
}

static uint32_t next_of(const SrInstead *s, uint32_t id) {
  return id < s->room ? s->id[id] : 0;
}

/* The id at the end of a chain. */
static uint32_t last_of(const SrInstead *s, uint32_t id) {
  for (uint32_t next; (next = next_of(s, id));)
    id = next;
  return id;
}

/* A chain that leads back to an id of its own would not end: that id stays. */
static void cut_cycles(SrInstead *s, SrArena *arena) {
  uint32_t *seen = SR_NEW(arena, uint32_t, s->room);
  for (uint32_t i = 0; i < s->room; i++)
    for (uint32_t at = i; at < s->room && s->id[at]; at = s->id[at]) {
      if (seen[at] == i + 1)
        s->id[at] = 0;
      else if (seen[at])
        break;
      seen[at] = i + 1;
    }
}

static void replace_uses(SrModule *m, SrList *list, SrRef r, void *user) {
  (void)list;
  uint32_t *w = sr_words(m, r);
  if (sr_reduce_is_note(sr_inst(m, r)->op))
    return;
  for (uint32_t i = 1; i < w[0] >> 16; i++)
    if (sr_word_is_id(m, r, i) && w[i] != sr_inst(m, r)->result)
      w[i] = last_of(user, w[i]);
}

void sr_instead_apply(SrModule *m, SrInstead *instead) {
  cut_cycles(instead, m->arena);
  sr_reduce_each(m, replace_uses, instead);
}
