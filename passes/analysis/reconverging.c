/* reconverging: see reconverging.h. */
#include "analysis/reconverging.h"
#include "analysis/structure.h"

/* Has the branch two successors, one of which post-dominates it? */
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

static bool is_empty_leaf(const SrModule *m, const SrBlock *b) {
  SrRef r = sr_inst(m, b->label)->next;
  while (r != sr_terminator(b) && sr_is_debug_line(sr_inst(m, r)))
    r = sr_inst(m, r)->next;
  return r == sr_terminator(b) && sr_is_leaf((SpvOp)sr_inst(m, r)->op);
}

static bool is_last_dispatch(const SrModule *m, const SrFunction *f, const SrGraph *g, uint32_t b) {
  for (SR_SUCCS(s, g, b))
    if (!is_empty_leaf(m, &f->blocks[*s]))
      return false;
  return true;
}

SrBits *sr_divergent_branches(SrArena *arena, const SrModule *m, const SrFunction *f,
                              const SrGraph *g, const SrUniform *u) {
  SrBits *divergent = sr_bits_new(arena, g->count);
  for (uint32_t b = 0; b < g->count; b++)
    if (sr_succ_count(g, b) > 1 && !sr_uniform_branch(u, m, f, b) && !is_last_dispatch(m, f, g, b))
      sr_bit_set(divergent, b);
  return divergent;
}

bool sr_is_reconverging(SrArena *scratch, const SrModule *m, const SrFunction *f, const SrGraph *g,
                        const SrUniform *u) {
  SrArena arena = sr_arena_new(scratch->heap);
  const SrBits *divergent = sr_divergent_branches(&arena, m, f, g, u);
  bool ok = sr_graph_is_reconverging(scratch, g, divergent);
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
