/* SPDX-License-Identifier: Apache-2.0 */
/* graph_walk: see graph_walk.h. */
#include "spv-graph/graph_walk.h"

typedef struct Lane {
  uint32_t reg[CODE_MOST_LIVE + 2];
} Lane;

static void step(Lane *lane, const CodeStep *s) {
  uint32_t *to = &lane->reg[s->to], from = s->from == SR_NONE ? s->constant : lane->reg[s->from];
  switch (s->op) {
  case CODE_ADD:
    *to += from;
    break;
  case CODE_XOR:
    *to ^= from;
    break;
  case CODE_MULTIPLY:
    *to *= from;
    break;
  case CODE_SHIFT_RIGHT:
    *to >>= from;
    break;
  case CODE_OR:
    *to |= from;
    break;
  }
}

/* The edge that the lane takes. */
static uint32_t choose(const Code *code, const CodeChoice *c, Lane *lane) {
  uint32_t *x = &lane->reg[code_random(code)], *budget = &lane->reg[code_budget(code)];
  if (c->targets == 1)
    return 0;
  *x *= CODE_MULTIPLIER;
  if (c->targets > 2)
    return (*x >> 16) % c->targets;
  uint32_t slot = *x < c->below ? 0 : 1;
  if (c->exit == SR_NONE)
    return slot;
  --*budget;
  return (int32_t)*budget < 0 ? c->exit : slot;
}

static uint32_t result(const Code *code, const Lane *lane) {
  uint32_t sum = lane->reg[0];
  for (uint32_t i = 1; i < code->options.live; i++)
    sum ^= lane->reg[i];
  return sum;
}

/* False: the limit *blocks is used up. */
static bool walk_lane(const Code *code, uint32_t number, uint64_t *blocks, uint32_t *out) {
  Lane lane;
  for (uint32_t i = 0; i < code->options.live; i++)
    lane.reg[i] = i;
  lane.reg[code_random(code)] = number >> code_lane_shift(code);
  lane.reg[code_budget(code)] = code->options.budget;
  for (uint32_t at = 0; (*blocks)--;) {
    const CodeBlock *b = &code->block.at[at];
    for (uint32_t i = 0; i < b->step_count; i++)
      step(&lane, &code->step.at[b->step + i]);
    if (b->choice.targets == 0) {
      *out = result(code, &lane);
      return true;
    }
    at = code->succ.at[b->succ + choose(code, &b->choice, &lane)];
  }
  return false;
}

uint32_t *walk(SrArena *arena, const Code *code) {
  uint32_t lanes = code->options.lanes * code->options.groups;
  uint32_t *out = SR_NEW(arena, uint32_t, lanes);
  uint64_t blocks = WALK_MOST_BLOCKS;
  for (uint32_t i = 0; i < lanes; i++)
    if (!walk_lane(code, i, &blocks, &out[i]))
      return NULL;
  return out;
}
