/* SPDX-License-Identifier: Apache-2.0 */
/* reconverging: see reconverging.h. */
#include "passes/analysis/uniform/reconverging.h"
#include "passes/analysis/structure/structure.h"

/* Does the branch have two successors, one of which post-dominates it? */
static bool has_primary(const SrGraph *g, const SrDom *pdom, uint32_t b) {
  if (sr_succ_count(g, b) != 2)
    return false;
  const uint32_t *t = &g->succ[g->succ_at[b]];
  return sr_dominates(pdom, t[0], b) || sr_dominates(pdom, t[1], b);
}

bool sr_graph_is_reconverging(SrArena *scratch, const SrGraph *g, const SrBits *divergent) {
  SrArena arena = sr_arena_new(scratch->heap);
  const SrDom *pdom = sr_dom_build(&arena, sr_graph_reverse_with_exit(&arena, g), g->count);
  const SrBits *reached = sr_graph_reachable(&arena, g, 0);
  bool ok = true;
  for (uint32_t b = 0; b < g->count && ok; b++)
    if (sr_bit(reached, b) && sr_succ_count(g, b) > 1 && (!divergent || sr_bit(divergent, b)))
      ok = has_primary(g, pdom, b);
  sr_arena_free(&arena);
  return ok;
}

SrBits *sr_divergent_branches(SrArena *arena, const SrModule *m, const SrFunction *f,
                              const SrGraph *g, const SrUniform *u) {
  SrBits *divergent = sr_bits_new(arena, g->count);
  for (uint32_t b = 0; b < g->count; b++)
    if (sr_succ_count(g, b) > 1 && !sr_uniform_branch(u, m, f, b))
      sr_bit_set(divergent, b);
  return divergent;
}

/* ---- the wave's graph ---- */

typedef struct Ends {
  const SrModule *m;
  const SrFunction *f;
  const SrGraph *g;
  const SrBits *divergent;
  SrArena *arena;
  uint32_t *on; /* by block that is an empty leaf: where the wave continues, or SR_NONE */
  SR_VEC(SrEdge) edges;
  SR_VEC(uint32_t) work;
} Ends;

static bool is_empty(const Ends *e, uint32_t b) {
  const SrBlock *block = &e->f->blocks[b];
  SrRef r = sr_inst(e->m, block->label)->next;
  while (r != sr_terminator(block) && sr_is_debug_line(sr_inst(e->m, r)))
    r = sr_inst(e->m, r)->next;
  return r == sr_terminator(block);
}

static SpvOp end_of(const Ends *e, uint32_t b) {
  return (SpvOp)sr_inst(e->m, sr_terminator(&e->f->blocks[b]))->op;
}

static bool is_empty_leaf(const Ends *e, uint32_t b) {
  return sr_is_leaf(end_of(e, b)) && is_empty(e, b);
}

static bool ends_lanes(const Ends *e, uint32_t b) {
  return is_empty_leaf(e, b) && end_of(e, b) != SpvOpReturn && end_of(e, b) != SpvOpReturnValue;
}

/* For a branch to `leaf`, which may end lanes, and to `other`: lets the wave continue from `leaf`
 * at `other`. A leaf with several predecessors gets no such edge, so these edges form no cycles. */
static bool continue_at(Ends *e, uint32_t leaf, uint32_t other) {
  if (!ends_lanes(e, leaf) || sr_pred_count(e->g, leaf) != 1 || e->on[other] == leaf)
    return false;
  e->on[leaf] = other;
  SR_PUSH(e->arena, &e->edges, (SrEdge){leaf, other});
  return true;
}

/* Of the two successors of s, the one that is not `target`. */
static uint32_t other_successor(const Ends *e, uint32_t s, uint32_t target) {
  const uint32_t *t = &e->g->succ[e->g->succ_at[s]];
  return t[0] == target ? t[1] : t[0];
}

/* Looks at the divergent branches to `last`, an empty leaf or an empty branch to such leaves. */
static void look_before(Ends *e, uint32_t last) {
  for (SR_PREDS(s, e->g, last)) {
    if (sr_succ_count(e->g, *s) != 2 || !sr_bit(e->divergent, *s))
      continue;
    if (continue_at(e, other_successor(e, *s, last), last) && is_empty(e, *s))
      SR_PUSH(e->arena, &e->work, *s);
  }
}

const SrGraph *sr_wave_graph(SrArena *arena, const SrModule *m, const SrFunction *f,
                             const SrGraph *g, const SrBits *divergent) {
  Ends e = {.m = m, .f = f, .g = g, .divergent = divergent, .arena = arena};
  e.on = sr_new_none(arena, g->count);
  for (uint32_t b = 0; b < g->count; b++)
    if (is_empty_leaf(&e, b) && !ends_lanes(&e, b))
      look_before(&e, b);
  for (uint32_t b = 0; b < g->count; b++)
    if (ends_lanes(&e, b) && e.on[b] == SR_NONE)
      look_before(&e, b);
  while (e.work.count)
    look_before(&e, SR_POP(&e.work));
  if (!e.edges.count)
    return g;
  for (uint32_t b = 0; b < g->count; b++)
    for (SR_SUCCS(t, g, b))
      SR_PUSH(arena, &e.edges, (SrEdge){b, *t});
  return sr_graph_new(arena, g->count, e.edges.at, e.edges.count);
}

bool sr_is_reconverging(SrArena *scratch, const SrModule *m, const SrFunction *f, const SrGraph *g,
                        const SrUniform *u) {
  SrArena arena = sr_arena_new(scratch->heap);
  const SrBits *divergent = sr_divergent_branches(&arena, m, f, g, u);
  const SrGraph *wave = sr_wave_graph(&arena, m, f, g, divergent);
  bool ok = sr_graph_is_reconverging(scratch, wave, divergent);
  sr_arena_free(&arena);
  return ok;
}

bool sr_is_structured(SrArena *scratch, const SrModule *m, const SrFunction *f) {
  SrArena arena = sr_arena_new(scratch->heap);
  SrViolations found = {0};
  bool ok = sr_structure_check(&arena, m, f, 1, &found) == 0;
  sr_arena_free(&arena);
  return ok;
}
