/* SPDX-License-Identifier: Apache-2.0 */
/* call_join: see call_join.h. First all blocks are divided at the calls, and the phis of other
 * blocks adjusted; then the blocks C are made, and all blocks are put in order. */
#include "passes/transform/share/call_join.h"

#include "passes/ir/constants.h"
#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/hint.h"
#include "passes/transform/applied_line.h"
#include "passes/transform/block_order.h"

typedef struct Site {
  SrRef call;
  uint32_t group, head; /* head: its label */
  SrBlock tail;
  SrApplied line;
  uint32_t next; /* the next site of the same block, or SR_NONE */
} Site;

typedef struct Join {
  SrArena *arena;
  SrModule *m;
  SrFunction *f;
  const SrCallGroups *groups;
  SrPassedVariables *variables;
  SrTransformCounts *counts;
  SR_VEC(Site) site;  /* the sites of a group are contiguous */
  uint32_t *first;    /* by group: its first site; one more for the end */
  uint32_t *in_block; /* by block: its first site, or SR_NONE */
  SrIdTable *site_at; /* by result of a call: its site */
  SrIdTable *last;    /* by label of a divided block: that of its last part */
  SrBlock *joined;    /* by group: block C */

  SrJoinedCalls out;
} Join;

/* ---- division ---- */

static void note_sites(Join *k) {
  const SrCallGroups *g = k->groups;
  for (uint32_t i = 0; i < g->group.count; i++) {
    k->first[i] = k->site.count;
    for (uint32_t j = 0; j < g->group.at[i].count; j++) {
      SrRef call = g->site.at[g->group.at[i].first + j].call;
      sr_ids_set(k->site_at, sr_inst(k->m, call)->result, k->site.count);
      SR_PUSH(k->arena, &k->site, (Site){.call = call, .group = i, .next = SR_NONE});
    }
  }
  k->first[g->group.count] = k->site.count;
}

/* Begins the part of a block after a call, with the lines that apply there. */
static void begin_tail(Join *k, Site *s, SrApplied line) {
  SrApplied none = SR_NOT_APPLIED;
  s->line = line;
  s->tail = sr_new_block(k->m);
  s->tail.part = true;
  sr_applied_switch(k->m, &s->tail.list, &none, line);
  k->counts->added_blocks++;
}

static void divide(Join *k, uint32_t b) {
  SrModule *m = k->m;
  SrBlock *head = &k->f->blocks[b];
  SrApplied line = SR_NOT_APPLIED;
  uint32_t *link = &k->in_block[b];
  Site *s = NULL;
  for (SR_EACH_SAFE(m, r, head->list)) {
    sr_applied_step(m, r, &line);
    uint32_t at = sr_inst(m, r)->op == SpvOpFunctionCall
                      ? sr_ids_get(k->site_at, sr_inst(m, r)->result)
                      : (uint32_t)SR_NONE;
    if (at == SR_NONE && !s)
      continue;
    sr_remove(m, &head->list, r);
    if (at == SR_NONE) {
      sr_append(m, &s->tail.list, r);
      continue;
    }
    uint32_t label = s ? s->tail.id : head->id;
    s = &k->site.at[at];
    s->head = label;
    begin_tail(k, s, line);
    *link = at;
    link = &s->next;
  }
  if (!s)
    return;
  sr_ids_set(k->last, head->id, s->tail.id);
  sr_hint_move_branch(m, head->id, s->tail.id);
}

/* Makes the phis of a block name the last parts of divided blocks. */
static void tell_phis(const Join *k, const SrBlock *b) {
  SrModule *m = k->m;
  for (SR_EACH(m, r, b->list)) {
    if (sr_inst(m, r)->op != SpvOpPhi)
      continue;
    for (uint32_t i = 4; i < sr_word_count(m, r); i += 2) {
      uint32_t last = sr_ids_get(k->last, sr_words(m, r)[i]);
      if (last != SR_NONE)
        sr_words(m, r)[i] = last;
    }
  }
}

/* ---- blocks C ---- */

static SrRef append(Join *k, SrBlock *b) {
  SrRef r = sr_end(k->m);
  sr_append(k->m, &b->list, r);
  return r;
}

/* A phi of a value for each site. */
static uint32_t phi(Join *k, uint32_t group, uint32_t type, const uint32_t *values) {
  SrModule *m = k->m;
  uint32_t id = sr_fresh_id(m);
  sr_begin(m, SpvOpPhi, type, id);
  for (uint32_t i = k->first[group]; i < k->first[group + 1]; i++) {
    sr_put_id(m, values[i - k->first[group]]);
    sr_put_id(m, k->site.at[i].head);
  }
  append(k, &k->joined[group]);
  k->counts->added_phis++;
  return id;
}

static uint32_t argument_phi(Join *k, uint32_t group, uint32_t word) {
  SrModule *m = k->m;
  uint32_t first = k->first[group], count = k->first[group + 1] - first;
  uint32_t *values = SR_NEW_RAW(k->arena, uint32_t, count);
  for (uint32_t i = 0; i < count; i++)
    values[i] = sr_words(m, k->site.at[first + i].call)[word];
  uint32_t id = phi(k, group, sr_inst(m, sr_def(m, values[0]))->type, values);
  sr_keep(m, id, sr_kept_of(m, values, count));
  return id;
}

/* A phi that says which site a lane comes from: a boolean if there are two, otherwise a number. */
static uint32_t site_phi(Join *k, uint32_t group) {
  SrModule *m = k->m;
  uint32_t count = k->first[group + 1] - k->first[group];
  uint32_t *values = SR_NEW_RAW(k->arena, uint32_t, count);
  for (uint32_t i = 0; i < count; i++)
    values[i] = count == 2 ? sr_const_bool(m, i == 0) : sr_const_u32(m, i);
  k->counts->selectors += count > 2;
  return phi(k, group, count == 2 ? sr_type_bool(m) : sr_type_u32(m), values);
}

static void branch(Join *k, uint32_t group, uint32_t choice) {
  SrModule *m = k->m;
  const Site *s = &k->site.at[k->first[group]];
  uint32_t count = k->first[group + 1] - k->first[group];
  sr_begin(m, count == 2 ? SpvOpBranchConditional : SpvOpSwitch, 0, 0);
  sr_put_id(m, choice);
  sr_put_id(m, s[0].tail.id);
  for (uint32_t i = 1; i < count; i++) {
    if (count > 2)
      sr_put_literal(m, i);
    sr_put_id(m, s[i].tail.id);
  }
  append(k, &k->joined[group]);
}

/* The lines that apply to all calls of the group. */
static SrApplied common_line(const Join *k, uint32_t group) {
  SrApplied line = k->site.at[k->first[group]].line;
  for (uint32_t i = k->first[group] + 1; i < k->first[group + 1]; i++)
    line = sr_applied_common(k->m, line, k->site.at[i].line);
  return line;
}

static void join_argument(Join *k, uint32_t group, uint32_t index) {
  SrModule *m = k->m;
  const SrCallGroup *g = &k->groups->group.at[group];
  const SrCallSite *s = &k->groups->site.at[g->first];
  uint32_t word = index + SR_CALL_ARGUMENTS, id;
  switch (sr_call_argument(m, k->variables, s, g->count, index)) {
  case SR_ARGUMENT_PHI:
    id = argument_phi(k, group, word);
    sr_words(m, s->call)[word] = id;
    break;
  case SR_ARGUMENT_VARIABLE:
    id = sr_shared_variable(m, k->f, k->variables, s, index);
    for (uint32_t i = 0; i < g->count; i++)
      sr_ids_set(k->out.name, sr_words(m, s[i].call)[word], id);
    break;
  default:
    break;
  }
}

/* The group's first call moves to its block C; the others go. */
static void make_block(Join *k, uint32_t group) {
  SrModule *m = k->m;
  SrBlock *c = &k->joined[group];
  const Site *s = &k->site.at[k->first[group]];
  uint32_t count = k->first[group + 1] - k->first[group];
  SrApplied none = SR_NOT_APPLIED;
  *c = sr_new_block(m);
  uint32_t choice = site_phi(k, group);
  for (uint32_t i = 0; i + SR_CALL_ARGUMENTS < sr_word_count(m, s->call); i++)
    join_argument(k, group, i);
  sr_applied_switch(m, &c->list, &none, common_line(k, group));
  sr_append(m, &c->list, s->call);
  branch(k, group, choice);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t result = sr_inst(m, s[i].call)->result;
    sr_ids_set(k->out.site_of, result, k->out.site.count);
    if (i)
      sr_ids_set(k->out.name, result, sr_inst(m, s->call)->result);
    SR_PUSH(k->arena, &k->out.site, (SrJoinedSite){s[i].head, c->id, s[i].tail.id, result});
  }
  k->counts->added_blocks++;
  k->counts->added_instructions += 2; /* its own branch, and the branch of the head whose call moved
                                         here */
}

/* ---- order ---- */

static void jump(Join *k, SrBlock *b, uint32_t target) {
  sr_begin(k->m, SpvOpBranch, 0, 0);
  sr_put_id(k->m, target);
  append(k, b);
}

/* Puts the parts of a block after it, and blocks C after their first heads. */
static uint32_t place(Join *k, SrBlock *blocks, uint32_t count, uint32_t b, SrBits *placed) {
  blocks[count++] = k->f->blocks[b];
  for (uint32_t i = k->in_block[b]; i != SR_NONE; i = k->site.at[i].next) {
    const Site *s = &k->site.at[i];
    jump(k, &blocks[count - 1], k->joined[s->group].id);
    if (!sr_bit(placed, s->group))
      blocks[count++] = k->joined[s->group];
    sr_bit_set(placed, s->group);
    blocks[count++] = s->tail;
  }
  return count;
}

static void place_all(Join *k) {
  SrModule *m = k->m;
  SrFunction *f = k->f;
  uint32_t count = 0, most = f->block_count + k->site.count + k->groups->group.count;
  SrBlock *blocks = SR_NEW_RAW(m->arena, SrBlock, most);
  SrBits *placed = sr_bits_new(k->arena, k->groups->group.count);
  for (uint32_t b = 0; b < f->block_count; b++)
    count = place(k, blocks, count, b, placed);
  f->blocks = blocks;
  f->block_count = count;
  sr_set_homes(m, f);
}

SrJoinedCalls sr_call_join(SrArena *arena, SrModule *m, SrFunction *f, const SrCallGroups *groups,
                           SrPassedVariables *variables, SrTransformCounts *counts) {
  Join k = {
      .arena = arena, .m = m, .f = f, .groups = groups, .variables = variables, .counts = counts};
  k.first = SR_NEW(arena, uint32_t, groups->group.count + 1);
  k.joined = SR_NEW(arena, SrBlock, groups->group.count);
  k.in_block = sr_new_none(arena, f->block_count);
  k.site_at = sr_ids_take(m);
  k.last = sr_ids_take(m);
  k.out.site_of = sr_ids_take(m);
  k.out.name = sr_ids_take(m);
  note_sites(&k);
  for (uint32_t b = 0; b < f->block_count; b++) {
    sr_hint_take(m, &f->blocks[b]);
    divide(&k, b);
  }
  for (uint32_t b = 0; b < f->block_count; b++)
    tell_phis(&k, &f->blocks[b]);
  for (uint32_t i = 0; i < groups->group.count; i++)
    make_block(&k, i);
  place_all(&k);
  sr_order_blocks(m, arena, f);
  for (uint32_t i = 0; i < k.out.site.count; i++)
    m->home[k.out.site.at[i].result] = sr_block_of(m, k.out.site.at[i].call);
  sr_ids_give(m, k.site_at);
  sr_ids_give(m, k.last);
  return k.out;
}
