/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_state: see sweep_state.h. */
#include "passes/transform/flow/sweep_state.h"

/* ---- blocks, edges, points ---- */

static uint32_t open_cycle(const Sweep *s) {
  return s->loops.count ? s->stack.at[SR_LAST(&s->loops)].cycle : SR_NONE;
}

uint32_t sr_sweep_new_block(Sweep *s, SrRole role, uint32_t user, uint32_t slots) {
  uint32_t b = sr_flow_new_block(s->arena, s->flow, role, user, slots);
  block_at(s, b)->loop = open_cycle(s);
  return b;
}

uint32_t sr_sweep_new_case_block(Sweep *s, uint32_t header) {
  uint32_t c = sr_sweep_new_block(s, SR_ROLE_CASE, SR_NONE, 1);
  block_at(s, c)->loop = block_at(s, header)->loop;
  block_at(s, c)->next_case = block_at(s, header)->first_case;
  block_at(s, header)->first_case = c;
  return c;
}

static uint32_t new_edge(Sweep *s, uint32_t block, uint32_t slot, uint32_t rank) {
  SR_PUSH(&s->scratch, &s->edge, (InEdge){block, slot, rank, SR_NONE});
  return s->edge.count - 1;
}

Point sr_sweep_point_of(Sweep *s, uint32_t block, uint32_t slot, uint32_t rank, uint32_t set) {
  uint32_t e = new_edge(s, block, slot, rank);
  return (Point){e, e, set, SR_NONE};
}

void sr_sweep_add_in_edges(Sweep *s, Point *to, const Point *from) {
  if (!exists(from))
    return;
  if (exists(to))
    s->edge.at[to->last].next = from->first;
  else
    to->first = from->first;
  to->last = from->last;
}

/* If edges of one switch lead to one block with different values of sel, all but the first get a
 * block of their own, because phis distinguish predecessors, not edges. */
static void lead(Sweep *s, uint32_t b, uint32_t slot, uint32_t rank, uint32_t target,
                 bool need_sel) {
  SrSlot *out = slot_at(s, b, slot);
  assert(out->to == SR_NONE);
  if (need_sel && rank != SR_NONE && is_switch_block(s, b)) {
    if (block_at(s, b)->sets_for == target) {
      uint32_t c = sr_sweep_new_case_block(s, b);
      slot_at(s, b, slot)->to = c;
      *slot_at(s, c, 0) = (SrSlot){target, rank, SR_NONE};
      return;
    }
    block_at(s, b)->sets_for = target;
  }
  out->to = target;
  if (need_sel)
    out->set = rank;
}

void sr_sweep_patch(Sweep *s, const Point *p, uint32_t target, bool need_sel) {
  for (uint32_t e = p->first; e != SR_NONE; e = s->edge.at[e].next) {
    InEdge in = s->edge.at[e];
    if (in.slot != BOTH) {
      lead(s, in.block, in.slot, in.rank, target, need_sel);
      continue;
    }
    uint32_t user = block_at(s, in.block)->user;
    for (uint32_t i = 0; i < 2; i++)
      lead(s, in.block, i, rank_of(s, user, i), target, need_sel);
  }
}

void sr_sweep_set_merge(Sweep *s, const Point *p, uint32_t target) {
  if (p->merge_of == SR_NONE)
    return;
  const Closed *c = &s->closed.at[p->merge_of];
  SrFlowBlock *h = block_at(s, c->header);
  h->merge_kind = c->kind;
  h->merge = target;
  h->cont = c->cont;
  block_at(s, target)->ends_loop = c->kind == SR_MERGE_LOOP;
}

bool sr_sweep_several_targets(const Sweep *s, uint32_t set) {
  return sr_ranks_min(&s->ranks, set) != sr_ranks_max(&s->ranks, set);
}

uint32_t sr_sweep_only_rank(const Sweep *s, uint32_t set) {
  uint32_t rank = sr_ranks_min(&s->ranks, set);
  return sr_sweep_several_targets(s, set) || rank >= out_above(s) ? SR_NONE : rank;
}

uint32_t sr_sweep_place(Sweep *s, const Point *p, uint32_t slots, SrRole role, bool sel_known) {
  uint32_t b = sr_sweep_new_block(s, role, SR_NONE, slots);
  sr_sweep_patch(s, p, b, sel_known);
  sr_sweep_set_merge(s, p, b);
  return b;
}

Point sr_sweep_solid(Sweep *s, Point p) {
  return exists(&p) && p.merge_of != SR_NONE ? sr_sweep_pass_block(s, p) : p;
}

Point sr_sweep_pass_block(Sweep *s, Point p) {
  uint32_t rank = sr_sweep_only_rank(s, p.set);
  uint32_t b = sr_sweep_place(s, &p, 1, SR_ROLE_MERGE, rank == SR_NONE);
  return sr_sweep_point_of(s, b, 0, rank, p.set);
}

void sr_sweep_hold(Sweep *s, uint32_t set, uint32_t frame) {
  if (set != SR_NONE)
    s->ranks.set.at[set].frame = frame;
}

static void pend(Sweep *s, uint32_t rank, uint32_t set) {
  SR_PUSH(&s->scratch, &s->pending, (Pending){set, s->pend[rank]});
  s->pend[rank] = s->pending.count - 1;
}

void sr_sweep_add_target(Sweep *s, uint32_t set, uint32_t rank) {
  sr_ranks_add(&s->ranks, set, rank);
  pend(s, rank, set);
}

uint32_t sr_sweep_note_closed(Sweep *s, const Frame *f) {
  bool loop = f->kind == LOOP;
  SrMergeKind kind = loop ? SR_MERGE_LOOP : SR_MERGE_SELECTION;
  SR_PUSH(&s->scratch, &s->closed,
          (Closed){kind, f->header, loop ? f->cont : SR_NONE, f->cases_break, f->kind == SWITCH,
                   false});
  return s->closed.count - 1;
}

uint32_t sr_sweep_note_selection(Sweep *s, uint32_t header, bool to_switch) {
  SR_PUSH(
      &s->scratch, &s->closed,
      (Closed){
          .kind = SR_MERGE_SELECTION, .header = header, .cont = SR_NONE, .to_switch = to_switch});
  return s->closed.count - 1;
}
