/* SPDX-License-Identifier: Apache-2.0 */
/* inline_copy: see inline_copy.h. Functions wait in a queue; each call in one of them gets a copy,
 * which joins the queue. A copy's depth is the number of calls that lead to it, so a depth of more
 * than the number of functions is a cycle. */
#include "passes/transform/inline/inline_copy.h"

#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/hint.h"
#include "passes/ir/id_table.h"

typedef struct Copying {
  SrArena *arena;
  SrModule *m;
  SrInlineCopies *copies;
  SrIdTable *index; /* by id of an OpFunction, copies included: its index */
  SrIdTable *map;   /* by id in the function copied: the id in the copy */
  bool *pinned;     /* by index: something other than a call uses it */
  bool *entry;      /* by index: an entry point */
  uint32_t *calls;  /* by index: number of calls of it */
  SR_VEC(SrFunction) all;
  SR_VEC(uint32_t) depth; /* by index: calls that lead to it */
  SR_VEC(uint32_t) queue; /* functions whose calls get copies */
  uint64_t words, limit;
  uint32_t max_growth;
  bool entries; /* only what entry points call is needed */
} Copying;

/* ---- uses ---- */

static void count_use(Copying *k, uint32_t id, bool call) {
  uint32_t i = sr_ids_get(k->index, id);
  if (i == SR_NONE)
    return;
  if (call)
    k->calls[i]++;
  else
    k->pinned[i] = true;
}

static void count_uses(Copying *k, SrList list) {
  SrModule *m = k->m;
  for (SR_EACH(m, r, list)) {
    const SrInst *in = sr_inst(m, r);
    if (in->op == SpvOpName || in->op == SpvOpFunction || in->nonsemantic)
      continue;
    if (in->op == SpvOpEntryPoint && sr_ids_get(k->index, sr_words(m, r)[2]) != SR_NONE)
      k->entry[sr_ids_get(k->index, sr_words(m, r)[2])] = true;
    for (uint32_t i = in->first; i < sr_word_count(m, r); i++)
      if (sr_word_is_id(m, r, i))
        count_use(k, sr_words(m, r)[i], in->op == SpvOpFunctionCall && i == 3);
  }
}

static void count_all_uses(Copying *k) {
  SrModule *m = k->m;
  count_uses(k, m->globals);
  for (uint32_t i = 0; i < m->function_count; i++)
    for (uint32_t b = 0; b < m->functions[i].block_count; b++)
      count_uses(k, m->functions[i].blocks[b].list);
}

/* ---- copies ---- */

static void copy_list(Copying *k, SrList from, SrList *to) {
  SrModule *m = k->m;
  *to = (SrList){SR_NONE, SR_NONE};
  for (SR_EACH(m, r, from)) {
    SrRef copy = sr_clone(m, r);
    uint32_t id = sr_inst(m, r)->result;
    sr_append(m, to, copy);
    if (!id)
      continue;
    uint32_t renamed = sr_inst(m, copy)->result;
    sr_ids_set(k->map, id, renamed);
    sr_copy_name(m, id, renamed);
    if (sr_inst(m, r)->op != SpvOpFunction) /* which may have linkage */
      sr_copy_decorations(m, id, renamed);
  }
}

/* The words of the copies name ids of the function copied until all of it is copied. */
static void rename_list(Copying *k, SrList list) {
  SrModule *m = k->m;
  for (SR_EACH(m, r, list))
    for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++)
      if (sr_word_is_id(m, r, i) && sr_ids_get(k->map, sr_words(m, r)[i]) != SR_NONE)
        sr_words(m, r)[i] = sr_ids_get(k->map, sr_words(m, r)[i]);
}

/* A copy calls the functions that its original calls once more. */
static void count_calls(Copying *k, const SrBlock *b) {
  const SrModule *m = k->m;
  for (SR_EACH(m, r, b->list)) {
    uint32_t callee = sr_inst(m, r)->op == SpvOpFunctionCall
                          ? sr_ids_get(k->index, sr_words(m, r)[3])
                          : (uint32_t)SR_NONE;
    if (callee < k->copies->own_count)
      k->calls[callee]++;
  }
}

static uint32_t copy_function(Copying *k, uint32_t i) {
  SrModule *m = k->m;
  const SrFunction from = k->all.at[i];
  SrFunction to = from;
  sr_ids_clear(k->map);
  copy_list(k, from.head, &to.head);
  copy_list(k, from.tail, &to.tail);
  to.blocks = SR_NEW(m->arena, SrBlock, from.block_count);
  for (uint32_t b = 0; b < from.block_count; b++) {
    copy_list(k, from.blocks[b].list, &to.blocks[b].list);
    to.blocks[b].id = sr_ids_get(k->map, from.blocks[b].id);
    to.blocks[b].label = m->def[to.blocks[b].id];
    to.blocks[b].added = true;
    sr_hint_copy(m, from.blocks[b].id, to.blocks[b].id);
  }
  for (uint32_t b = 0; b < from.block_count; b++)
    rename_list(k, to.blocks[b].list);
  for (uint32_t b = 0; b < from.block_count; b++)
    count_calls(k, &to.blocks[b]);
  to.id = sr_ids_get(k->map, from.id);
  sr_ids_set(k->index, to.id,
             k->all.count); /* a function may be copied after its calls got copies */
  sr_set_homes(m, &to);
  SR_PUSH(m->arena, &k->all, to);
  k->words += sr_count_words(m, &to);
  uint32_t origin = i < k->copies->own_count ? i : k->copies->origin.at[i - k->copies->own_count];
  SR_PUSH(k->arena, &k->copies->origin, origin);
  return k->all.count - 1;
}

static bool is_copied(const Copying *k, uint32_t i) {
  const SrFunction *f = &k->all.at[i];
  return f->unknown == SR_NONE && !f->unread && (k->pinned[i] || k->calls[i] > 1);
}

static SrStatus check(const Copying *k, uint32_t i, uint32_t callee) {
  SrModule *m = k->m;
  SrWhere where = {.function = sr_function_name(m, k->arena, &k->all.at[i]), .word = SR_NONE};
  if (k->depth.at[callee] > k->copies->own_count)
    return sr_fail(m->diag, SR_BAD_INPUT, where,
                   "it calls itself, directly or through others, which SPIR-V forbids");
  if (k->words > k->limit)
    return sr_fail(m->diag, SR_BAD_INPUT, where,
                   "copies of the functions that it calls would take more than %u %% of the words "
                   "of all functions: raise --max-growth",
                   k->max_growth);
  return sr_check_bound(m);
}

/* The function that the call should call: a copy, or the function itself if this is its only
 * call. */
static uint32_t own_callee(Copying *k, SrRef call, uint32_t callee) {
  if (callee < k->copies->own_count && !is_copied(k, callee))
    return callee;
  callee = copy_function(k, callee);
  SR_PUSH(k->arena, &k->depth, 0);
  sr_words(k->m, call)[3] = k->all.at[callee].id;
  return callee;
}

/* Gives the calls in function `i` functions of their own, which join the queue. */
static SrStatus visit(Copying *k, uint32_t i) {
  SrModule *m = k->m;
  for (uint32_t b = 0; b < k->all.at[i].block_count; b++)
    for (SR_EACH(m, r, k->all.at[i].blocks[b].list)) {
      uint32_t callee = sr_inst(m, r)->op == SpvOpFunctionCall
                            ? sr_ids_get(k->index, sr_words(m, r)[3])
                            : (uint32_t)SR_NONE;
      if (callee == SR_NONE || !k->all.at[callee].block_count)
        continue;
      callee = own_callee(k, r, callee);
      k->depth.at[callee] = k->depth.at[i] + 1;
      SR_CHECK(check(k, i, callee));
      SR_PUSH(k->arena, &k->queue, callee);
    }
  return SR_OK;
}

/* Each entry point may grow as a module without entry points may. */
static SrStatus copy_all(Copying *k) {
  for (uint32_t i = 0; i < k->copies->own_count; i++)
    if (k->entries ? k->entry[i] : k->pinned[i] || !k->calls[i])
      SR_PUSH(k->arena, &k->queue, i);
  if (k->entries && k->queue.count)
    k->limit *= k->queue.count;
  for (uint32_t i = 0; i < k->queue.count; i++)
    SR_CHECK(visit(k, k->queue.at[i]));
  return SR_OK;
}

SrStatus sr_inline_copies_begin(SrArena *arena, SrModule *m, uint32_t max_growth, bool entries,
                                SrInlineCopies *copies) {
  *copies = (SrInlineCopies){.own = m->functions, .own_count = m->function_count};
  Copying k = {.arena = arena,
               .m = m,
               .copies = copies,
               .index = sr_ids_take(m),
               .map = sr_ids_take(m),
               .pinned = SR_NEW(arena, bool, m->function_count),
               .entry = SR_NEW(arena, bool, m->function_count),
               .calls = SR_NEW(arena, uint32_t, m->function_count),
               .max_growth = max_growth,
               .entries = entries};
  for (uint32_t i = 0; i < m->function_count; i++) {
    SR_PUSH(m->arena, &k.all, m->functions[i]);
    SR_PUSH(arena, &k.depth, 0);
    sr_ids_set(k.index, m->functions[i].id, i);
    k.limit += sr_count_words(m, &m->functions[i]) * max_growth / 100;
  }
  count_all_uses(&k);
  SrStatus status = copy_all(&k);
  m->functions = k.all.at;
  m->function_count = k.all.count;
  sr_ids_give(m, k.index);
  sr_ids_give(m, k.map);
  return status;
}

/* ---- the end ---- */

static void drop(SrModule *m, SrFunction *f) {
  for (SR_EACH(m, r, f->head))
    if (sr_inst(m, r)->result)
      m->def[sr_inst(m, r)->result] = SR_NONE;
  for (uint32_t b = 0; b < f->block_count; b++)
    sr_undefine_block(m, &f->blocks[b]);
  f->head = f->tail = (SrList){SR_NONE, SR_NONE};
  f->blocks = NULL;
  f->block_count = 0;
  f->moved = true;
}

/* Calls of copies that stay name their origin again. */
static void restore_calls(SrArena *arena, SrModule *m, const SrInlineCopies *copies) {
  uint32_t *origin = sr_new_none(arena, sr_bound(m));
  for (uint32_t i = 0; i < copies->origin.count; i++)
    if (m->functions[copies->own_count + i].block_count)
      origin[m->functions[copies->own_count + i].id] = m->functions[copies->origin.at[i]].id;
  for (uint32_t i = 0; i < m->function_count; i++)
    for (uint32_t b = 0; b < m->functions[i].block_count; b++)
      for (SR_EACH(m, r, m->functions[i].blocks[b].list))
        if (sr_inst(m, r)->op == SpvOpFunctionCall && origin[sr_words(m, r)[3]] != SR_NONE)
          sr_words(m, r)[3] = origin[sr_words(m, r)[3]];
}

/* Drops functions that only dropped functions, or none, call. */
static void drop_unused(SrArena *arena, SrModule *m, const SrInlineCopies *copies, bool *changed) {
  Copying k = {.arena = arena,
               .m = m,
               .index = sr_ids_take(m),
               .pinned = SR_NEW(arena, bool, m->function_count),
               .entry = SR_NEW(arena, bool, m->function_count),
               .calls = SR_NEW(arena, uint32_t, m->function_count)};
  bool *was_called = SR_NEW(arena, bool, copies->own_count), again = true;
  for (uint32_t i = 0; i < copies->origin.count; i++)
    was_called[copies->origin.at[i]] = true;
  for (uint32_t i = 0; i < m->function_count; i++)
    sr_ids_set(k.index, m->functions[i].id, i);
  while (again) { /* each round drops a function */
    again = false;
    memset(k.calls, 0, m->function_count * sizeof *k.calls);
    count_all_uses(&k);
    for (uint32_t i = 0; i < m->function_count; i++) {
      if (!was_called[i] || k.pinned[i] || k.calls[i] || !m->functions[i].block_count)
        continue;
      drop(m, &m->functions[i]);
      changed[i] = again = true;
    }
  }
  sr_ids_give(m, k.index);
}

void sr_inline_copies_end(SrArena *arena, SrModule *m, const SrInlineCopies *copies,
                          bool *changed) {
  restore_calls(arena, m, copies);
  for (uint32_t i = copies->own_count; i < m->function_count; i++)
    drop(m, &m->functions[i]);
  memcpy(copies->own, m->functions, copies->own_count * sizeof *copies->own);
  m->functions = copies->own;
  m->function_count = copies->own_count;
  drop_unused(arena, m, copies, changed);
}
