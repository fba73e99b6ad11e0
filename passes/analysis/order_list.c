/* order_list: see order_list.h. */
#include "analysis/order_list.h"

#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* ---- which function ---- */

/* The list of blocks in a specification; NULL if it is the name of an order. */
static const char *list_of(const char *text) {
  if (text[0] == '@')
    return text + 1;
  const char *colon = strstr(text, ":@");
  return colon ? colon + 2 : NULL;
}

bool sr_order_is_spec(const char *text) {
  return list_of(text) || sr_order_find(text);
}

/* `text` as an id, with or without %; 0 if it is none. */
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

static const SrFunction *named(const SrModule *m, SrArena *scratch, const char *text,
                               size_t length) {
  uint32_t id = read_id(text, length);
  for (uint32_t i = 0; i < m->function_count; i++) {
    const SrFunction *f = &m->functions[i];
    const char *name = sr_function_name(m, scratch, f);
    bool same = strlen(name) == length && memcmp(name, text, length) == 0;
    if (f->block_count && (same || (id && f->id == id)))
      return f;
  }
  return NULL;
}

SrStatus sr_order_choose(SrDiag *diag, SrArena *scratch, const SrModule *m, const char *text,
                         SrOrderChoice *choice) {
  *choice = (SrOrderChoice){.make = sr_order_find(text), .list = list_of(text)};
  if (!choice->list)
    return choice->make ? SR_OK
                        : sr_fail(diag, SR_BAD_OPTION, SR_NOWHERE, "unknown order '%.80s'", text);
  choice->make = sr_order_lrpo;
  bool given = text[0] != '@';
  size_t length = given ? (size_t)(choice->list - 2 - text) : 0;
  choice->only = given ? named(m, scratch, text, length) : entry_point(m);
  if (!choice->only)
    return sr_fail(diag, SR_BAD_INPUT, SR_NOWHERE,
                   "the order is of a function that the module does not define: '%.*s'",
                   length > 80 ? 80 : (int)length, text);
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

static SrStatus list_order(SrArena *arena, SrDiag *diag, const List *list, const SrGraph *g,
                           const char *text, uint32_t *order, uint32_t *count) {
  SrWhere where = {.function = sr_function_name(list->m, arena, list->f), .word = SR_NONE};
  uint32_t *rest = SR_NEW_RAW(arena, uint32_t, g->count), n = 0;
  uint32_t reached = sr_order_lrpo(arena, g, rest);
  SrBits *open = sr_bits_new(arena, g->count); /* reached and not yet placed */
  for (uint32_t i = 0; i < reached; i++)
    sr_bit_set(open, rest[i]);
  for (bool more = *text != 0; more;) {
    size_t length = strcspn(text, ",");
    int shown = length > 80 ? 80 : (int)length;
    uint32_t b = find_block(list, text, length);
    if (b == SR_NONE)
      return sr_fail(diag, SR_BAD_INPUT, where, "the order names no block of it: '%.*s'", shown,
                     text);
    if (!sr_bit(open, b))
      return sr_fail(diag, SR_BAD_INPUT, where,
                     "the order names '%.*s' twice, or nothing reaches it", shown, text);
    sr_bit_clear(open, b);
    order[n++] = b;
    more = text[length] == ',';
    text += length + more;
  }
  for (uint32_t i = 0; i < reached; i++)
    if (sr_bit(open, rest[i]))
      order[n++] = rest[i];
  *count = n;
  return SR_OK;
}

SrStatus sr_order_build(SrArena *arena, SrDiag *diag, const SrModule *m, const SrFunction *f,
                        const SrGraph *g, const SrOrderChoice *choice, uint32_t **order,
                        uint32_t *count) {
  *order = SR_NEW_RAW(arena, uint32_t, g->count);
  if (f != choice->only) {
    *count = choice->make(arena, g, *order);
    return SR_OK;
  }
  SrArena scratch = sr_arena_new(arena->heap);
  List list = {.m = m, .f = f};
  read_names(&scratch, &list);
  SrStatus status = list_order(&scratch, diag, &list, g, choice->list, *order, count);
  sr_arena_free(&scratch);
  return status;
}
