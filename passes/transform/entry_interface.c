/* SPDX-License-Identifier: Apache-2.0 */
/* entry_interface: see entry_interface.h. For each kernel a walk over the functions that it reaches
 * collects variables in the order of their uses. Many kernels may share a function, so its code is
 * read once, and the tables are emptied in constant time. */
#include "passes/transform/entry_interface.h"

#include "passes/ir/edit.h"
#include "passes/ir/id_table.h"

#include <string.h>

/* the version that requires complete lists; the word where an entry point's name starts */
enum { LISTS_ALL = 0x00010400, NAME = 3 };

/* What a function uses: a range of Walk.used. */
typedef struct Uses {
  uint32_t first, count;
  bool read; /* its code has been read */
} Uses;

typedef struct Walk {
  SrModule *m;
  SrArena *arena;
  uint32_t *function_of; /* by id: its index */
  Uses *uses;            /* Handles a phi that stays: it comes before the loads; `front`: the
                            first of these, or SR_NONE. */
  /* functions and variables of the module level, in the order of their uses */
  SR_VEC(uint32_t) used;
  SrIdTable *listed;     /* ids in the range of one function */
  SrIdTable *seen;       /* ids: functions, and variables that are listed or missing */
  SR_VEC(uint32_t) todo; /* functions */
  SR_VEC(uint32_t) missing;
} Walk;

static bool is_global_variable(const SrModule *m, uint32_t id) {
  return sr_def_op(m, id) == SpvOpVariable && m->home[id] == SR_NONE;
}

static void list_use(Walk *w, uint32_t id) {
  if (sr_ids_get(w->listed, id) != SR_NONE ||
      (!is_global_variable(w->m, id) && sr_def_op(w->m, id) != SpvOpFunction))
    return;
  sr_ids_set(w->listed, id, 1);
  SR_PUSH(w->arena, &w->used, id);
}

static void read_function(Walk *w, const SrFunction *f, Uses *uses) {
  uint32_t first = w->used.count;
  sr_ids_clear(w->listed);
  for (uint32_t b = 0; b < f->block_count; b++)
    for (SR_EACH(w->m, r, f->blocks[b].list))
      for (uint32_t i = sr_inst(w->m, r)->first; i < sr_word_count(w->m, r); i++)
        if (sr_word_is_id(w->m, r, i))
          list_use(w, sr_words(w->m, r)[i]);
  *uses = (Uses){.first = first, .count = w->used.count - first, .read = true};
}

/* Visits a function, or a variable of the module level, that the kernel uses. */
static void visit(Walk *w, uint32_t id) {
  if (sr_ids_get(w->seen, id) != SR_NONE)
    return;
  sr_ids_set(w->seen, id, 1);
  if (is_global_variable(w->m, id))
    SR_PUSH(w->arena, &w->missing, id);
  else if (w->function_of[id] != SR_NONE)
    SR_PUSH(w->arena, &w->todo, w->function_of[id]);
}

static void visit_function(Walk *w, uint32_t function) {
  Uses *uses = &w->uses[function];
  if (!uses->read)
    read_function(w, &w->m->functions[function], uses);
  for (uint32_t i = 0; i < uses->count; i++)
    visit(w, w->used.at[uses->first + i]);
}

/* The first word of the interface. */
static uint32_t interface_at(const SrModule *m, SrRef entry) {
  const char *name = (const char *)&sr_words(m, entry)[NAME];
  return NAME + (uint32_t)strlen(name) / 4 + 1;
}

static void find_missing(Walk *w, SrRef entry) {
  SrModule *m = w->m;
  sr_ids_clear(w->seen);
  w->missing.count = 0;
  for (uint32_t i = interface_at(m, entry); i < sr_word_count(m, entry); i++)
    sr_ids_set(w->seen, sr_words(m, entry)[i], 1);
  visit(w, sr_words(m, entry)[2]);
  while (w->todo.count)
    visit_function(w, SR_POP(&w->todo));
}

/* Replaces the OpEntryPoint by one that has the variables at its end. */
static void extend(SrModule *m, SrRef entry, const uint32_t *variable, uint32_t count) {
  uint32_t words = sr_word_count(m, entry);
  sr_begin(m, SpvOpEntryPoint, 0, 0);
  for (uint32_t i = 1; i < words; i++)
    if (sr_word_is_id(m, entry, i))
      sr_put_id(m, sr_words(m, entry)[i]);
    else
      sr_put_literal(m, sr_words(m, entry)[i]);
  for (uint32_t i = 0; i < count; i++)
    sr_put_id(m, variable[i]);
  SrRef longer = sr_end(m);
  sr_insert_before(m, &m->globals, entry, longer);
  sr_remove(m, &m->globals, entry);
}

bool sr_interface_add(SrModule *m, SrRef entry, uint32_t variable) {
  uint32_t words = sr_word_count(m, entry);
  for (uint32_t i = interface_at(m, entry); i < words; i++)
    if (sr_words(m, entry)[i] == variable)
      return true;
  if (words == UINT16_MAX)
    return false;
  extend(m, entry, &variable, 1);
  return true;
}

static bool has_room(const Walk *w, SrRef entry) {
  bool room = sr_word_count(w->m, entry) + w->missing.count <= UINT16_MAX;
  if (!room)
    sr_notice(
        w->m->diag, SR_NOWHERE,
        "entry point '%.100s': its interface stays incomplete: it lacks %u variables, and has "
        "no room for them in the 65,535 words of an instruction; use fewer variables",
        (const char *)&sr_words(w->m, entry)[NAME], w->missing.count);
  return room;
}

static void begin(Walk *w) {
  SrModule *m = w->m;
  w->seen = sr_ids_take(m);
  w->listed = sr_ids_take(m);
  w->uses = SR_NEW(w->arena, Uses, m->function_count);
  w->function_of = sr_new_none(w->arena, sr_bound(m));
  for (uint32_t i = 0; i < m->function_count; i++)
    w->function_of[m->functions[i].id] = i;
}

static bool is_kernel(const SrModule *m, SrRef r) {
  return sr_inst(m, r)->op == SpvOpEntryPoint && sr_words(m, r)[1] == SpvExecutionModelKernel;
}

bool sr_complete_interfaces(SrModule *m, SrArena *scratch, bool *changed) {
  Walk w = {.m = m, .arena = scratch};
  bool any = false;
  if (m->header[1] < LISTS_ALL)
    return false;
  for (SR_EACH_SAFE(m, r, m->globals)) {
    if (!is_kernel(m, r))
      continue;
    if (!w.seen)
      begin(&w);
    find_missing(&w, r);
    uint32_t function = w.function_of[sr_words(m, r)[2]];
    if (!w.missing.count || function == SR_NONE || !has_room(&w, r))
      continue;
    extend(m, r, w.missing.at, w.missing.count);
    changed[function] = any = true;
  }
  if (w.seen) {
    sr_ids_give(m, w.seen);
    sr_ids_give(m, w.listed);
  }
  return any;
}
