/* SPDX-License-Identifier: Apache-2.0 */
/* order_list: see order_list.h. */
#include "passes/analysis/graph/order_list.h"

#include "passes/base/sort.h"

#include <stdlib.h>
#include <string.h>

/* ---- which function ---- */

/* The blocks of the list with which the text begins; NULL if it does not begin with one. */
static const char *list_of(const char *text) {
  size_t length = strcspn(text, ";@");
  if (text[length] != '@' || (length && text[length - 1] != ':'))
    return NULL;
  return text + length + 1;
}

bool sr_order_is_spec(const char *text) {
  return list_of(text) || sr_order_find(text);
}

/* `text` as an id, with or without %; 0 if it is not an id. */
static uint32_t read_id(const char *text, size_t length) {
  uint64_t id = 0;
  size_t i = length && text[0] == '%', start = i;
  for (; i < length && text[i] >= '0' && text[i] <= '9' && id < UINT32_MAX; i++)
    id = 10 * id + (uint64_t)(text[i] - '0');
  return i == length && i > start && id < UINT32_MAX ? (uint32_t)id : 0;
}

static const SrFunction *entry_point(const SrModule *m) {
  uint32_t id = 0;
  for (SR_EACH(m, r, m->globals))
    if (sr_inst(m, r)->op == SpvOpEntryPoint && id == 0)
      id = sr_words(m, r)[2];
  for (uint32_t i = 0; i < m->function_count; i++)
    if (m->functions[i].block_count && (id == 0 || m->functions[i].id == id))
      return &m->functions[i];
  return NULL;
}

/* *others: how many more functions have this name, as overloaded functions have. */
static const SrFunction *named(const SrModule *m, SrArena *scratch, const char *text, size_t length,
                               uint32_t *others) {
  const SrFunction *found = NULL;
  uint32_t id = read_id(text, length);
  *others = 0;
  for (uint32_t i = 0; i < m->function_count; i++) {
    const SrFunction *f = &m->functions[i];
    const char *name = sr_function_name(m, scratch, f);
    bool same = strlen(name) == length && memcmp(name, text, length) == 0;
    if (!f->block_count || !(same || (id && f->id == id)))
      continue;
    *others += found != NULL;
    found = found ? found : f;
  }
  return found;
}

static bool is_listed(const SrOrderList *lists, uint32_t count, const SrFunction *f) {
  for (uint32_t i = 0; i < count; i++)
    if (lists[i].function == f)
      return true;
  return false;
}

static SrStatus choose_function(SrDiag *diag, SrArena *arena, const SrModule *m, const char *text,
                                const char *blocks, const SrFunction **function) {
  bool given = text[0] != '@';
  size_t length = given ? (size_t)(blocks - 2 - text) : 0;
  uint32_t others = 0;
  *function = given ? named(m, arena, text, length, &others) : entry_point(m);
  if (others)
    return sr_fail(diag, SR_BAD_INPUT, SR_NOWHERE,
                   "the order is for '%.*s', but %u functions have this name: give the id of one",
                   length > 80 ? 80 : (int)length, text, others + 1);
  return *function ? SR_OK
                   : sr_fail(diag, SR_BAD_INPUT, SR_NOWHERE,
                             "the order is for a function that the module does not define: '%.*s'",
                             length > 80 ? 80 : (int)length, text);
}

SrStatus sr_order_choose(SrDiag *diag, SrArena *arena, const SrModule *m, const char *text,
                         SrOrderChoice *choice) {
  SR_VEC(SrOrderList) lists = {0};
  *choice = (SrOrderChoice){.make = sr_order_find(text), .diag = diag};
  if (choice->make)
    return SR_OK;
  choice->make = sr_order_lrpo;
  for (const char *p = text; p; p = (p = strchr(p, ';')) ? p + 1 : NULL) {
    SrOrderList list = {.blocks = list_of(p)};
    if (!list.blocks)
      return sr_fail(diag, SR_BAD_OPTION, SR_NOWHERE, "unknown order '%.80s'", p);
    SR_CHECK(choose_function(diag, arena, m, p, list.blocks, &list.function));
    if (is_listed(lists.at, lists.count, list.function))
      return sr_fail(diag, SR_BAD_INPUT, SR_NOWHERE, "the order lists function %s twice",
                     sr_function_name(m, arena, list.function));
    SR_PUSH(arena, &lists, list);
  }
  choice->lists = lists.at;
  choice->list_count = lists.count;
  return SR_OK;
}

/* ---- which blocks ---- */

typedef struct Name {
  const char *text;
  size_t length;
  uint32_t block;
} Name;

typedef struct List {
  const SrModule *m;
  const SrFunction *f;
  Name *names; /* of the function's blocks, sorted */
  uint32_t name_count;
} List;

static int by_name(const void *a, const void *b) {
  const Name *x = a, *y = b;
  int c = memcmp(x->text, y->text, x->length < y->length ? x->length : y->length);
  return c ? c : (x->length > y->length) - (x->length < y->length);
}

/* The function's block that the id labels, or SR_NONE. */
static uint32_t block_of_id(const SrModule *m, const SrFunction *f, uint32_t id) {
  if (sr_def_op(m, id) != SpvOpLabel)
    return SR_NONE;
  uint32_t b = sr_block_of(m, id);
  return b < f->block_count && f->blocks[b].id == id ? b : SR_NONE;
}

static void read_names(SrArena *scratch, List *list) {
  const SrModule *m = list->m;
  SR_VEC(Name) names = {0};
  for (SR_EACH(m, r, m->globals)) {
    const uint32_t *w = sr_words(m, r);
    uint32_t b = sr_inst(m, r)->op == SpvOpName ? block_of_id(m, list->f, w[1]) : SR_NONE;
    const char *text = (const char *)&w[2];
    if (b != SR_NONE)
      SR_PUSH(scratch, &names, (Name){text, strlen(text), b});
  }
  list->names = names.at;
  list->name_count = names.count;
  sr_sort(scratch, names.at, names.count, sizeof *names.at, by_name);
}

static uint32_t find_block(const List *list, const char *text, size_t length) {
  uint32_t id = read_id(text, length);
  if (id)
    return block_of_id(list->m, list->f, id);
  Name key = {text, length, 0};
  const Name *found =
      list->name_count ? bsearch(&key, list->names, list->name_count, sizeof key, by_name) : NULL;
  return found ? found->block : SR_NONE;
}

/* An order under construction. */
typedef struct Merged {
  const List *list;
  const uint32_t *lrpo; /* the reachable blocks */
  uint32_t reached;
  uint32_t *rank;  /* by block: its place in `lrpo`, or SR_NONE */
  SrBits *placed;  /* by block */
  uint32_t *order; /* of the blocks that are placed */
  uint32_t count;
} Merged;

static Merged merged_new(SrArena *arena, const List *list, const SrGraph *g, uint32_t *order) {
  uint32_t *lrpo = SR_NEW_RAW(arena, uint32_t, g->count);
  Merged m = {.list = list,
              .lrpo = lrpo,
              .rank = sr_new_none(arena, g->count),
              .placed = sr_bits_new(arena, g->count),
              .order = order};
  m.reached = sr_order_lrpo(arena, g, lrpo);
  for (uint32_t i = 0; i < m.reached; i++)
    m.rank[lrpo[i]] = i;
  return m;
}

static bool is_made_here(const Merged *m, uint32_t b) {
  return m->list->f->blocks[b].id >= m->list->m->input_bound;
}

/* Places a block, and the blocks directly after it in LRPO that a transform has added. The added
 * blocks belong to the block's branch, and no list can name them. */
static void place(Merged *m, uint32_t b) {
  uint32_t i = m->rank[b];
  do {
    sr_bit_set(m->placed, m->lrpo[i]);
    m->order[m->count++] = m->lrpo[i++];
  } while (i < m->reached && is_made_here(m, m->lrpo[i]) && !sr_bit(m->placed, m->lrpo[i]));
}

static SrStatus list_order(SrArena *arena, SrDiag *diag, const List *list, const SrGraph *g,
                           const char *text, uint32_t *order, uint32_t *count) {
  SrWhere where = {.function = sr_function_name(list->m, arena, list->f), .word = SR_NONE};
  Merged m = merged_new(arena, list, g, order);
  for (bool more = *text != 0 && *text != ';'; more;) {
    size_t length = strcspn(text, ",;");
    int shown = length > 80 ? 80 : (int)length;
    uint32_t b = find_block(list, text, length);
    if (b == SR_NONE)
      return sr_fail(diag, SR_BAD_INPUT, where,
                     "the order names '%.*s', which is not a block of it", shown, text);
    if (m.rank[b] == SR_NONE || sr_bit(m.placed, b))
      return sr_fail(diag, SR_BAD_INPUT, where,
                     "the order names '%.*s' twice, or it is unreachable", shown, text);
    place(&m, b);
    more = text[length] == ',';
    text += length + more;
  }
  for (uint32_t i = 0; i < m.reached; i++)
    if (!sr_bit(m.placed, m.lrpo[i]))
      place(&m, m.lrpo[i]);
  *count = m.count;
  return SR_OK;
}

SrStatus sr_order_build(SrArena *arena, const SrModule *m, const SrFunction *f, const SrGraph *g,
                        const SrOrderChoice *choice, uint32_t **order, uint32_t *count) {
  *order = SR_NEW_RAW(arena, uint32_t, g->count);
  const char *blocks = NULL;
  for (uint32_t i = 0; i < choice->list_count; i++)
    if (choice->lists[i].function == f)
      blocks = choice->lists[i].blocks;
  if (!blocks) {
    *count = choice->make(arena, g, *order);
    return SR_OK;
  }
  SrArena scratch = sr_arena_new(arena->heap);
  List list = {.m = m, .f = f};
  read_names(&scratch, &list);
  SrStatus status = list_order(&scratch, choice->diag, &list, g, blocks, *order, count);
  sr_arena_free(&scratch);
  return status;
}

bool sr_order_fits(SrArena *scratch, const SrModule *m, const char *text) {
  SrArena arena = sr_arena_new(scratch->heap);
  SrDiag diag = {0}; /* its messages are discarded */
  SrOrderChoice choice;
  bool fits = sr_order_choose(&diag, &arena, m, text, &choice) == SR_OK;
  for (uint32_t i = 0; fits && i < choice.list_count; i++) {
    const SrFunction *f = choice.lists[i].function;
    uint32_t *order, count;
    fits =
        sr_order_build(&arena, m, f, sr_cfg_build(&arena, m, f), &choice, &order, &count) == SR_OK;
  }
  sr_arena_free(&arena);
  return fits;
}
