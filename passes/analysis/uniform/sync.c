/* SPDX-License-Identifier: Apache-2.0 */
/* sync: see sync.h. One *run* floods labels from the targets of one branch, or of one uneven cycle,
 * inside the innermost cycle around it (its level). A mark counts only if its `stamp` is the number
 * of the current run. Invariant of a run: `alive` is the number of labels on waiting blocks, at the
 * level's header or at the return. */
#include "passes/analysis/uniform/sync.h"
#include "passes/analysis/graph/dom.h"
#include "passes/base/vec.h"

/* Limit the steps of all runs together; BUDGET alone is enough for small functions. */
enum { BUDGET = 1 << 18, BUDGET_PER_EDGE = 32 };

struct SrSync {
  SrArena *arena;
  const SrGraph *g;
  const SrNest *nest;
  const SrBits *returns;
  const SrDom *pdom;       /* built at its first use */
  SrBits *joined, *split;  /* by block */
  SrBits *uneven, *drifts; /* by cycle */
  bool return_joined, gave_up;
  uint64_t budget;
  SR_VEC(SrSyncEvent) events;
  uint32_t told;
  SR_VEC(uint32_t) cycles; /* uneven ones whose exits are still to be flooded */
  /* State of one run: */
  uint32_t run, level, alive;
  uint32_t *stamp, *label;             /* by block; index g->count: the return */
  uint32_t *label_stamp, *standing;    /* standing, by label: number of blocks where it waits */
  uint32_t header_label;               /* label that reached the level's header, or SR_NONE */
  uint32_t *entry_stamp, *entry_label; /* by irreducible cycle: the label that entered it */
  uint32_t *loose_stamp;               /* by cycle: set if the run has reached all its blocks */
  uint32_t *heap, heap_count;          /* ranks of waiting blocks */
  bool tangled;                        /* two labels entered one irreducible cycle */
};

SrSync *sr_sync_new(SrArena *arena, const SrGraph *g, const SrNest *nest, const SrBits *returns) {
  SrSync *s = SR_NEW(arena, SrSync, 1);
  uint32_t n = g->count;
  s->arena = arena;
  s->g = g;
  s->nest = nest;
  s->returns = returns;
  s->joined = sr_bits_new(arena, n);
  s->split = sr_bits_new(arena, n);
  s->uneven = sr_bits_new(arena, nest->cycle_count);
  s->drifts = sr_bits_new(arena, nest->cycle_count);
  s->budget = BUDGET + (uint64_t)BUDGET_PER_EDGE * (n + g->succ_at[n]);
  s->stamp = SR_NEW(arena, uint32_t, n + 1);
  s->label = SR_NEW(arena, uint32_t, n + 1);
  s->label_stamp = SR_NEW(arena, uint32_t, n + 1);
  s->standing = SR_NEW(arena, uint32_t, n + 1);
  s->entry_stamp = SR_NEW(arena, uint32_t, nest->cycle_count);
  s->entry_label = SR_NEW(arena, uint32_t, nest->cycle_count);
  s->loose_stamp = SR_NEW(arena, uint32_t, nest->cycle_count);
  s->heap = SR_NEW_RAW(arena, uint32_t, n + 1);
  return s;
}

/* ---- conclusions ---- */

static void tell(SrSync *s, SrBits *known, SrSyncKind kind, uint32_t index) {
  if (sr_bit(known, index))
    return;
  sr_bit_set(known, index);
  SR_PUSH(s->arena, &s->events, (SrSyncEvent){kind, index});
}

static void conclude_join(SrSync *s, uint32_t block) {
  tell(s, s->joined, SR_SYNC_JOIN, block);
}

static void conclude_split(SrSync *s, uint32_t block) {
  tell(s, s->split, SR_SYNC_SPLIT, block);
}

static void conclude_return(SrSync *s) {
  if (!s->return_joined)
    SR_PUSH(s->arena, &s->events, (SrSyncEvent){SR_SYNC_RETURN, 0});
  s->return_joined = true;
}

/* Charges the steps of a walk over the cycle's blocks to the budget. */
static void pay_for_cycle(SrSync *s, const SrCycle *c) {
  uint32_t size = c->last - c->first + 1;
  s->budget = s->budget > size ? s->budget - size : 0;
}

static void conclude_drift(SrSync *s, uint32_t cycle) {
  const SrCycle *c = &s->nest->cycles[cycle];
  if (sr_bit(s->drifts, cycle))
    return;
  sr_bit_set(s->drifts, cycle);
  conclude_join(s, c->header);
  if (c->parent != SR_NONE && sr_bit(s->drifts, c->parent))
    return; /* all of them are split already */
  pay_for_cycle(s, c);
  for (uint32_t r = c->first; r <= c->last; r++)
    conclude_split(s, s->nest->order[r]);
}

static void conclude_uneven(SrSync *s, uint32_t cycle) {
  if (sr_bit(s->uneven, cycle))
    return;
  tell(s, s->uneven, SR_SYNC_UNEVEN, cycle);
  pay_for_cycle(s, &s->nest->cycles[cycle]);
  SR_PUSH(s->arena, &s->cycles, cycle);
}

/* The budget is used up: reports SR_SYNC_ALL. */
static void give_up(SrSync *s) {
  if (s->gave_up)
    return;
  s->gave_up = true;
  s->told = s->events.count;
  SR_PUSH(s->arena, &s->events, (SrSyncEvent){SR_SYNC_ALL, 0});
}

/* ---- labels ---- */

static void label_stands(SrSync *s, uint32_t label) {
  if (s->label_stamp[label] != s->run) {
    s->label_stamp[label] = s->run;
    s->standing[label] = 0;
  }
  s->alive += s->standing[label]++ == 0;
}

static void label_leaves(SrSync *s, uint32_t label) {
  s->alive -= --s->standing[label] == 0;
}

static void heap_push(SrSync *s, uint32_t rank) {
  uint32_t i = s->heap_count++;
  for (; i && s->heap[(i - 1) / 2] > rank; i = (i - 1) / 2)
    s->heap[i] = s->heap[(i - 1) / 2];
  s->heap[i] = rank;
}

static uint32_t heap_pop(SrSync *s) {
  uint32_t top = s->heap[0], last = s->heap[--s->heap_count], i = 0;
  for (uint32_t k; (k = 2 * i + 1) < s->heap_count; i = k) {
    if (k + 1 < s->heap_count && s->heap[k + 1] < s->heap[k])
      k++;
    if (s->heap[k] >= last)
      break;
    s->heap[i] = s->heap[k];
  }
  s->heap[i] = last;
  return top;
}

/* A label reaches a block or the return. Returns whether it is the first that does. */
static bool arrive(SrSync *s, uint32_t at, uint32_t label, bool *met) {
  *met = false;
  if (s->stamp[at] != s->run) {
    s->stamp[at] = s->run;
    s->label[at] = label;
    label_stands(s, label);
    return true;
  }
  if (s->label[at] != label && s->label[at] != at) {
    label_stands(s, at);
    label_leaves(s, s->label[at]);
    s->label[at] = at;
  }
  *met = s->label[at] != label;
  return false;
}

static void reach_header(SrSync *s, uint32_t label) {
  if (s->header_label == SR_NONE) {
    s->header_label = label;
    label_stands(s, label);
  } else if (s->header_label != label)
    conclude_drift(s, s->level);
}

static bool level_has(const SrSync *s, uint32_t block) {
  return s->level == SR_NONE || sr_cycle_has(s->nest, s->level, block);
}

/* A label reaches a block on a forward path. */
static void reach(SrSync *s, uint32_t to, uint32_t label) {
  bool met;
  if (arrive(s, to, label, &met))
    heap_push(s, s->nest->rank[to]);
  if (met)
    conclude_join(s, to);
}

/* Handles an edge that enters cycles. If it enters an irreducible cycle at a block other than its
 * header, the label is carried around to the header, and to the blocks between. If two labels enter
 * one irreducible cycle, the run no longer distinguishes labels (flood_tangle). */
static void enter_cycles(SrSync *s, uint32_t from, uint32_t to, uint32_t label) {
  const SrNest *n = s->nest;
  for (uint32_t c = n->inner[to]; c != s->level && !sr_cycle_has(n, c, from);
       c = n->cycles[c].parent) {
    s->budget -= s->budget > 0;
    if (n->cycles[c].entries < 2)
      continue;
    if (s->entry_stamp[c] == s->run && s->entry_label[c] != label)
      s->tangled = true;
    s->entry_stamp[c] = s->run;
    s->entry_label[c] = label;
    if (n->cycles[c].header != to)
      reach(s, n->cycles[c].header, label);
  }
}

static void flow(SrSync *s, uint32_t from, uint32_t to, uint32_t label) {
  const SrNest *n = s->nest;
  s->budget -= s->budget > 0;
  if (!level_has(s, to)) {
    conclude_uneven(s, s->level);
    return;
  }
  if (n->rank[to] <= n->rank[from]) {
    if (s->level != SR_NONE && to == n->cycles[s->level].header)
      reach_header(s, label);
    return; /* else: around an inner cycle, with the same label */
  }
  enter_cycles(s, from, to, label);
  reach(s, to, label);
}

static void flow_return(SrSync *s, uint32_t label) {
  bool met;
  arrive(s, s->g->count, label, &met);
  if (met)
    conclude_return(s);
}

/* ---- runs ---- */

static void begin_run(SrSync *s, uint32_t level) {
  s->run++;
  s->level = level;
  s->alive = 0;
  s->heap_count = 0;
  s->header_label = SR_NONE;
  s->tangled = false;
}

/* Lanes diverge in an irreducible cycle: concludes that it drifts and is uneven, since every label
 * may reach every block of it. */
static void loosen_cycle(SrSync *s, uint32_t cycle) {
  const SrCycle *c = &s->nest->cycles[cycle];
  s->entry_stamp[cycle] = s->run;
  conclude_drift(s, cycle);
  conclude_uneven(s, cycle);
  s->loose_stamp[cycle] = s->run;
  if (c->parent != SR_NONE && s->loose_stamp[c->parent] == s->run)
    return;
  pay_for_cycle(s, c);
  for (uint32_t r = c->first; r <= c->last; r++)
    s->stamp[s->nest->order[r]] = s->run;
}

static void flood_edge(SrSync *s, uint32_t from, uint32_t to) {
  const SrNest *n = s->nest;
  if (!level_has(s, to)) {
    conclude_uneven(s, s->level);
  } else if (n->rank[to] <= n->rank[from]) {
    if (s->level != SR_NONE && to == n->cycles[s->level].header)
      conclude_drift(s, s->level);
  } else {
    s->stamp[to] = s->run;
    for (uint32_t c = n->inner[to]; c != s->level && !sr_cycle_has(n, c, from);
         c = n->cycles[c].parent) {
      s->budget -= s->budget > 0;
      if (n->cycles[c].entries > 1 && s->entry_stamp[c] != s->run && s->budget)
        loosen_cycle(s, c);
    }
  }
}

/* Labels are no longer distinguished, since lanes with any label may come on any path: everything
 * that the run can still reach at its level is split and a join. */
static void flood_tangle(SrSync *s) {
  for (uint32_t c = 0; c < s->nest->cycle_count && s->budget; c++)
    if (s->nest->cycles[c].entries > 1 && s->entry_stamp[c] == s->run)
      loosen_cycle(s, c);
  for (uint32_t r = 0; r < s->nest->count && s->budget; r++) {
    uint32_t b = s->nest->order[r];
    s->budget--;
    if (s->stamp[b] != s->run)
      continue;
    conclude_split(s, b);
    conclude_join(s, b);
    for (SR_SUCCS(t, s->g, b))
      flood_edge(s, b, *t);
    if (s->returns && sr_bit(s->returns, b))
      conclude_return(s);
  }
}

static void finish_run(SrSync *s) {
  while (s->alive > 1 && s->heap_count && s->budget && !s->tangled) {
    uint32_t b = s->nest->order[heap_pop(s)], label = s->label[b];
    conclude_split(s, b);
    for (SR_SUCCS(t, s->g, b))
      flow(s, b, *t, label);
    if (s->returns && sr_bit(s->returns, b))
      flow_return(s, label);
    label_leaves(s, label);
  }
  if (s->tangled)
    flood_tangle(s);
}

/* Lanes that leave a cycle for the header of an outer cycle run ahead of the lanes that are still
 * inside, and meet them at that header: concludes that the cycles up to the outer one drift. */
static void overtake(SrSync *s, uint32_t cycle, uint32_t header) {
  const SrNest *n = s->nest;
  for (uint32_t c = cycle; c != SR_NONE; c = n->cycles[c].parent) {
    conclude_drift(s, c);
    if (n->cycles[c].header == header)
      return;
  }
}

/* At the level of its parent, the exits of an uneven cycle are one branch. If two exits lead to one
 * block, it is a join, because a path inside the cycle does not show where lanes of other
 * iterations went. */
static void run_cycle(SrSync *s, uint32_t cycle) {
  const SrCycle *c = &s->nest->cycles[cycle];
  begin_run(s, c->parent);
  for (uint32_t r = c->first; r <= c->last && s->budget; r++) {
    uint32_t b = s->nest->order[r];
    s->budget--;
    for (SR_SUCCS(t, s->g, b)) {
      if (sr_cycle_has(s->nest, cycle, *t))
        continue;
      if (s->stamp[*t] == s->run)
        conclude_join(s, *t);
      flow(s, b, *t, *t);
      if (s->nest->rank[*t] < c->first)
        overtake(s, cycle, *t);
    }
  }
  finish_run(s);
}

static void run_cycles(SrSync *s) {
  while (s->cycles.count && !s->gave_up) {
    run_cycle(s, SR_POP(&s->cycles));
    if (!s->budget)
      give_up(s);
  }
}

/* Do the cycle and all around it drift? */
static bool all_drift(SrSync *s, uint32_t cycle) {
  for (; cycle != SR_NONE && sr_bit(s->drifts, cycle); cycle = s->nest->cycles[cycle].parent)
    s->budget -= s->budget > 0;
  return cycle == SR_NONE;
}

/* Handles lanes that miss a post-dominator. If lanes reconverge at immediate post-dominators, those
 * of this branch wait at `p`. Some may reach it in a later iteration than others, if the branch
 * leads to the header of a cycle around p (its own or an outer one) on a path that avoids p. */
static void miss_post_dominator(SrSync *s, uint32_t block) {
  const SrNest *n = s->nest;
  if (!s->pdom)
    s->pdom = sr_dom_build(s->arena, sr_graph_reverse_with_exit(s->arena, s->g), s->g->count);
  uint32_t p = s->pdom->idom[block], count = 0;
  if (p == s->g->count || n->rank[p] == SR_NONE || all_drift(s, n->inner[p]))
    return;
  s->run++;
  s->stamp[p] = s->run;
  s->heap[count++] = block;
  while (count && s->budget) {
    uint32_t b = s->heap[--count]; /* as a stack */
    for (SR_SUCCS(t, s->g, b)) {
      s->budget -= s->budget > 0;
      if (s->stamp[*t] == s->run)
        continue;
      s->stamp[*t] = s->run;
      s->heap[count++] = *t;
    }
  }
  for (uint32_t c = n->inner[p], inside = c; c != SR_NONE; c = n->cycles[c].parent) {
    if (n->cycles[c].header == p || s->stamp[n->cycles[c].header] != s->run)
      continue;
    conclude_join(s, p);
    for (;; inside = n->cycles[inside].parent) {
      conclude_drift(s, inside);
      if (inside == c)
        break;
    }
  }
}

void sr_sync_branch(SrSync *s, uint32_t block) {
  if (s->nest->rank[block] == SR_NONE || s->gave_up || sr_succ_count(s->g, block) < 2)
    return;
  begin_run(s, s->nest->inner[block]);
  for (SR_SUCCS(t, s->g, block))
    flow(s, block, *t, *t);
  finish_run(s);
  miss_post_dominator(s, block);
  if (!s->budget)
    give_up(s);
  run_cycles(s);
}

void sr_sync_split_all(SrSync *s) {
  if (s->gave_up)
    return;
  for (uint32_t r = 0; r < s->nest->count; r++)
    conclude_split(s, s->nest->order[r]);
}

bool sr_sync_next(SrSync *s, SrSyncEvent *event) {
  if (s->told == s->events.count)
    return false;
  *event = s->events.at[s->told++];
  return true;
}
