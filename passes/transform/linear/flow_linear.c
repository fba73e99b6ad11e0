/* flow_linear: see flow_linear.h. One sweep over the blocks in order; points become blocks as in
 * structurize's sweep (sweep_state.h).
 *
 * A *spot* is a point with all that its lanes want: `at.set` the blocks still to come, `below` the
 * headers of loops around, as ~rank, whose next iteration is wanted; each set is owned by one spot.
 * `now` is where the next block comes. The stack holds *frames*:
 *
 *   check   rest: lanes that are not checked in     done: the side that has ended
 *   arms    arms of a kept branch still to come     done: what has ended, and edges that lead on
 *   loop    breaks, conts: edges that jump
 *
 * Each ends behind the block of rank `last`. */
#include "transform/linear/flow_linear.h"

#include "base/sort.h"
#include "transform/flow/sweep_state.h"

typedef struct Spot {
  Point at;
  uint32_t below; /* set, or SR_NONE */
  bool split;     /* lanes of one subgroup may stand there that want different blocks */
} Spot;

#define NO_SPOT ((Spot){NOWHERE, SR_NONE, false})

typedef enum Kind { CHECK, ARMS, ROUND } Kind;

typedef struct Holder {
  Kind kind;
  uint32_t last;         /* rank */
  uint32_t header;       /* flow block */
  Spot rest, done;       /* check, arms */
  bool decided;          /* check: the header is a user block, and the other side may follow */
  bool split;            /* check: made for lanes that want different blocks */
  uint32_t arm, arm_end; /* arms still to come, by rank, in sweep.arms */
  uint32_t begun;        /* arms begun */
  uint32_t cycle;        /* loop … */
  bool dispatch;         /* sel tells its entries apart */
  uint32_t end;          /* flow block at the end of the body, as SrFlowBlock has it */
  Spot breaks, conts;
  bool leaves_split; /* its lanes may leave in different iterations, or to different blocks */
} Holder;

typedef struct Linear {
  Sweep s;
  const SrArms *kept; /* or NULL */
  SR_VEC(Holder) stack;
  Spot now;
  uint32_t rank; /* of the block that was placed last */
} Linear;

/* ---- wants ---- */

static bool here(const Spot *p) {
  return exists(&p->at);
}

static bool has(const Linear *l, uint32_t set) {
  return set != SR_NONE && !sr_ranks_empty(&l->s.ranks, set);
}

static void want(Linear *l, Spot *p, uint32_t rank) {
  bool below = rank <= l->rank;
  uint32_t *set = below ? &p->below : &p->at.set;
  if (*set == SR_NONE)
    *set = sr_ranks_new(&l->s.ranks);
  sr_ranks_add(&l->s.ranks, *set, below ? ~rank : rank);
}

static uint32_t lowest(const Linear *l, const Spot *p) {
  return has(l, p->at.set) ? sr_ranks_min(&l->s.ranks, p->at.set) : SR_NONE;
}

static bool several(const Linear *l, const Spot *p) {
  bool above = has(l, p->at.set), below = has(l, p->below);
  return (above && below) || (above && sr_sweep_several_targets(&l->s, p->at.set)) ||
         (below && sr_sweep_several_targets(&l->s, p->below));
}

/* The one block wanted, SR_NONE where sel says which. */
static uint32_t only_want(const Linear *l, const Spot *p) {
  if (several(l, p))
    return SR_NONE;
  return has(l, p->at.set) ? sr_ranks_min(&l->s.ranks, p->at.set)
                           : ~sr_ranks_min(&l->s.ranks, p->below);
}

/* Does every lane want something up to `last`, and nothing below? */
static bool wants_only(const Linear *l, const Spot *p, uint32_t last) {
  return here(p) && !has(l, p->below) && sr_ranks_max(&l->s.ranks, p->at.set) <= last;
}

/* Moves the wants up to `last` into a set of their own. */
static uint32_t take(Linear *l, uint32_t set, uint32_t last) {
  uint32_t low = sr_ranks_new(&l->s.ranks);
  while (has(l, set) && sr_ranks_min(&l->s.ranks, set) <= last) {
    uint32_t rank = sr_ranks_min(&l->s.ranks, set);
    sr_ranks_drop(&l->s.ranks, set, rank);
    sr_ranks_add(&l->s.ranks, low, rank);
  }
  return low;
}

/* The lanes of both spots; neither is a frame's merge. */
static void meet(Linear *l, Spot *to, const Spot *from) {
  if (!here(from))
    return;
  assert(from->at.merge_of == SR_NONE && to->at.merge_of == SR_NONE);
  sr_sweep_add_in_edges(&l->s, &to->at, &from->at);
  to->at.set = sr_ranks_join(&l->s.ranks, to->at.set, from->at.set);
  to->below = sr_ranks_join(&l->s.ranks, to->below, from->below);
  to->split |= from->split;
}

/* The spot as one that is no frame's merge. */
static Spot solid(Linear *l, Spot p) {
  if (!here(&p) || p.at.merge_of == SR_NONE)
    return p;
  uint32_t rank = only_want(l, &p);
  uint32_t b = sr_sweep_place(&l->s, &p.at, 1, SR_ROLE_MERGE, rank == SR_NONE);
  p.at = sr_sweep_point_of(&l->s, b, 0, rank, p.at.set);
  return p;
}

static Spot spot_of(Linear *l, uint32_t block, uint32_t slot, uint32_t rank) {
  Spot p = NO_SPOT;
  p.at = sr_sweep_point_of(&l->s, block, slot, rank, SR_NONE);
  want(l, &p, rank);
  return p;
}

/* ---- closing frames ---- */

static void close_into(Linear *l, SrMergeKind kind, uint32_t header, uint32_t cont, Spot met) {
  Frame f = {.kind = kind == SR_MERGE_LOOP ? LOOP : SELECTION, .header = header, .cont = cont};
  met.at.merge_of = sr_sweep_note_closed(&l->s, &f);
  l->now = met;
}

static Holder *top(Linear *l) {
  return &SR_LAST(&l->stack);
}

static void close_check(Linear *l) {
  Spot met = solid(l, l->now);
  Holder h = SR_POP(&l->stack);
  meet(l, &met, &h.done);
  meet(l, &met, &h.rest);
  met.split = several(l, &met) && (met.split || h.split);
  close_into(l, SR_MERGE_SELECTION, h.header, SR_NONE, met);
}

static Holder *loop_around(Linear *l) {
  for (uint32_t i = l->stack.count; i-- > 0;)
    if (l->stack.at[i].kind == ROUND)
      return &l->stack.at[i];
  return NULL;
}

static void begin_arm(Linear *l) {
  Holder *h = top(l);
  Arm arm = l->s.arms.at[h->arm++];
  uint32_t user = block_at(&l->s, h->header)->user;
  bool closes = h->arm == h->arm_end && !here(&h->done); /* the arm itself is the merge */
  if (sr_bit(l->s.is_switch, user) && !closes)
    slot_at(&l->s, h->header, arm.slot)->arm = h->begun++;
  l->now = spot_of(l, h->header, arm.slot, arm.rank);
  h->last = l->kept->last[l->s.nest->order[arm.rank]];
  if (!closes)
    return;
  Holder gone = SR_POP(&l->stack);
  close_into(l, SR_MERGE_SELECTION, gone.header, SR_NONE, l->now);
}

/* The arm at hand has ended: begins the next, or closes. */
static void end_arm(Linear *l) {
  Spot end = solid(l, l->now);
  Holder *h = top(l);
  meet(l, &h->done, &end);
  if (h->arm < h->arm_end) {
    begin_arm(l);
    return;
  }
  Holder gone = SR_POP(&l->stack);
  gone.done.split = gone.done.split && several(l, &gone.done);
  l->now = gone.done;
  close_into(l, SR_MERGE_SELECTION, gone.header, SR_NONE, gone.done);
}

/* ---- loops ---- */

static void leave_by(Linear *l, Holder *loop, Spot p, uint32_t rank) {
  bool back = rank == l->s.nest->cycles[loop->cycle].first;
  meet(l, back ? &loop->conts : &loop->breaks, &p);
}

/* Would the header block need a merge instruction for its own branch, too? */
static bool needs_own_header(const Linear *l, uint32_t block) {
  if (sr_bit(l->s.is_switch, block))
    return true;
  return l->kept && sr_bit(l->kept->keep, block) && l->kept->end[block] > l->s.nest->rank[block];
}

static void open_loop(Linear *l, uint32_t cycle) {
  const SrCycle *c = &l->s.nest->cycles[cycle];
  Holder h = {.kind = ROUND,
              .last = c->last,
              .header = SR_NONE,
              .cycle = cycle,
              .end = SR_NONE,
              .dispatch = c->entries > 1,
              .rest = NO_SPOT,
              .done = NO_SPOT,
              .breaks = NO_SPOT,
              .conts = NO_SPOT};
  if (l->kept) /* where a selection that may go ends, no back edge comes in */
    l->now = solid(l, l->now);
  uint32_t set = l->now.at.set;
  if (h.dispatch || needs_own_header(l, c->header)) {
    h.header = sr_sweep_place(&l->s, &l->now.at, 1, SR_ROLE_HEADER, h.dispatch);
    block_at(&l->s, h.header)->cycle = block_at(&l->s, h.header)->loop = cycle;
    l->now.at = sr_sweep_point_of(&l->s, h.header, 0, h.dispatch ? SR_NONE : c->first, set);
  }
  if (sr_ranks_min(&l->s.ranks, set) != c->first) /* the next iteration's */
    sr_ranks_add(&l->s.ranks, set, c->first);
  SR_PUSH(&l->s.scratch, &l->s.loops, l->s.stack.count);
  SR_PUSH(&l->s.scratch, &l->s.stack, (Frame){.kind = LOOP, .cycle = cycle});
  SR_PUSH(&l->s.scratch, &l->stack, h);
}

/* Is the spot one block's branch, both of whose edges are open? */
static bool is_undecided(const Linear *l, const Spot *p) {
  return here(p) && p->at.first == p->at.last && l->s.edge.at[p->at.first].slot == BOTH &&
         p->at.merge_of == SR_NONE;
}

/* The last block's branch goes round or leaves: its edges do so. */
static void jump_both(Linear *l, Holder *h) {
  uint32_t b = l->s.edge.at[l->now.at.first].block, user = block_at(&l->s, b)->user;
  for (uint32_t slot = 0; slot < 2; slot++) {
    uint32_t rank = rank_of(&l->s, user, slot);
    leave_by(l, h, spot_of(l, b, slot, rank), rank);
  }
  h->leaves_split |= l->now.split;
}

/* Lanes at the end of the body: those that want the header go round. */
static void sort_end(Linear *l, Holder *h) {
  uint32_t first = l->s.nest->cycles[h->cycle].first;
  bool back = has(l, l->now.below) && ~sr_ranks_min(&l->s.ranks, l->now.below) == first;
  if (back && is_undecided(l, &l->now)) {
    jump_both(l, h);
    return;
  }
  if (!back || !several(l, &l->now)) {
    bool merges = l->now.at.merge_of != SR_NONE;
    Spot end = solid(l, l->now);
    if (merges)
      h->end = l->s.edge.at[end.at.first].block;
    meet(l, back ? &h->conts : &h->breaks, &end);
    return;
  }
  uint32_t t = sr_sweep_place(&l->s, &l->now.at, 2, SR_ROLE_TEST, true);
  block_at(&l->s, t)->test = SR_TEST_EQ;
  block_at(&l->s, t)->low = first;
  h->end = t;
  sr_ranks_drop(&l->s.ranks, l->now.below, ~first);
  Spot round = NO_SPOT, out = l->now;
  round.at = sr_sweep_point_of(&l->s, t, 0, SR_NONE, SR_NONE);
  want(l, &round, first);
  out.at = sr_sweep_point_of(&l->s, t, 1, SR_NONE, l->now.at.set);
  meet(l, &h->conts, &round);
  meet(l, &h->breaks, &out);
  h->leaves_split = true;
}

static void close_loop(Linear *l) {
  if (here(&l->now))
    sort_end(l, top(l));
  Holder h = SR_POP(&l->stack);
  const SrCycle *c = &l->s.nest->cycles[h.cycle];
  block_at(&l->s, h.header)->end = h.end;
  uint32_t cont = sr_sweep_new_block(&l->s, SR_ROLE_CONTINUE, SR_NONE, 1);
  sr_sweep_patch(&l->s, &h.conts.at, cont, false);
  *slot_at(&l->s, cont, 0) = (SrSlot){h.header, h.dispatch ? c->first : SR_NONE, SR_NONE};
  (void)SR_POP(&l->s.stack);
  (void)SR_POP(&l->s.loops);
  Holder *up = loop_around(l);
  if (up)
    up->leaves_split |= h.leaves_split;
  if (!here(&h.breaks)) { /* an endless loop */
    close_into(l, SR_MERGE_LOOP, h.header, cont, NO_SPOT);
    sr_sweep_set_merge(&l->s, &l->now.at, sr_sweep_new_block(&l->s, SR_ROLE_DEAD, SR_NONE, 0));
    l->now = NO_SPOT;
    return;
  }
  h.breaks.split = h.leaves_split && several(l, &h.breaks);
  close_into(l, SR_MERGE_LOOP, h.header, cont, h.breaks);
}

/* ---- arriving at an item: a block, or a cycle ---- */

typedef struct Item {
  uint32_t first, last; /* ranks */
  uint32_t end;         /* the last rank of all that stands with it */
  bool several;         /* it can be entered at several blocks */
} Item;

/* Lanes of a check all want the next item, and nobody else does: it stands under the check too. */
static bool stays(Linear *l, const Item *i) {
  const Holder *h = top(l);
  return wants_only(l, &l->now, i->last) && lowest(l, &h->rest) > i->last &&
         lowest(l, &h->done) > i->last;
}

/* The lanes not checked in all want the next item, and nobody else does: it is the other side. */
static bool begin_else(Linear *l, const Item *i) {
  Holder *h = top(l);
  if (!h->decided || here(&h->done) || !here(&l->now) || !here(&h->rest) ||
      !wants_only(l, &h->rest, i->last) || lowest(l, &l->now) <= i->last)
    return false;
  Spot end = solid(l, l->now);
  h = top(l);
  h->done = end;
  l->now = h->rest;
  h->rest = NO_SPOT;
  return true;
}

/* Does the item stand in the frame around the top one, too? */
static bool is_around(const Linear *l, const Item *i) {
  return l->stack.count == 1 || l->stack.at[l->stack.count - 2].last >= i->first;
}

static void close_before(Linear *l, const Item *i) {
  while (l->stack.count && top(l)->last < i->first) {
    switch (top(l)->kind) {
    case CHECK:
      if (is_around(l, i) && (stays(l, i) || begin_else(l, i))) {
        top(l)->last = i->end;
        return;
      }
      close_check(l);
      break;
    case ARMS:
      end_arm(l);
      break;
    case ROUND:
      close_loop(l);
      break;
    }
  }
}

/* The block that a check can stand at, whose branch decides it; its slot for the item. */
static bool decides(const Linear *l, const Item *i, uint32_t *slot) {
  if (!l->kept || !is_undecided(l, &l->now))
    return false;
  const SrFlowBlock *b = block_at(&l->s, l->s.edge.at[l->now.at.first].block);
  if (b->cycle != SR_NONE) /* has a merge instruction already */
    return false;
  uint32_t x = rank_of(&l->s, b->user, 0), y = rank_of(&l->s, b->user, 1);
  bool in_x = x >= i->first && x <= i->last, in_y = y >= i->first && y <= i->last;
  *slot = in_y;
  return in_x != in_y;
}

static void check_at_branch(Linear *l, Holder *h, uint32_t slot) {
  uint32_t b = l->s.edge.at[l->now.at.first].block, user = block_at(&l->s, b)->user;
  h->header = b;
  h->decided = true;
  h->rest = spot_of(l, b, 1 - slot, rank_of(&l->s, user, 1 - slot));
  l->now = spot_of(l, b, slot, rank_of(&l->s, user, slot));
}

static void check_with_sel(Linear *l, Holder *h, const Item *i) {
  bool below = has(l, l->now.below), above = sr_ranks_max(&l->s.ranks, l->now.at.set) > i->last;
  uint32_t b = sr_sweep_place(&l->s, &l->now.at, 2, SR_ROLE_GUARD, true);
  SrFlowBlock *g = block_at(&l->s, b);
  g->test = !i->several ? SR_TEST_EQ : !below ? SR_TEST_LE : !above ? SR_TEST_GE : SR_TEST_OUTSIDE;
  g->low = i->several && !below ? i->last : i->first;
  g->high = i->last;
  uint32_t in = g->test == SR_TEST_OUTSIDE, set = l->now.at.set;
  h->header = b;
  h->rest = l->now;
  l->now = NO_SPOT;
  l->now.split = i->several && h->split;
  l->now.at =
      sr_sweep_point_of(&l->s, b, in, i->several ? SR_NONE : i->first, take(l, set, i->last));
  h->rest.at = sr_sweep_point_of(&l->s, b, 1 - in, SR_NONE, set);
}

static void arrive(Linear *l, const Item *i) {
  if (wants_only(l, &l->now, i->last))
    return;
  Holder h = {.kind = CHECK, .last = i->end, .rest = NO_SPOT, .done = NO_SPOT};
  uint32_t slot;
  h.split = l->now.split;
  if (decides(l, i, &slot))
    check_at_branch(l, &h, slot);
  else
    check_with_sel(l, &h, i);
  block_at(&l->s, h.header)->divergent = h.split;
  for (uint32_t k = l->stack.count; h.split && k-- > 0;)
    if (l->stack.at[k].kind == ROUND) {
      l->stack.at[k].leaves_split = true;
      break;
    }
  SR_PUSH(&l->s.scratch, &l->stack, h);
}

/* ---- leaving a block ---- */

/* How an edge of a kept branch goes on. */
typedef enum Way { ARM, JUMP, LEAD_ON } Way;

static Way way_of(Linear *l, uint32_t user, uint32_t target, bool may_jump) {
  const Holder *loop = may_jump ? loop_around(l) : NULL;
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

/* A kept branch. Cases of a switch do not jump: they lead on. */
static void leave_kept(Linear *l, uint32_t b, uint32_t user, bool is_switch) {
  Holder h = {.kind = ARMS, .last = l->rank, .header = b, .rest = NO_SPOT, .done = NO_SPOT};
  h.arm = l->s.arms.count;
  for (uint32_t i = 0; i < sr_succ_count(l->s.g, user); i++) {
    uint32_t target = l->s.g->succ[l->s.g->succ_at[user] + i], rank = l->s.nest->rank[target];
    switch (way_of(l, user, target, !is_switch)) {
    case ARM:
      SR_PUSH(&l->s.scratch, &l->s.arms, (Arm){rank, i});
      break;
    case JUMP:
      leave_by(l, loop_around(l), spot_of(l, b, i, rank), rank);
      break;
    case LEAD_ON: {
      Spot p = spot_of(l, b, i, rank);
      meet(l, &h.done, &p);
    }
    }
  }
  h.arm_end = l->s.arms.count;
  uint32_t arms = h.arm_end - h.arm;
  if (arms > 1) /* with none there may be no array */
    sr_sort(&l->s.scratch, l->s.arms.at + h.arm, arms, sizeof *l->s.arms.at, by_rank);
  if (arms > 1 || (arms && here(&h.done)) || is_switch) {
    SR_PUSH(&l->s.scratch, &l->stack, h);
    if (arms)
      begin_arm(l);
    return;
  }
  l->now = h.done; /* at most one edge */
  if (arms) {
    Arm arm = SR_POP(&l->s.arms);
    l->now = spot_of(l, b, arm.slot, arm.rank);
  }
}

/* A branch that only sets the selector; a switch does so in a block for each case. */
static void leave_folded(Linear *l, uint32_t b, uint32_t user, bool is_switch, bool split) {
  uint32_t n = sr_succ_count(l->s.g, user);
  l->now = NO_SPOT;
  for (uint32_t i = 0; i < n && is_switch; i++) {
    Spot p = spot_of(l, b, i, rank_of(&l->s, user, i));
    meet(l, &l->now, &p);
  }
  if (n && !is_switch)
    l->now.at = sr_sweep_point_of(&l->s, b, n == 2 ? BOTH : 0, rank_of(&l->s, user, 0), SR_NONE);
  for (uint32_t i = 0; i < n && !is_switch; i++)
    want(l, &l->now, rank_of(&l->s, user, i));
  l->now.split = n > 1 && split;
  if (is_switch)
    close_into(l, SR_MERGE_SELECTION, b, SR_NONE, l->now);
}

static void leave_block(Linear *l, uint32_t b, uint32_t user, uint32_t depth_limit) {
  bool is_switch = sr_bit(l->s.is_switch, user);
  bool uniform = l->kept && sr_bit(l->kept->keep, user) && sr_succ_count(l->s.g, user) > 1;
  bool keep = uniform && l->stack.count < depth_limit, leads_apart = false;
  for (SR_SUCCS(t, l->s.g, user))
    leads_apart = leads_apart || (keep && way_of(l, user, *t, !is_switch) != LEAD_ON);
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
    sr_sweep_patch(&l->s, &l->now.at, b, false);
    sr_sweep_set_merge(&l->s, &l->now.at, b);
  }
  if (l->stack.count && top(l)->kind == ROUND && top(l)->header == SR_NONE) {
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
      arrive(l, &i); /* several entries: not all lanes want the header */
    }
    place_user(l, rank, depth_limit);
  }
  Item none = {nest->count, nest->count, nest->count, false};
  close_before(l, &none);
}

SrFlowGraph *sr_flow_linear(SrArena *arena, const SrGraph *g, const SrNest *nest,
                            const SrBits *is_switch, const SrArms *arms, uint32_t depth_limit) {
  Linear l = {.kept = arms, .now = NO_SPOT};
  l.s = (Sweep){.arena = arena,
                .scratch = sr_arena_new(arena->heap),
                .g = g,
                .nest = nest,
                .is_switch = is_switch,
                .flow = SR_NEW(arena, SrFlowGraph, 1),
                .cur = NOWHERE};
  l.s.ranks.arena = &l.s.scratch;
  sweep(&l, depth_limit);
  assert(!l.stack.count && !here(&l.now));
  sr_flow_set_order(arena, l.s.flow);
  sr_arena_free(&l.s.scratch);
  return l.s.flow;
}
