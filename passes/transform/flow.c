/* flow: structurize's sweep. One pass over the blocks in LRPO; each block is placed once, after all
 * lanes that can want it have met, and a lane that wants a later block walks around what lies
 * between. docs/structurize.md tells the algorithm and why it is right.
 *
 * A *point* is a spot where the next block comes: its in-edges, the set of ranks wanted there, and
 * at most one frame whose merge it is. `cur` is the point reached now. The stack holds *frames*:
 *
 *   selection   rest: lanes not served yet      done: arms that have ended
 *   switch      the same, rest spread over the arms not begun yet
 *   loop        breaks, conts: points of the edges that leave, that start the next iteration
 *
 * Invariants:
 *   - a frame closes exactly when a block that it holds is due, so that every lane that wants the
 *     next block stands at cur or passes the guard made for it
 *   - a rank stands in the set of each frame (or cur) that holds lanes that want it; pend[rank]
 *     names the sets it was put into, and the union-find says who holds them now
 *   - a point whose merge it is of one frame becomes a block before another frame closes on it */
#include "transform/flow.h"
#include "transform/rank_set.h"

#include <assert.h>
#include <stdlib.h>

/* An in-edge of a point: a slot of a block, or both slots of a two-way user block that has not
 * been decided yet. Lists are linked, so that points join in O(1). */
typedef struct InEdge {
  uint32_t block, slot, rank, next; /* rank SR_NONE: sel holds it */
} InEdge;

static const uint32_t BOTH = UINT32_MAX;

typedef struct Point {
  uint32_t first, last; /* in-edges; first SR_NONE: there is no such point */
  uint32_t set;         /* rank set, or SR_NONE where nobody asks any more */
  uint32_t merge_of;    /* index of the closed frame in `closed`, or SR_NONE */
} Point;

typedef enum FrameKind { SELECTION, SWITCH, LOOP } FrameKind;

/* An arm of a switch that was not begun yet. */
typedef struct Arm {
  uint32_t rank, slot;
} Arm;

typedef struct Frame {
  FrameKind kind;
  uint32_t header;        /* flow block; of a loop SR_NONE until its header block is made */
  Point rest, done;       /* selection and switch */
  uint32_t arm, arm_end;  /* switch: arms not begun, by rank, in `arms` */
  uint32_t begun;         /* switch: arms begun */
  uint32_t cycle;         /* loop … */
  bool dispatch;          /* has several entries: sel tells them apart */
  uint32_t natural, cont; /* natural continue block (input's index); flow block */
  Point breaks, conts;
  uint32_t above, below; /* ranks that breaks want: above the cycle; below it, as ~rank */
  bool cases_break;      /* a switch inside has breaks */
} Frame;

/* A frame that was closed; its merge is the block that is made of a point. */
typedef struct Closed {
  SrMergeKind kind;
  uint32_t header, cont;
  bool cases_break;
} Closed;

/* A pending set: pend[rank] lists them. */
typedef struct Pending {
  uint32_t set, next;
} Pending;

typedef struct Sweep {
  SrArena *arena, scratch;
  const SrGraph *g;
  const SrNest *nest;
  const SrBits *is_switch;
  uint32_t depth_limit;
  SrFlow *flow;
  SrRankSets ranks;
  SR_VEC(InEdge) edge;
  SR_VEC(Frame) stack;
  SR_VEC(Arm) arms;
  SR_VEC(Pending) pending;
  SR_VEC(uint32_t) loops; /* stack indices of open loops */
  SR_VEC(Closed) closed;
  SR_VEC(uint32_t) switches; /* stack indices of switches */
  uint32_t *pend;            /* by rank: first Pending, or SR_NONE */
  Point cur;
  uint32_t next_cycle; /* cycles are opened in the order of their array */
} Sweep;

static const Point NOWHERE = {SR_NONE, SR_NONE, SR_NONE, SR_NONE};

static bool exists(const Point *p) {
  return p->first != SR_NONE;
}

static uint32_t rank_of(const Sweep *s, uint32_t user, uint32_t slot) {
  return s->nest->rank[s->g->succ[s->g->succ_at[user] + slot]];
}

/* ---- blocks, edges, points
 * ----------------------------------------------------------------------- */

static uint32_t open_cycle(const Sweep *s) {
  return s->loops.count ? s->stack.at[SR_LAST(&s->loops)].cycle : SR_NONE;
}

static uint32_t new_block(Sweep *s, SrRole role, uint32_t user, uint32_t slots) {
  SrFlowBlock b = {.role = role,
                   .user = user,
                   .slot = s->flow->slot.count,
                   .slot_count = slots,
                   .merge = SR_NONE,
                   .cont = SR_NONE,
                   .cycle = SR_NONE,
                   .loop = open_cycle(s),
                   .first_case = SR_NONE,
                   .next_case = SR_NONE};
  for (uint32_t i = 0; i < slots; i++)
    SR_PUSH(s->arena, &s->flow->slot, (SrSlot){SR_NONE, SR_NONE, SR_NONE});
  SR_PUSH(s->arena, &s->flow->block, b);
  return s->flow->block.count - 1;
}

static SrFlowBlock *block_at(const Sweep *s, uint32_t b) {
  return &s->flow->block.at[b];
}

static SrSlot *slot_at(const Sweep *s, uint32_t b, uint32_t slot) {
  return &s->flow->slot.at[block_at(s, b)->slot + slot];
}

/* An added block on an edge of a switch; it is written right behind the switch. */
static uint32_t new_case_block(Sweep *s, uint32_t header) {
  uint32_t c = new_block(s, SR_ROLE_CASE, SR_NONE, 1);
  block_at(s, c)->loop = block_at(s, header)->loop;
  block_at(s, c)->next_case = block_at(s, header)->first_case;
  block_at(s, header)->first_case = c;
  return c;
}

static uint32_t new_edge(Sweep *s, uint32_t block, uint32_t slot, uint32_t rank) {
  SR_PUSH(&s->scratch, &s->edge, (InEdge){block, slot, rank, SR_NONE});
  return s->edge.count - 1;
}

static Point point_of(Sweep *s, uint32_t block, uint32_t slot, uint32_t rank, uint32_t set) {
  uint32_t e = new_edge(s, block, slot, rank);
  return (Point){e, e, set, SR_NONE};
}

static void add_in_edges(Sweep *s, Point *to, const Point *from) {
  if (!exists(from))
    return;
  if (exists(to))
    s->edge.at[to->last].next = from->first;
  else
    to->first = from->first;
  to->last = from->last;
}

static bool is_switch_block(const Sweep *s, uint32_t b) {
  uint32_t user = block_at(s, b)->user;
  return user != SR_NONE && sr_bit(s->is_switch, user);
}

/* Lets one slot lead to `target`. Two edges of one switch that bring different values of sel to one
 * block need a block of their own for all but the first: phis tell blocks apart, not edges. */
static void lead(Sweep *s, uint32_t b, uint32_t slot, uint32_t rank, uint32_t target, bool need_sel,
                 uint32_t *switch_seen) {
  SrSlot *out = slot_at(s, b, slot);
  assert(out->to == SR_NONE);
  if (need_sel && rank != SR_NONE && is_switch_block(s, b)) {
    if (*switch_seen == b) {
      uint32_t c = new_case_block(s, b);
      slot_at(s, b, slot)->to = c;
      *slot_at(s, c, 0) = (SrSlot){target, rank, SR_NONE};
      return;
    }
    *switch_seen = b;
  }
  out->to = target;
  if (need_sel)
    out->set = rank;
}

/* Lets all in-edges of p lead to `target`; with need_sel each sets sel to the rank it wants. (All
 * open edges of a switch stand together in a point.) */
static void patch(Sweep *s, const Point *p, uint32_t target, bool need_sel) {
  uint32_t switch_seen = SR_NONE;
  for (uint32_t e = p->first; e != SR_NONE; e = s->edge.at[e].next) {
    InEdge in = s->edge.at[e];
    if (in.slot != BOTH) {
      lead(s, in.block, in.slot, in.rank, target, need_sel, &switch_seen);
      continue;
    }
    uint32_t user = block_at(s, in.block)->user;
    for (uint32_t i = 0; i < 2; i++)
      lead(s, in.block, i, rank_of(s, user, i), target, need_sel, &switch_seen);
  }
}

static void set_merge(Sweep *s, const Point *p, uint32_t target) {
  if (p->merge_of == SR_NONE)
    return;
  const Closed *c = &s->closed.at[p->merge_of];
  SrFlowBlock *h = block_at(s, c->header);
  h->merge_kind = c->kind;
  h->merge = target;
  h->cont = c->cont;
}

static bool several_wanted(const Sweep *s, uint32_t set) {
  return sr_ranks_min(&s->ranks, set) != sr_ranks_max(&s->ranks, set);
}

/* Makes an added block of a point; *sel_known says whether sel holds what each lane wants there. */
static uint32_t place(Sweep *s, const Point *p, uint32_t slots, SrRole role, bool sel_known) {
  uint32_t b = new_block(s, role, SR_NONE, slots);
  patch(s, p, b, sel_known);
  set_merge(s, p, b);
  return b;
}

/* p as a point that is no frame's merge. */
static Point solid(Sweep *s, Point p) {
  if (!exists(&p) || p.merge_of == SR_NONE)
    return p;
  bool several = several_wanted(s, p.set);
  uint32_t rank = several ? SR_NONE : sr_ranks_min(&s->ranks, p.set);
  uint32_t b = place(s, &p, 1, SR_ROLE_MERGE, several);
  return point_of(s, b, 0, rank, p.set);
}

static void hold(Sweep *s, uint32_t set, uint32_t frame) {
  if (set != SR_NONE)
    s->ranks.set.at[set].frame = frame;
}

static void pend(Sweep *s, uint32_t rank, uint32_t set) {
  SR_PUSH(&s->scratch, &s->pending, (Pending){set, s->pend[rank]});
  s->pend[rank] = s->pending.count - 1;
}

static void want(Sweep *s, uint32_t set, uint32_t rank) {
  sr_ranks_add(&s->ranks, set, rank);
  pend(s, rank, set);
}

/* ---- closing frames
 * ------------------------------------------------------------------------------ */

static uint32_t note_closed(Sweep *s, const Frame *f) {
  bool loop = f->kind == LOOP;
  SrMergeKind kind = loop ? SR_MERGE_LOOP : SR_MERGE_SELECTION;
  SR_PUSH(&s->scratch, &s->closed,
          (Closed){kind, f->header, loop ? f->cont : SR_NONE, f->cases_break});
  return s->closed.count - 1;
}

/* The arms of a switch that were not begun, as one point. */
static Point open_arms(Sweep *s, const Frame *f) {
  Point p = f->rest;
  for (uint32_t a = f->arm; a < f->arm_end; a++) {
    Point arm = point_of(s, f->header, s->arms.at[a].slot, s->arms.at[a].rank, SR_NONE);
    add_in_edges(s, &p, &arm);
  }
  return p;
}

/* Takes the top frame, a selection or switch, off the stack: cur, what has ended and what was not
 * served meet in its merge. */
static void close_selection(Sweep *s) {
  Point parts[3] = {solid(s, s->cur), NOWHERE, NOWHERE};
  Frame f = SR_POP(&s->stack);
  assert(f.kind != LOOP);
  s->switches.count -= f.kind == SWITCH;
  parts[1] = f.done;
  parts[2] = f.kind == SWITCH ? open_arms(s, &f) : f.rest;
  Point met = NOWHERE;
  for (int i = 0; i < 3; i++) {
    if (!exists(&parts[i]))
      continue;
    add_in_edges(s, &met, &parts[i]);
    met.set = sr_ranks_join(&s->ranks, met.set, parts[i].set);
  }
  hold(s, met.set, SR_NONE);
  met.merge_of = note_closed(s, &f);
  s->cur = met;
}

/* The lowest frame that holds a lane that wants a rank of a..b, else the height of the stack. */
static uint32_t lowest_holder(Sweep *s, uint32_t a, uint32_t b) {
  uint32_t lowest = s->stack.count;
  for (uint32_t r = a; r <= b; r++) {
    for (uint32_t p = s->pend[r]; p != SR_NONE; p = s->pending.at[p].next) {
      uint32_t frame = s->ranks.set.at[sr_ranks_find(&s->ranks, s->pending.at[p].set)].frame;
      if (frame != SR_NONE && frame < lowest)
        lowest = frame;
    }
    s->pend[r] = SR_NONE;
  }
  return lowest;
}

static uint32_t loop_base(const Sweep *s) {
  return s->loops.count ? SR_LAST(&s->loops) + 1 : 0;
}

/* The top frame is a selection whose second arm is a..b alone, and the first has ended and wants
 * only what comes later: keeps if/else. */
static bool take_else(Sweep *s, uint32_t a, uint32_t b) {
  Frame *f = &SR_LAST(&s->stack);
  if (f->kind != SELECTION || exists(&f->done) || !exists(&s->cur) ||
      sr_ranks_min(&s->ranks, s->cur.set) <= b || sr_ranks_min(&s->ranks, f->rest.set) < a ||
      sr_ranks_max(&s->ranks, f->rest.set) > b)
    return false;
  Point done = solid(s, s->cur);
  f = &SR_LAST(&s->stack);
  f->done = done;
  hold(s, done.set, s->stack.count - 1);
  s->cur = f->rest;
  f->rest = NOWHERE;
  hold(s, s->cur.set, SR_NONE);
  return true;
}

/* The edge on which an arm that has ended falls into the next one: one edge that is no merge. */
static Point fall_through_edge(Sweep *s) {
  Point p = solid(s, s->cur);
  if (p.first == p.last)
    return p;
  uint32_t b = place(s, &p, 1, SR_ROLE_MERGE, false);
  return point_of(s, b, 0, sr_ranks_min(&s->ranks, p.set), p.set);
}

/* The top frame is a switch: begins the arm of a..b, if it can be one. */
static bool take_arm(Sweep *s, uint32_t a, uint32_t b, bool dispatch) {
  Frame *f = &SR_LAST(&s->stack);
  if (f->kind != SWITCH || f->arm == f->arm_end)
    return false;
  Arm arm = s->arms.at[f->arm];
  bool last = f->arm + 1 == f->arm_end;
  bool only = arm.rank >= a && arm.rank <= b && (last || s->arms.at[f->arm + 1].rank > b);
  bool ended_wants = exists(&f->done) && sr_ranks_min(&s->ranks, f->done.set) <= b;
  bool flows = exists(&s->cur) && sr_ranks_min(&s->ranks, s->cur.set) > b;
  bool falls = exists(&s->cur) && !dispatch && sr_ranks_min(&s->ranks, s->cur.set) == arm.rank &&
               sr_ranks_max(&s->ranks, s->cur.set) == arm.rank;
  if (!only || ended_wants || (exists(&s->cur) && !flows && !falls))
    return false;
  if (last && !exists(&f->done) && !flows)
    return false; /* nothing would be left to merge: the arm itself is the merge block */
  Point entry = point_of(s, f->header, arm.slot, arm.rank, SR_NONE);
  if (falls) {
    Point edge = fall_through_edge(s);
    add_in_edges(s, &entry, &edge);
  } else if (flows) {
    Point end = solid(s, s->cur);
    f = &SR_LAST(&s->stack);
    add_in_edges(s, &f->done, &end);
    f->done.set = sr_ranks_join(&s->ranks, f->done.set, end.set);
    hold(s, f->done.set, s->stack.count - 1);
  }
  f = &SR_LAST(&s->stack);
  slot_at(s, f->header, arm.slot)->arm = f->begun++;
  f->arm++;
  sr_ranks_drop(&s->ranks, f->rest.set, b);
  s->cur = entry;
  return true;
}

/* ---- arriving at an item
 * ------------------------------------------------------------------------- */

/* Pushes the selection that lets only the lanes that want a..b go on: at the user block's own
 * branch where it is still undecided, else at a guard. */
static void push_selection(Sweep *s, uint32_t a, uint32_t b) {
  const InEdge in = s->edge.at[s->cur.first];
  bool undecided = s->cur.first == s->cur.last && in.slot == BOTH && s->cur.merge_of == SR_NONE;
  Frame f = {.kind = SELECTION, .rest = NOWHERE, .done = NOWHERE};
  uint32_t set = s->cur.set;
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
    f.rest = point_of(s, in.block, 1 - slot, rest, set);
    s->cur = point_of(s, in.block, slot, then, SR_NONE);
  } else {
    uint32_t guard = place(s, &s->cur, 2, SR_ROLE_GUARD, true);
    block_at(s, guard)->test = SR_TEST_LE;
    block_at(s, guard)->low = b;
    f.header = guard;
    f.rest = point_of(s, guard, 1, SR_NONE, set);
    s->cur = point_of(s, guard, 0, SR_NONE, SR_NONE);
  }
  sr_ranks_drop(&s->ranks, set, b);
  hold(s, set, s->stack.count);
  SR_PUSH(&s->scratch, &s->stack, f);
}

/* Makes cur lead to the item of ranks a..b and only to it. */
static void arrive(Sweep *s, uint32_t a, uint32_t b, bool dispatch) {
  uint32_t d = lowest_holder(s, a, dispatch ? b : a); /* else only the first block is entered */
  if (s->stack.count > s->depth_limit && d > loop_base(s)) {
    d = loop_base(s);
    s->flow->early_closed++;
  }
  assert(d >= loop_base(s));
  while (s->stack.count > d) {
    if (s->stack.count - 1 == d) {
      if (take_arm(s, a, b, dispatch))
        return;
      if (take_else(s, a, b))
        break;
    }
    close_selection(s);
  }
  assert(exists(&s->cur) && sr_ranks_min(&s->ranks, s->cur.set) >= a &&
         sr_ranks_min(&s->ranks, s->cur.set) <= b);
  if (sr_ranks_max(&s->ranks, s->cur.set) <= b) {
    sr_ranks_drop(&s->ranks, s->cur.set, b);
    s->cur.set = SR_NONE;
  } else {
    push_selection(s, a, b);
  }
}

/* ---- loops
 * --------------------------------------------------------------------------------------- */

/* The only source of the cycle's back edges, if it lies directly in the cycle and is no entry, or
 * is all of the cycle; else SR_NONE. A switch is none: its cases may not be back edges. */
static uint32_t natural_continue(const Sweep *s, uint32_t cycle) {
  const SrCycle *c = &s->nest->cycles[cycle];
  uint32_t found = SR_NONE;
  for (SR_PREDS(p, s->g, c->header)) {
    if (!sr_cycle_has(s->nest, cycle, *p))
      continue;
    if (found != SR_NONE)
      return SR_NONE;
    found = *p;
  }
  if (s->nest->inner[found] != cycle || sr_bit(s->is_switch, found))
    return SR_NONE;
  if (c->first == c->last)
    return found;
  for (SR_PREDS(p, s->g, found)) /* an entry? */
    if (!sr_cycle_has(s->nest, cycle, *p) && s->nest->rank[*p] != SR_NONE)
      return SR_NONE;
  return found;
}

/* Would block h, as loop header, need a merge instruction of its own branch too? */
static bool needs_selection(const Sweep *s, uint32_t cycle, uint32_t h, uint32_t natural) {
  if (sr_bit(s->is_switch, h))
    return true;
  uint32_t forward = 0;
  for (SR_SUCCS(t, s->g, h))
    forward += sr_cycle_has(s->nest, cycle, *t) && *t != h && *t != natural;
  return forward == 2;
}

/* Is cur the merge of a loop that a switch inside breaks out of? SPIRV-Tools' validator (2023.1)
 * takes no such break to a block that is header and continue target at once, though the rules of
 * SPIR-V do. */
static bool ends_loop_with_cases(const Sweep *s) {
  return s->cur.merge_of != SR_NONE && s->closed.at[s->cur.merge_of].cases_break;
}

static void open_loop(Sweep *s, uint32_t cycle) {
  const SrCycle *c = &s->nest->cycles[cycle];
  bool dispatch = c->entries > 1;
  arrive(s, c->first, c->last, dispatch);
  Frame f = {.kind = LOOP,
             .header = SR_NONE,
             .cycle = cycle,
             .dispatch = dispatch,
             .natural = natural_continue(s, cycle),
             .cont = SR_NONE,
             .rest = NOWHERE,
             .done = NOWHERE,
             .breaks = NOWHERE,
             .conts = NOWHERE,
             .above = sr_ranks_new(&s->ranks),
             .below = sr_ranks_new(&s->ranks)};
  if (dispatch || needs_selection(s, cycle, c->header, f.natural)) {
    f.header = place(s, &s->cur, 1, SR_ROLE_HEADER, dispatch);
    block_at(s, f.header)->cycle = block_at(s, f.header)->loop = cycle;
    if (f.natural == c->header)
      f.natural = SR_NONE;
    s->cur = point_of(s, f.header, 0, dispatch ? SR_NONE : c->first, SR_NONE);
  } else if (f.natural == c->header && ends_loop_with_cases(s)) {
    uint32_t b = place(s, &s->cur, 1, SR_ROLE_MERGE, false);
    s->cur = point_of(s, b, 0, c->first, SR_NONE);
  }
  s->cur.set = sr_ranks_new(&s->ranks);
  want(s, s->cur.set, c->first);
  for (uint32_t r = c->first + 1; dispatch && r <= c->last; r++)
    for (SR_PREDS(p, s->g, s->nest->order[r]))
      if (!sr_cycle_has(s->nest, cycle, *p) && s->nest->rank[*p] != SR_NONE) {
        want(s, s->cur.set, r);
        break;
      }
  SR_PUSH(&s->scratch, &s->loops, s->stack.count);
  SR_PUSH(&s->scratch, &s->stack, f);
}

static void close_continue(Sweep *s, Frame *f) {
  if (f->cont != SR_NONE)
    return;
  f->cont = new_block(s, SR_ROLE_CONTINUE, SR_NONE, 1);
  block_at(s, f->cont)->loop = f->cycle;
  patch(s, &f->conts, f->cont, false);
  const SrCycle *c = &s->nest->cycles[f->cycle];
  *slot_at(s, f->cont, 0) = (SrSlot){f->header, f->dispatch ? c->first : SR_NONE, SR_NONE};
}

/* What the lanes that leave a loop want, seen from the loop around it. */
typedef struct Exits {
  bool out, cont, forward;       /* beyond the parent; its next iteration; a block in it */
  uint32_t out_below, out_above; /* nearest ranks outside of the parent */
  uint32_t low, high;            /* of what stays in the parent */
  bool several;                  /* more than one rank in all */
  uint32_t rank;                 /* one that is wanted */
} Exits;

/* Sorts the ranks that f's breaks want; those that stay in the parent are taken out, the forward
 * ones into `forward`. Heaps keep this linear over deep nests: what leaves the parent too is never
 * looked at. */
static Exits sort_exits(Sweep *s, const Frame *f, const Frame *up, uint32_t forward) {
  SrRankSets *k = &s->ranks;
  const SrCycle *p = up ? &s->nest->cycles[up->cycle] : NULL;
  Exits x = {.low = SR_NONE};
  bool any_above = !sr_ranks_empty(k, f->above), any_below = !sr_ranks_empty(k, f->below);
  x.several = (any_above && any_below) || (any_above && several_wanted(s, f->above)) ||
              (any_below && several_wanted(s, f->below));
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
      want(s, forward, r);
  }
  if (!sr_ranks_empty(k, f->below) && ~sr_ranks_min(k, f->below) == p->first) {
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

/* Splits the flow behind a loop's merge: lanes for which the test holds jump to `jumps`. Returns
 * the edge of the others. */
static Point split_off(Sweep *s, Point edge, SrTest test, uint32_t low, uint32_t high,
                       Point *jumps) {
  InEdge in = s->edge.at[edge.first];
  uint32_t b = in.block;
  if (block_at(s, b)->test != SR_TEST_NONE) {
    b = new_block(s, SR_ROLE_TEST, SR_NONE, 1);
    patch(s, &edge, b, false);
  }
  SR_PUSH(s->arena, &s->flow->slot, (SrSlot){SR_NONE, SR_NONE, SR_NONE});
  SR_PUSH(s->arena, &s->flow->slot, (SrSlot){SR_NONE, SR_NONE, SR_NONE});
  SrFlowBlock *at = block_at(s, b);
  at->slot = s->flow->slot.count - 2;
  at->slot_count = 2;
  at->test = test;
  at->low = low;
  at->high = high;
  Point jump = point_of(s, b, 0, SR_NONE, SR_NONE);
  add_in_edges(s, jumps, &jump);
  return point_of(s, b, 1, SR_NONE, SR_NONE);
}

/* Lanes that want something outside of the parent leave it too. */
static Point split_out(Sweep *s, Point edge, const Exits *x, Point *jumps) {
  if (x->out_above == SR_NONE)
    return split_off(s, edge, SR_TEST_LE, x->out_below, 0, jumps);
  if (x->out_below == SR_NONE)
    return split_off(s, edge, SR_TEST_GE, x->out_above, 0, jumps);
  return split_off(s, edge, SR_TEST_OUTSIDE, x->low, x->high, jumps);
}

/* Is a switch open inside the innermost open loop? */
static bool in_switch(const Sweep *s) {
  return s->switches.count && SR_LAST(&s->switches) > SR_LAST(&s->loops);
}

/* Behind the merge of a loop: the lanes are sorted into those that leave the parent too, those that
 * start its next iteration, and cur. */
static void leave_loop(Sweep *s, const Frame *f, Frame *up) {
  uint32_t forward = sr_ranks_new(&s->ranks);
  Point breaks = f->breaks;
  breaks.merge_of = note_closed(s, f);
  Exits x = sort_exits(s, f, up, forward);
  breaks.set = forward;
  s->cur = NOWHERE;
  if (!x.out && !x.cont) {
    s->cur = breaks;
    return;
  }
  uint32_t m = new_block(s, SR_ROLE_MERGE, SR_NONE, 1);
  patch(s, &breaks, m, x.several);
  set_merge(s, &breaks, m);
  Point edge = point_of(s, m, 0, x.several ? SR_NONE : x.rank, SR_NONE);
  if (x.out && (x.cont || x.forward))
    edge = split_out(s, edge, &x, &up->breaks);
  else if (x.out)
    add_in_edges(s, &up->breaks, &edge);
  up->cases_break |= x.out && in_switch(s);
  up->above = sr_ranks_join(&s->ranks, up->above, f->above);
  up->below = sr_ranks_join(&s->ranks, up->below, f->below);
  if (x.cont && x.forward) {
    const SrCycle *p = &s->nest->cycles[up->cycle];
    bool first = x.low == p->first;
    edge =
        split_off(s, edge, first ? SR_TEST_LE : SR_TEST_GE, first ? x.low : x.high, 0, &up->conts);
  } else if (x.cont) {
    add_in_edges(s, &up->conts, &edge);
  }
  if (x.forward) {
    edge.set = forward;
    s->cur = edge;
  }
}

static void close_loop(Sweep *s) {
  assert(SR_LAST(&s->loops) == s->stack.count - 1 && !exists(&s->cur));
  Frame f = SR_POP(&s->stack);
  s->loops.count--;
  close_continue(s, &f);
  if (!exists(&f.breaks)) { /* an endless loop */
    Point dead = {.merge_of = note_closed(s, &f)};
    set_merge(s, &dead, new_block(s, SR_ROLE_DEAD, SR_NONE, 0));
    return;
  }
  leave_loop(s, &f, s->loops.count ? &s->stack.at[SR_LAST(&s->loops)] : NULL);
}

/* ---- the sweep
 * ----------------------------------------------------------------------------------- */

typedef enum EdgeKind { FORWARD, BACK, TO_NATURAL, BREAK } EdgeKind;

static EdgeKind edge_kind(const Sweep *s, const Frame *loop, uint32_t target) {
  if (!loop)
    return FORWARD;
  if (!sr_cycle_has(s->nest, loop->cycle, target))
    return BREAK;
  if (target == s->nest->cycles[loop->cycle].header)
    return BACK;
  return target == loop->natural ? TO_NATURAL : FORWARD;
}

/* An edge that jumps: to the loop's next iteration or out of it. Cases of a switch do so through a
 * block of their own. */
static void jump(Sweep *s, Frame *loop, uint32_t b, uint32_t slot, uint32_t rank, EdgeKind kind) {
  const SrCycle *c = &s->nest->cycles[loop->cycle];
  loop->cases_break |= kind == BREAK && (in_switch(s) || is_switch_block(s, b));
  bool natural_back = kind == BACK && loop->natural == block_at(s, b)->user;
  if (is_switch_block(s, b)) {
    uint32_t j = new_case_block(s, b);
    slot_at(s, b, slot)->to = j;
    b = j;
    slot = 0;
  }
  Point edge = point_of(s, b, slot, rank, SR_NONE);
  if (natural_back) {
    patch(s, &edge, loop->header, loop->dispatch);
  } else if (kind == BREAK) {
    add_in_edges(s, &loop->breaks, &edge);
    bool above = rank > c->last;
    sr_ranks_add(&s->ranks, above ? loop->above : loop->below, above ? rank : ~rank);
  } else {
    add_in_edges(s, &loop->conts, &edge);
  }
}

static int by_rank(const void *a, const void *b) {
  const Arm *x = a, *y = b;
  return (x->rank > y->rank) - (x->rank < y->rank);
}

/* A switch is pushed at once: its arms are begun, or its frame closed, as their blocks are due. One
 * whose cases all jump has the last jump's block as its merge. */
static void push_switch(Sweep *s, uint32_t b, uint32_t first_arm) {
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
  qsort(s->arms.at + f.arm, f.arm_end - f.arm, sizeof *s->arms.at, by_rank);
  for (uint32_t a = f.arm; a < f.arm_end; a++)
    want(s, f.rest.set, s->arms.at[a].rank);
  hold(s, f.rest.set, s->stack.count);
  SR_PUSH(&s->scratch, &s->switches, s->stack.count);
  SR_PUSH(&s->scratch, &s->stack, f);
}

/* Sorts the out-edges of a user block into jumps and the flow to what comes next. */
static void leave_block(Sweep *s, uint32_t b, Frame *loop) {
  uint32_t user = block_at(s, b)->user, n = sr_succ_count(s->g, user);
  uint32_t first_arm = s->arms.count, forward = 0;
  bool many = sr_bit(s->is_switch, user);
  Arm last = {0};
  uint32_t set = SR_NONE;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t rank = rank_of(s, user, i);
    EdgeKind kind = edge_kind(s, loop, s->nest->order[rank]);
    if (kind != FORWARD) {
      jump(s, loop, b, i, rank, kind);
      continue;
    }
    last = (Arm){rank, i};
    forward++;
    if (many) {
      SR_PUSH(&s->scratch, &s->arms, last);
    } else {
      set = set == SR_NONE ? sr_ranks_new(&s->ranks) : set;
      want(s, set, rank);
    }
  }
  s->cur = NOWHERE;
  if (many)
    push_switch(s, b, first_arm);
  else if (forward)
    s->cur = point_of(s, b, forward == 2 ? BOTH : last.slot, last.rank, set);
}

static void place_user(Sweep *s, uint32_t rank) {
  uint32_t v = s->nest->order[rank];
  Frame *loop = s->loops.count ? &s->stack.at[SR_LAST(&s->loops)] : NULL;
  bool natural = loop && loop->natural == v && loop->header != SR_NONE;
  if (rank && !natural)
    arrive(s, rank, rank, false);
  loop = s->loops.count ? &s->stack.at[SR_LAST(&s->loops)] : NULL; /* the stack may have moved */
  uint32_t b = new_block(s, SR_ROLE_USER, v, sr_succ_count(s->g, v));
  if (natural) {
    assert(&SR_LAST(&s->stack) == loop && !exists(&s->cur));
    patch(s, &loop->conts, b, false);
  } else if (rank) {
    patch(s, &s->cur, b, false);
    set_merge(s, &s->cur, b);
  }
  if (loop && loop->header == SR_NONE) {
    loop->header = b;
    block_at(s, b)->cycle = loop->cycle;
  }
  if (loop && loop->natural == v)
    loop->cont = b;
  leave_block(s, b, loop);
}

/* Case blocks are made when their target is known; they are written behind their switch. */
static void write_order(Sweep *s) {
  SrFlow *flow = s->flow;
  flow->order = SR_NEW_RAW(s->arena, uint32_t, flow->block.count);
  uint32_t n = 0;
  for (uint32_t b = 0; b < flow->block.count; b++) {
    if (flow->block.at[b].role == SR_ROLE_CASE)
      continue;
    flow->order[n++] = b;
    for (uint32_t c = flow->block.at[b].first_case; c != SR_NONE; c = flow->block.at[c].next_case)
      flow->order[n++] = c;
  }
  assert(n == flow->block.count);
}

SrFlow *sr_flow_build(SrArena *arena, const SrGraph *g, const SrNest *nest, const SrBits *is_switch,
                      uint32_t depth_limit) {
  Sweep s = {.arena = arena,
             .scratch = sr_arena_new(arena->heap),
             .g = g,
             .nest = nest,
             .is_switch = is_switch,
             .depth_limit = depth_limit,
             .flow = SR_NEW(arena, SrFlow, 1),
             .cur = NOWHERE};
  s.ranks.arena = &s.scratch;
  s.pend = sr_new_none(&s.scratch, nest->count);
  for (uint32_t rank = 0; rank < nest->count; rank++) {
    while (s.loops.count && rank > nest->cycles[s.stack.at[SR_LAST(&s.loops)].cycle].last)
      close_loop(&s);
    while (s.next_cycle < nest->cycle_count && nest->cycles[s.next_cycle].first == rank)
      open_loop(&s, s.next_cycle++);
    place_user(&s, rank);
  }
  while (s.loops.count)
    close_loop(&s);
  assert(s.stack.count == 0 && !exists(&s.cur));
  write_order(&s);
  sr_arena_free(&s.scratch);
  return s.flow;
}
