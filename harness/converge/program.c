/* SPDX-License-Identifier: Apache-2.0 */
/* program: see program.h. */
#include "harness/converge/converge_program.h"

#include "spv-emu/cases/random.h"

uint32_t cv_value(uint32_t row, uint32_t lane, uint32_t subgroup_size) {
  if (row < 4)
    return row;
  if (row < CV_SPLIT)
    return (row + lane / subgroup_size) & 3;
  uint64_t state = row * UINT64_C(0x10001) + lane;
  uint32_t random = (uint32_t)(emu_random(&state) >> 32);
  switch (row & 3) {
  case 0:
    return (lane >> (row / 4 % 3)) & 3;
  case 1:
    return random & 3 ? 0 : 1 + random / 4 % 3;
  case 2:
    return random & 3 ? 1 + random / 4 % 3 : 0;
  default:
    return random & 3;
  }
}

uint32_t cv_parts(const CvStatement *s) {
  switch (s->kind) {
  case CV_IF:
  case CV_ELECT:
    return 2;
  case CV_LOOP:
    return 1;
  case CV_SWITCH:
    return s->cases;
  default:
    return 0;
  }
}

static bool block_holds(const CvProgram *p, uint32_t first, uint32_t inner) {
  for (uint32_t s = first; s != CV_NONE; s = p->at[s].next)
    if (cv_holds(p, s, inner))
      return true;
  return false;
}

bool cv_holds(const CvProgram *p, uint32_t statement, uint32_t inner) {
  const CvStatement *s = &p->at[statement];
  bool holds = statement == inner;
  for (uint32_t i = 0; !holds && i < cv_parts(s); i++)
    holds = block_holds(p, s->parts[i], inner);
  return holds || (s->kind == CV_CALL && block_holds(p, p->functions[s->callee], inner));
}

/* ---- jumps ---- */

typedef struct Inside {
  bool breakable, loop;
} Inside;

static bool block_is_valid(const CvProgram *p, uint32_t first, Inside inside);

/* `continue` inside an elect loop would belong to that loop, and never end. */
static Inside inside_of(const CvStatement *s, Inside outer) {
  switch (s->kind) {
  case CV_LOOP:
    return (Inside){true, true};
  case CV_ELECT:
    return (Inside){true, false};
  case CV_SWITCH:
    return (Inside){true, outer.loop};
  default:
    return outer;
  }
}

static bool jump_is_valid(const CvStatement *s, Inside inside) {
  return s->next == CV_NONE && (s->kind == CV_BREAK      ? inside.breakable
                                : s->kind == CV_CONTINUE ? inside.loop
                                                         : true);
}

static bool is_valid(const CvProgram *p, const CvStatement *s, Inside inside) {
  if (s->kind >= CV_BREAK)
    return jump_is_valid(s, inside);
  for (uint32_t i = 0; i < cv_parts(s); i++)
    if (!block_is_valid(p, s->parts[i], inside_of(s, inside)))
      return false;
  return true;
}

static bool block_is_valid(const CvProgram *p, uint32_t first, Inside inside) {
  for (uint32_t s = first; s != CV_NONE; s = p->at[s].next)
    if (!is_valid(p, &p->at[s], inside))
      return false;
  return true;
}

bool cv_is_valid(const CvProgram *p) {
  for (uint32_t f = 0; f < p->function_count; f++)
    if (!block_is_valid(p, p->functions[f], (Inside){false, false}))
      return false;
  return true;
}

/* ---- tidying ---- */

static void note_calls(const CvProgram *p, uint32_t first, bool *called) {
  for (uint32_t s = first; s != CV_NONE; s = p->at[s].next) {
    if (p->at[s].kind == CV_CALL)
      called[p->at[s].callee] = true;
    for (uint32_t i = 0; i < cv_parts(&p->at[s]); i++)
      note_calls(p, p->at[s].parts[i], called);
  }
}

static void end_at_jumps(CvProgram *p, uint32_t first) {
  for (uint32_t s = first; s != CV_NONE; s = p->at[s].next) {
    if (p->at[s].kind >= CV_BREAK)
      p->at[s].next = CV_NONE;
    for (uint32_t i = 0; i < cv_parts(&p->at[s]); i++)
      end_at_jumps(p, p->at[s].parts[i]);
  }
}

void cv_tidy(CvProgram *p) {
  for (uint32_t f = p->function_count; f--;) {
    bool called[CV_FUNCTIONS] = {false};
    end_at_jumps(p, p->functions[f]);
    for (uint32_t g = f + 1; g < p->function_count; g++)
      note_calls(p, p->functions[g], called);
    if (!called[f] && f + 1 != p->function_count)
      p->functions[f] = CV_NONE;
  }
}
