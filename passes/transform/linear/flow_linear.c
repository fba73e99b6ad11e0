/* SPDX-License-Identifier: Apache-2.0 */
/* flow_linear: see flow_linear.h. One sweep over the blocks in order; points become blocks as in
 * structurize's sweep (sweep_state.h).
 *
 * A *linear point* is a point with all targets of its lanes: `at.set` the blocks still to come,
 * `below` the headers of enclosing loops, as ~rank, whose next iteration is a target; no two points
 * share a set. `cur` is where the next block comes. The stack holds *linear frames*:
 *
 *   guard   rest: lanes that skip the blocks       done: the side that has ended
 *   arms    arm: arms of a kept branch to come     done: ended arms, and edges to later blocks
 *   loop    breaks, conts: edges that jump
 *
 * Each frame ends after the block of rank `last`. */
#include "passes/transform/linear/flow_linear.h"

#include "passes/base/sort.h"
#include "passes/transform/flow/sweep_state.h"

typedef struct LinearPoint {
  Point at;
  uint32_t below; /* set, or SR_NONE */
  bool diverged;  /* lanes of one subgroup at this point may have different targets */
} LinearPoint;

#define NO_POINT ((LinearPoint){NOWHERE, SR_NONE, false})

typedef enum LinearKind { GUARD_FRAME, ARMS_FRAME, LOOP_FRAME } LinearKind;

typedef struct LinearFrame {
  LinearKind kind;
  uint32_t last;          /* rank */
  uint32_t header;        /* flow block */
  LinearPoint rest, done; /* guard, arms */
  bool decided;           /* guard: the header is a user block, and the other side may follow */
  bool diverged;          /* guard: made for lanes with different targets */
  uint32_t arm, arm_end;  /* arms still to come, by rank, in sweep.arms */
  uint32_t begun;         /* number of arms that have begun */
  uint32_t cycle;         /* loop, like all fields that follow: its cycle */
  bool dispatch;          /* sel distinguishes its entries */
  uint32_t end;           /* flow block at the end of the body; see SrFlowBlock */
  LinearPoint breaks, conts;
  bool exits_diverge; /* its lanes may leave in different iterations, or to different blocks */
} LinearFrame;

typedef struct Linear {
  Sweep s;
  const SrKeptArms *kept; /* or NULL */
  bool portable;
  SR_VEC(LinearFrame) stack;
  LinearPoint cur;
  uint32_t rank; /* of the block that was placed last */
} Linear;

/* ---- targets ---- */

static bool reached(const LinearPoint *p) {
  return exists(&p->at);
}

static bool nonempty(const Linear *l, uint32_t set) {
  return set != SR_NONE && !sr_ranks_empty(&l->s.ranks, set);
}

static void add_target(Linear *l, LinearPoint *p, uint32_t rank) {
  bool below = rank <= l->rank;
  uint32_t *set = below ? &p->below : &p->at.set;
  if (*set == SR_NONE)
    *set = sr_ranks_new(&l->s.ranks);
  sr_ranks_add(&l->s.ranks, *set, below ? ~rank : rank);
}

static uint32_t lowest(const Linear *l, const LinearPoint *p) {
  return nonempty(l, p->at.set) ? sr_ranks_min(&l->s.ranks, p->at.set) : SR_NONE;
}

static bool several_targets(const Linear *l, const LinearPoint *p) {
  bool above = nonempty(l, p->at.set), below = nonempty(l, p->below);
  return (above && below) || (above && sr_sweep_several_targets(&l->s, p->at.set)) ||
         (below && sr_sweep_several_targets(&l->s, p->below));
}

/* The only target; SR_NONE if there are several, which sel distinguishes. */
static uint32_t only_target(const Linear *l, const LinearPoint *p) {
  if (several_targets(l, p))
    return SR_NONE;
  return nonempty(l, p->at.set) ? sr_ranks_min(&l->s.ranks, p->at.set)
                                : ~sr_ranks_min(&l->s.ranks, p->below);
}

/* Are all targets at most `last`, and none of them a header in `below`? */
static bool targets_only(const Linear *l, const LinearPoint *p, uint32_t last) {
  return reached(p) && !nonempty(l, p->below) && sr_ranks_max(&l->s.ranks, p->at.set) <= last;
}

/* Moves the targets up to `last` into a set of their own. */
static uint32_t take_up_to(Linear *l, uint32_t set, uint32_t last) {
  uint32_t low = sr_ranks_new(&l->s.ranks);
  while (nonempty(l, set) && sr_ranks_min(&l->s.ranks, set) <= last) {
    uint32_t rank = sr_ranks_min(&l->s.ranks, set);
    sr_ranks_drop(&l->s.ranks, set, rank);
    sr_ranks_add(&l->s.ranks, low, rank);
  }
  return low;
}

/* Adds the lanes of one point to another; neither is a frame's merge. */
static void join(Linear *l, LinearPoint *to, const LinearPoint *from) {
  if (!reached(from))
    return;
  assert(from->at.merge_of == SR_NONE && to->at.merge_of == SR_NONE);
  sr_sweep_add_in_edges(&l->s, &to->at, &from->at);
  to->at.set = sr_ranks_join(&l->s.ranks, to->at.set, from->at.set);
  to->below = sr_ranks_join(&l->s.ranks, to->below, from->below);
  to->diverged |= from->diverged;
}

/* Returns p, unless p is the merge of a frame: then makes that merge block, and returns the point
 * after it. */
static LinearPoint solid(Linear *l, LinearPoint p) {
  if (!reached(&p) || p.at.merge_of == SR_NONE)
    return p;
  uint32_t rank = only_target(l, &p);
  uint32_t b = sr_sweep_place(&l->s, &p.at, 1, SR_ROLE_MERGE, rank == SR_NONE);
  p.at = sr_sweep_point_of(&l->s, b, 0, rank, p.at.set);
  return p;
}

static LinearPoint point_of(Linear *l, uint32_t block, uint32_t slot, uint32_t rank) {
  LinearPoint p = NO_POINT;
  p.at = sr_sweep_point_of(&l->s, block, slot, rank, SR_NONE);
  add_target(l, &p, rank);
  return p;
}

/* ---- closing frames ---- */

static void close_into(Linear *l, SrMergeKind kind, uint32_t header, uint32_t cont,
                       LinearPoint met) {
  Frame f = {.kind = kind == SR_MERGE_LOOP ? LOOP : SELECTION, .header = header, .cont = cont};
  met.at.merge_of = sr_sweep_note_closed(&l->s, &f);
  l->cur = met;
}

static LinearFrame *top(Linear *l) {
  return &SR_LAST(&l->stack);
}

static void close_guard(Linear *l) {
  LinearPoint met = solid(l, l->cur);
  LinearFrame h = SR_POP(&l->stack);
  join(l, &met, &h.done);
  join(l, &met, &h.rest);
  met.diverged = several_targets(l, &met) && (met.diverged || h.diverged);
  close_into(l, SR_MERGE_SELECTION, h.header, SR_NONE, met);
}

static LinearFrame *loop_around(Linear *l) {
  for (uint32_t i = l->stack.count; i-- > 0;)
    if (l->stack.at[i].kind == LOOP_FRAME)
      return &l->stack.at[i];
  return NULL;
}

static void begin_arm(Linear *l) {
  LinearFrame *h = top(l);
  Arm arm = l->s.arms.at[h->arm++];
  uint32_t user = block_at(&l->s, h->header)->user;
  bool closes = h->arm == h->arm_end && !reached(&h->done); /* the arm itself is the merge */
  if (sr_bit(l->s.is_switch, user) && !closes)
    slot_at(&l->s, h->header, arm.slot)->arm = h->begun++;
  l->cur = point_of(l, h->header, arm.slot, arm.rank);
  h->last = l->kept->last[l->s.nest->order[arm.rank]];
  if (!closes)
    return;
  LinearFrame closed = SR_POP(&l->stack);
  close_into(l, SR_MERGE_SELECTION, closed.header, SR_NONE, l->cur);
}

/* The current arm has ended: begins the next, or closes. */
static void end_arm(Linear *l) {
  LinearPoint end = solid(l, l->cur);
  LinearFrame *h = top(l);
  join(l, &h->done, &end);
  if (h->arm < h->arm_end) {
    begin_arm(l);
    return;
  }
  LinearFrame closed = SR_POP(&l->stack);
  closed.done.diverged = closed.done.diverged && several_targets(l, &closed.done);
  l->cur = closed.done;
  close_into(l, SR_MERGE_SELECTION, closed.header, SR_NONE, closed.done);
}

/* ---- loops ---- */

static void leave_by(Linear *l, LinearFrame *loop, LinearPoint p, uint32_t rank) {
  bool back = rank == l->s.nest->cycles[loop->cycle].first;
  join(l, back ? &loop->conts : &loop->breaks, &p);
}

/* Would the header block also need a merge instruction for its own branch? */
static bool needs_own_header(const Linear *l, uint32_t block) {
  if (sr_bit(l->s.is_switch, block))
    return true;
  return l->kept && sr_bit(l->kept->keep, block) && l->kept->end[block] > l->s.nest->rank[block];
}

static void open_loop(Linear *l, uint32_t cycle) {
  const SrCycle *c = &l->s.nest->cycles[cycle];
  LinearFrame h = {.kind = LOOP_FRAME,
                   .last = c->last,
                   .header = SR_NONE,
                   .cycle = cycle,
                   .end = SR_NONE,
                   .dispatch = c->entries > 1,
                   .rest = NO_POINT,
                   .done = NO_POINT,
                   .breaks = NO_POINT,
                   .conts = NO_POINT};
  /* In portable structure one edge enters a loop, and its header is not the merge of another
   * construct; several edges to a point are those of a merge. With kept branches no back edge may
   * enter the merge of a selection that if_convert may dissolve. */
  if (l->kept || l->portable)
    l->cur = solid(l, l->cur);
  uint32_t set = l->cur.at.set;
  if (h.dispatch || needs_own_header(l, c->header)) {
    h.header = sr_sweep_place(&l->s, &l->cur.at, 1, SR_ROLE_HEADER, h.dispatch);
    block_at(&l->s, h.header)->cycle = block_at(&l->s, h.header)->loop = cycle;
    l->cur.at = sr_sweep_point_of(&l->s, h.header, 0, h.dispatch ? SR_NONE : c->first, set);
  }
  if (sr_ranks_min(&l->s.ranks, set) != c->first) /* the next iteration's header */
    sr_ranks_add(&l->s.ranks, set, c->first);
  SR_PUSH(&l->s.scratch, &l->s.loops, l->s.stack.count);
  SR_PUSH(&l->s.scratch, &l->s.stack, (Frame){.kind = LOOP, .cycle = cycle});
  SR_PUSH(&l->s.scratch, &l->stack, h);
}

/* Is the point one block's branch, both of whose edges are open? */
static bool is_undecided(const Linear *l, const LinearPoint *p) {
  return reached(p) && p->at.first == p->at.last && l->s.edge.at[p->at.first].slot == BOTH &&
         p->at.merge_of == SR_NONE;
}

/* The branch of the last block either repeats or leaves the loop, so its edges become jumps. */
static void jump_both(Linear *l, LinearFrame *h) {
  uint32_t b = l->s.edge.at[l->cur.at.first].block, user = block_at(&l->s, b)->user;
  for (uint32_t slot = 0; slot < 2; slot++) {
    uint32_t rank = rank_of(&l->s, user, slot);
    leave_by(l, h, point_of(l, b, slot, rank), rank);
  }
  h->exits_diverge |= l->cur.diverged;
}

/* Sorts the lanes at the end of the body: those with the header as target repeat the loop. */
static void sort_end(Linear *l, LinearFrame *h) {
  uint32_t first = l->s.nest->cycles[h->cycle].first;
  bool back = nonempty(l, l->cur.below) && ~sr_ranks_min(&l->s.ranks, l->cur.below) == first;
  if (back && is_undecided(l, &l->cur)) {
    jump_both(l, h);
    return;
  }
  if (!back || !several_targets(l, &l->cur)) {
    bool merges = l->cur.at.merge_of != SR_NONE;
    LinearPoint end = solid(l, l->cur);
    if (merges)
      h->end = l->s.edge.at[end.at.first].block;
    join(l, back ? &h->conts : &h->breaks, &end);
    return;
  }
  uint32_t t = sr_sweep_place(&l->s, &l->cur.at, 2, SR_ROLE_TEST, true);
  block_at(&l->s, t)->test = SR_TEST_EQ;
  block_at(&l->s, t)->low = first;
  h->end = t;
  sr_ranks_drop(&l->s.ranks, l->cur.below, ~first);
  LinearPoint round = NO_POINT, out = l->cur;
  round.at = sr_sweep_point_of(&l->s, t, 0, SR_NONE, SR_NONE);
  add_target(l, &round, first);
  out.at = sr_sweep_point_of(&l->s, t, 1, SR_NONE, l->cur.at.set);
  join(l, &h->conts, &round);
  join(l, &h->breaks, &out);
  h->exits_diverge = true;
}

static void close_loop(Linear *l) {
  if (reached(&l->cur))
    sort_end(l, top(l));
  LinearFrame h = SR_POP(&l->stack);
  const SrCycle *c = &l->s.nest->cycles[h.cycle];
  block_at(&l->s, h.header)->end = h.end;
  uint32_t cont = sr_sweep_new_block(&l->s, SR_ROLE_CONTINUE, SR_NONE, 1);
  sr_sweep_patch(&l->s, &h.conts.at, cont, false);
  *slot_at(&l->s, cont, 0) = (SrSlot){h.header, h.dispatch ? c->first : SR_NONE, SR_NONE};
  (void)SR_POP(&l->s.stack);
  (void)SR_POP(&l->s.loops);
  LinearFrame *up = loop_around(l);
  if (up)
    up->exits_diverge |= h.exits_diverge;
  if (!reached(&h.breaks)) { /* an endless loop */
    close_into(l, SR_MERGE_LOOP, h.header, cont, NO_POINT);
    sr_sweep_set_merge(&l->s, &l->cur.at, sr_sweep_new_block(&l->s, SR_ROLE_DEAD, SR_NONE, 0));
    l->cur = NO_POINT;
    return;
  }
  h.breaks.diverged = h.exits_diverge && several_targets(l, &h.breaks);
  close_into(l, SR_MERGE_LOOP, h.header, cont, h.breaks);
}

/* ---- arriving at an item: a block, or a cycle ---- */

typedef struct Item {
  uint32_t first, last; /* ranks */
  uint32_t end;         /* the last rank of what belongs to it */
  bool several;         /* it has several entries */
} Item;

/* Is the next item the target of exactly the lanes of the top guard? Then this guard serves for the
 * item, too. */
static bool continues_guard(Linear *l, const Item *i) {
  const LinearFrame *h = top(l);
  return targets_only(l, &l->cur, i->last) && lowest(l, &h->rest) > i->last &&
         lowest(l, &h->done) > i->last;
}

/* Begins the other side of the guard, if exactly the lanes that skip the guard have the next item
 * as target. */
static bool begin_else(Linear *l, const Item *i) {
  LinearFrame *h = top(l);
  if (!h->decided || reached(&h->done) || !reached(&l->cur) || !reached(&h->rest) ||
      !targets_only(l, &h->rest, i->last) || lowest(l, &l->cur) <= i->last)
    return false;
  LinearPoint end = solid(l, l->cur);
  h = top(l);
  h->done = end;
  l->cur = h->rest;
  h->rest = NO_POINT;
  return true;
}

/* Does the item lie in the frame around the top one, too? */
static bool is_around(const Linear *l, const Item *i) {
  return l->stack.count == 1 || l->stack.at[l->stack.count - 2].last >= i->first;
}

static void close_before(Linear *l, const Item *i) {
  while (l->stack.count && top(l)->last < i->first) {
    switch (top(l)->kind) {
    case GUARD_FRAME:
      if (is_around(l, i) && (continues_guard(l, i) || begin_else(l, i))) {
        top(l)->last = i->end;
        return;
      }
      close_guard(l);
      break;
    case ARMS_FRAME:
      end_arm(l);
      break;
    case LOOP_FRAME:
      close_loop(l);
      break;
    }
  }
}

/* Can the branch of the last block serve as the guard? Then *slot is its slot for the item. */
static bool decides(const Linear *l, const Item *i, uint32_t *slot) {
  if (!l->kept || !is_undecided(l, &l->cur))
    return false;
  const SrFlowBlock *b = block_at(&l->s, l->s.edge.at[l->cur.at.first].block);
  if (b->cycle != SR_NONE) /* the block already has a merge instruction */
    return false;
  uint32_t x = rank_of(&l->s, b->user, 0), y = rank_of(&l->s, b->user, 1);
  bool in_x = x >= i->first && x <= i->last, in_y = y >= i->first && y <= i->last;
  *slot = in_y;
  return in_x != in_y;
}

static void guard_at_branch(Linear *l, LinearFrame *h, uint32_t slot) {
  uint32_t b = l->s.edge.at[l->cur.at.first].block, user = block_at(&l->s, b)->user;
  h->header = b;
  h->decided = true;
  h->rest = point_of(l, b, 1 - slot, rank_of(&l->s, user, 1 - slot));
  l->cur = point_of(l, b, slot, rank_of(&l->s, user, slot));
}

static void guard_with_sel(Linear *l, LinearFrame *h, const Item *i) {
  bool below = nonempty(l, l->cur.below);
  bool above = sr_ranks_max(&l->s.ranks, l->cur.at.set) > i->last;
  uint32_t b = sr_sweep_place(&l->s, &l->cur.at, 2, SR_ROLE_GUARD, true);
  SrFlowBlock *g = block_at(&l->s, b);
  g->test = !i->several ? SR_TEST_EQ : !below ? SR_TEST_LE : !above ? SR_TEST_GE : SR_TEST_OUTSIDE;
  g->low = i->several && !below ? i->last : i->first;
  g->high = i->last;
  uint32_t in = g->test == SR_TEST_OUTSIDE, set = l->cur.at.set;
  h->header = b;
  h->rest = l->cur;
  l->cur = NO_POINT;
  l->cur.diverged = i->several && h->diverged;
  l->cur.at =
      sr_sweep_point_of(&l->s, b, in, i->several ? SR_NONE : i->first, take_up_to(l, set, i->last));
  h->rest.at = sr_sweep_point_of(&l->s, b, 1 - in, SR_NONE, set);
}

static void arrive(Linear *l, const Item *i) {
  if (targets_only(l, &l->cur, i->last))
    return;
  LinearFrame h = {.kind = GUARD_FRAME, .last = i->end, .rest = NO_POINT, .done = NO_POINT};
  uint32_t slot;
  h.diverged = l->cur.diverged;
  if (decides(l, i, &slot))
    guard_at_branch(l, &h, slot);
  else
    guard_with_sel(l, &h, i);
  block_at(&l->s, h.header)->divergent = h.diverged;
  for (uint32_t k = l->stack.count; h.diverged && k-- > 0;)
    if (l->stack.at[k].kind == LOOP_FRAME) {
      l->stack.at[k].exits_diverge = true;
      break;
    }
  SR_PUSH(&l->s.scratch, &l->stack, h);
}

/* ---- leaving a block ---- */

/* What becomes of an edge of a kept branch. */
typedef enum EdgeKind { ARM, JUMP, LEAD_ON } EdgeKind;

static EdgeKind edge_kind(Linear *l, uint32_t user, uint32_t target, bool may_jump) {
  const LinearFrame *loop = may_jump ? loop_around(l) : NULL;
  uint32_t rank = l->s.nest->rank[target];
  if (rank > l->rank && l->kept->last[target] != SR_NONE && rank <= l->kept->end[user])
    return ARM;
  bool out = loop && (!sr_cycle_has(l->s.nest, loop->cycle, target) ||
                      rank == l->s.nest->cycles[loop->cycle].first);
  return out ? JUMP : LEAD_ON;
}

static int by_rank(const void *a, const void *b) {
  const Arm *x = a, *y = b;
  return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Leaves a block by a kept branch. The edges of a switch do not jump: they stay open (LEAD_ON). */
static void leave_kept(Linear *l, uint32_t b, uint32_t user, bool is_switch) {
  LinearFrame h = {
      .kind = ARMS_FRAME, .last = l->rank, .header = b, .rest = NO_POINT, .done = NO_POINT};
  h.arm = l->s.arms.count;
  for (uint32_t i = 0; i < sr_succ_count(l->s.g, user); i++) {
    uint32_t target = l->s.g->succ[l->s.g->succ_at[user] + i], rank = l->s.nest->rank[target];
    switch (edge_kind(l, user, target, !is_switch)) {
    case ARM:
      SR_PUSH(&l->s.scratch, &l->s.arms, (Arm){rank, i});
      break;
    case JUMP:
      leave_by(l, loop_around(l), point_of(l, b, i, rank), rank);
      break;
    case LEAD_ON: {
      LinearPoint p = point_of(l, b, i, rank);
      join(l, &h.done, &p);
    }
    }
  }
  h.arm_end = l->s.arms.count;
  uint32_t arms = h.arm_end - h.arm;
  if (arms > 1) /* without arms, there may be no array */
    sr_sort(&l->s.scratch, l->s.arms.at + h.arm, arms, sizeof *l->s.arms.at, by_rank);
  if (arms > 1 || (arms && reached(&h.done)) || is_switch) {
    SR_PUSH(&l->s.scratch, &l->stack, h);
    if (arms)
      begin_arm(l);
    return;
  }
  l->cur = h.done; /* at most one edge */
  if (arms) {
    Arm arm = SR_POP(&l->s.arms);
    l->cur = point_of(l, b, arm.slot, arm.rank);
  }
}

/* Leaves a block whose branch only sets the selector; a switch does so in a block for each case. */
static void leave_folded(Linear *l, uint32_t b, uint32_t user, bool is_switch, bool diverged) {
  uint32_t n = sr_succ_count(l->s.g, user);
  l->cur = NO_POINT;
  for (uint32_t i = 0; i < n && is_switch; i++) {
    LinearPoint p = point_of(l, b, i, rank_of(&l->s, user, i));
    join(l, &l->cur, &p);
  }
  if (n && !is_switch)
    l->cur.at = sr_sweep_point_of(&l->s, b, n == 2 ? BOTH : 0, rank_of(&l->s, user, 0), SR_NONE);
  for (uint32_t i = 0; i < n && !is_switch; i++)
    add_target(l, &l->cur, rank_of(&l->s, user, i));
  l->cur.diverged = n > 1 && diverged;
  if (is_switch)
    close_into(l, SR_MERGE_SELECTION, b, SR_NONE, l->cur);
}

static void leave_block(Linear *l, uint32_t b, uint32_t user, uint32_t depth_limit) {
  bool is_switch = sr_bit(l->s.is_switch, user);
  bool uniform = l->kept && sr_bit(l->kept->keep, user) && sr_succ_count(l->s.g, user) > 1;
  bool keep = uniform && l->stack.count < depth_limit, leads_apart = false;
  for (SR_SUCCS(t, l->s.g, user))
    leads_apart = leads_apart || (keep && edge_kind(l, user, *t, !is_switch) != LEAD_ON);
  if (leads_apart)
    leave_kept(l, b, user, is_switch);
  else
    leave_folded(l, b, user, is_switch, !uniform);
}

/* ---- the sweep ---- */

static void place_user(Linear *l, uint32_t rank, uint32_t depth_limit) {
  uint32_t v = l->s.nest->order[rank];
  uint32_t b = sr_sweep_new_block(&l->s, SR_ROLE_USER, v, sr_succ_count(l->s.g, v));
  if (rank) {
    sr_sweep_patch(&l->s, &l->cur.at, b, false);
    sr_sweep_set_merge(&l->s, &l->cur.at, b);
  }
  if (l->stack.count && top(l)->kind == LOOP_FRAME && top(l)->header == SR_NONE) {
    top(l)->header = b;
    block_at(&l->s, b)->cycle = top(l)->cycle;
  }
  l->rank = rank;
  leave_block(l, b, v, depth_limit);
}

static uint32_t end_of(const Linear *l, uint32_t rank, uint32_t last) {
  uint32_t end = l->kept ? l->kept->end[l->s.nest->order[rank]] : rank;
  return end > last ? end : last;
}

static void sweep(Linear *l, uint32_t depth_limit) {
  const SrNest *nest = l->s.nest;
  place_user(l, 0, depth_limit); /* no branch leads to the entry, so it heads no cycle */
  for (uint32_t rank = 1, cycle = 0; rank < nest->count; rank++) {
    bool opens = cycle < nest->cycle_count && nest->cycles[cycle].first == rank;
    Item i = {rank, rank, end_of(l, rank, rank), false};
    if (opens)
      i = (Item){rank, nest->cycles[cycle].last, nest->cycles[cycle].last,
                 nest->cycles[cycle].entries > 1};
    close_before(l, &i);
    arrive(l, &i);
    if (opens) {
      open_loop(l, cycle++);
      i = (Item){rank, rank, end_of(l, rank, rank), false};
      arrive(l, &i); /* of a cycle with several entries, the header is not the target of all
                        lanes */
    }
    place_user(l, rank, depth_limit);
  }
  Item none = {nest->count, nest->count, nest->count, false};
  close_before(l, &none);
}

SrFlowGraph *sr_flow_linear(SrArena *arena, const SrGraph *g, const SrNest *nest,
                            const SrBits *is_switch, const SrLinearForm *form) {
  Linear l = {.kept = form->arms, .portable = form->portable, .cur = NO_POINT};
  l.s = (Sweep){.arena = arena,
                .scratch = sr_arena_new(arena->heap),
                .g = g,
                .nest = nest,
                .is_switch = is_switch,
                .flow = SR_NEW(arena, SrFlowGraph, 1),
                .cur = NOWHERE};
  l.s.ranks.arena = &l.s.scratch;
  sweep(&l, form->depth_limit);
  assert(!l.stack.count && !reached(&l.cur));
  sr_flow_set_order(arena, l.s.flow);
  sr_arena_free(&l.s.scratch);
  return l.s.flow;
}
