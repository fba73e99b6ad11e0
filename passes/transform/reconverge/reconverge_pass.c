/* SPDX-License-Identifier: Apache-2.0 */
/* reconverge_pass: see reconverge_pass.h. */
#include "passes/transform/reconverge/reconverge_pass.h"

#include "passes/analysis/uniform/cross_lane.h"
#include "passes/ir/copy_module.h"
#include "passes/ir/promise.h"
#include "passes/transform/block_order.h"
#include "passes/transform/reconverge/open_tree_dot.h"
#include "passes/transform/reconverge/reconverge.h"
#include "passes/transform/strip_merges.h"

/* What the pass keeps between functions. */
typedef struct Reconverge {
  const SrBits *cross_lane;
  SrReconvergeChoice choice;
  SrModule
      *copy; /* of the module before this round, if a function has tangles to keep; else NULL */
} Reconverge;

/* Did the user ask for an order that may add flow blocks even to a reconverging function? */
static bool asks_for_order(const char *order) {
  return strcmp(order, "df") == 0 || strcmp(order, "bf") == 0 || strchr(order, '@');
}

/* Must the function's cross-lane operations keep their tangles? */
static bool keeps(const SrPassRun *r, const SrFunction *f, const SrBits *cross_lane) {
  return (f->promises || r->options.keeps_tangles) && sr_bit(cross_lane, f->id);
}

enum { LAST_ROUND = 3 };

static SrStatus begin_reconverge(SrPassRun *r, Reconverge **out) {
  Reconverge *k = *out = SR_NEW(r->arena, Reconverge, 1);
  const char *order = r->options.order ? r->options.order : SR_RECONVERGE_ORDER;
  k->choice.best = strcmp(order, "best") == 0;
  k->choice.unconditional = r->round == 0 && asks_for_order(order);
  k->choice.uniform = sr_uniform_build(
      r->arena, r->m, r->round == LAST_ROUND ? SR_UNIFORM_ALL_DIVERGENT : r->options.uniformity,
      r->options.scope);
  k->cross_lane = sr_pass_cross_lane(r);
  k->choice.barriers = sr_barrier_functions(r->arena, r->m);
  k->choice.quads = sr_quad_functions(r->arena, r->m);
  k->choice.cross_lane = k->cross_lane;
  k->choice.keeps_tangles = r->options.keeps_tangles;
  k->choice.one_condition = r->argument && strcmp(r->argument, "one-condition") == 0;
  k->choice.given = strchr(order, '@') != NULL;
  for (uint32_t i = 0; i < r->m->function_count && !k->copy; i++)
    if (keeps(r, &r->m->functions[i], k->cross_lane))
      SR_CHECK(sr_copy_module(r->arena, r->m, &k->copy));
  r->kept = k;
  return k->choice.best ? SR_OK
                        : sr_order_choose(r->m->diag, r->arena, r->m, order, &k->choice.order);
}

/* Must the function stay as it is, because lanes that left a loop in different iterations would
 * meet in a break block, at a cross-lane operation? */
static bool must_stay(SrPassRun *r, const Reconverge *k, const SrFunction *f) {
  if (r->round)
    return sr_needs_merges(r->m, r->scratch, f, k->cross_lane) != SR_NONE;
  return sr_keeps_merges(r->m, r->scratch, f, k->cross_lane,
                         "reconverge leaves the function alone");
}

/* Would the pass change a tangle that must be kept? Tries it on the copy. A failure there would
 * also happen on the module, and is reported then. */
static bool changes_tangles(SrPassRun *r, const Reconverge *k, const SrFunction *f) {
  SrReconvergeChoice choice = k->choice;
  SrReconvergeOutcome out;
  SrTransformCounts counts = {0};
  if (!keeps(r, f, k->cross_lane))
    return false;
  choice.step = NULL;
  SrStatus status = sr_reconverge(k->copy, r->scratch, &k->copy->functions[f - r->m->functions],
                                  &choice, &counts, &out);
  if (status != SR_OK || !out.parts_lanes || r->round)
    return status == SR_OK && out.parts_lanes;
  SrWhere where = {.function = sr_function_name(r->m, r->scratch, f), .word = SR_NONE};
  sr_notice(r->m->diag, where,
            "reconverge leaves the function alone: a cross-lane operation would run with different "
            "lanes%s%s",
            f->promises ? ", although the entry point promises " : "",
            f->promises ? sr_promise_name(f->promises) : "");
  return true;
}

SrStatus sr_reconverge_pass(SrPassRun *r, SrFunction *f, bool *changed) {
  Reconverge *k = r->kept;
  SrReconvergeOutcome out;
  if (!k)
    SR_CHECK(begin_reconverge(r, &k));
  if (must_stay(r, k, f) || changes_tangles(r, k, f))
    return SR_OK;
  SrOpenDrawing drawing = {.m = r->m,
                           .f = f,
                           .scratch = r->scratch,
                           .drawing = r->options.drawing,
                           .user = r->options.drawing_user};
  k->choice.step = r->options.drawing && r->round == 0 ? sr_open_tree_draw : NULL;
  k->choice.user = &drawing;
  SR_CHECK(sr_reconverge(r->m, r->scratch, f, &k->choice, r->counts, &out));
  *changed = out.changed;
  if (sr_order_blocks(r->m, r->scratch, f)) /* even in a function that is left unchanged */
    *changed = true;
  r->again = r->again || (*changed && r->round < LAST_ROUND);
  if (!out.best_order)
    return SR_OK;
  *r->best_order = out.best_order;
  SrWhere where = {.function = sr_function_name(r->m, r->scratch, f), .word = SR_NONE};
  sr_notice(r->m->diag, where, "the best order is %s: %u flow blocks", out.best_order,
            r->counts->flow_blocks);
  return SR_OK;
}
