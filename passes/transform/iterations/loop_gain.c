/* SPDX-License-Identifier: Apache-2.0 */
/* loop_gain: see loop_gain.h. */
#include "passes/transform/iterations/loop_gain.h"

#include "passes/base/vec.h"

typedef struct Gain {
  SrArena *arena;
  const SrLoopShape *shape;
  uint32_t *stamp, iteration; /* by block: it was counted in this iteration if stamp == iteration */
  SrLoopIssues *sum;          /* by pair */
  SR_VEC(SrLoopLane) lane;
  SrLoopHeaders pair; /* the current pair */
  uint32_t current;
  uint64_t issues;
} Gain;

/* ---- lanes ---- */

static bool is_in_pair(const Gain *k, const SrLoopLane *l) {
  return sr_lane_in(l, k->shape->pair_of, k->current);
}

static bool is_at(const Gain *k, const SrLoopLane *l, uint32_t block) {
  return is_in_pair(k, l) && sr_lane_block(l) == block;
}

static bool is_in_inner(const Gain *k, const SrLoopLane *l) {
  return is_in_pair(k, l) && sr_bit(k->shape->is_inner, sr_lane_block(l));
}

static void step(Gain *k, SrLoopLane *l, uint32_t iteration) {
  uint32_t b = sr_lane_block(l);
  if (k->stamp[b] != iteration)
    k->issues += k->shape->size[b];
  k->stamp[b] = iteration;
  l->at++;
}

static bool any_at(const Gain *k, uint32_t block) {
  for (uint32_t i = 0; i < k->lane.count; i++)
    if (is_at(k, &k->lane.at[i], block))
      return true;
  return false;
}

/* ---- the loops as they are ---- */

/* All lanes in the outer loop run to the inner loop, or to where they leave the iteration. */
static void run_around(Gain *k, uint32_t iteration) {
  for (uint32_t i = 0; i < k->lane.count; i++) {
    SrLoopLane *l = &k->lane.at[i];
    bool begins = is_at(k, l, k->pair.outer);
    while (is_in_pair(k, l) && !is_in_inner(k, l) && (begins || !is_at(k, l, k->pair.outer))) {
      step(k, l, iteration);
      begins = false;
    }
  }
}

static void run_inner_iteration(Gain *k) {
  uint32_t iteration = ++k->iteration;
  for (uint32_t i = 0; i < k->lane.count; i++) {
    SrLoopLane *l = &k->lane.at[i];
    if (!is_at(k, l, k->pair.inner))
      continue;
    do
      step(k, l, iteration);
    while (is_in_inner(k, l) && !is_at(k, l, k->pair.inner));
  }
}

/* Lanes run what follows the inner loop. A lane that is already at the outer header has ended its
 * iteration. */
static void run_after(Gain *k, uint32_t iteration) {
  for (uint32_t i = 0; i < k->lane.count; i++) {
    SrLoopLane *l = &k->lane.at[i];
    while (is_in_pair(k, l) && !is_at(k, l, k->pair.outer))
      step(k, l, iteration);
  }
}

static void run_as_they_are(Gain *k) {
  while (any_at(k, k->pair.outer)) {
    uint32_t iteration = ++k->iteration;
    run_around(k, iteration);
    while (any_at(k, k->pair.inner))
      run_inner_iteration(k);
    run_after(k, iteration);
  }
}

/* ---- the merged loop ---- */

static bool ends_iteration(const Gain *k, const SrLoopLane *l) {
  return !is_in_pair(k, l) || is_at(k, l, k->pair.inner) ||
         (is_at(k, l, k->pair.outer) && sr_bit(k->shape->passes_by, l->path->blocks[l->at - 1]));
}

static void run_merged(Gain *k) {
  for (bool any = true; any;) {
    uint32_t iteration = ++k->iteration;
    any = false;
    for (uint32_t i = 0; i < k->lane.count; i++) {
      SrLoopLane *l = &k->lane.at[i];
      if (!is_in_pair(k, l))
        continue;
      any = true;
      do
        step(k, l, iteration);
      while (!ends_iteration(k, l));
    }
    k->issues += any ? k->shape->added : 0;
  }
}

/* ---- visits ---- */

static uint64_t issues_of(Gain *k, const SrLoopLane *lanes, uint32_t count, void (*run)(Gain *k)) {
  k->issues = k->lane.count = 0;
  for (uint32_t i = 0; i < count; i++)
    SR_PUSH(k->arena, &k->lane, lanes[i]);
  run(k);
  return k->issues;
}

static void visit(void *user, uint32_t pair, const SrLoopLane *lanes, uint32_t count) {
  Gain *k = user;
  k->current = pair;
  k->pair = k->shape->pair[pair];
  k->sum[pair].before += issues_of(k, lanes, count, run_as_they_are);
  k->sum[pair].after += issues_of(k, lanes, count, run_merged);
}

SrLoopIssues *sr_loop_gain(SrArena *arena, const SrLoopShape *shape, const SrLoopPaths *paths) {
  Gain k = {.arena = arena, .shape = shape};
  k.sum = SR_NEW(arena, SrLoopIssues, shape->count);
  k.stamp = SR_NEW(arena, uint32_t, shape->block_count);
  const SrLoopVisits visits = {
      .loop_of = shape->pair_of, .count = shape->count, .visit = visit, .user = &k};
  sr_loop_visits(arena, &visits, paths);
  return k.sum;
}
