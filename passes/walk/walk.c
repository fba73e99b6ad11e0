/* SPDX-License-Identifier: Apache-2.0 */
/* walk: see walk.h. The input records its effects; the output, which runs
 * later, must have the same effects in the same order, and then sees the same memory. Time: the
 * instructions of the blocks entered. */
#include "passes/walk/walk.h"
#include "passes/walk/walk_compute.h"

#include <string.h>

/* ---- the start ---- */

static void set(SrWalk *w, SrWalkSide *s, uint32_t id, uint64_t term, bool notes) {
  unsigned width = sr_walk_width(s->code->c->m, sr_walk_type_of(s->code->c->m, id));
  SrWalkValue *v = &s->value[id];
  *v = (SrWalkValue){.a = term};
  if (width)
    sr_walk_number(w, v, term, width, notes ? SR_WALK_AT_THE_START : 0);
  v->epoch = w->draw->epoch;
}

static void begin_side(SrWalk *w, SrWalkSide *s, bool notes) {
  const SrWalkCode *code = s->code;
  const SrModule *m = code->c->m;
  uint32_t parameter = 0;
  s->path.count = s->edge.count = 0;
  s->memory = sr_walk_mix(6, code->f->id);
  s->own.count = 0;
  while (s->own.count < code->own_count)
    SR_PUSH(w->arena, &s->own, (SrWalkValue){.undefined = true});
  for (SR_EACH(m, r, code->f->head))
    if (sr_inst(m, r)->op == SpvOpFunctionParameter)
      set(w, s, sr_inst(m, r)->result, sr_walk_mix(s->memory, ++parameter), notes);
  for (uint32_t i = 0; i < code->drawn.count; i++)
    set(w, s, code->drawn.at[i], sr_walk_mix(2, code->drawn.at[i]), notes);
}

void sr_walk_begin(SrWalk *w) {
  w->trace.event.count = w->trace.operand.count = 0;
  w->node.count = 0;
  SR_PUSH(w->arena, &w->node, (SrWalkNode){0});
  w->part.count = 0;
  SR_PUSH(w->arena, &w->part, (SrWalkValue){0});
  w->trace.whole = false;
  w->difference = NULL;
  w->agreed = 0;
  begin_side(w, &w->before, true);
}

/* ---- blocks ---- */

/* Gives the block's phis their values, all simultaneously. */
static void take_phis(SrWalk *w, SrWalkSide *s, const SrWalkBlock *b, uint32_t row) {
  const SrWalkCode *code = s->code;
  s->phi.count = 0;
  SR_RESERVE(w->arena, &s->phi, b->phi_count);
  for (uint32_t k = 0; k < b->phi_count; k++) {
    static const SrWalkValue undefined = {.undefined = true};
    s->phi.at[k] =
        row == SR_NONE ? undefined : *sr_walk_value(s, w->draw->epoch, code->operand.at[row + k]);
  }
  for (uint32_t k = 0; k < b->phi_count; k++) {
    SrWalkValue *v = &s->value[code->phi.at[b->phi + k]];
    *v = s->phi.at[k];
    v->epoch = w->draw->epoch;
  }
}

void sr_walk_enter(SrWalk *w, SrWalkSide *s, uint32_t edge) {
  uint32_t to = edge == SR_NONE ? 0 : s->code->edge.at[edge].to;
  const SrWalkBlock *b = &s->code->block.at[to];
  SR_PUSH(w->arena, &s->path, to);
  if (edge != SR_NONE)
    SR_PUSH(w->arena, &s->edge, edge);
  s->held.count = 0;
  if (b->phi_count)
    take_phis(w, s, b, edge == SR_NONE ? SR_NONE : s->code->edge.at[edge].row);
}

uint32_t sr_walk_case(const SrWalkCode *code, const SrWalkBlock *b, uint64_t number) {
  uint32_t low = b->edge + 1, high = b->edge + b->edge_count;
  while (low < high) {
    uint32_t i = low + (high - low) / 2;
    if (code->edge.at[i].literal < number)
      low = i + 1;
    else
      high = i;
  }
  bool found = low < b->edge + b->edge_count && code->edge.at[low].literal == number;
  return found ? low : b->edge;
}

static uint32_t edge_of(const SrWalkSide *s, const SrWalkBlock *b, const SrWalkValue *choice) {
  if (choice->undefined)
    return SR_NONE;
  if (b->end == SR_WALK_BRANCH)
    return b->edge + (choice->a ? 0 : 1);
  return sr_walk_case(s->code, b, choice->a);
}

/* The epoch of the choice need not be checked: every block's choice is set on this walk, or
 * constant. */
uint32_t sr_walk_edge(const SrWalkSide *s, uint32_t block) {
  const SrWalkBlock *b = &s->code->block.at[block];
  return b->end == SR_WALK_JUMP ? b->edge : edge_of(s, b, &s->value[b->choice]);
}

/* ---- effects ---- */

/* Makes the result of a call, an atomic or similar instruction from the state after it. */
static void set_result(SrWalk *w, SrWalkSide *s, const SrWalkInst *in, uint32_t visit) {
  if (!in->result)
    return;
  uint64_t term = sr_walk_mix(s->memory, 7);
  SrWalkValue *v = &s->value[in->result];
  *v = (SrWalkValue){.a = term};
  if (in->width)
    sr_walk_number(w, v, term, in->width, visit);
  v->epoch = w->draw->epoch;
}

static void record(SrWalk *w, uint32_t i) {
  SrWalkSide *s = &w->before;
  const SrWalkInst *in = &s->code->inst.at[i];
  uint64_t h = sr_walk_mix(s->memory, in->hash);
  uint32_t first = w->trace.operand.count;
  for (uint32_t k = 0; k < in->count; k++) {
    const SrWalkValue *v = sr_walk_value(s, w->draw->epoch, s->code->operand.at[in->operand + k]);
    h = sr_walk_mix(h, v->a);
    SR_PUSH(w->arena, &w->trace.operand, *v);
  }
  s->memory = h;
  SR_PUSH(w->arena, &w->trace.event,
          (SrWalkEvent){.hash = in->hash,
                        .memory = h,
                        .operand = first,
                        .count = in->count,
                        .inst = i,
                        .path = s->path.count,
                        .nonuniform = in->nonuniform});
  set_result(w, s, in, s->path.count);
}

/* A load or store of one of the transforms' variables; false if the pointer is another one. */
static bool access_own(SrWalk *w, SrWalkSide *s, const SrWalkInst *in) {
  const uint32_t *id = &s->code->operand.at[in->operand];
  const SrWalkValue *pointer = sr_walk_value(s, w->draw->epoch, id[0]);
  if (pointer->undefined || !pointer->own)
    return false;
  SrWalkValue *held = &s->own.at[pointer->own - 1];
  if (in->access == SR_WALK_STORES) {
    SR_PUSH(w->arena, &s->held, (SrWalkHeld){pointer->own, *held});
    *held = *sr_walk_value(s, w->draw->epoch, id[1]);
  } else {
    s->value[in->result] = *held;
    s->value[in->result].epoch = w->draw->epoch;
  }
  return true;
}

/* Restores the contents that the transforms' variables had when the side entered its current
 * block. */
static void restore_own(SrWalkSide *s) {
  while (s->held.count) {
    const SrWalkHeld *h = &SR_POP(&s->held);
    s->own.at[h->own - 1] = h->value;
  }
}

SrWalkSpot sr_walk_spot(const SrWalk *w) {
  return (SrWalkSpot){w->before.memory, w->trace.event.count, w->trace.operand.count};
}

void sr_walk_go_back(SrWalk *w, SrWalkSpot at) {
  w->before.memory = at.memory;
  restore_own(&w->before);
  w->trace.event.count = at.events;
  w->trace.operand.count = at.operands;
}

void sr_walk_before(SrWalk *w, uint32_t block) {
  SrWalkSide *s = &w->before;
  const SrWalkBlock *b = &s->code->block.at[block];
  for (uint32_t i = b->inst; i < b->inst + b->inst_count; i++) {
    const SrWalkInst *in = &s->code->inst.at[i];
    if (in->access && access_own(w, s, in))
      continue;
    if (in->kind == SR_WALK_EFFECT)
      record(w, i);
    else
      sr_walk_compute(w, s, in, s->path.count);
  }
}

/* ---- the output ---- */

static bool differs(SrWalk *w, uint32_t event, uint32_t inst, const char *what) {
  w->difference = what;
  w->event = event;
  w->inst = inst;
  return false;
}

/* Is instruction i the event? If so, sets the memory to its state after the event in the
 * input. */
static bool match(SrWalk *w, uint32_t event, uint32_t i) {
  SrWalkSide *s = &w->after;
  const SrWalkInst *in = &s->code->inst.at[i];
  const SrWalkEvent *e = &w->trace.event.at[event];
  if (e->hash != in->hash || e->count != in->count)
    return differs(w, event, i, "another instruction comes next");
  for (uint32_t k = 0; k < in->count; k++) {
    const SrWalkValue *x = &w->trace.operand.at[e->operand + k];
    const SrWalkValue *y = sr_walk_value(s, w->draw->epoch, s->code->operand.at[in->operand + k]);
    if (x->undefined)
      continue;
    if (y->undefined)
      return differs(w, event, i, "an operand is undefined");
    if (x->a != y->a)
      return differs(w, event, i, "an operand has a different value");
    if (x->marks > y->marks)
      return differs(w, event, i, "an operand was computed from one that has lost NonUniform");
  }
  if (e->nonuniform & ~in->nonuniform)
    return differs(w, event, i, "an operand has lost NonUniform");
  s->memory = e->memory;
  set_result(w, s, in, 0);
  w->agreed = s->path.count;
  return true;
}

/* Runs a block in the output; returns whether the walk continues. */
static bool after_block(SrWalk *w, uint32_t block, uint32_t *event) {
  SrWalkSide *s = &w->after;
  const SrWalkBlock *b = &s->code->block.at[block];
  for (uint32_t i = b->inst; i < b->inst + b->inst_count; i++) {
    const SrWalkInst *in = &s->code->inst.at[i];
    if (in->access && access_own(w, s, in))
      continue;
    if (in->kind != SR_WALK_EFFECT) {
      sr_walk_compute(w, s, in, 0);
      continue;
    }
    if (*event == w->trace.event.count)
      return differs(w, *event, i, "it does more than before");
    if (!match(w, *event, i))
      return false;
    if (++*event == w->trace.event.count && !w->trace.whole)
      return false; /* what follows is unknown */
  }
  return b->end != SR_WALK_LEAVE;
}

void sr_walk_after(SrWalk *w, uint64_t limit) {
  SrWalkSide *s = &w->after;
  uint32_t event = 0, edge = SR_NONE, block = 0;
  w->difference = NULL;
  w->doubtful = false;
  w->agreed = 0;
  begin_side(w, s, false);
  if (w->trace.event.count == 0)
    return;
  for (uint64_t visits = 0; visits < limit; visits++) {
    sr_walk_enter(w, s, edge);
    if (!after_block(w, block, &event))
      return;
    const SrWalkBlock *b = &s->code->block.at[block];
    if (b->end == SR_WALK_NOWHERE) {
      differs(w, event, SR_NONE, "it reaches OpUnreachable");
      return;
    }
    if (b->end != SR_WALK_JUMP && sr_walk_value(s, w->draw->epoch, b->choice)->undefined) {
      differs(w, event, SR_NONE, "it branches on an undefined value");
      return;
    }
    edge = sr_walk_edge(s, block);
    block = s->code->edge.at[edge].to;
  }
  differs(w, event, SR_NONE, "it does not reach the next effect");
}
