/* SPDX-License-Identifier: Apache-2.0 */
/* check_walk: see check_walk.h. The side before records its effects; the side after, which runs
 * later, must have the same effects in the same order, and then sees the same memory. Time: the
 * instructions of the blocks entered. */
#include "check/check_walk.h"
#include "check/check_compute.h"

#include <string.h>

/* ---- the start ---- */

static void set(SrCheckWalk *w, SrCheckSide *s, uint32_t id, uint64_t term, bool notes) {
  unsigned width = sr_check_width(s->code->c->m, sr_check_type_of(s->code->c->m, id));
  SrCheckValue *v = &s->value[id];
  *v = (SrCheckValue){.a = term};
  if (width)
    sr_check_number(w, v, term, width, notes ? SR_CHECK_AT_THE_START : 0);
  v->epoch = w->draw->epoch;
}

static void begin_side(SrCheckWalk *w, SrCheckSide *s, bool notes) {
  const SrCheckCode *code = s->code;
  const SrModule *m = code->c->m;
  uint32_t parameter = 0;
  s->path.count = s->edge.count = 0;
  s->memory = sr_check_mix(6, code->f->id);
  s->own.count = 0;
  while (s->own.count < code->own_count)
    SR_PUSH(w->arena, &s->own, (SrCheckValue){.undefined = true});
  for (SR_EACH(m, r, code->f->head))
    if (sr_inst(m, r)->op == SpvOpFunctionParameter)
      set(w, s, sr_inst(m, r)->result, sr_check_mix(s->memory, ++parameter), notes);
  for (uint32_t i = 0; i < code->drawn.count; i++)
    set(w, s, code->drawn.at[i], sr_check_mix(2, code->drawn.at[i]), notes);
}

void sr_check_walk_begin(SrCheckWalk *w) {
  w->trace.event.count = w->trace.operand.count = 0;
  w->node.count = 0;
  SR_PUSH(w->arena, &w->node, (SrCheckNode){0});
  w->part.count = 0;
  SR_PUSH(w->arena, &w->part, (SrCheckValue){0});
  w->trace.whole = false;
  w->difference = NULL;
  w->agreed = 0;
  begin_side(w, &w->before, true);
}

/* ---- blocks ---- */

/* Gives the block's phis their values, all simultaneously. */
static void take_phis(SrCheckWalk *w, SrCheckSide *s, const SrCheckBlock *b, uint32_t row) {
  const SrCheckCode *code = s->code;
  s->phi.count = 0;
  SR_RESERVE(w->arena, &s->phi, b->phi_count);
  for (uint32_t k = 0; k < b->phi_count; k++) {
    static const SrCheckValue undefined = {.undefined = true};
    s->phi.at[k] =
        row == SR_NONE ? undefined : *sr_check_value(s, w->draw->epoch, code->operand.at[row + k]);
  }
  for (uint32_t k = 0; k < b->phi_count; k++) {
    SrCheckValue *v = &s->value[code->phi.at[b->phi + k]];
    *v = s->phi.at[k];
    v->epoch = w->draw->epoch;
  }
}

void sr_check_enter(SrCheckWalk *w, SrCheckSide *s, uint32_t edge) {
  uint32_t to = edge == SR_NONE ? 0 : s->code->edge.at[edge].to;
  const SrCheckBlock *b = &s->code->block.at[to];
  SR_PUSH(w->arena, &s->path, to);
  if (edge != SR_NONE)
    SR_PUSH(w->arena, &s->edge, edge);
  s->held.count = 0;
  if (b->phi_count)
    take_phis(w, s, b, edge == SR_NONE ? SR_NONE : s->code->edge.at[edge].row);
}

uint32_t sr_check_case(const SrCheckCode *code, const SrCheckBlock *b, uint64_t number) {
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

static uint32_t edge_of(const SrCheckSide *s, const SrCheckBlock *b, const SrCheckValue *choice) {
  if (choice->undefined)
    return SR_NONE;
  if (b->end == SR_CHECK_BRANCH)
    return b->edge + (choice->a ? 0 : 1);
  return sr_check_case(s->code, b, choice->a);
}

/* The epoch of the choice need not be checked: every block's choice is set on this walk, or
 * constant. */
uint32_t sr_check_edge(const SrCheckSide *s, uint32_t block) {
  const SrCheckBlock *b = &s->code->block.at[block];
  return b->end == SR_CHECK_JUMP ? b->edge : edge_of(s, b, &s->value[b->choice]);
}

/* ---- effects ---- */

/* Makes the result of a call, an atomic or similar instruction from the state after it. */
static void set_result(SrCheckWalk *w, SrCheckSide *s, const SrCheckInst *in, uint32_t visit) {
  if (!in->result)
    return;
  uint64_t term = sr_check_mix(s->memory, 7);
  SrCheckValue *v = &s->value[in->result];
  *v = (SrCheckValue){.a = term};
  if (in->width)
    sr_check_number(w, v, term, in->width, visit);
  v->epoch = w->draw->epoch;
}

static void record(SrCheckWalk *w, uint32_t i) {
  SrCheckSide *s = &w->before;
  const SrCheckInst *in = &s->code->inst.at[i];
  uint64_t h = sr_check_mix(s->memory, in->hash);
  uint32_t first = w->trace.operand.count;
  for (uint32_t k = 0; k < in->count; k++) {
    const SrCheckValue *v = sr_check_value(s, w->draw->epoch, s->code->operand.at[in->operand + k]);
    h = sr_check_mix(h, v->a);
    SR_PUSH(w->arena, &w->trace.operand, *v);
  }
  s->memory = h;
  SR_PUSH(w->arena, &w->trace.event,
          (SrCheckEvent){.hash = in->hash,
                         .memory = h,
                         .operand = first,
                         .count = in->count,
                         .inst = i,
                         .path = s->path.count,
                         .nonuniform = in->nonuniform});
  set_result(w, s, in, s->path.count);
}

/* A load or store of one of the transforms' variables; false if the pointer is another one. */
static bool access_own(SrCheckWalk *w, SrCheckSide *s, const SrCheckInst *in) {
  const uint32_t *id = &s->code->operand.at[in->operand];
  const SrCheckValue *pointer = sr_check_value(s, w->draw->epoch, id[0]);
  if (pointer->undefined || !pointer->own)
    return false;
  SrCheckValue *held = &s->own.at[pointer->own - 1];
  if (in->access == SR_CHECK_STORES) {
    SR_PUSH(w->arena, &s->held, (SrCheckHeld){pointer->own, *held});
    *held = *sr_check_value(s, w->draw->epoch, id[1]);
  } else {
    s->value[in->result] = *held;
    s->value[in->result].epoch = w->draw->epoch;
  }
  return true;
}

/* Gives the transforms' variables what they held when the side entered its current block. */
static void restore_own(SrCheckSide *s) {
  while (s->held.count) {
    const SrCheckHeld *h = &SR_POP(&s->held);
    s->own.at[h->own - 1] = h->value;
  }
}

SrCheckSpot sr_check_spot(const SrCheckWalk *w) {
  return (SrCheckSpot){w->before.memory, w->trace.event.count, w->trace.operand.count};
}

void sr_check_go_back(SrCheckWalk *w, SrCheckSpot at) {
  w->before.memory = at.memory;
  restore_own(&w->before);
  w->trace.event.count = at.events;
  w->trace.operand.count = at.operands;
}

void sr_check_before(SrCheckWalk *w, uint32_t block) {
  SrCheckSide *s = &w->before;
  const SrCheckBlock *b = &s->code->block.at[block];
  for (uint32_t i = b->inst; i < b->inst + b->inst_count; i++) {
    const SrCheckInst *in = &s->code->inst.at[i];
    if (in->access && access_own(w, s, in))
      continue;
    if (in->kind == SR_CHECK_EFFECT)
      record(w, i);
    else
      sr_check_compute(w, s, in, s->path.count);
  }
}

/* ---- the side after ---- */

static bool differs(SrCheckWalk *w, uint32_t event, uint32_t inst, const char *what) {
  w->difference = what;
  w->event = event;
  w->inst = inst;
  return false;
}

/* Is instruction i the event? If so, sets the memory to its state after the event on the side
 * before. */
static bool match(SrCheckWalk *w, uint32_t event, uint32_t i) {
  SrCheckSide *s = &w->after;
  const SrCheckInst *in = &s->code->inst.at[i];
  const SrCheckEvent *e = &w->trace.event.at[event];
  if (e->hash != in->hash || e->count != in->count)
    return differs(w, event, i, "another instruction comes next");
  for (uint32_t k = 0; k < in->count; k++) {
    const SrCheckValue *x = &w->trace.operand.at[e->operand + k];
    const SrCheckValue *y = sr_check_value(s, w->draw->epoch, s->code->operand.at[in->operand + k]);
    if (x->undefined)
      continue;
    if (y->undefined)
      return differs(w, event, i, "an operand is undefined");
    if (x->a != y->a)
      return differs(w, event, i, "an operand has another value");
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

/* Runs a block on the side after; returns whether the walk continues. */
static bool after_block(SrCheckWalk *w, uint32_t block, uint32_t *event) {
  SrCheckSide *s = &w->after;
  const SrCheckBlock *b = &s->code->block.at[block];
  for (uint32_t i = b->inst; i < b->inst + b->inst_count; i++) {
    const SrCheckInst *in = &s->code->inst.at[i];
    if (in->access && access_own(w, s, in))
      continue;
    if (in->kind != SR_CHECK_EFFECT) {
      sr_check_compute(w, s, in, 0);
      continue;
    }
    if (*event == w->trace.event.count)
      return differs(w, *event, i, "it does more than before");
    if (!match(w, *event, i))
      return false;
    if (++*event == w->trace.event.count && !w->trace.whole)
      return false; /* what follows is unknown */
  }
  return b->end != SR_CHECK_LEAVE;
}

void sr_check_after(SrCheckWalk *w, uint64_t limit) {
  SrCheckSide *s = &w->after;
  uint32_t event = 0, edge = SR_NONE, block = 0;
  w->difference = NULL;
  w->doubtful = false;
  w->agreed = 0;
  begin_side(w, s, false);
  if (w->trace.event.count == 0)
    return;
  for (uint64_t visits = 0; visits < limit; visits++) {
    sr_check_enter(w, s, edge);
    if (!after_block(w, block, &event))
      return;
    const SrCheckBlock *b = &s->code->block.at[block];
    if (b->end == SR_CHECK_NOWHERE) {
      differs(w, event, SR_NONE, "it reaches OpUnreachable");
      return;
    }
    if (b->end != SR_CHECK_JUMP && sr_check_value(s, w->draw->epoch, b->choice)->undefined) {
      differs(w, event, SR_NONE, "it branches on an undefined value");
      return;
    }
    edge = sr_check_edge(s, block);
    block = s->code->edge.at[edge].to;
  }
  differs(w, event, SR_NONE, "it does not reach the next effect");
}
