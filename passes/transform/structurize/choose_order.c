/* SPDX-License-Identifier: Apache-2.0 */
/* choose_order: see choose_order.h. */
#include "passes/transform/structurize/choose_order.h"

#include "passes/transform/structurize/added.h"

enum {
  WORK = 1 << 15, /* blocks in all sweeps together, beyond the first ones */
  LEAST_ROUNDS = 8,
};

typedef struct Choice {
  const SrGraph *g;
  const SrBits *is_switch;
  const SrSweepOptions *options;
  SrGraph reversed; /* g, with some rows reversed */
  SrAdded best;
} Choice;

static void reverse_row(Choice *c, uint32_t b) {
  uint32_t *row = c->reversed.succ + c->g->succ_at[b], n = sr_succ_count(c->g, b);
  for (uint32_t i = 0; i < n / 2; i++) {
    uint32_t t = row[i];
    row[i] = row[n - 1 - i];
    row[n - 1 - i] = t;
  }
}

static SrAdded measure(const Choice *c, SrArena *scratch) {
  const SrNest *nest = sr_nest_build(scratch, &c->reversed);
  return sr_added(scratch, sr_sweep_build(scratch, c->g, nest, c->is_switch, c->options), nest);
}

static bool is_less(SrGoal goal, const SrAdded *a, const SrAdded *b) {
  if (a->issues == b->issues || (goal == SR_GOAL_SIZE && a->size != b->size))
    return a->size < b->size;
  return a->issues < b->issues;
}

/* Reverses the branches of some blocks, and reverses them back if that does not pay. */
static bool try_reversals(Choice *c, SrArena *arena, const uint32_t *blocks, uint32_t count) {
  SrArena scratch = sr_arena_new(arena->heap);
  for (uint32_t i = 0; i < count; i++)
    reverse_row(c, blocks[i]);
  SrAdded now = measure(c, &scratch);
  bool pays = is_less(c->options->goal, &now, &c->best);
  if (pays)
    c->best = now;
  for (uint32_t i = 0; i < count && !pays; i++)
    reverse_row(c, blocks[i]);
  sr_arena_free(&scratch);
  return pays;
}

const SrNest *sr_choose_order(SrArena *arena, const SrGraph *g, const SrGraph *rows,
                              const SrBits *is_switch, const SrSweepOptions *options) {
  Choice c = {.g = g, .is_switch = is_switch, .options = options, .reversed = *rows};
  SrArena scratch = sr_arena_new(arena->heap);
  SR_VEC(uint32_t) branches = {0};
  c.reversed.succ = SR_NEW_RAW(&scratch, uint32_t, g->succ_at[g->count]);
  memcpy(c.reversed.succ, rows->succ, g->succ_at[g->count] * sizeof *g->succ);
  c.best = measure(&c, &scratch);
  for (uint32_t b = 0; b < g->count; b++)
    if (sr_succ_count(g, b) > 1)
      SR_PUSH(&scratch, &branches, b);
  uint32_t rounds = WORK / g->count > LEAST_ROUNDS ? WORK / g->count : LEAST_ROUNDS;
  uint32_t batch = branches.count / rounds + 1;
  bool more = c.best.issues > 0;
  for (uint32_t round = 0; more && round < rounds;) {
    more = false;
    for (uint32_t i = 0; i < branches.count && round < rounds; i += batch, round++)
      more |= try_reversals(&c, arena, branches.at + i,
                            branches.count - i < batch ? branches.count - i : batch);
  }
  const SrNest *nest = sr_nest_build(arena, &c.reversed);
  sr_arena_free(&scratch);
  return nest;
}
