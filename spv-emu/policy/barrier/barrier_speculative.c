/* SPDX-License-Identifier: Apache-2.0 */
/* barrier_speculative: the points of the placement `speculative` (barrier_place.h): where lanes of
 * different iterations of a cycle wait for one another, after Damani et al., Speculative
 * Reconvergence for Improved SIMT Efficiency, CGO 2020. There a programmer or a profile names the
 * points; here an estimate chooses them, and a listing may be edited.
 *
 * A cycle may have one *point*. Lanes wait there, in each iteration, until all lanes in the cycle
 * are there. The candidates, and the gain in an iteration:
 *
 *   - The header of an inner cycle that lanes may leave after different numbers of iterations.
 *     There they wait in the next iteration of the outer cycle, so the inner one runs with more
 *     lanes. Its iteration has to cost more than twice the rest of the outer cycle, which runs many
 *     more iterations with few lanes.
 *   - A block that lanes may bypass and that only one branch, which may diverge, leads to. The
 *     blocks that it dominates have to cost more than twice the rest of the cycle.
 *   - The header, if a branch that may diverge has all its targets in the cycle, and no point in
 *     the cycle where they meet: its lanes would stay separate until they leave the cycle. Half the
 *     cost of an iteration counts as gain.
 *
 * Among nested cycles, the one with the largest gain has a point. The cost of a block is its
 * instructions and those of the functions that it calls, weighed by the cycles around it
 * (analysis/graph/arm.h). A cycle has no point if lanes in it may communicate: cross-lane
 * operations, barriers, atomic operations, volatile loads, even in functions that it calls. So no
 * result depends on which lanes are together, and no lane waits for another lane that waits at the
 * point. The same holds for an irreducible cycle if lanes communicate anywhere: the point may
 * replace one where lanes that enter the cycle separately would have met.
 *
 * Branches in these cycles, and in functions called there, may diverge even if they are proven
 * uniform, since the proof is about lanes of one iteration (analysis/uniform/sync.h). So they
 * reconverge at their post-dominators, too.
 *
 * Cost O(E log V). */
#include "spv-emu/policy/barrier/barrier_plan.h"

#include "passes/analysis/graph/arm.h"

/* The largest cost of a block. */
static const uint64_t most_cost = (uint64_t)1 << 32;

typedef struct Guess {
  int64_t gain;
  uint32_t point; /* block of the function; SR_NONE: no point pays */
} Guess;

typedef struct Predict {
  EmuBarrierPlan *p;
  uint64_t *call_cost; /* by function */
  bool *talks;         /* by function: its lanes may communicate */
  bool any_talk;       /* lanes of some function may communicate */
  bool any_point;
  /* Of the current function, with its blocks numbered from 0: */
  const EmuFunctionBlocks *fn;
  const SrNest *nest;
  const SrDom *dom, *back;
  SrArms arms;
  uint32_t *talked; /* by rank: blocks before it in which lanes may communicate */
  SrSpan *exits;    /* by cycle: ranks to which branches in it lead that may diverge */
  Guess *best;      /* by cycle */
} Predict;

static bool lanes_talk(const EmuBlockTable *t, uint32_t block) {
  return (t->crosses && t->crosses[block]) || (t->stops && t->stops[block]) ||
         (t->polls && t->polls[block]);
}

/* ---- functions ------------------------------------------------------------------------------- */

static uint64_t cost_of(const Predict *x, uint32_t block) {
  uint32_t callee = x->p->table->callee[block];
  uint64_t cost = x->p->table->issues[block] + (callee == SR_NONE ? 0 : x->call_cost[callee]);
  return cost < most_cost ? cost : most_cost;
}

static bool talks_at(const Predict *x, uint32_t block) {
  uint32_t callee = x->p->table->callee[block];
  return lanes_talk(x->p->table, block) || (callee != SR_NONE && x->talks[callee]);
}

static void add_up_function(Predict *x, uint32_t f) {
  const EmuFunctionBlocks *fn = &x->p->table->functions[f];
  for (uint32_t b = fn->first; b < fn->first + fn->count; b++) {
    x->call_cost[f] += cost_of(x, b);
    x->talks[f] |= talks_at(x, b);
    x->any_talk |= x->talks[f];
  }
}

/* ---- weights --------------------------------------------------------------------------------- */

static void weigh(Predict *x) {
  const SrNest *n = x->nest;
  uint64_t *cost = SR_NEW(x->p->arena, uint64_t, x->fn->count);
  for (uint32_t b = 0; b < x->fn->count; b++)
    cost[b] = cost_of(x, x->fn->first + b);
  x->arms = sr_arms_build(x->p->arena, x->fn->graph, n, x->dom, cost);
  x->talked = SR_NEW(x->p->arena, uint32_t, n->count + 1);
  for (uint32_t r = 0; r < n->count; r++)
    x->talked[r + 1] = x->talked[r] + talks_at(x, x->fn->first + n->order[r]);
}

static int64_t cycle_weight(const Predict *x, uint32_t cycle) {
  return sr_arms_cycle_weight(&x->arms, cycle);
}

static bool has_talk(const Predict *x, uint32_t cycle) {
  const SrCycle *c = &x->nest->cycles[cycle];
  return x->talked[c->last + 1] != x->talked[c->first];
}

static void propose(Predict *x, uint32_t cycle, uint32_t point, int64_t gain) {
  Guess *g = &x->best[cycle];
  if (gain > g->gain)
    *g = (Guess){gain, point};
}

/* ---- candidates ------------------------------------------------------------------------------ */

/* Considers the header of a branch's innermost cycle as the point, if the branch's lanes stay in
 * the cycle but need not meet in it. */
static void look_at_branch(Predict *x, uint32_t block) {
  const SrNest *n = x->nest;
  uint32_t cycle = n->inner[block], meet = x->back->idom[block];
  SrSpan to = SR_NO_SPAN;
  for (SR_SUCCS(t, x->fn->graph, block))
    sr_span_widen(&to, (SrSpan){n->rank[*t], n->rank[*t]});
  sr_span_widen(&x->exits[cycle], to);
  if (n->cycles[cycle].first <= to.low && to.high <= n->cycles[cycle].last &&
      (meet >= x->fn->count || !sr_cycle_has(n, cycle, meet)))
    propose(x, cycle, n->cycles[cycle].header, cycle_weight(x, cycle) / 2);
}

static void look_at_branches(Predict *x) {
  x->exits = sr_spans_new(x->p->arena, x->nest->cycle_count);
  for (uint32_t b = 0; b < x->fn->count; b++)
    if (x->nest->rank[b] != SR_NONE && x->nest->inner[b] != SR_NONE &&
        emu_barrier_may_diverge(x->p, x->fn->first + b))
      look_at_branch(x, b);
}

/* Considers the headers of cycles that lanes may leave apart as the points of the cycles around
 * them. */
static void look_at_inner_cycles(Predict *x) {
  for (uint32_t i = x->nest->cycle_count; i-- > 0;) {
    const SrCycle *c = &x->nest->cycles[i];
    const SrSpan *exits = &x->exits[i];
    if (c->parent == SR_NONE || (exits->low >= c->first && exits->high <= c->last))
      continue;
    int64_t own = cycle_weight(x, i), rest = cycle_weight(x, c->parent) - own;
    propose(x, c->parent, c->header, own - rest * 2 * SR_ARM_ITERATIONS);
    sr_span_widen(&x->exits[c->parent], *exits);
  }
}

static bool is_arm(const Predict *x, uint32_t block) {
  const SrGraph *g = x->fn->graph;
  uint32_t cycle = x->nest->inner[block];
  if (cycle == SR_NONE || sr_pred_count(g, block) != 1)
    return false;
  uint32_t from = g->pred[g->pred_at[block]];
  return sr_cycle_has(x->nest, cycle, from) && emu_barrier_may_diverge(x->p, x->fn->first + from) &&
         sr_arms_passed_by(&x->arms, cycle, block);
}

static void look_at_arms(Predict *x) {
  for (uint32_t b = 0; b < x->fn->count; b++)
    if (x->nest->rank[b] != SR_NONE && is_arm(x, b)) {
      uint32_t cycle = x->nest->inner[b];
      int64_t arm = x->arms.weight[b];
      propose(x, cycle, b, arm - 2 * (cycle_weight(x, cycle) - arm));
    }
}

/* ---- choice ---------------------------------------------------------------------------------- */

static void keep_point(Predict *x, uint32_t cycle) {
  x->any_point = true;
  const SrCycle *c = &x->nest->cycles[cycle];
  for (uint32_t r = c->first; r <= c->last; r++) {
    uint32_t block = x->fn->first + x->nest->order[r];
    x->p->meet[block] = x->fn->first + x->best[cycle].point;
    x->p->mixed[block] = true;
  }
}

/* Chooses points: a cycle has one if no cycle inside it gains more. */
static void choose(Predict *x) {
  const SrNest *n = x->nest;
  int64_t *within = SR_NEW(x->p->arena, int64_t, n->cycle_count);
  for (uint32_t c = n->cycle_count; c-- > 0;) {
    if (has_talk(x, c) || (n->cycles[c].entries > 1 && x->any_talk))
      x->best[c].gain = 0;
    uint32_t up = n->cycles[c].parent;
    int64_t most = within[c] > x->best[c].gain ? within[c] : x->best[c].gain;
    if (up != SR_NONE && within[up] < most)
      within[up] = most;
  }
  for (uint32_t c = 0, end = 0; c < n->cycle_count; c++)
    if (n->cycles[c].first >= end && x->best[c].gain > 0 && x->best[c].gain >= within[c]) {
      keep_point(x, c);
      end = n->cycles[c].last + 1;
    }
}

static void predict_function(Predict *x, uint32_t f) {
  SrArena *arena = x->p->arena;
  x->fn = &x->p->table->functions[f];
  x->nest = x->p->nest[f];
  if (!x->nest->cycle_count)
    return;
  x->dom = sr_dom_build(arena, x->fn->graph, 0);
  x->back = sr_dom_build(arena, emu_block_table_backwards(arena, x->p->table, x->fn), x->fn->count);
  x->best = SR_NEW(arena, Guess, x->nest->cycle_count);
  weigh(x);
  look_at_branches(x);
  look_at_inner_cycles(x);
  look_at_arms(x);
  choose(x);
}

/* Marks the functions that mixed blocks call, and those that they call. */
static void mix_callees(EmuBarrierPlan *p, const uint32_t *callers_first) {
  const EmuBlockTable *t = p->table;
  bool *called = SR_NEW(p->arena, bool, t->function_count);
  for (uint32_t i = 0; i < t->function_count; i++) {
    const EmuFunctionBlocks *fn = &t->functions[callers_first[i]];
    for (uint32_t b = fn->first; b < fn->first + fn->count; b++) {
      p->mixed[b] |= called[callers_first[i]];
      if (p->mixed[b] && t->callee[b] != SR_NONE)
        called[t->callee[b]] = true;
    }
  }
}

bool emu_barriers_predict(EmuBarrierPlan *p) {
  const EmuBlockTable *t = p->table;
  Predict x = {.p = p,
               .call_cost = SR_NEW(p->arena, uint64_t, t->function_count),
               .talks = SR_NEW(p->arena, bool, t->function_count)};
  const uint32_t *order = emu_barrier_callers_first(p);
  p->meet = sr_new_none(p->arena, t->count);
  p->mixed = SR_NEW(p->arena, bool, t->count);
  for (uint32_t i = t->function_count; i-- > 0;)
    add_up_function(&x, order[i]);
  for (uint32_t f = 0; f < t->function_count; f++)
    predict_function(&x, f);
  mix_callees(p, order);
  return x.any_point;
}
