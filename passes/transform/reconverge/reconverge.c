/* SPDX-License-Identifier: Apache-2.0 */
/* reconverge: see reconverge.h. */
#include "passes/transform/reconverge/reconverge.h"
#include "passes/analysis/uniform/barrier_order.h"
#include "passes/analysis/uniform/cross_lane.h"
#include "passes/analysis/uniform/reconverging.h"
#include "passes/ir/promise.h"
#include "passes/transform/flow/flow_write.h"
#include "passes/transform/reconverge/kept_tangles.h"
#include "passes/transform/reconverge/reconverge_prepare.h"

typedef struct Job {
  SrModule *m;
  SrFunction *f;
  SrArena *arena;
  const SrReconvergeChoice *choice;
  const SrGraph *before; /* of the function before the pass */
  SrPrepared prepared;
  const SrGraph *graph;   /* of the prepared function */
  const SrGraph *to_exit; /* the same without the edges out of the exit */
  SrReconvergeInput in;
  bool lrpo; /* in.order is LRPO, which no block with needs_all violates */
} Job;

/* The graph without the edges from the exit to its leaves. */
static SrGraph *cut_after(SrArena *arena, const SrGraph *g, uint32_t exit) {
  uint32_t count = 0;
  SrEdge *edges = SR_NEW_RAW(arena, SrEdge, g->succ_at[g->count]);
  for (uint32_t b = 0; b < g->count; b++)
    for (SR_SUCCS(s, g, b))
      if (b != exit)
        edges[count++] = (SrEdge){b, *s};
  return sr_graph_new(arena, g->count, edges, count);
}

static SrBits *find_switches(const Job *j) {
  SrBits *set = sr_bits_new(j->arena, j->f->block_count);
  for (uint32_t b = 0; b < j->f->block_count; b++)
    if (sr_inst(j->m, sr_terminator(&j->f->blocks[b]))->op == SpvOpSwitch)
      sr_bit_set(set, b);
  return set;
}

/* Must cross-lane operations keep their tangles? */
static bool keeps(const Job *j) {
  return j->f->promises || j->choice->keeps_tangles;
}

/* Is the order used as it is, whatever tangles it changes? */
static bool is_given(const Job *j) {
  return j->choice->given && !j->choice->keeps_tangles;
}

/* Does the block have a barrier, a quad operation or, if tangles must be kept, any cross-lane
 * operation? */
static bool needs_all(const Job *j, const SrBlock *b) {
  return keeps(j) ? sr_has_cross_lane(j->m, j->choice->cross_lane, b)
                  : sr_has_barrier(j->m, j->choice->barriers, b) ||
                        sr_has_quad_operation(j->m, j->choice->quads, b);
}

/* By block: needs_all. */
static SrBits *find_needs_all(const Job *j) {
  SrBits *set = sr_bits_new(j->arena, j->f->block_count);
  for (uint32_t b = 0; b < j->f->block_count; b++)
    if (needs_all(j, &j->f->blocks[b]))
      sr_bit_set(set, b);
  return set;
}

/* Does the program, in the order j->in.order, run a block with needs_all before all lanes headed
 * for it have arrived? */
static bool is_too_soon(const Job *j, const SrReconverged *made) {
  bool any = keeps(j) ? sr_bit(j->choice->cross_lane, j->f->id)
                      : sr_bit(j->choice->barriers, j->f->id) || sr_bit(j->choice->quads, j->f->id);
  return any && !j->lrpo && made->cost.flow_blocks &&
         sr_barrier_order_breach(j->arena, j->to_exit, find_needs_all(j), j->in.order,
                                 j->in.count) != SR_NONE;
}

/* Does it change a tangle that must be kept? A divergent switch that became branches may have made
 * another entry of an irreducible cycle its header. */
static bool changes_tangles(const Job *j, const SrReconverged *made) {
  return keeps(j) && sr_bit(j->choice->cross_lane, j->f->id) &&
         (j->prepared.changed || made->cost.flow_blocks) &&
         !sr_kept_tangles(j->arena, j->before, find_needs_all(j), made);
}

static bool parts_lanes(const Job *j, const SrReconverged *made) {
  return is_too_soon(j, made) || changes_tangles(j, made);
}

static void say_parts_lanes(const Job *j) {
  SrWhere where = {.function = sr_function_name(j->m, j->arena, j->f), .word = SR_NONE};
  if (!keeps(j) && sr_bit(j->choice->barriers, j->f->id))
    sr_notice(j->m->diag, where,
              "in that order lanes would reach a barrier while others wait on their way to it: "
              "reconverge uses lrpo");
  else if (!keeps(j))
    sr_notice(j->m->diag, where,
              "in that order a derivative or another operation of a quad would run without lanes "
              "of the quad that are on their way to it: reconverge uses lrpo");
  else
    sr_notice(j->m->diag, where,
              "in that order a cross-lane operation runs without lanes on their way to it%s%s: "
              "reconverge %s",
              j->f->promises ? ", although the entry point promises " : "",
              j->f->promises ? sr_promise_name(j->f->promises) : "",
              is_given(j) ? "keeps the list, and breaks the promise" : "uses lrpo");
}

static SrStatus build(Job *j, const SrOrderChoice *choice, SrReconverged *out) {
  uint32_t *order, count;
  SR_CHECK(sr_order_build(j->arena, j->m, j->f, j->to_exit, choice, &order, &count));
  sr_order_exit_last(j->to_exit, order, count);
  j->lrpo = choice->make == sr_order_lrpo;
  j->in.order = order;
  j->in.count = count;
  *out = sr_reconverge_build(j->arena, &j->in);
  return SR_OK;
}

static int order_of(uint32_t a, uint32_t b) {
  return (a > b) - (a < b);
}

static bool is_better(const SrReconvergeCost *a, const SrReconvergeCost *b) {
  int c = order_of(a->flow_blocks, b->flow_blocks);
  c = c ? c : order_of(a->instructions, b->instructions);
  c = c ? c : order_of(a->cycle_path, b->cycle_path);
  return c < 0;
}

/* The first of several equally good orders wins. */
static SrStatus build_best(Job *j, SrReconverged *out, SrReconvergeOutcome *made) {
  static const char *const names[] = {"dfpd", "lrpo", "rpo", "domreg", "bfpd", "df", "bf"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    SrOrderChoice choice = {.make = sr_order_find(names[i])};
    SrReconverged next;
    SR_CHECK(build(j, &choice, &next));
    if (parts_lanes(j, &next) || (made->best_order && !is_better(&next.cost, &out->cost)))
      continue;
    *out = next;
    made->best_order = names[i];
  }
  made->parts_lanes = !made->best_order;
  if (!j->choice->step || made->parts_lanes)
    return SR_OK;
  j->in.step = j->choice->step; /* built once more, for the drawings */
  SrOrderChoice choice = {.make = sr_order_find(made->best_order)};
  return build(j, &choice, out);
}

static SrStatus build_named(Job *j, SrReconverged *out, SrReconvergeOutcome *made) {
  SrOrderChoice lrpo = {.make = sr_order_lrpo};
  SR_CHECK(build(j, &j->choice->order, out));
  if ((is_given(j) && !keeps(j)) || !parts_lanes(j, out))
    return SR_OK;
  if (is_given(j)) {
    say_parts_lanes(j);
    return SR_OK;
  }
  if (j->choice->order.make != lrpo.make)
    SR_CHECK(build(j, &lrpo, out));
  made->parts_lanes = parts_lanes(j, out);
  if (!made->parts_lanes)
    say_parts_lanes(j);
  return SR_OK;
}

static SrStatus run(Job *j, SrTransformCounts *counts, SrReconvergeOutcome *out) {
  j->graph = sr_cfg_build(j->arena, j->m, j->f);
  j->to_exit = cut_after(j->arena, j->graph, j->prepared.exit);
  j->in = (SrReconvergeInput){.graph = j->graph,
                              .divergent = j->prepared.divergent,
                              .is_switch = find_switches(j),
                              .one_condition = j->choice->one_condition,
                              .step = j->choice->best ? NULL : j->choice->step,
                              .user = j->choice->user};
  SrReconverged made;
  SR_CHECK(j->choice->best ? build_best(j, &made, out) : build_named(j, &made, out));
  out->changed = !out->parts_lanes && (j->prepared.changed || made.cost.flow_blocks > 0);
  if (!out->changed)
    return SR_OK;
  counts->virtual_blocks += made.cost.virtual_blocks;
  counts->rerouted_uniform_branches += made.cost.rerouted_uniform;
  SrFlowProgram p = {.old = j->graph, .flow = made.flow, .rank = made.rank};
  return sr_flow_write(j->m, j->f, &p, counts);
}

SrStatus sr_reconverge(SrModule *m, SrArena *scratch, SrFunction *f,
                       const SrReconvergeChoice *choice, SrTransformCounts *counts,
                       SrReconvergeOutcome *out) {
  *out = (SrReconvergeOutcome){0};
  SrArena arena = sr_arena_new(scratch->heap);
  const SrGraph *g = sr_cfg_build(&arena, m, f);
  const SrBits *divergent = sr_divergent_branches(&arena, m, f, g, choice->uniform);
  SrStatus status = SR_OK;
  if (choice->unconditional ||
      !sr_graph_is_reconverging(&arena, sr_wave_graph(&arena, m, f, g, divergent), divergent)) {
    Job j = {.m = m, .f = f, .arena = &arena, .choice = choice, .before = g};
    status = sr_reconverge_prepare(&arena, m, f, divergent, counts, &j.prepared);
    if (status == SR_OK)
      status = run(&j, counts, out);
  }
  sr_arena_free(&arena);
  return status;
}
