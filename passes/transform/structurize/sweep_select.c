/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_select: see sweep_select.h. */
#include "passes/transform/structurize/sweep_select.h"

#include "passes/base/sort.h"

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

/* ---- leaving a loop from inside a switch ---- */

/* Records that lanes inside the top frame jump to the end of frame `at`. */
static void note_left(Sweep *s, uint32_t at) {
  Frame *top = &SR_LAST(&s->stack);
  if (at < s->stack.count - 1 && at < top->left_for)
    top->left_for = at;
}

static Frame pop(Sweep *s) {
  Frame f = SR_POP(&s->stack);
  s->switches.count -= f.kind == SWITCH;
  if (s->stack.count)
    note_left(s, f.left_for);
  return f;
}

void sr_sweep_break(Sweep *s, const Point *p, bool above, bool below) {
  Frame *loop = innermost_loop(s);
  uint32_t at = s->portable && in_switch(s) ? SR_LAST(&s->switches) : SR_LAST(&s->loops);
  note_left(s, at);
  if (at == SR_LAST(&s->loops)) {
    loop->cases_break |= in_switch(s);
    sr_sweep_add_in_edges(s, &loop->breaks, p);
    return;
  }
  Point *done = &s->stack.at[at].done;
  sr_sweep_add_in_edges(s, done, p);
  if (done->set == SR_NONE)
    done->set = sr_ranks_new(&s->ranks);
  if (above)
    sr_ranks_add(&s->ranks, done->set, out_above(s));
  if (below)
    sr_ranks_add(&s->ranks, done->set, out_below(s));
  sr_sweep_hold(s, done->set, at);
}

/* cur has left the outermost switch in its loop, so lanes that leave the loop can do so now. */
static void break_after_switch(Sweep *s) {
  if (!exists(&s->cur) || in_switch(s) || sr_ranks_max(&s->ranks, s->cur.set) < out_above(s))
    return;
  const SrCycle *c = &s->nest->cycles[innermost_loop(s)->cycle];
  uint32_t out = s->cur.set, inside = sr_sweep_split(s, out, s->nest->count - 1);
  bool all = sr_ranks_empty(&s->ranks, inside), below = sr_ranks_max(&s->ranks, out) > out_above(s);
  uint32_t t = sr_sweep_place(s, &s->cur, all ? 1 : 2, all ? SR_ROLE_MERGE : SR_ROLE_TEST, true);
  Point leaves = sr_sweep_point_of(s, t, 0, SR_NONE, SR_NONE);
  sr_sweep_break(s, &leaves, true, below);
  s->cur = NOWHERE;
  if (all)
    return;
  SrFlowBlock *at = block_at(s, t);
  at->test = below ? SR_TEST_OUTSIDE : SR_TEST_GE;
  at->low = below ? c->first : c->last + 1;
  at->high = c->last;
  s->cur = sr_sweep_point_of(s, t, 1, sr_sweep_only_rank(s, inside), inside);
  if (!directly_in_loop(s))
    s->cur.merge_of = sr_sweep_note_selection(s, t, false);
}

/* ---- the merge of a switch ---- */

/* Have lanes come to f->done from the arm that cur is in? */
static bool brought_lanes(const Frame *f) {
  return exists(&f->done) && f->done.last != f->arm_done;
}

/* Records which lanes have come to f->done from the arm of f that has ended, and from `last`. */
static void note_arm(Frame *f, const Point *last) {
  if (exists(last) || brought_lanes(f))
    f->only_arm = f->only_arm == SR_NONE && f->arm_slot != SR_NONE ? f->arm_slot : SEVERAL_ARMS;
}

static void next_arm(Frame *f, uint32_t slot) {
  f->arm_slot = slot;
  f->arm_done = exists(&f->done) ? f->done.last : SR_NONE;
}

/* Only one arm of switch f leads to its merge, from several blocks. Lets these lanes meet before
 * the merge, in the merge of a switch of one arm around that arm. (SPIRV-Cross 1.4.304 declares the
 * variable of a phi in the block that dominates it, here in the arm, and uses it after the
 * switch.) */
static Point meet_in_arm(Sweep *s, const Frame *f, Point met) {
  uint32_t c = sr_sweep_new_case_block(s, f->header);
  block_at(s, f->header)->small_switch = false;
  block_at(s, c)->small_switch = true;
  slot_at(s, c, 0)->to = slot_at(s, f->header, f->only_arm)->to;
  slot_at(s, f->header, f->only_arm)->to = c;
  const Frame inner = {.kind = SWITCH, .header = c};
  met.merge_of = sr_sweep_note_closed(s, &inner);
  return sr_sweep_solid(s, met);
}

/* Makes the default's edge (slot 0) the first in the list of f's edges. False: the list does not
 * have it. */
static bool put_default_first(Sweep *s, const Frame *f, const Point *met) {
  InEdge *first = NULL;
  for (uint32_t e = met->first; e != SR_NONE; e = s->edge.at[e].next) {
    InEdge *in = &s->edge.at[e];
    if (in->block != f->header)
      continue;
    first = first ? first : in;
    if (in->slot == 0) {
      *in = (InEdge){in->block, first->slot, first->rank, in->next};
      *first = (InEdge){first->block, 0, rank_of(s, block_at(s, f->header)->user, 0), first->next};
      return true;
    }
  }
  return false;
}

/* Edges of a user's switch that lead to its merge come from blocks of their own unless the
 * default's edge is one of them, because Tint gives the header's operand of a phi there to the
 * default only. (Among edges with different values of sel, only the first has no block of its own;
 * see sr_sweep_patch.) */
static void split_edges_to_cases(Sweep *s, const Frame *f, Point *met) {
  if (put_default_first(s, f, met))
    return;
  for (uint32_t e = met->first; e != SR_NONE; e = s->edge.at[e].next) {
    InEdge *in = &s->edge.at[e];
    if (in->block != f->header)
      continue;
    uint32_t c = sr_sweep_new_case_block(s, f->header);
    slot_at(s, f->header, in->slot)->to = c;
    in->block = c;
    in->slot = 0;
  }
}

/* The lanes that meet in the merge of switch f, in portable structure. */
static Point meet_after_switch(Sweep *s, const Frame *f, Point met) {
  if (is_switch_block(s, f->header))
    split_edges_to_cases(s, f, &met);
  bool one_arm = f->only_arm != SR_NONE && f->only_arm != SEVERAL_ARMS;
  return one_arm && met.first != met.last ? meet_in_arm(s, f, met) : met;
}

/* Pops the top frame, a selection or switch. The lanes of cur, of the arms that have ended and of
 * those not begun meet in its merge or, with `dissolve`, in the merge of the frame below. */
static void close_selection(Sweep *s, bool dissolve) {
  Point parts[3] = {sr_sweep_solid(s, s->cur), NOWHERE, NOWHERE};
  Frame f = pop(s);
  assert(f.kind != LOOP);
  parts[1] = f.done;
  parts[2] = f.kind == SWITCH ? open_arms(s, &f) : f.rest;
  note_arm(&f, &parts[0]);
  if (exists(&parts[2]))
    f.only_arm = SEVERAL_ARMS;
  Point met = NOWHERE;
  for (int i = 0; i < 3; i++) {
    if (!exists(&parts[i]))
      continue;
    sr_sweep_add_in_edges(s, &met, &parts[i]);
    met.set = sr_ranks_join(&s->ranks, met.set, parts[i].set);
  }
  sr_sweep_hold(s, met.set, SR_NONE);
  if (s->portable && f.kind == SWITCH)
    met = meet_after_switch(s, &f, met);
  met.merge_of = dissolve ? SR_NONE : sr_sweep_note_closed(s, &f);
  s->cur = met;
  if (s->portable)
    break_after_switch(s);
}

void sr_sweep_close_selections(Sweep *s) {
  while (!directly_in_loop(s))
    close_selection(s, false);
}

static uint32_t loop_base(const Sweep *s) {
  return s->loops.count ? SR_LAST(&s->loops) + 1 : 0;
}

/* The lowest frame of this loop that holds a lane with this target, else the height of the stack.
 * (A frame around the loop may have held a lane that has since entered the loop.) */
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

bool sr_sweep_is_target(Sweep *s, uint32_t rank) {
  if (exists(&s->cur) && wants_up_to(s, &s->cur, rank))
    return true;
  uint32_t pending = s->pend[rank], lowest = lowest_holder(s, rank);
  s->pend[rank] = pending;
  return lowest < s->stack.count;
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

static bool all_after(const Sweep *s, const Point *p, uint32_t rank) {
  return !exists(p) || sr_ranks_min(&s->ranks, p->set) > rank;
}

/* If the top frame's second arm is a..b alone, and the first arm has ended with later targets only,
 * begins the second arm, so that if/else is kept. */
static bool take_else(Sweep *s, uint32_t a, uint32_t b) {
  Frame *f = &SR_LAST(&s->stack);
  if (!exists(&f->rest) || (f->kind == SELECTION && exists(&f->done)) ||
      !(exists(&s->cur) || exists(&f->done)) || !all_after(s, &s->cur, b) ||
      !all_after(s, &f->done, b) || sr_ranks_min(&s->ranks, f->rest.set) < a ||
      sr_ranks_max(&s->ranks, f->rest.set) > b)
    return false;
  Point ended = sr_sweep_solid(s, s->cur);
  f = &SR_LAST(&s->stack);
  sr_sweep_add_in_edges(s, &f->done, &ended);
  f->done.set = sr_ranks_join(&s->ranks, f->done.set, ended.set);
  sr_sweep_hold(s, f->done.set, s->stack.count - 1);
  note_arm(f, &NOWHERE);
  s->cur = f->rest;
  f->rest = NOWHERE;
  next_arm(f, s->edge.at[s->cur.first].slot);
  sr_sweep_hold(s, s->cur.set, SR_NONE);
  return true;
}

/* ---- arms that end with several targets ---- */

/* Does cur have lanes with targets up to `last` and lanes with later targets that can be separated?
 * They can if each edge has one target or is a whole branch, or if they meet in a merge block,
 * which can end in a test. */
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

static void add_edge(Sweep *s, Point *to, uint32_t block, uint32_t slot, uint32_t rank) {
  Point edge = sr_sweep_point_of(s, block, slot, rank, SR_NONE);
  sr_sweep_add_in_edges(s, to, &edge);
}

/* Divides the edges of cur (can_part) by their targets: those up to `last` go to `low`, the others
 * to `high`. Each edge is divided at most once: afterwards it waits for a block or a merge. */
static void part(Sweep *s, uint32_t last, Point *low, Point *high) {
  Point p = s->cur;
  uint32_t below = sr_sweep_split(s, p.set, last);
  s->cur = NOWHERE;
  if (p.merge_of != SR_NONE) {
    uint32_t t = sr_sweep_place(s, &p, 2, SR_ROLE_TEST, true);
    block_at(s, t)->test = SR_TEST_LE;
    block_at(s, t)->low = last;
    add_edge(s, low, t, 0, sr_sweep_only_rank(s, below));
    add_edge(s, high, t, 1, sr_sweep_only_rank(s, p.set));
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
  uint32_t slot = s->edge.at[entry.first].slot;
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
  Frame *f = &SR_LAST(&s->stack);
  f->done = done;
  note_arm(f, &NOWHERE);
  next_arm(f, slot);
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
  bool falls = exists(&s->cur) && !dispatch && !s->portable &&
               sr_ranks_min(&s->ranks, s->cur.set) == arm.rank &&
               sr_ranks_max(&s->ranks, s->cur.set) == arm.rank;
  bool parts = !dispatch && !s->portable && can_part(s, b);
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
 * that target and later ones, makes it a switch of two arms. The first arm falls through into the
 * second or goes to the merge. Otherwise a guard would be needed. */
static bool take_second_arm(Sweep *s, uint32_t a, uint32_t b, bool dispatch) {
  Frame *f = &SR_LAST(&s->stack);
  if (f->kind != SELECTION || dispatch || exists(&f->done) ||
      sr_ranks_min(&s->ranks, f->rest.set) < a || sr_ranks_max(&s->ranks, f->rest.set) > b ||
      !can_part(s, b))
    return false;
  InEdge in = s->edge.at[f->rest.first];
  assert(in.rank != SR_NONE && in.next == SR_NONE);
  SrFlowBlock *h = block_at(s, f->header);
  h->small_switch = true;
  h->literal = in.rank;
  h->literal_slot = in.slot;
  slot_at(s, f->header, 1 - in.slot)->arm = 0;
  slot_at(s, f->header, in.slot)->arm = 1;
  Point entry = f->rest;
  f->kind = SWITCH;
  f->begun = 2;
  f->rest = NOWHERE;
  if (f->left_for != SR_NONE)
    innermost_loop(s)->cases_break = true;
  SR_PUSH(&s->scratch, &s->switches, s->stack.count - 1);
  begin_arm(s, b, entry);
  return true;
}

/* ---- arms of a switch that end ---- */

/* The merge block, which nothing reaches, of a selection inside switch w. If it ends an arm, it
 * leads to the switch's merge, because naga 30 assumes that an arm whose last instruction is not a
 * branch falls through. */
static uint32_t new_dead_merge(Sweep *s, uint32_t w) {
  bool ends_arm = s->stack.count - 1 == w;
  uint32_t b = sr_sweep_new_block(s, SR_ROLE_DEAD, SR_NONE, ends_arm);
  if (ends_arm) {
    Point edge = sr_sweep_point_of(s, b, 0, 0, SR_NONE);
    Frame *f = &s->stack.at[w];
    bool brought = brought_lanes(f);
    sr_sweep_add_in_edges(s, &f->done, &edge);
    f->arm_done = brought ? f->arm_done : f->done.last;
  }
  return b;
}

/* Is p the merge of a selection other than a switch? A loop or a switch has to end first. */
static bool ends_selection(const Sweep *s, const Point *p) {
  if (!exists(p) || p->merge_of == SR_NONE)
    return false;
  const Closed *c = &s->closed.at[p->merge_of];
  return c->kind == SR_MERGE_SELECTION && !c->is_switch;
}

/* Lets the lanes of p, which are in selections inside switch w, branch to the switch's merge. If p
 * is the merge of a selection, that selection gets a merge that nothing reaches. (A loop or another
 * switch ends first.) */
static Point to_switch_merge(Sweep *s, uint32_t w, Point p) {
  if (!ends_selection(s, &p))
    return sr_sweep_solid(s, p);
  if (!s->closed.at[p.merge_of].to_switch) /* otherwise both edges lead there, and no selection is
                                              left */
    sr_sweep_set_merge(s, &p, new_dead_merge(s, w));
  p.merge_of = SR_NONE;
  return p;
}

/* Adds the lanes of p to those that wait for the merge of frame w, a switch. */
static void wait_for_switch(Sweep *s, uint32_t w, Point p) {
  if (!exists(&p))
    return;
  p = to_switch_merge(s, w, p);
  Point *done = &s->stack.at[w].done;
  sr_sweep_add_in_edges(s, done, &p);
  done->set = sr_ranks_join(&s->ranks, done->set, p.set);
  sr_sweep_hold(s, done->set, w);
}

/* Can the branch or guard of frame d be written as a switch? Lanes do not leave a loop or another
 * switch from inside a switch. There is no switch in a continue construct (sweep_continue.c). */
static bool can_switch(const Sweep *s, uint32_t d) {
  const Frame *f = &s->stack.at[d], *loop = innermost_loop(s);
  if (f->kind != SELECTION || (loop && loop->cont != SR_NONE))
    return false;
  for (uint32_t i = d; i < s->stack.count; i++)
    if (s->stack.at[i].left_for < d)
      return false;
  const SrFlowBlock *h = block_at(s, f->header);
  return h->role == SR_ROLE_USER || h->literal != SR_NONE;
}

/* Portable structure: an arm of frame d ends, or the frame itself. If the frame is a switch, lanes
 * deep in selections of the arm go directly to its merge. The frame becomes a switch if these lanes
 * would need merge blocks of their own, and it `may`. Returns whether it still may. */
static bool end_arms(Sweep *s, uint32_t d, bool may) {
  if (!in_switch(s) || SR_LAST(&s->switches) < d) {
    Frame *f = &s->stack.at[d];
    bool inner = s->stack.count - 1 > d || ends_selection(s, &s->cur);
    if (!may || !inner || !can_switch(s, d))
      return false;
    f->kind = SWITCH;
    block_at(s, f->header)->small_switch = true;
    SR_PUSH(&s->scratch, &s->switches, d);
  }
  uint32_t w = SR_LAST(&s->switches);
  wait_for_switch(s, w, s->cur);
  s->cur = NOWHERE;
  while (s->stack.count - 1 > w) {
    Frame f = pop(s);
    assert(f.kind == SELECTION);
    wait_for_switch(s, w, f.done);
    wait_for_switch(s, w, f.rest);
    uint32_t dead = new_dead_merge(s, w);
    SrFlowBlock *h = block_at(s, f.header);
    h->merge_kind = SR_MERGE_SELECTION;
    h->merge = dead;
  }
  return may;
}

/* ---- arriving at an item ---- */

/* Pushes the selection that admits only lanes with targets in a..b: at the user block's own branch
 * if that is still undecided, else at a guard. */
static void push_selection(Sweep *s, uint32_t a, uint32_t b) {
  const InEdge in = s->edge.at[s->cur.first];
  bool undecided = s->cur.first == s->cur.last && in.slot == BOTH && s->cur.merge_of == SR_NONE;
  Frame f = {.kind = SELECTION,
             .rest = NOWHERE,
             .done = NOWHERE,
             .left_for = SR_NONE,
             .arm_done = SR_NONE,
             .only_arm = SR_NONE};
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
    bool below = sr_ranks_max(&s->ranks, set) == out_below(s);
    uint32_t rest = sr_sweep_only_rank(s, set), now = sr_sweep_only_rank(s, inside);
    f.header = sr_sweep_place(s, &s->cur, 2, SR_ROLE_GUARD, true);
    SrFlowBlock *guard = block_at(s, f.header);
    guard->test = below ? SR_TEST_OUTSIDE : SR_TEST_LE;
    guard->low = below ? a : b;
    guard->high = b;
    guard->literal = now;
    guard->literal_slot = below;
    f.rest = sr_sweep_point_of(s, f.header, !below, rest, set);
    s->cur = sr_sweep_point_of(s, f.header, below, now, inside);
  }
  f.arm_slot = s->edge.at[s->cur.first].slot;
  sr_sweep_hold(s, set, s->stack.count);
  SR_PUSH(&s->scratch, &s->stack, f);
}

void sr_sweep_arrive(Sweep *s, uint32_t a, uint32_t b, bool dispatch) {
  uint32_t d = dispatch ? lowest_holder_up_to(s, b) : lowest_holder(s, a);
  if (s->stack.count > s->depth_limit && d > loop_base(s))
    d = loop_base(s);
  bool may_switch = true; /* asked once, since each answer looks at all frames from d on */
  while (s->stack.count > d) {
    if (s->portable)
      may_switch = end_arms(s, d, may_switch);
    if (s->stack.count - 1 == d) {
      if (take_arm(s, a, b, dispatch))
        return;
      if (take_else(s, a, b))
        break;
      if (!s->portable && take_second_arm(s, a, b, dispatch))
        return;
    }
    close_selection(s, !s->portable && s->stack.count - 1 > d && needs_no_merge(s));
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

/* A switch is pushed immediately. Its arms begin, and its frame closes, when their blocks come
 * due. */
void sr_sweep_push_switch(Sweep *s, uint32_t b, uint32_t first_arm, bool waits) {
  Frame f = {.kind = SWITCH,
             .header = b,
             .left_for = SR_NONE,
             .rest = {SR_NONE, SR_NONE, sr_ranks_new(&s->ranks), SR_NONE},
             .done = NOWHERE,
             .arm_slot = SR_NONE,
             .arm_done = SR_NONE,
             .only_arm = SR_NONE,
             .arm = first_arm,
             .arm_end = s->arms.count};
  if (f.arm == f.arm_end && !waits)
    return;
  if (f.arm < f.arm_end)
    sr_sort(&s->scratch, s->arms.at + f.arm, f.arm_end - f.arm, sizeof *s->arms.at, by_rank);
  for (uint32_t a = f.arm; a < f.arm_end; a++)
    sr_sweep_add_target(s, f.rest.set, s->arms.at[a].rank);
  sr_sweep_hold(s, f.rest.set, s->stack.count);
  SR_PUSH(&s->scratch, &s->switches, s->stack.count);
  SR_PUSH(&s->scratch, &s->stack, f);
}
