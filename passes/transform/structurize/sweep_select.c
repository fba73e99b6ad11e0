/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_select: see sweep_select.h. */
#include "transform/structurize/sweep_select.h"

#include "base/sort.h"

/* ---- closing frames ---- */

/* The arms of a switch that are not begun, as one point. */
static Point open_arms(Sweep *s, const Frame *f) {
  Point p = f->rest;
  for (uint32_t a = f->arm; a < f->arm_end; a++) {
    Point arm = sr_sweep_point_of(s, f->header, s->arms.at[a].slot, s->arms.at[a].rank, SR_NONE);
    sr_sweep_add_in_edges(s, &p, &arm);
  }
  return p;
}

/* Does the top frame need no merge block of its own if its lanes meet in the merge of the frame
 * below it? A branch that is not a header may have one edge to the merge of the innermost selection
 * around it (SPIR-V 2.11.1), so all but one of its arms must be edges that lead there. */
static bool needs_no_merge(const Sweep *s) {
  const Frame *f = &SR_LAST(&s->stack);
  return f->kind == SELECTION && !exists(&f->done);
}

/* Pops the top frame, a selection or switch: cur, the arms that have ended and those not begun meet
 * in its merge, or, with `dissolve`, in that of the frame below. */
static void close_selection(Sweep *s, bool dissolve) {
  Point parts[3] = {sr_sweep_solid(s, s->cur), NOWHERE, NOWHERE};
  Frame f = SR_POP(&s->stack);
  assert(f.kind != LOOP);
  s->switches.count -= f.kind == SWITCH;
  parts[1] = f.done;
  parts[2] = f.kind == SWITCH ? open_arms(s, &f) : f.rest;
  Point met = NOWHERE;
  for (int i = 0; i < 3; i++) {
    if (!exists(&parts[i]))
      continue;
    sr_sweep_add_in_edges(s, &met, &parts[i]);
    met.set = sr_ranks_join(&s->ranks, met.set, parts[i].set);
  }
  sr_sweep_hold(s, met.set, SR_NONE);
  met.merge_of = dissolve ? SR_NONE : sr_sweep_note_closed(s, &f);
  s->cur = met;
}

static uint32_t loop_base(const Sweep *s) {
  return s->loops.count ? SR_LAST(&s->loops) + 1 : 0;
}

/* The lowest frame of this loop that holds a lane with that target, else the height of the stack.
 * (A frame around the loop may have held one that has since entered the loop.) */
static uint32_t lowest_holder(Sweep *s, uint32_t rank) {
  uint32_t lowest = s->stack.count, base = loop_base(s);
  for (uint32_t p = s->pend[rank]; p != SR_NONE; p = s->pending.at[p].next) {
    uint32_t frame = s->ranks.set.at[sr_ranks_find(&s->ranks, s->pending.at[p].set)].frame;
    if (frame != SR_NONE && frame >= base && frame < lowest)
      lowest = frame;
  }
  s->pend[rank] = SR_NONE;
  return lowest;
}

static bool wants_up_to(const Sweep *s, const Point *p, uint32_t rank) {
  return exists(p) && p->set != SR_NONE && !sr_ranks_empty(&s->ranks, p->set) &&
         sr_ranks_min(&s->ranks, p->set) <= rank;
}

/* The same for any rank up to `last`; blocks before the ranks in question have been placed. */
static uint32_t lowest_holder_up_to(const Sweep *s, uint32_t last) {
  for (uint32_t f = loop_base(s); f < s->stack.count; f++) {
    const Frame *frame = &s->stack.at[f];
    bool arms =
        frame->kind == SWITCH && frame->arm < frame->arm_end && s->arms.at[frame->arm].rank <= last;
    if (arms || wants_up_to(s, &frame->rest, last) || wants_up_to(s, &frame->done, last))
      return f;
  }
  return s->stack.count;
}

uint32_t sr_sweep_split(Sweep *s, uint32_t set, uint32_t last) {
  uint32_t low = sr_ranks_new(&s->ranks);
  while (!sr_ranks_empty(&s->ranks, set) && sr_ranks_min(&s->ranks, set) <= last) {
    uint32_t rank = sr_ranks_min(&s->ranks, set);
    sr_ranks_drop(&s->ranks, set, rank);
    sr_sweep_add_target(s, low, rank);
  }
  return low;
}

/* If the top frame is a selection whose second arm is a..b alone, and the first arm has ended with
 * later targets only: begins the second arm, so that if/else is kept. */
static bool take_else(Sweep *s, uint32_t a, uint32_t b) {
  Frame *f = &SR_LAST(&s->stack);
  if (f->kind != SELECTION || exists(&f->done) || !exists(&s->cur) ||
      sr_ranks_min(&s->ranks, s->cur.set) <= b || sr_ranks_min(&s->ranks, f->rest.set) < a ||
      sr_ranks_max(&s->ranks, f->rest.set) > b)
    return false;
  Point done = sr_sweep_solid(s, s->cur);
  f = &SR_LAST(&s->stack);
  f->done = done;
  sr_sweep_hold(s, done.set, s->stack.count - 1);
  s->cur = f->rest;
  f->rest = NOWHERE;
  sr_sweep_hold(s, s->cur.set, SR_NONE);
  return true;
}

/* ---- arms that end with several targets ---- */

/* Do the lanes of cur have targets up to `last` and later ones, each lane by an edge of its own; or
 * do they meet in a merge block, which can end in a test? */
static bool can_part(const Sweep *s, uint32_t last) {
  const Point *p = &s->cur;
  if (!exists(p) || sr_ranks_min(&s->ranks, p->set) > last ||
      sr_ranks_max(&s->ranks, p->set) <= last)
    return false;
  if (p->merge_of != SR_NONE)
    return true;
  for (uint32_t e = p->first; e != SR_NONE; e = s->edge.at[e].next)
    if (s->edge.at[e].slot != BOTH && s->edge.at[e].rank == SR_NONE)
      return false;
  return true;
}

/* The only rank of a set, or SR_NONE: sel holds it. */
static uint32_t only_rank(const Sweep *s, uint32_t set) {
  return sr_sweep_several_targets(s, set) ? SR_NONE : sr_ranks_min(&s->ranks, set);
}

static void add_edge(Sweep *s, Point *to, uint32_t block, uint32_t slot, uint32_t rank) {
  Point edge = sr_sweep_point_of(s, block, slot, rank, SR_NONE);
  sr_sweep_add_in_edges(s, to, &edge);
}

/* Parts the edges of cur (can_part) by their targets: those up to `last` go to `low`, the others to
 * `high`. Each edge is parted at most once: afterwards it waits for a block or a merge. */
static void part(Sweep *s, uint32_t last, Point *low, Point *high) {
  Point p = s->cur;
  uint32_t below = sr_sweep_split(s, p.set, last);
  s->cur = NOWHERE;
  if (p.merge_of != SR_NONE) {
    uint32_t t = sr_sweep_place(s, &p, 2, SR_ROLE_TEST, true);
    block_at(s, t)->test = SR_TEST_LE;
    block_at(s, t)->low = last;
    add_edge(s, low, t, 0, only_rank(s, below));
    add_edge(s, high, t, 1, only_rank(s, p.set));
  } else {
    for (uint32_t e = p.first, next; e != SR_NONE; e = next) {
      InEdge in = s->edge.at[e];
      next = in.next;
      uint32_t user = block_at(s, in.block)->user;
      for (uint32_t i = 0; i < (in.slot == BOTH ? 2 : 1); i++) {
        uint32_t rank = in.slot == BOTH ? rank_of(s, user, i) : in.rank;
        add_edge(s, rank <= last ? low : high, in.block, in.slot == BOTH ? i : in.slot, rank);
      }
    }
  }
  low->set = sr_ranks_join(&s->ranks, low->set, below);
  high->set = sr_ranks_join(&s->ranks, high->set, p.set);
}

/* Begins the arm of the top frame, a switch, at `entry`. cur has ended the arm before: its lanes
 * with targets up to `last` fall through into this arm, the others wait for the switch's merge. */
static void begin_arm(Sweep *s, uint32_t last, Point entry) {
  Point done = SR_LAST(&s->stack).done;
  if (exists(&s->cur) && sr_ranks_max(&s->ranks, s->cur.set) <= last) {
    Point ended = sr_sweep_solid(s, s->cur);
    sr_sweep_add_in_edges(s, &entry, &ended);
  } else if (exists(&s->cur) && sr_ranks_min(&s->ranks, s->cur.set) > last) {
    Point ended = sr_sweep_solid(s, s->cur);
    sr_sweep_add_in_edges(s, &done, &ended);
    done.set = sr_ranks_join(&s->ranks, done.set, ended.set);
  } else if (exists(&s->cur)) {
    part(s, last, &entry, &done);
  }
  SR_LAST(&s->stack).done = done;
  sr_sweep_hold(s, done.set, s->stack.count - 1);
  sr_sweep_hold(s, entry.set, SR_NONE);
  s->cur = entry;
}

/* If the top frame is a switch: begins the arm of a..b, if it can be one. */
static bool take_arm(Sweep *s, uint32_t a, uint32_t b, bool dispatch) {
  Frame *f = &SR_LAST(&s->stack);
  if (f->kind != SWITCH || f->arm == f->arm_end)
    return false;
  Arm arm = s->arms.at[f->arm];
  bool last = f->arm + 1 == f->arm_end;
  bool only = arm.rank >= a && arm.rank <= b && (last || s->arms.at[f->arm + 1].rank > b);
  bool ended_targets = exists(&f->done) && sr_ranks_min(&s->ranks, f->done.set) <= b;
  bool flows = exists(&s->cur) && sr_ranks_min(&s->ranks, s->cur.set) > b;
  bool falls = exists(&s->cur) && !dispatch && sr_ranks_min(&s->ranks, s->cur.set) == arm.rank &&
               sr_ranks_max(&s->ranks, s->cur.set) == arm.rank;
  bool parts = !dispatch && can_part(s, b);
  if (!only || ended_targets || (exists(&s->cur) && !flows && !falls && !parts))
    return false;
  if (last && !exists(&f->done) && !flows && !parts)
    return false; /* nothing would be left to merge: the arm itself becomes the merge block */
  slot_at(s, f->header, arm.slot)->arm = f->begun++;
  f->arm++;
  uint32_t set = sr_sweep_split(s, f->rest.set, b);
  begin_arm(s, b, sr_sweep_point_of(s, f->header, arm.slot, arm.rank, set));
  return true;
}

/* If the top frame is a selection whose second arm is a..b alone, and the first arm has ended with
 * that target and later ones: makes it a switch of two arms, the first of which falls through into
 * the second or goes to the merge. Otherwise a guard would be needed. */
static bool take_second_arm(Sweep *s, uint32_t a, uint32_t b, bool dispatch) {
  Frame *f = &SR_LAST(&s->stack);
  if (f->kind != SELECTION || dispatch || exists(&f->done) ||
      sr_ranks_min(&s->ranks, f->rest.set) < a || sr_ranks_max(&s->ranks, f->rest.set) > b ||
      !can_part(s, b))
    return false;
  InEdge in = s->edge.at[f->rest.first];
  assert(in.rank != SR_NONE && in.next == SR_NONE);
  SrFlowBlock *h = block_at(s, f->header);
  h->two_way_switch = true;
  h->high = in.rank;
  slot_at(s, f->header, 1 - in.slot)->arm = 0;
  slot_at(s, f->header, in.slot)->arm = 1;
  Point entry = f->rest;
  f->kind = SWITCH;
  f->begun = 2;
  f->rest = NOWHERE;
  if (s->loops.count && s->break_count != f->breaks_before)
    s->stack.at[SR_LAST(&s->loops)].cases_break = true;
  SR_PUSH(&s->scratch, &s->switches, s->stack.count - 1);
  begin_arm(s, b, entry);
  return true;
}

/* ---- arriving at an item ---- */

/* Pushes the selection that admits only lanes with targets in a..b: at the user block's own branch
 * if that is still undecided, else at a guard. */
static void push_selection(Sweep *s, uint32_t a, uint32_t b) {
  const InEdge in = s->edge.at[s->cur.first];
  bool undecided = s->cur.first == s->cur.last && in.slot == BOTH && s->cur.merge_of == SR_NONE;
  Frame f = {.kind = SELECTION, .rest = NOWHERE, .done = NOWHERE, .breaks_before = s->break_count};
  uint32_t set = s->cur.set, inside = sr_sweep_split(s, set, b);
  if (undecided) {
    uint32_t user = block_at(s, in.block)->user;
    uint32_t then = rank_of(s, user, 0), rest = rank_of(s, user, 1), slot = 0;
    if (then < a || then > b) {
      uint32_t t = then;
      then = rest;
      rest = t;
      slot = 1;
    }
    f.header = in.block;
    f.rest = sr_sweep_point_of(s, in.block, 1 - slot, rest, set);
    s->cur = sr_sweep_point_of(s, in.block, slot, then, inside);
  } else {
    uint32_t guard = sr_sweep_place(s, &s->cur, 2, SR_ROLE_GUARD, true);
    block_at(s, guard)->test = SR_TEST_LE;
    block_at(s, guard)->low = b;
    f.header = guard;
    f.rest = sr_sweep_point_of(s, guard, 1, only_rank(s, set), set);
    s->cur = sr_sweep_point_of(s, guard, 0, only_rank(s, inside), inside);
  }
  sr_sweep_hold(s, set, s->stack.count);
  SR_PUSH(&s->scratch, &s->stack, f);
}

void sr_sweep_arrive(Sweep *s, uint32_t a, uint32_t b, bool dispatch) {
  uint32_t d = dispatch ? lowest_holder_up_to(s, b) : lowest_holder(s, a);
  if (s->stack.count > s->depth_limit && d > loop_base(s))
    d = loop_base(s);
  while (s->stack.count > d) {
    if (s->stack.count - 1 == d) {
      if (take_arm(s, a, b, dispatch))
        return;
      if (take_else(s, a, b))
        break;
      if (take_second_arm(s, a, b, dispatch))
        return;
    }
    close_selection(s, s->stack.count - 1 > d && needs_no_merge(s));
  }
  assert(exists(&s->cur) && sr_ranks_min(&s->ranks, s->cur.set) >= a &&
         sr_ranks_min(&s->ranks, s->cur.set) <= b);
  if (sr_ranks_max(&s->ranks, s->cur.set) > b)
    push_selection(s, a, b);
}

static int by_rank(const void *a, const void *b) {
  const Arm *x = a, *y = b;
  return (x->rank > y->rank) - (x->rank < y->rank);
}

/* A switch is pushed immediately: its arms begin, or its frame closes, as their blocks are due. A
 * switch whose cases all jump has the block of the last jump as its merge. */
void sr_sweep_push_switch(Sweep *s, uint32_t b, uint32_t first_arm) {
  Frame f = {.kind = SWITCH,
             .header = b,
             .rest = {SR_NONE, SR_NONE, sr_ranks_new(&s->ranks), SR_NONE},
             .done = NOWHERE,
             .arm = first_arm,
             .arm_end = s->arms.count};
  if (f.arm == f.arm_end) {
    SrFlowBlock *h = block_at(s, b);
    h->merge_kind = SR_MERGE_SELECTION;
    h->merge = h->first_case;
    return;
  }
  sr_sort(&s->scratch, s->arms.at + f.arm, f.arm_end - f.arm, sizeof *s->arms.at, by_rank);
  for (uint32_t a = f.arm; a < f.arm_end; a++)
    sr_sweep_add_target(s, f.rest.set, s->arms.at[a].rank);
  sr_sweep_hold(s, f.rest.set, s->stack.count);
  SR_PUSH(&s->scratch, &s->switches, s->stack.count);
  SR_PUSH(&s->scratch, &s->stack, f);
}
