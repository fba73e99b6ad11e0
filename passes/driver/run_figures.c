/* SPDX-License-Identifier: Apache-2.0 */
/* run_figures: see run_figures.h. */
#include "passes/driver/run_figures.h"

#include "passes/analysis/graph/cfg.h"
#include "passes/analysis/graph/order_list.h"
#include "passes/analysis/structure/structure.h"
#include "passes/base/text.h"
#include "passes/driver/frontiers.h"
#include "passes/driver/graph_stats.h"
#include "passes/ir/dump.h"
#include "passes/source/source_names.h"
#include "passes/transform/reconverge/reconverge.h"

#include <stdio.h>

/* ---- figures ---- */

/* A function of the input, while its best order is not known yet. */
typedef struct SrReportInput {
  const SrGraph *graph;
  uint32_t *ids; /* by block */
} SrReportInput;

static SrReportInput keep_input(const SrReport *r, const SrFunction *f) {
  SrReportInput in = {sr_cfg_build(r->kept, r->m, f),
                      SR_NEW_RAW(r->kept, uint32_t, f->block_count)};
  for (uint32_t b = 0; b < f->block_count; b++)
    in.ids[b] = f->blocks[b].id;
  return in;
}

/* Reports the order in use, as block ids. */
static SrStatus report_order(SrReport *r, const SrFunction *f, const SrOrderChoice *choice,
                             spvreconv_function *out) {
  const SrGraph *g = sr_cfg_build(r->scratch, r->m, f);
  uint32_t *order, count;
  SR_CHECK(sr_order_build(r->scratch, r->m, f, g, choice, &order, &count));
  uint32_t *ids = SR_NEW_RAW(r->out, uint32_t, count);
  for (uint32_t i = 0; i < count; i++)
    ids[i] = f->blocks[order[i]].id;
  out->order = ids;
  out->order_count = count;
  return SR_OK;
}

/* Reports the order that was chosen for `best`; the default order if there was nothing to
 * choose. */
static void report_best(SrReport *r, const SrReportInput *in, const char *best,
                        spvreconv_function *out) {
  uint32_t *ids = SR_NEW_RAW(r->out, uint32_t, in->graph->count);
  out->best_order = best;
  out->order_count = sr_order_find(best ? best : SR_RECONVERGE_ORDER)(r->scratch, in->graph, ids);
  for (uint32_t i = 0; i < out->order_count; i++)
    ids[i] = in->ids[ids[i]];
  out->order = ids;
}

/* The order of priorities for the frontiers of the module as it is now. */
static SrStatus choose_priorities(SrReport *r, SrOrderChoice *choice) {
  return sr_order_choose(r->m->diag, r->scratch, r->m,
                         sr_frontiers_order(r->scratch, r->m, r->priorities), choice);
}

SrStatus sr_report_before(SrReport *r, const SrUniform *u, const char *order, const char *given) {
  const SrModule *m = r->m;
  SrOrderChoice priorities;
  r->priorities = given;
  SR_CHECK(choose_priorities(r, &priorities));
  SrOrderChoice choice;
  bool best = strcmp(order, "best") == 0;
  if (!best)
    SR_CHECK(sr_order_choose(m->diag, r->scratch, m, order, &choice));
  r->input = best ? SR_NEW(r->kept, SrReportInput, m->function_count) : NULL;
  r->functions = SR_NEW(r->out, spvreconv_function, m->function_count);
  r->before = SR_NEW(r->out, spvreconv_graph, m->function_count);
  r->after = SR_NEW(r->out, spvreconv_graph, m->function_count);
  r->counts = SR_NEW(r->out, spvreconv_counts, m->function_count);
  for (uint32_t i = 0; i < m->function_count; i++) {
    const SrFunction *f = &m->functions[i];
    if (f->block_count == 0)
      continue;
    SrMark mark = sr_arena_mark(r->scratch);
    uint32_t at = r->count++;
    spvreconv_function *out = &r->functions[at];
    const char *name = sr_function_name(m, r->scratch, f);
    out->name = sr_strndup(r->out, name, strlen(name));
    out->id = f->id;
    out->before = &r->before[at];
    out->after = &r->after[at];
    out->transform = &r->counts[at];
    SR_CHECK(sr_stats_graph(r->scratch, m, f, u, &priorities, &r->before[at]));
    if (best)
      r->input[at] = keep_input(r, f);
    else
      SR_CHECK(report_order(r, f, &choice, out));
    sr_arena_reset(r->scratch, mark);
  }
  return SR_OK;
}

static spvreconv_counts public_counts(const SrTransformCounts *c) {
  spvreconv_counts counts = {0};
#define SR_COUNT(name) counts.name = c->name;
#include "passes/names/counts.def"
#undef SR_COUNT
  return counts;
}

const spvreconv_cost *sr_report_cost(SrArena *out, const SrCost *c) {
  spvreconv_cost *cost = SR_NEW(out, spvreconv_cost, 1);
  *cost = (spvreconv_cost){
      .frontier_issues = c->frontier, .stack_issues = c->stack, .instructions = c->instructions};
  return cost;
}

static const spvreconv_tried *public_tried(SrArena *out, const SrChoice *c) {
  static const char *const verdicts[] = {"chosen", "lost", "same", "refused"};
  spvreconv_tried *tried = SR_NEW(out, spvreconv_tried, c->tried_count);
  for (uint32_t i = 0; i < c->tried_count; i++) {
    const SrTried *t = &c->tried[i];
    tried[i] = (spvreconv_tried){.transforms = t->transforms,
                                 .order = t->order,
                                 .verdict = verdicts[t->verdict],
                                 .why = t->why ? sr_text_copy(out, t->why) : NULL,
                                 .cost = t->measured ? sr_report_cost(out, &t->cost) : NULL};
  }
  return tried;
}

static spvreconv_choice *public_choice(SrArena *out, const SrChoice *c) {
  spvreconv_choice *choice = SR_NEW(out, spvreconv_choice, 1);
  *choice = (spvreconv_choice){.transforms = c->transforms,
                               .order = c->order,
                               .lanes = c->chosen.lanes,
                               .recorded = c->chosen.recorded,
                               .input = sr_report_cost(out, &c->input),
                               .structurize = sr_report_cost(out, &c->first),
                               .chosen = sr_report_cost(out, &c->chosen),
                               .tried = public_tried(out, c),
                               .tried_count = c->tried_count};
  return choice;
}

static double expansion_percent(const spvreconv_function *f) {
  double before = f->before->instructions, after = f->after->instructions;
  return before > 0 ? 100 * (after - before) / before : 0;
}

SrStatus sr_report_after(SrReport *r, const SrUniform *u, const SrPipeline *done) {
  const SrModule *m = r->m;
  SrOrderChoice priorities;
  uint32_t at = 0;
  SR_CHECK(choose_priorities(r, &priorities));
  for (uint32_t i = 0; i < m->function_count; i++) {
    const SrFunction *f = &m->functions[i];
    if (f->block_count == 0 && !f->moved)
      continue;
    SrMark mark = sr_arena_mark(r->scratch);
    if (u)
      SR_CHECK(sr_stats_graph(r->scratch, m, f, u, &priorities, &r->after[at]));
    else
      r->after[at] = r->before[at];
    r->after[at].code_expansion_percent = expansion_percent(&r->functions[at]);
    r->counts[at] = public_counts(&done->counts[i]);
    if (r->input)
      report_best(r, &r->input[at], done->best_order[i], &r->functions[at]);
    if (done->choice[i].transforms)
      r->functions[at].choice = public_choice(r->out, &done->choice[i]);
    at++;
    sr_arena_reset(r->scratch, mark);
  }
  return SR_OK;
}

/* The structure of f, as in spvreconv_function. */
static const char *structure_of(SrArena *scratch, const SrModule *m, const SrFunction *f) {
  SrViolations found = {0};
  if (sr_structure_check_portably(scratch, m, f, 1, &found) == 0)
    return "portable";
  return sr_rule_is_portable(found.at[0].rule) ? "any" : "none";
}

void sr_report_repairs(SrReport *r, const spvreconv_result *result) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < r->m->function_count; i++) {
    const SrFunction *f = &r->m->functions[i];
    if (f->block_count == 0 && !f->moved)
      continue;
    SrMark mark = sr_arena_mark(r->scratch);
    r->functions[at++].structure = structure_of(r->scratch, r->m, f);
    sr_arena_reset(r->scratch, mark);
  }
  const spvreconv_repair *repair;
  for (size_t k = 0; (repair = spvreconv_result_repair(result, k)); k++)
    for (uint32_t i = 0; i < r->count; i++)
      if (r->functions[i].id == repair->function_id)
        r->functions[i].violations_repaired = repair->violations;
}

/* ---- uniformity ---- */

typedef struct Remarks {
  const SrModule *m;
  const SrUniform *u;
  uint32_t function, block; /* where the walk over the module is; block SR_NONE: in the head */
  const char **names;       /* of values */
  char text[80];
} Remarks;

/* Blocks and functions are visited in module order, so their first instructions show where the walk
 * is. */
static void follow(Remarks *w, SrRef r) {
  const SrInst *in = sr_inst(w->m, r);
  if (in->op == SpvOpFunction) {
    do
      w->function++;
    while (w->m->functions[w->function].moved);
    w->block = SR_NONE;
  } else if (in->op == SpvOpLabel) {
    w->block++;
  }
}

static const char *uniformity_of(void *user, SrRef r) {
  Remarks *w = user;
  follow(w, r);
  if (w->function == SR_NONE)
    return NULL;
  const SrInst *in = sr_inst(w->m, r);
  const SrFunction *f = &w->m->functions[w->function];
  if (f->unread)
    return NULL;
  if (in->op == SpvOpBranchConditional || in->op == SpvOpSwitch)
    return sr_uniform_branch(w->u, w->m, f, w->block) ? "uniform branch" : "divergent branch";
  if (!in->result || !in->type || in->op == SpvOpFunction || in->nonsemantic ||
      sr_def_op(w->m, in->type) == SpvOpTypeVoid)
    return NULL;
  const char *name = w->names[in->result];
  snprintf(w->text, sizeof w->text, "%s%s%.40s",
           sr_uniform_value(w->u, in->result) ? "uniform" : "divergent", name ? ", " : "",
           name ? name : "");
  return w->text;
}

char *sr_report_uniformity(SrArena *out, const SrModule *m, const SrUniform *u, const char *plain) {
  Remarks walk = {.m = m,
                  .u = u,
                  .function = SR_NONE,
                  .block = SR_NONE,
                  .names = sr_source_value_names(out, m)};
  return sr_dump_annotated(m, out, plain, uniformity_of, &walk);
}
