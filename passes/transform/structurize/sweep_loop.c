/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_loop: see sweep_loop.h. */
#include "passes/transform/structurize/sweep_loop.h"

#include "passes/transform/structurize/sweep_continue.h"
#include "passes/transform/structurize/sweep_select.h"

#include <assert.h>

/* Is s->cur the merge of a loop that a switch inside breaks out of? SPIRV-Tools' validator (2023.1)
 * rejects such a break to a block that is both loop header and continue target, though SPIR-V's
 * rules allow it. */
static bool ends_loop_with_cases(const Sweep *s) {
  return s->cur.merge_of != SR_NONE && s->closed.at[s->cur.merge_of].cases_break;
}

/* The continue target is an entry, too: the dispatch sends its lanes there, where they wait for the
 * others of this iteration. It comes last in the cycle, so one test finds these lanes, and a test
 * that jumps to the continue target fits into the loop's header. Returns the targets of the other
 * lanes. */
static uint32_t enter_at_continue(Sweep *s, Frame *f, uint32_t entries) {
  const SrCycle *c = &s->nest->cycles[f->cycle];
  assert(s->nest->rank[f->natural] == c->last);
  uint32_t others = sr_sweep_split(s, entries, c->last - 1);
  block_at(s, f->header)->test = SR_TEST_GE;
  block_at(s, f->header)->low = c->last;
  f->conts = sr_sweep_point_of(s, f->header, 0, c->last, SR_NONE);
  s->cur = sr_sweep_point_of(s, f->header, 1, SR_NONE, SR_NONE);
  return others;
}

/* In portable structure one edge enters a loop, and its header is not the merge of another
 * construct. */
static void place_preheader(Sweep *s) {
  bool one_edge = s->cur.first == s->cur.last;
  if (exists(&s->cur) && !(one_edge && s->cur.merge_of == SR_NONE))
    s->cur = sr_sweep_pass_block(s, s->cur);
}

void sr_sweep_open_loop(Sweep *s, uint32_t cycle) {
  const SrCycle *c = &s->nest->cycles[cycle];
  bool dispatch = c->entries > 1;
  sr_sweep_arrive(s, c->first, c->last, dispatch);
  if (s->portable)
    place_preheader(s);
  uint32_t entries = s->cur.set;
  Frame f = {.kind = LOOP,
             .header = SR_NONE,
             .cycle = cycle,
             .dispatch = dispatch,
             .natural = sr_sweep_continue(s->g, s->nest, s->is_switch, cycle),
             .cont = SR_NONE,
             .latch = SR_NONE,
             .left_for = SR_NONE,
             .rest = NOWHERE,
             .done = NOWHERE,
             .breaks = NOWHERE,
             .conts = NOWHERE,
             .above = sr_ranks_new(&s->ranks),
             .below = sr_ranks_new(&s->ranks)};
  if (dispatch && f.natural == SR_NONE)
    f.natural = sr_sweep_only_latch(s->g, s->nest, s->is_switch, cycle);
  f.latch = f.natural;
  if (f.natural != SR_NONE)
    f.natural = sr_sweep_choose_continue(s, cycle, f.natural);
  if (dispatch || sr_sweep_needs_selection(s, cycle, c->header, f.natural)) {
    bool at_continue = f.natural != SR_NONE && sr_sweep_is_entry(s->g, s->nest, cycle, f.natural);
    f.header = sr_sweep_place(s, &s->cur, 1 + at_continue, SR_ROLE_HEADER, dispatch);
    block_at(s, f.header)->cycle = block_at(s, f.header)->loop = cycle;
    if (f.natural == c->header)
      f.natural = f.latch = SR_NONE;
    s->cur = sr_sweep_point_of(s, f.header, 0, dispatch ? SR_NONE : c->first, SR_NONE);
    if (at_continue)
      entries = enter_at_continue(s, &f, entries);
  } else if (f.natural == c->header && ends_loop_with_cases(s)) {
    uint32_t b = sr_sweep_place(s, &s->cur, 1, SR_ROLE_MERGE, false);
    s->cur = sr_sweep_point_of(s, b, 0, c->first, SR_NONE);
  }
  s->cur.set = entries;
  if (sr_ranks_min(&s->ranks, entries) != c->first) /* next iteration's header */
    sr_sweep_add_target(s, entries, c->first);
  if (f.header != SR_NONE && !sr_sweep_several_targets(s, entries))
    s->edge.at[s->cur.first].rank = c->first;
  SR_PUSH(&s->scratch, &s->loops, s->stack.count);
  SR_PUSH(&s->scratch, &s->stack, f);
}

/* In portable structure a branch with a condition, or an inner loop's exit, reaches a continue
 * target with phis through a block of its own, and the header of a selection any continue target
 * (drop_edge_block drops the blocks that are not needed). */
static void split_edges_to_conts(Sweep *s, const Frame *f) {
  if (!s->portable || f->conts.first == f->conts.last)
    return;
  for (uint32_t e = f->conts.first; e != SR_NONE; e = s->edge.at[e].next) {
    InEdge *in = &s->edge.at[e];
    const SrFlowBlock *from = block_at(s, in->block);
    if (in->block == f->header || (from->slot_count == 1 && !from->ends_loop))
      continue;
    uint32_t b = sr_sweep_new_block(s, SR_ROLE_EDGE, SR_NONE, 1);
    block_at(s, b)->loop = f->cycle;
    slot_at(s, in->block, in->slot)->to = b;
    in->block = b;
    in->slot = 0;
  }
}

static void close_continue(Sweep *s, Frame *f) {
  if (f->cont != SR_NONE)
    return;
  split_edges_to_conts(s, f);
  f->cont = sr_sweep_new_block(s, SR_ROLE_CONTINUE, SR_NONE, 1);
  block_at(s, f->cont)->loop = f->cycle;
  sr_sweep_patch(s, &f->conts, f->cont, false);
  const SrCycle *c = &s->nest->cycles[f->cycle];
  *slot_at(s, f->cont, 0) = (SrSlot){f->header, f->dispatch ? c->first : SR_NONE, SR_NONE};
}

void sr_sweep_reach_continue(Sweep *s) {
  Point entered = sr_sweep_solid(s, s->cur);
  s->cur = NOWHERE;
  sr_sweep_close_selections(s);
  Frame *f = innermost_loop(s);
  sr_sweep_add_in_edges(s, &f->conts, &entered);
  split_edges_to_conts(s, f);
}

/* The targets of the lanes that leave a loop, seen from the parent, the loop around it. */
typedef struct Exits {
  bool out, cont, forward;       /* a target is outside the parent; is its next iteration; is a
                                    block in it */
  uint32_t out_below, out_above; /* nearest ranks outside of the parent */
  uint32_t low, high;            /* of the targets in the parent */
  bool several;                  /* more than one target in all */
  uint32_t rank;                 /* one of the targets */
} Exits;

/* Sorts the targets of f's breaks. Those in the parent are removed; the forward ones among them go
 * into `forward`. Heaps keep this linear over deep nests: targets outside the parent are not
 * visited. */
static Exits sort_exits(Sweep *s, const Frame *f, const Frame *up, uint32_t forward) {
  SrRankSets *k = &s->ranks;
  const SrCycle *p = up ? &s->nest->cycles[up->cycle] : NULL;
  Exits x = {.low = SR_NONE};
  bool any_above = !sr_ranks_empty(k, f->above), any_below = !sr_ranks_empty(k, f->below);
  x.several = (any_above && any_below) || (any_above && sr_sweep_several_targets(s, f->above)) ||
              (any_below && sr_sweep_several_targets(s, f->below));
  x.rank = any_above ? sr_ranks_min(k, f->above) : any_below ? ~sr_ranks_min(k, f->below) : 0;
  while (!sr_ranks_empty(k, f->above)) {
    uint32_t r = sr_ranks_min(k, f->above);
    if (p && r > p->last)
      break;
    sr_ranks_drop(k, f->above, r);
    x.low = r < x.low ? r : x.low;
    x.high = r;
    bool natural = up && up->natural != SR_NONE && s->nest->rank[up->natural] == r;
    x.cont |= natural;
    x.forward |= !natural;
    if (!natural)
      sr_sweep_add_target(s, forward, r);
  }
  if (p && !sr_ranks_empty(k, f->below) && ~sr_ranks_min(k, f->below) == p->first) {
    sr_ranks_drop(k, f->below, ~p->first);
    x.cont = true;
    x.low = p->first;
    x.high = x.forward ? x.high : p->first;
  }
  x.out = !sr_ranks_empty(k, f->above) || !sr_ranks_empty(k, f->below);
  x.out_above = sr_ranks_empty(k, f->above) ? SR_NONE : sr_ranks_min(k, f->above);
  x.out_below = sr_ranks_empty(k, f->below) ? SR_NONE : ~sr_ranks_min(k, f->below);
  return x;
}

/* The lanes that a test splits from the others, at one of its edges. */
typedef struct Split {
  Point jump, rest;
} Split;

/* Splits the flow after a loop's merge. Lanes for which the test holds will jump. */
static Split split_off(Sweep *s, Point edge, SrTest test, uint32_t low, uint32_t high) {
  InEdge in = s->edge.at[edge.first];
  uint32_t b = in.block;
  if (block_at(s, b)->test != SR_TEST_NONE) {
    b = sr_sweep_place(s, &edge, 1, SR_ROLE_TEST, false);
  }
  SR_PUSH(s->arena, &s->flow->slot, (SrSlot){SR_NONE, SR_NONE, SR_NONE});
  SR_PUSH(s->arena, &s->flow->slot, (SrSlot){SR_NONE, SR_NONE, SR_NONE});
  SrFlowBlock *at = block_at(s, b);
  at->slot = s->flow->slot.count - 2;
  at->slot_count = 2;
  at->test = test;
  at->low = low;
  at->high = high;
  return (Split){sr_sweep_point_of(s, b, 0, SR_NONE, SR_NONE),
                 sr_sweep_point_of(s, b, 1, SR_NONE, SR_NONE)};
}

/* In portable structure the test whose edge p is becomes a selection, and the next block is its
 * merge. */
static void make_selection(Sweep *s, Point *p, bool to_switch) {
  if (s->portable)
    p->merge_of = sr_sweep_note_selection(s, s->edge.at[p->first].block, to_switch);
}

/* Lanes with a target outside the parent leave the parent, too. Returns the edge of the others. */
static Point split_out(Sweep *s, Point edge, const Exits *x) {
  bool above = x->out_above != SR_NONE, below = x->out_below != SR_NONE;
  Split split = !above   ? split_off(s, edge, SR_TEST_LE, x->out_below, 0)
                : !below ? split_off(s, edge, SR_TEST_GE, x->out_above, 0)
                         : split_off(s, edge, SR_TEST_OUTSIDE, x->low, x->high);
  sr_sweep_break(s, &split.jump, above, below);
  if (!directly_in_loop(s))
    make_selection(s, &split.rest, in_switch(s));
  return split.rest;
}

/* Lanes with one of the targets start the parent's next iteration. Returns the edge of the
 * others. */
static Point split_cont(Sweep *s, Point edge, const Exits *x, Frame *up) {
  bool first = x->low == s->nest->cycles[up->cycle].first;
  Split split = split_off(s, edge, first ? SR_TEST_LE : SR_TEST_GE, first ? x->low : x->high, 0);
  sr_sweep_add_in_edges(s, &up->conts, &split.jump);
  make_selection(s, &split.rest, false);
  return split.rest;
}

/* After the merge of a loop, sorts the lanes into those that leave the parent, too, those that
 * start the parent's next iteration, and cur. */
static void leave_loop(Sweep *s, const Frame *f, Frame *up) {
  uint32_t forward = sr_ranks_new(&s->ranks);
  Point breaks = f->breaks;
  breaks.merge_of = sr_sweep_note_closed(s, f);
  Exits x = sort_exits(s, f, up, forward);
  breaks.set = forward;
  s->cur = NOWHERE;
  if (!x.out && !x.cont) {
    s->cur = breaks;
    return;
  }
  assert(up); /* only a parent can be left or repeated */
  uint32_t m = sr_sweep_place(s, &breaks, 1, SR_ROLE_MERGE, x.several);
  Point edge = sr_sweep_point_of(s, m, 0, x.several ? SR_NONE : x.rank, SR_NONE);
  if (x.out && (x.cont || x.forward))
    edge = split_out(s, edge, &x);
  else if (x.out)
    sr_sweep_break(s, &edge, x.out_above != SR_NONE, x.out_below != SR_NONE);
  up->above = sr_ranks_join(&s->ranks, up->above, f->above);
  up->below = sr_ranks_join(&s->ranks, up->below, f->below);
  if (x.cont && x.forward) {
    edge = split_cont(s, edge, &x, up);
  } else if (x.cont) {
    if (s->portable && x.out) { /* break, else continue */
      uint32_t b = sr_sweep_place(s, &edge, 1, SR_ROLE_MERGE, false);
      edge = sr_sweep_point_of(s, b, 0, SR_NONE, SR_NONE);
    }
    sr_sweep_add_in_edges(s, &up->conts, &edge);
  }
  if (x.forward) {
    edge.set = forward;
    s->cur = edge;
  }
}

void sr_sweep_close_loop(Sweep *s) {
  sr_sweep_close_selections(s);
  assert(directly_in_loop(s) && !exists(&s->cur));
  Frame f = SR_POP(&s->stack);
  s->loops.count--;
  close_continue(s, &f);
  if (!exists(&f.breaks)) { /* an endless loop */
    Point dead = {.merge_of = sr_sweep_note_closed(s, &f)};
    sr_sweep_set_merge(s, &dead, sr_sweep_new_block(s, SR_ROLE_DEAD, SR_NONE, 0));
    return;
  }
  leave_loop(s, &f, innermost_loop(s));
}
