/* order: see order.h; the two orders that look at post-dominance stand in order_pd.c. */
#include "analysis/order.h"
#include "analysis/cycle.h"
#include "analysis/dom.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- the exit ---------------------------------------------------------------------------------
 */

uint32_t sr_order_exit(const SrGraph *g, const uint32_t *order, uint32_t count) {
  uint32_t exit = SR_NONE;
  for (uint32_t i = 0; i < count; i++)
    if (sr_succ_count(g, order[i]) == 0) {
      if (exit != SR_NONE)
        return SR_NONE;
      exit = order[i];
    }
  return exit;
}

void sr_order_exit_last(const SrGraph *g, uint32_t *order, uint32_t count) {
  uint32_t exit = sr_order_exit(g, order, count), at = 0;
  if (exit == SR_NONE)
    return;
  for (uint32_t i = 0; i < count; i++)
    if (order[i] != exit)
      order[at++] = order[i];
  order[at] = exit;
}

/* ---- plain searches ---------------------------------------------------------------------------
 */

uint32_t sr_order_df(SrArena *scratch, const SrGraph *g, uint32_t *order) {
  SrMark mark = sr_arena_mark(scratch);
  SrBits *seen = sr_bits_new(scratch, g->count);
  uint32_t *next = SR_NEW(scratch, uint32_t, g->count); /* successors tried so far */
  uint32_t *stack = SR_NEW_RAW(scratch, uint32_t, g->count), depth = 0, count = 0;
  stack[depth++] = order[count++] = 0;
  sr_bit_set(seen, 0);
  while (depth) {
    uint32_t b = stack[depth - 1];
    if (next[b] == sr_succ_count(g, b)) {
      depth--;
      continue;
    }
    uint32_t t = g->succ[g->succ_at[b] + next[b]++];
    if (!sr_bit(seen, t)) {
      sr_bit_set(seen, t);
      stack[depth++] = order[count++] = t;
    }
  }
  sr_arena_reset(scratch, mark);
  sr_order_exit_last(g, order, count);
  return count;
}

uint32_t sr_order_bf(SrArena *scratch, const SrGraph *g, uint32_t *order) {
  SrMark mark = sr_arena_mark(scratch);
  SrBits *seen = sr_bits_new(scratch, g->count);
  uint32_t count = 0;
  order[count++] = 0;
  sr_bit_set(seen, 0);
  for (uint32_t i = 0; i < count; i++)
    for (SR_SUCCS(t, g, order[i]))
      if (!sr_bit(seen, *t)) {
        sr_bit_set(seen, *t);
        order[count++] = *t;
      }
  sr_arena_reset(scratch, mark);
  sr_order_exit_last(g, order, count);
  return count;
}

uint32_t sr_order_rpo(SrArena *scratch, const SrGraph *g, uint32_t *order) {
  return sr_graph_rpo(scratch, g, 0, false, order);
}

uint32_t sr_order_lrpo(SrArena *scratch, const SrGraph *g, uint32_t *order) {
  SrMark mark = sr_arena_mark(scratch);
  SrNest *n = sr_nest_build(scratch, g);
  uint32_t count = n->count;
  memcpy(order, n->order, count * sizeof *order);
  sr_arena_reset(scratch, mark);
  return count;
}

/* The path from the root to the exit in the dominator tree; each block of it comes after its
 * siblings. */
static SrBits *path_to_exit(SrArena *scratch, const SrGraph *g, const SrDom *d) {
  SrBits *path = sr_bits_new(scratch, g->count);
  uint32_t b = sr_order_exit(g, d->preorder, d->reached);
  for (; b != SR_NONE; b = d->idom[b])
    sr_bit_set(path, b);
  return path;
}

uint32_t sr_order_domreg(SrArena *scratch, const SrGraph *g, uint32_t *order) {
  SrMark mark = sr_arena_mark(scratch);
  SrDom *d = sr_dom_build(scratch, g, 0);
  SrBits *path = path_to_exit(scratch, g, d);
  uint32_t count = 0;
  /* Going down the path: first what its block dominates beside the rest of the path. */
  for (uint32_t at = 0; at != SR_NONE;) {
    order[count++] = d->preorder[at];
    uint32_t end = d->leave[d->preorder[at]], next = SR_NONE;
    for (uint32_t i = at + 1; i < end;) {
      if (sr_bit(path, d->preorder[i])) {
        next = i;
        i = d->leave[d->preorder[i]];
      } else {
        order[count++] = d->preorder[i++];
      }
    }
    at = next;
  }
  sr_arena_reset(scratch, mark);
  return count;
}

/* ---- by name ----------------------------------------------------------------------------------
 */

static const struct {
  const char *name;
  SrOrderFn *make;
} orders[] = {{"df", sr_order_df},     {"dfpd", sr_order_dfpd}, {"bf", sr_order_bf},
              {"bfpd", sr_order_bfpd}, {"rpo", sr_order_rpo},   {"domreg", sr_order_domreg},
              {"lrpo", sr_order_lrpo}};

SrOrderFn *sr_order_find(const char *name) {
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
    if (strcmp(orders[i].name, name) == 0)
      return orders[i].make;
  return NULL;
}

/* ---- a given list -----------------------------------------------------------------------------
 */

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
static uint32_t block_of_id(const SrModule *m, const SrFunction *f, uint64_t id) {
  if (id >= sr_bound(m) || sr_def_op(m, (uint32_t)id) != SpvOpLabel)
    return SR_NONE;
  uint32_t b = sr_block_of(m, (uint32_t)id);
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
  if (names.count)
    qsort(names.at, names.count, sizeof *names.at, by_name);
}

static uint32_t find_block(const List *list, const char *text, size_t length) {
  uint64_t id = 0;
  size_t i = length && text[0] == '%', start = i;
  for (; i < length && text[i] >= '0' && text[i] <= '9' && id < UINT32_MAX; i++)
    id = 10 * id + (uint64_t)(text[i] - '0');
  if (i == length && i > start)
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
                        const SrGraph *g, const char *spec, uint32_t **order, uint32_t *count) {
  *order = SR_NEW_RAW(arena, uint32_t, g->count);
  *count = 0;
  SrOrderFn *make = sr_order_find(spec);
  if (make) {
    *count = make(arena, g, *order);
    return SR_OK;
  }
  if (spec[0] != '@')
    return sr_fail(diag, SR_BAD_OPTION, SR_NOWHERE, "unknown order '%.80s'", spec);
  SrArena scratch = sr_arena_new(arena->heap);
  List list = {.m = m, .f = f};
  read_names(&scratch, &list);
  SrStatus status = list_order(&scratch, diag, &list, g, spec + 1, *order, count);
  sr_arena_free(&scratch);
  return status;
}
