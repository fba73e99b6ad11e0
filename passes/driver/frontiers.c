/* SPDX-License-Identifier: Apache-2.0 */
/* frontiers: see frontiers.h. */
#include "passes/driver/frontiers.h"

#include "passes/analysis/graph/order_list.h"
#include "passes/analysis/graph/priority.h"
#include "passes/base/text.h"
#include "passes/ir/label.h"

#include <inttypes.h>

typedef struct Lister {
  SrArena *out;
  const SrModule *m;
  const SrFunction *f;
  const char **names; /* by id */
  SrFrontierList *list;
  SrText text;
} Lister;

static uint32_t id_at(const Lister *l, const SrFrontierSweep *s, uint32_t rank) {
  return l->f->blocks[s->order[rank]].id;
}

/* Writes the ranks of the set from `from` on to `ids`, as ids of blocks; returns how many. */
static uint32_t list_pending(const Lister *l, const SrFrontierSweep *s, uint32_t *ids) {
  uint32_t n = 0;
  for (uint32_t word = 0; word < (s->count + 63) / 64; word++)
    for (SrBits rest = s->pending[word]; rest; rest &= rest - 1, n++)
      if (ids)
        ids[n] = id_at(l, s, word * 64 + (uint32_t)__builtin_ctzll(rest));
  return n;
}

static uint32_t list_checks(const Lister *l, const SrFrontierSweep *s, uint32_t *ids) {
  uint32_t b = s->order[s->at], n = 0;
  for (uint32_t k = 0; k < sr_succ_count(s->g, b); k++)
    if (sr_frontier_checks(s, k)) {
      if (ids)
        ids[n] = l->f->blocks[s->g->succ[s->g->succ_at[b] + k]].id;
      n++;
    }
  return n;
}

/* ---- text ---- */

static void put_block(Lister *l, uint32_t id) {
  sr_text_add(&l->text, "%%%" PRIu32, id);
  if (l->names[id])
    sr_text_add(&l->text, " %s", l->names[id]);
}

static void put_row(Lister *l, const spvreconv_frontier *row) {
  sr_text_add(&l->text, "  ");
  put_block(l, row->block);
  sr_text_add(&l->text, ": {");
  for (uint32_t i = 0; i < row->waiting_count; i++) {
    sr_text_add(&l->text, "%s", i ? ", " : "");
    put_block(l, row->waiting[i]);
  }
  sr_text_add(&l->text, "}");
  for (uint32_t i = 0; i < row->check_count; i++) {
    sr_text_add(&l->text, "%s", i ? ", " : "; checks to ");
    put_block(l, row->checks[i]);
  }
  sr_text_add(&l->text, "\n");
}

/* ---- the list ---- */

static void visit(void *user, const SrFrontierSweep *s) {
  Lister *l = user;
  uint32_t waiting = list_pending(l, s, NULL), checks = list_checks(l, s, NULL);
  uint32_t *ids = SR_NEW_RAW(l->out, uint32_t, waiting + checks);
  list_pending(l, s, ids);
  list_checks(l, s, ids + waiting);
  const spvreconv_frontier row = {.function = l->f->id,
                                  .block = id_at(l, s, s->at),
                                  .waiting = ids,
                                  .waiting_count = waiting,
                                  .checks = ids + waiting,
                                  .check_count = checks};
  SR_PUSH(l->out, &l->list->blocks, row);
  put_row(l, &row);
}

const char *sr_frontiers_order(SrArena *scratch, const SrModule *m, const char *order) {
  return order && strcmp(order, "best") != 0 && sr_order_fits(scratch, m, order) ? order : "lrpo";
}

static SrStatus list_function(Lister *l, SrArena *scratch, const SrOrderChoice *choice,
                              const char *order_name) {
  const SrGraph *g = sr_cfg_build(scratch, l->m, l->f);
  uint32_t *order, count;
  SR_CHECK(sr_order_build(scratch, l->m, l->f, g, choice, &order, &count));
  sr_text_add(&l->text, "function %s, priorities of %s:\n", sr_function_name(l->m, scratch, l->f),
              order_name);
  sr_frontier_sweep(scratch, g, order, count, visit, l);
  return SR_OK;
}

SrStatus sr_frontiers_list(SrArena *out, SrArena *scratch, const SrModule *m, const char *order,
                           SrFrontierList *list) {
  SrMark all = sr_arena_mark(scratch);
  SrOrderChoice choice;
  *list = (SrFrontierList){0};
  order = sr_frontiers_order(scratch, m, order);
  SR_CHECK(sr_order_choose(m->diag, scratch, m, order, &choice));
  Lister l = {.out = out,
              .m = m,
              .names = sr_label_names(scratch, m),
              .list = list,
              .text = {.arena = out}};
  for (uint32_t i = 0; i < m->function_count; i++) {
    SrMark mark = sr_arena_mark(scratch);
    l.f = &m->functions[i];
    if (l.f->block_count)
      SR_CHECK(list_function(&l, scratch, &choice, order));
    sr_arena_reset(scratch, mark);
  }
  list->text = sr_text_end(&l.text);
  sr_arena_reset(scratch, all);
  return SR_OK;
}
