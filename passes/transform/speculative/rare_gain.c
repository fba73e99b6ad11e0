/* SPDX-License-Identifier: Apache-2.0 */
/* rare_gain: see rare_gain.h. */
#include "passes/transform/speculative/rare_gain.h"

/* Instructions that structurize adds: none in an iteration of the inner loop; in one of the outer
 * loop, the choice of the lanes that leave it, and the jumps around it. */
enum { ADDED = 4 };

typedef struct Gain {
  SrArena *arena;
  const SrRareArms *arms;
  const uint64_t *cost;
  uint32_t iteration, lane_iteration;
  uint32_t *iteration_of, *issued;   /* by block: an iteration, and how often the block was issued
                                        in it */
  uint32_t *lane_iteration_of, *run; /* by block: the same for the current lane */
  SrLoopIssues *sum;                 /* by arm */
  SR_VEC(SrLoopLane) lane;
  uint32_t loop; /* the current loop, by its arm */
  uint64_t issues;
} Gain;

static bool is_at(const Gain *k, const SrLoopLane *l, uint32_t block) {
  return sr_lane_in(l, k->arms->arm_of, k->loop) && sr_lane_block(l) == block;
}

/* One more than `*count` if that belongs to `iteration`, else 1. */
static uint32_t count_up(uint32_t *iteration_of, uint32_t *count, uint32_t iteration) {
  *count = *iteration_of == iteration ? *count + 1 : 1;
  *iteration_of = iteration;
  return *count;
}

static void step(Gain *k, SrLoopLane *l) {
  uint32_t b = sr_lane_block(l);
  uint32_t runs = count_up(&k->lane_iteration_of[b], &k->run[b], k->lane_iteration);
  uint32_t issued = k->iteration_of[b] == k->iteration ? k->issued[b] : 0;
  if (runs > issued) {
    (void)count_up(&k->iteration_of[b], &k->issued[b], k->iteration);
    k->issues += k->cost[b];
  }
  l->at++;
}

/* All lanes at block `from` run until they leave the loop, or reach one of two blocks. Returns
 * whether there are any. */
static bool run(Gain *k, uint32_t from, uint32_t to, uint32_t other) {
  bool any = false;
  k->iteration++;
  for (uint32_t i = 0; i < k->lane.count; i++) {
    SrLoopLane *l = &k->lane.at[i];
    if (!is_at(k, l, from))
      continue;
    any = true;
    k->lane_iteration++;
    do
      step(k, l);
    while (sr_lane_in(l, k->arms->arm_of, k->loop) && !is_at(k, l, to) && !is_at(k, l, other));
  }
  return any;
}

static void run_as_it_is(Gain *k, const SrRareArm *arm) {
  while (run(k, arm->header, arm->header, arm->header))
    ;
}

static void run_moved(Gain *k, const SrRareArm *arm) {
  for (bool any = true; any;) {
    while (run(k, arm->header, arm->header, arm->block))
      ;
    any = run(k, arm->block, arm->header, arm->header);
    k->issues += ADDED;
  }
}

static uint64_t issues_of(Gain *k, const SrLoopLane *lanes, uint32_t count,
                          void (*all)(Gain *k, const SrRareArm *arm)) {
  k->issues = k->lane.count = 0;
  for (uint32_t i = 0; i < count; i++)
    SR_PUSH(k->arena, &k->lane, lanes[i]);
  all(k, &k->arms->arm.at[k->loop]);
  return k->issues;
}

static void visit(void *user, uint32_t loop, const SrLoopLane *lanes, uint32_t count) {
  Gain *k = user;
  k->loop = loop;
  k->sum[loop].before += issues_of(k, lanes, count, run_as_it_is);
  k->sum[loop].after += issues_of(k, lanes, count, run_moved);
}

SrLoopIssues *sr_rare_gain(SrArena *arena, const SrRareArms *arms, uint32_t block_count,
                           const uint64_t *cost, const SrLoopPaths *paths) {
  Gain k = {.arena = arena, .arms = arms, .cost = cost};
  uint32_t *rows = SR_NEW(arena, uint32_t, (size_t)4 * block_count);
  k.iteration_of = rows;
  k.issued = rows + block_count;
  k.lane_iteration_of = rows + (size_t)2 * block_count;
  k.run = rows + (size_t)3 * block_count;
  k.sum = SR_NEW(arena, SrLoopIssues, arms->arm.count);
  const SrLoopVisits visits = {
      .loop_of = arms->arm_of, .count = arms->arm.count, .visit = visit, .user = &k};
  sr_loop_visits(arena, &visits, paths);
  return k.sum;
}
