/* SPDX-License-Identifier: Apache-2.0 */
/* graph_stats: see graph_stats.h. */
#include "passes/driver/graph_stats.h"
#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/graph/expansion.h"
#include "passes/analysis/graph/folding.h"
#include "passes/analysis/graph/priority.h"
#include "passes/analysis/uniform/reconverging.h"

static void count_blocks(const SrModule *m, const SrFunction *f, const SrUniform *u,
                         spvreconv_graph *out) {
  for (uint32_t b = 0; b < f->block_count; b++) {
    out->instructions += sr_count_instructions(m, &f->blocks[b]);
    uint16_t op = sr_inst(m, sr_terminator(&f->blocks[b]))->op;
    if (op != SpvOpBranchConditional && op != SpvOpSwitch)
      continue;
    out->branches++;
    out->switches += op == SpvOpSwitch;
    if (sr_uniform_branch(u, m, f, b))
      out->uniform_branches++;
    else
      out->divergent_branches++;
  }
}

/* ---- loops ---- */

/* The two lowest and the two highest distinct ranks that edges from a cycle's blocks lead to. Ranks
 * outside of the range of the cycle's own ranks are targets of its exits. */
typedef struct Span {
  uint32_t low[2], high[2];
} Span;

static void widen(Span *s, uint32_t rank) {
  if (rank < s->low[0]) {
    s->low[1] = s->low[0];
    s->low[0] = rank;
  } else if (rank > s->low[0] && rank < s->low[1])
    s->low[1] = rank;
  rank++; /* counted from 1, so that 0 means none */
  if (rank > s->high[0]) {
    s->high[1] = s->high[0];
    s->high[0] = rank;
  } else if (rank < s->high[0] && rank > s->high[1])
    s->high[1] = rank;
}

static void widen_by(Span *s, const Span *inner) {
  for (int i = 0; i < 2; i++) {
    if (inner->low[i] != SR_NONE)
      widen(s, inner->low[i]);
    if (inner->high[i])
      widen(s, inner->high[i] - 1);
  }
}

static bool has_many_exits(const Span *s, const SrCycle *c) {
  uint32_t n = 0;
  for (int i = 0; i < 2; i++)
    n += (s->low[i] < c->first) + (s->high[i] > c->last + 1);
  return n > 1;
}

static void count_loops(SrArena *scratch, const SrGraph *g, const SrNest *n, spvreconv_graph *out) {
  Span *spans = SR_NEW(scratch, Span, n->cycle_count);
  for (uint32_t c = 0; c < n->cycle_count; c++)
    spans[c] = (Span){{SR_NONE, SR_NONE}, {0, 0}};
  for (uint32_t r = 0; r < n->count; r++)
    if (n->inner[n->order[r]] != SR_NONE)
      for (SR_SUCCS(t, g, n->order[r]))
        widen(&spans[n->inner[n->order[r]]], n->rank[*t]);
  for (uint32_t c = n->cycle_count; c-- > 0;) { /* inner ones first */
    const SrCycle *cycle = &n->cycles[c];
    if (cycle->parent != SR_NONE)
      widen_by(&spans[cycle->parent], &spans[c]);
    out->loops++;
    out->irreducible_loops += cycle->entries > 1;
    out->multi_exit_loops += has_many_exits(&spans[c], cycle);
  }
}

/* ---- the whole ---- */

static void count_folding(SrArena *scratch, const SrGraph *g, spvreconv_graph *out) {
  SrFolding folding = sr_folding_build(scratch, g);
  out->folding_nodes = folding.nodes;
  out->folding_conditions = folding.conditions;
}

static void count_frontiers(SrArena *scratch, const SrGraph *g, const uint32_t *order,
                            uint32_t count, spvreconv_graph *out) {
  SrFrontierStats s = sr_frontier_sweep(scratch, g, order, count, NULL, NULL);
  out->frontier_average = g->count ? (double)s.sum / g->count : 0;
  out->frontier_max = s.max;
  out->frontier_join_blocks = s.join_blocks;
  out->frontier_join_edges = s.join_edges;
  out->frontier_checks = s.checks;
  out->pdom_join_points = sr_pdom_join_points(scratch, g);
}

static uint64_t measure_area(SrArena *scratch, const SrModule *m, const SrFunction *f,
                             const SrGraph *g, const SrNest *n) {
  const SrBits *area = sr_expansion_area(scratch, g, n);
  uint64_t sum = 0;
  for (uint32_t b = 0; b < g->count; b++)
    if (sr_bit(area, b))
      sum += sr_count_instructions(m, &f->blocks[b]);
  return sum;
}

SrStatus sr_stats_graph(SrArena *scratch, const SrModule *m, const SrFunction *f,
                        const SrUniform *u, const SrOrderChoice *priorities, spvreconv_graph *out) {
  SrArena arena = sr_arena_new(scratch->heap);
  SrStatus status = SR_OK;
  *out = (spvreconv_graph){
      .blocks = f->block_count, .reducible = true, .structured = true, .reconverging = true};
  if (f->block_count) {
    const SrGraph *g = sr_cfg_build(&arena, m, f);
    const SrNest *n = sr_nest_build(&arena, g);
    out->edges = g->succ_at[g->count];
    count_blocks(m, f, u, out);
    count_loops(&arena, g, n, out);
    out->reducible = out->irreducible_loops == 0;
    out->structured = sr_is_structured(&arena, m, f);
    out->reconverging = sr_is_reconverging(&arena, m, f, g, u);
    uint32_t *order, count;
    status = sr_order_build(&arena, m, f, g, priorities, &order, &count);
    if (status == SR_OK)
      count_frontiers(&arena, g, order, count, out);
    count_folding(&arena, g, out);
    out->expansion_area = measure_area(&arena, m, f, g, n);
  }
  sr_arena_free(&arena);
  return status;
}
