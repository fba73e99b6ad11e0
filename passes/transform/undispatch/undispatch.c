/* SPDX-License-Identifier: Apache-2.0 */
/* undispatch: see undispatch.h.
 *
 * Flattening (Wang et al., Software Tamper Resistance: Obstructing Static Analysis of Programs,
 * University of Virginia, 2000) puts all blocks under one switch in a loop; each names its
 * successor by a number. If that number is a constant, or a choice of two, jump threading through
 * the loop's header (Bodik, Gupta and Soffa, PLDI 1997, section 3) undoes it:
 *
 *   1. variables that hold selectors become values (selector_variable.h); once the graph is
 *      restored, variables that flattening made from phis become values, too
 *   2. every edge is followed past the blocks whose choice is known on it (thread_walk.h)
 *   3. the remaining graph is written, with phis in place of those that were bypassed
 *      (thread_layout.h, thread_write.h, same_edge.h)
 *   4. arithmetic on selectors that nothing uses any more is removed (dead_value.h)
 *
 * Only branches are copied. A lane runs the same blocks in the same order, except for empty ones;
 * which lanes run a block together may change. */
#include "passes/transform/undispatch/undispatch.h"

#include "passes/analysis/uniform/cross_lane.h"
#include "passes/transform/undispatch/dead_value.h"
#include "passes/transform/undispatch/same_edge.h"
#include "passes/transform/undispatch/selector_variable.h"
#include "passes/transform/undispatch/thread_walk.h"
#include "passes/transform/undispatch/thread_write.h"

typedef struct Job {
  SrModule *m;
  SrFunction *f;
  uint32_t max_growth;
  SrTransformCounts *counts;
  bool *changed;
} Job;

/* Threads everything that can be threaded. If no choice is decided, only empty blocks could be
 * removed, which happens if `tidies`. */
static SrStatus thread(const Job *j, SrArena *arena, bool tidies) {
  SrThreadGraph *t = sr_thread_graph_new(arena, j->m, j->f);
  const SrThreadPlan *plan = sr_thread_walk(t);
  if (!plan->decided && !tidies)
    return SR_OK;
  *j->changed = true;
  SR_CHECK(sr_thread_write(t, plan, j->max_growth, j->counts));
  sr_same_edges(j->m, j->f, j->counts);
  return SR_OK;
}

/* The selectors come first: variables set on edges are live in the whole loop until its switch is
 * gone, and then only in few blocks. */
static SrStatus undispatch(const Job *j, SrArena *arena) {
  bool promoted = false;
  SrSelectorVariables v = sr_selector_variables(arena, j->m, j->f, SR_SELECTORS);
  sr_selector_variables_promote(&v, j->m, j->f, j->counts, j->changed);
  SR_CHECK(thread(j, arena, false));
  if (v.access.count) {
    v = sr_selector_variables(arena, j->m, j->f, SR_SET_ON_EDGES);
    sr_selector_variables_promote(&v, j->m, j->f, j->counts, &promoted);
    if (promoted)
      SR_CHECK(thread(j, arena, true));
  }
  if (*j->changed)
    sr_dead_values(j->m, j->f);
  return SR_OK;
}

/* Would anything be changed? */
static bool applies(SrModule *m, SrFunction *f, SrArena *arena) {
  return sr_selector_variables(arena, m, f, SR_SELECTORS).access.count ||
         sr_thread_walk(sr_thread_graph_new(arena, m, f))->decided;
}

SrStatus sr_undispatch(SrModule *m, SrFunction *f, const SrBits *cross_lane, uint32_t max_growth,
                       SrTransformCounts *counts, bool *changed) {
  SrArena arena = sr_arena_new(m->arena->heap);
  const Job j = {m, f, max_growth, counts, changed};
  SrStatus status = SR_OK;
  if (sr_cross_lane_apart(&arena, m, f, cross_lane) == SR_NONE)
    status = undispatch(&j, &arena);
  else if (applies(m, f, &arena))
    (void)sr_cross_lane_forbids(&arena, m, f, cross_lane, "undispatch");
  sr_arena_free(&arena);
  return status;
}
