/* SPDX-License-Identifier: Apache-2.0 */
/* sweep: see sweep.h; flow/sweep_state.h has the state. */
#include "passes/transform/structurize/sweep.h"

#include "passes/transform/structurize/sweep_loop.h"
#include "passes/transform/structurize/sweep_select.h"

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

/* How the edges of a block leave it. */
typedef struct Leaving {
  uint32_t forward, breaks, conts;
} Leaving;

/* Puts an added block on the edge. */
static uint32_t split_edge(Sweep *s, uint32_t b, uint32_t slot) {
  uint32_t j = is_switch_block(s, b) ? sr_sweep_new_case_block(s, b)
                                     : sr_sweep_new_block(s, SR_ROLE_EDGE, SR_NONE, 1);
  slot_at(s, b, slot)->to = j;
  return j;
}

/* Does user block b, which has an edge that jumps, need a merge instruction for its branch? In
 * portable structure it does, unless it is the test of a loop, or of a back edge. */
static bool needs_merge(const Sweep *s, uint32_t b, const Leaving *l) {
  const Frame *loop = innermost_loop(s);
  if (!s->portable || l->forward > 1 || !(l->breaks || l->conts) || loop->header == b)
    return false;
  if (loop->natural != SR_NONE && loop->latch == block_at(s, b)->user)
    return false;
  bool to_one_merge = l->breaks == 2;
  bool hinted = s->hinted && sr_bit(s->hinted, block_at(s, b)->user);
  bool tests_loop = l->breaks && directly_in_loop(s) && !hinted;
  return !to_one_merge && !tests_loop && l->forward + l->conts + l->breaks == 2;
}

/* Does an edge from b that starts the next iteration need an added block? Cases of a switch do. In
 * portable structure a branch inside a selection that either breaks or continues needs one to be
 * its merge. */
static bool needs_split(const Sweep *s, uint32_t b, const Leaving *l) {
  return is_switch_block(s, b) || (l->breaks && needs_merge(s, b, l));
}

/* Handles an edge that jumps: to the loop's next iteration or out of it. */
static void jump(Sweep *s, uint32_t b, uint32_t slot, EdgeKind kind, const Leaving *l) {
  Frame *loop = innermost_loop(s);
  const SrCycle *c = &s->nest->cycles[loop->cycle];
  uint32_t rank = rank_of(s, block_at(s, b)->user, slot);
  bool above = rank > c->last;
  if (kind == BACK && loop->latch == block_at(s, b)->user) {
    Point edge = sr_sweep_point_of(s, b, slot, rank, SR_NONE);
    sr_sweep_patch(s, &edge, loop->header, loop->dispatch);
  } else if (kind == BREAK) {
    bool from_case = is_switch_block(s, b);
    uint32_t from = from_case ? split_edge(s, b, slot) : b;
    Point edge = sr_sweep_point_of(s, from, from_case ? 0 : slot, rank, SR_NONE);
    sr_ranks_add(&s->ranks, above ? loop->above : loop->below, above ? rank : ~rank);
    loop->cases_break |= from_case;
    sr_sweep_break(s, &edge, above, !above);
  } else {
    bool added = needs_split(s, b, l);
    uint32_t from = added ? split_edge(s, b, slot) : b;
    Point edge = sr_sweep_point_of(s, from, added ? 0 : slot, rank, SR_NONE);
    sr_sweep_add_in_edges(s, &loop->conts, &edge);
  }
}

/* Sorts the out-edges of a user block into jumps and the flow to the following blocks. */
static void leave_block(Sweep *s, uint32_t b) {
  const Frame *loop = innermost_loop(s);
  uint32_t user = block_at(s, b)->user, n = sr_succ_count(s->g, user);
  uint32_t first_arm = s->arms.count, set = SR_NONE;
  bool many = sr_bit(s->is_switch, user);
  Arm last = {0};
  Leaving l = {0};
  for (uint32_t i = 0; i < n; i++) {
    uint32_t rank = rank_of(s, user, i);
    EdgeKind kind = edge_kind(s, loop, s->nest->order[rank]);
    l.breaks += kind == BREAK;
    l.conts += kind == BACK || kind == TO_NATURAL;
    if (kind != FORWARD)
      continue;
    last = (Arm){rank, i};
    l.forward++;
    if (many) {
      SR_PUSH(&s->scratch, &s->arms, last);
    } else {
      set = set == SR_NONE ? sr_ranks_new(&s->ranks) : set;
      sr_sweep_add_target(s, set, rank);
    }
  }
  s->cur = NOWHERE;
  bool merges = !many && needs_merge(s, b, &l), waits = s->portable && l.breaks;
  if (many)
    sr_sweep_push_switch(s, b, first_arm, waits);
  else if (l.forward)
    s->cur = sr_sweep_point_of(s, b, l.forward == 2 ? BOTH : last.slot, last.rank, set);
  if (merges && l.forward)
    s->cur.merge_of = sr_sweep_note_selection(s, b, l.breaks && in_switch(s));
  for (uint32_t i = 0; i < n; i++) {
    EdgeKind kind = edge_kind(s, innermost_loop(s), s->nest->order[rank_of(s, user, i)]);
    if (kind == FORWARD)
      continue;
    jump(s, b, i, kind, &l);
    if (merges && !l.forward && kind != BREAK) {
      block_at(s, b)->merge_kind = SR_MERGE_SELECTION;
      block_at(s, b)->merge = slot_at(s, b, i)->to;
    }
  }
  if (many && first_arm == s->arms.count && block_at(s, b)->merge_kind == SR_MERGE_NONE && !waits) {
    /* All cases jump: the block of the last jump is the merge. */
    block_at(s, b)->merge_kind = SR_MERGE_SELECTION;
    block_at(s, b)->merge = block_at(s, b)->first_case;
  }
}

static void place_user(Sweep *s, uint32_t rank) {
  uint32_t v = s->nest->order[rank];
  Frame *loop = innermost_loop(s);
  bool natural = loop && loop->natural == v && loop->header != SR_NONE;
  if (rank && (!natural || sr_sweep_is_target(s, rank)))
    sr_sweep_arrive(s, rank, rank, false);
  if (natural)
    sr_sweep_reach_continue(s);
  uint32_t b = sr_sweep_new_block(s, SR_ROLE_USER, v, sr_succ_count(s->g, v));
  loop = innermost_loop(s);
  if (natural) {
    assert(directly_in_loop(s) && !exists(&s->cur));
    sr_sweep_patch(s, &loop->conts, b, false);
  } else if (rank) {
    sr_sweep_patch(s, &s->cur, b, false);
    sr_sweep_set_merge(s, &s->cur, b);
  }
  if (loop && loop->header == SR_NONE) {
    loop->header = b;
    block_at(s, b)->cycle = loop->cycle;
  }
  if (loop && loop->natural == v)
    loop->cont = b;
  leave_block(s, b);
}

SrFlowGraph *sr_sweep_build(SrArena *arena, const SrGraph *g, const SrNest *nest,
                            const SrBits *is_switch, const SrSweepOptions *options) {
  Sweep s = {.arena = arena,
             .scratch = sr_arena_new(arena->heap),
             .g = g,
             .nest = nest,
             .is_switch = is_switch,
             .depth_limit = options->depth_limit,
             .goal = options->goal,
             .portable = options->portable,
             .hinted = options->hinted,
             .flow = SR_NEW(arena, SrFlowGraph, 1),
             .cur = NOWHERE};
  s.ranks.arena = &s.scratch;
  s.pend = sr_new_none(&s.scratch, nest->count);
  for (uint32_t rank = 0; rank < nest->count; rank++) {
    while (s.loops.count && rank > nest->cycles[innermost_loop(&s)->cycle].last)
      sr_sweep_close_loop(&s);
    while (s.next_cycle < nest->cycle_count && nest->cycles[s.next_cycle].first == rank)
      sr_sweep_open_loop(&s, s.next_cycle++);
    place_user(&s, rank);
  }
  while (s.loops.count)
    sr_sweep_close_loop(&s);
  assert(s.stack.count == 0 && !exists(&s.cur));
  sr_flow_set_order(arena, s.flow);
  sr_arena_free(&s.scratch);
  return s.flow;
}
