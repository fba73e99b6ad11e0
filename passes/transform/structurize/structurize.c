/* SPDX-License-Identifier: Apache-2.0 */
/* structurize: makes the structured program of a function (sweep.h) and writes it into the module
 * (flow_write.h). Blocks that the entry does not reach are dropped.
 *
 * Needs: SSA. Establishes: structured control flow, SSA. Cost: that of sweep.h and of
 * flow_write.h. */
#include "passes/transform/structurize/structurize.h"
#include "passes/analysis/graph/dom.h"
#include "passes/ir/hint.h"
#include "passes/transform/flow/flow_write.h"
#include "passes/transform/structurize/choose_order.h"
#include "passes/transform/structurize/drop_edge_block.h"
#include "passes/transform/structurize/exit_endless.h"
#include "passes/transform/structurize/sweep.h"

static bool is_irreducible(const SrNest *nest) {
  for (uint32_t c = 0; c < nest->cycle_count; c++)
    if (nest->cycles[c].entries > 1)
      return true;
  return false;
}

/* The blocks to which forward edges from several blocks lead. */
static SrBits *find_joins(SrArena *arena, const SrGraph *g, const SrNest *nest) {
  SrBits *joins = sr_bits_new(arena, g->count);
  for (uint32_t b = 0; b < g->count; b++) {
    uint32_t count = 0;
    for (SR_PREDS(p, g, b))
      count += nest->rank[*p] < nest->rank[b];
    if (count > 1)
      sr_bit_set(joins, b);
  }
  return joins;
}

/* g, with the joins last among the successors of each block. The resulting order puts arms that
 * only one branch leads to before the blocks where arms meet. Otherwise these blocks would come
 * due, and end the selection, before all of its arms have begun. */
static const SrGraph *put_joins_last(SrArena *arena, const SrGraph *g, const SrNest *nest) {
  const SrBits *joins = find_joins(arena, g, nest);
  SrGraph *rows = SR_NEW(arena, SrGraph, 1);
  *rows = *g;
  rows->succ = SR_NEW_RAW(arena, uint32_t, g->succ_at[g->count]);
  for (uint32_t b = 0; b < g->count; b++) {
    uint32_t n = g->succ_at[b];
    for (int last = 0; last < 2; last++)
      for (SR_SUCCS(t, g, b))
        if (sr_bit(joins, *t) == last)
          rows->succ[n++] = *t;
  }
  return rows;
}

/* The blocks whose branch has controls (SrSweepOptions.hinted). */
static const SrBits *find_hinted(SrArena *arena, const SrModule *m, const SrFunction *f) {
  SrBits *hinted = NULL;
  for (uint32_t b = 0; b < f->block_count; b++) {
    SrRef merge = sr_merge_inst(m, &f->blocks[b]);
    bool has =
        sr_hint_of(m, f->blocks[b].id, SpvOpSelectionMerge) != SR_NONE ||
        (merge != SR_NONE && sr_inst(m, merge)->op == SpvOpSelectionMerge && sr_hint_has(m, merge));
    if (has && !hinted)
      hinted = sr_bits_new(arena, f->block_count);
    if (has)
      sr_bit_set(hinted, b);
  }
  return hinted;
}

/* Makes the program for g in the order of `nest`; if that is NULL, in the order that the options
 * ask for. */
static SrFlowProgram make_program(SrArena *arena, const SrModule *m, const SrFunction *f,
                                  const SrNest *nest, const SrStructurize *options) {
  const SrGraph *g = sr_cfg_build(arena, m, f);
  const SrBits *is_switch = sr_flow_switches(arena, m, f, g);
  const SrSweepOptions sweep = {SR_NESTING_LIMIT, options->goal,
                                options->structure == SR_STRUCTURE_PORTABLE,
                                find_hinted(arena, m, f)};
  if (!nest) {
    nest = sr_nest_build(arena, g);
    bool fixed = options->communicates && is_irreducible(nest);
    const SrGraph *rows = sweep.portable && !fixed ? put_joins_last(arena, g, nest) : g;
    if (sweep.goal != SR_GOAL_NONE && !fixed)
      nest = sr_choose_order(arena, g, rows, is_switch, &sweep);
    else if (rows != g)
      nest = sr_nest_build(arena, rows);
  }
  SrFlowProgram p = {.old = g, .nest = nest, .rank = nest->rank};
  p.flow = sr_sweep_build(arena, g, nest, is_switch, &sweep);
  return p;
}

static SrStatus rewrite(SrModule *m, SrFunction *f, const SrNest *nest,
                        const SrStructurize *options, SrTransformCounts *counts) {
  SrArena arena = sr_arena_new(m->arena->heap);
  SrFlowProgram p = make_program(&arena, m, f, nest, options);
  uint32_t first_added = m->header[3];
  SrStatus status = sr_flow_write(m, f, &p, counts);
  sr_arena_free(&arena);
  if (status == SR_OK && options->structure == SR_STRUCTURE_PORTABLE) {
    sr_drop_edge_blocks(m, f, first_added, counts);
    sr_exit_endless(m, f);
  }
  return status;
}

SrStatus sr_structurize(SrModule *m, SrFunction *f, const SrStructurize *options,
                        SrTransformCounts *counts) {
  return rewrite(m, f, NULL, options, counts);
}

SrStatus sr_structurize_in(SrModule *m, SrFunction *f, const SrNest *nest,
                           const SrStructurize *options, SrTransformCounts *counts) {
  return rewrite(m, f, nest, options, counts);
}

/* The program's graph, by flow block. */
static const SrGraph *graph_of(SrArena *arena, const SrFlowGraph *flow) {
  SrEdge *edges = SR_NEW_RAW(arena, SrEdge, flow->slot.count);
  uint32_t n = 0;
  for (uint32_t b = 0; b < flow->block.count; b++)
    for (uint32_t k = 0; k < flow->block.at[b].slot_count; k++)
      edges[n++] = (SrEdge){b, flow->slot.at[flow->block.at[b].slot + k].to};
  return sr_graph_new(arena, flow->block.count, edges, n);
}

bool sr_structurize_keeps_places(const SrModule *m, const SrFunction *f,
                                 const SrStructurize *options) {
  SrArena arena = sr_arena_new(m->arena->heap);
  const SrFlowProgram p = make_program(&arena, m, f, NULL, options);
  const SrGraph *g = p.old;
  const SrFlowGraph *flow = p.flow;
  const SrDom *old = sr_dom_build(&arena, g, 0),
              *new = sr_dom_build(&arena, graph_of(&arena, flow), flow->order[0]);
  uint32_t *now = sr_new_none(&arena, g->count); /* by old block: its flow block */
  for (uint32_t b = 0; b < flow->block.count; b++)
    if (flow->block.at[b].user != SR_NONE)
      now[flow->block.at[b].user] = b;
  bool keeps = true;
  for (uint32_t i = 1; i < old->reached && keeps; i++) {
    uint32_t b = old->preorder[i];
    keeps = sr_dominates(new, now[old->idom[b]], now[b]);
  }
  sr_arena_free(&arena);
  return keeps;
}
