/* SPDX-License-Identifier: Apache-2.0 */
/* sweep: see sweep.h; flow/sweep_state.h has the state. */
#include "transform/structurize/sweep.h"

#include "transform/structurize/sweep_loop.h"
#include "transform/structurize/sweep_select.h"

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

/* Handles an edge that jumps: to the loop's next iteration or out of it. Cases of a switch do so
 * through a block of their own. */
static void jump(Sweep *s, Frame *loop, uint32_t b, uint32_t slot, uint32_t rank, EdgeKind kind) {
  const SrCycle *c = &s->nest->cycles[loop->cycle];
  loop->cases_break |= kind == BREAK && (in_switch(s) || is_switch_block(s, b));
  bool natural_back = kind == BACK && loop->latch == block_at(s, b)->user;
  if (is_switch_block(s, b)) {
    uint32_t j = sr_sweep_new_case_block(s, b);
    slot_at(s, b, slot)->to = j;
    b = j;
    slot = 0;
  }
  Point edge = sr_sweep_point_of(s, b, slot, rank, SR_NONE);
  if (natural_back) {
    sr_sweep_patch(s, &edge, loop->header, loop->dispatch);
  } else if (kind == BREAK) {
    s->break_count++;
    sr_sweep_add_in_edges(s, &loop->breaks, &edge);
    bool above = rank > c->last;
    sr_ranks_add(&s->ranks, above ? loop->above : loop->below, above ? rank : ~rank);
  } else {
    sr_sweep_add_in_edges(s, &loop->conts, &edge);
  }
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
      sr_sweep_add_target(s, set, rank);
    }
  }
  s->cur = NOWHERE;
  if (many)
    sr_sweep_push_switch(s, b, first_arm);
  else if (forward)
    s->cur = sr_sweep_point_of(s, b, forward == 2 ? BOTH : last.slot, last.rank, set);
}

static void place_user(Sweep *s, uint32_t rank) {
  uint32_t v = s->nest->order[rank];
  Frame *loop = s->loops.count ? &s->stack.at[SR_LAST(&s->loops)] : NULL;
  bool natural = loop && loop->natural == v && loop->header != SR_NONE;
  if (rank && !natural)
    sr_sweep_arrive(s, rank, rank, false);
  loop = s->loops.count ? &s->stack.at[SR_LAST(&s->loops)] : NULL; /* the stack may have moved */
  uint32_t b = sr_sweep_new_block(s, SR_ROLE_USER, v, sr_succ_count(s->g, v));
  if (natural) {
    assert(&SR_LAST(&s->stack) == loop && !exists(&s->cur));
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
  leave_block(s, b, loop);
}

SrFlowGraph *sr_sweep_build(SrArena *arena, const SrGraph *g, const SrNest *nest,
                            const SrBits *is_switch, uint32_t depth_limit, SrGoal goal) {
  Sweep s = {.arena = arena,
             .scratch = sr_arena_new(arena->heap),
             .g = g,
             .nest = nest,
             .is_switch = is_switch,
             .depth_limit = depth_limit,
             .goal = goal,
             .flow = SR_NEW(arena, SrFlowGraph, 1),
             .cur = NOWHERE};
  s.ranks.arena = &s.scratch;
  s.pend = sr_new_none(&s.scratch, nest->count);
  for (uint32_t rank = 0; rank < nest->count; rank++) {
    while (s.loops.count && rank > nest->cycles[s.stack.at[SR_LAST(&s.loops)].cycle].last)
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
