/* SPDX-License-Identifier: Apache-2.0 */
/* measure: see measure.h. */
#include "passes/measure/measure.h"

#include "passes/analysis/function_size.h"
#include "passes/measure/lane.h"
#include "passes/measure/stack.h"
#include "passes/walk/walk_passed.h"

enum {
  SUPPOSED_LANES = 8,
  MOST_STEPS = 1 << 16, /* blocks of recorded paths; the rest is left out */
};

struct SrMeasure {
  SrArena *arena;
  SrWalkModule before, after;
  uint32_t *inst_of[2]; /* by id of either module */
  SrWalkDraw draw;
  const SrUniform *uniform;
  const SrRecorded *recorded;
  const SrModule *nothing; /* a module without definitions */
  const uint32_t *cost;    /* by id of OpFunction: what a call of it issues */
};

/* The paths of subgroups through the output. */
typedef struct Paths {
  SrArena *arena;
  SR_VEC(SrPath) path;
  SR_VEC(uint32_t) end; /* by subgroup, in `path` */
} Paths;

SrMeasure *sr_measure_new(SrArena *arena, const SrModule *before, const SrUniform *u,
                          const SrRecorded *recorded) {
  SrMeasure *k = SR_NEW(arena, SrMeasure, 1);
  k->arena = arena;
  k->uniform = u;
  k->recorded = recorded;
  k->nothing = SR_NEW(arena, SrModule, 1);
  k->cost = sr_function_costs(arena, before);
  k->before.m = before;
  sr_walk_draw_init(arena, before, &k->draw);
  k->draw.pool.count = 0; /* with a pool, equal numbers would make conditions agree that do not
                             agree in the input */
  return k;
}

void sr_measure_module(SrMeasure *k, SrArena *arena, const SrModule *after) {
  const SrModule *before = k->before.m;
  sr_walk_module_init(arena, before, &k->before); /* initialized again, because decoding marks what
                                                     a function uses */
  sr_walk_module_init(arena, after, &k->after);
  k->inst_of[0] = sr_new_none(arena, sr_bound(before));
  k->inst_of[1] = sr_new_none(arena, sr_bound(after));
}

/* ---- paths ---- */

static bool follow(SrLanes *lanes, Paths *p) {
  SrPath path;
  if (!sr_lane_after(lanes, p->arena, &path))
    return false;
  if (path.count)
    SR_PUSH(p->arena, &p->path, path);
  return true;
}

static bool suppose_all(SrLanes *lanes, Paths *p) {
  for (uint32_t lane = 0; lane < SUPPOSED_LANES; lane++) {
    sr_lane_suppose(lanes, lane);
    if (!follow(lanes, p))
      return false;
  }
  SR_PUSH(p->arena, &p->end, p->path.count);
  return true;
}

static uint64_t steps_of(const SrPaths *subgroup) {
  uint64_t steps = 0;
  for (uint32_t i = 0; i < subgroup->count; i++)
    steps += subgroup->at[i].count;
  return steps;
}

/* Replays paths of subgroups until MOST_STEPS are reached; the first subgroup's are cut off there.
 * Paths along which no numbers lead a lane are left out. Sets cost->recorded if at least seven of
 * eight paths are not left out, because the issues of fewer paths say little about all. */
static bool replay_all(SrLanes *lanes, const SrRecorded *recorded, Paths *p, SrCost *cost) {
  uint64_t steps = 0, tried = 0;
  for (uint32_t i = 0; i < recorded->subgroup_count; i++) {
    const SrPaths *subgroup = &recorded->subgroups[i];
    steps += steps_of(subgroup);
    cost->sampled = cost->sampled || steps > MOST_STEPS;
    if (i && steps > MOST_STEPS)
      break;
    for (uint32_t k = 0; k < subgroup->count; k++, tried++) {
      SrPath cut = subgroup->at[k];
      uint32_t longest = MOST_STEPS / subgroup->count + 1;
      cut.count = cut.count < longest ? cut.count : longest;
      sr_lanes_count(lanes, &cut);
      if (sr_lane_replay(lanes, &cut) && !follow(lanes, p))
        return false;
    }
    SR_PUSH(p->arena, &p->end, p->path.count);
  }
  cost->recorded = p->path.count && 8 * (uint64_t)p->path.count >= 7 * tried;
  cost->sampled = cost->sampled || p->path.count < tried;
  return true;
}

/* If most recorded paths cannot be replayed, supposed lanes take edges as often as they did. */
static bool find_paths(const SrMeasure *k, uint32_t i, SrLanes *lanes, Paths *p, SrCost *cost) {
  const SrRecorded *recorded = k->recorded ? &k->recorded[i] : NULL;
  if (recorded && recorded->subgroup_count && !replay_all(lanes, recorded, p, cost))
    return false;
  if (cost->recorded)
    return true;
  p->path.count = p->end.count = 0;
  return suppose_all(lanes, p);
}

/* ---- issues ---- */

/* Renames the blocks of all paths to their ranks: the schedule numbers blocks by priority. */
static void rank_paths(const SrNest *nest, Paths *p) {
  for (uint32_t i = 0; i < p->path.count; i++) {
    SrPath *t = &p->path.at[i];
    uint32_t *ranks = SR_NEW_RAW(p->arena, uint32_t, t->count);
    for (uint32_t k = 0; k < t->count; k++)
      ranks[k] = nest->rank[t->blocks[k]];
    t->blocks = ranks;
  }
}

static SrProfile profile_of(const SrMeasure *k, const SrFunction *f, const uint32_t *order,
                            uint32_t count, Paths *p) {
  uint32_t *issues = SR_NEW(p->arena, uint32_t, count);
  SrPaths *subgroups = SR_NEW(p->arena, SrPaths, p->end.count);
  for (uint32_t i = 0; i < count; i++)
    issues[i] = sr_function_block_size(k->after.m, &f->blocks[order ? order[i] : i], k->cost);
  for (uint32_t i = 0, at = 0; i < p->end.count; at = p->end.at[i++])
    subgroups[i] = (SrPaths){p->path.at + at, p->end.at[i] - at};
  return (SrProfile){.block_count = count,
                     .issues = issues,
                     .subgroups = subgroups,
                     .subgroup_count = p->end.count};
}

static void schedule(const SrMeasure *k, const SrFunction *f, Paths *p, SrCost *cost) {
  const SrGraph *g = sr_cfg_build(p->arena, k->after.m, f);
  const SrNest *nest = sr_nest_build(p->arena, g);
  cost->lanes = p->path.count;
  if (!cost->lanes)
    return;
  SrProfile profile = profile_of(k, f, NULL, f->block_count, p);
  cost->stack = sr_stack_issues(p->arena, &profile, g);
  uint32_t *order = SR_NEW(p->arena, uint32_t, nest->count);
  for (uint32_t r = 0; r < nest->count; r++)
    order[r] = r;
  rank_paths(nest, p);
  profile = profile_of(k, f, nest->order, nest->count, p);
  cost->frontier = sr_profile_issues(p->arena, &profile, order);
}

/* The variables that are only loaded and stored hold values on both sides, so that the lane's
 * decisions are the same whether or not the transform keeps them. */
bool sr_measure_function(SrMeasure *k, uint32_t i, SrCost *cost) {
  const SrFunction *f = &k->before.m->functions[i], *g = &k->after.m->functions[i];
  SrArena scratch = sr_arena_new(k->arena->heap);
  uint32_t own_from = sr_bound(k->before.m);
  SrWalkCode a, b;
  SrMap place = {.arena = &scratch};
  const SrWalkPassed sides = {.before = k->before.m,
                              .after = k->after.m,
                              .f = f,
                              .g = g,
                              .own_from = own_from,
                              .alike = true};
  sr_walk_passed(&scratch, &sides, &place);
  sr_walk_decode(&scratch, &k->before, f, UINT32_MAX, k->nothing, &place, k->inst_of[0], &a);
  sr_walk_decode(&scratch, &k->after, g, own_from, k->nothing, &place, k->inst_of[1], &b);
  const SrWalk walk = {.arena = &scratch,
                       .draw = &k->draw,
                       .comparisons = SR_WALK_COMPUTE_FIXED,
                       .draws_masks = true,
                       .own_from = own_from,
                       .before = {.code = &a, .value = k->before.value},
                       .after = {.code = &b, .value = k->after.value}};
  SrLanes lanes;
  Paths paths = {.arena = &scratch};
  *cost = (SrCost){0};
  sr_lanes_init(&scratch, k->uniform, &walk, &lanes);
  bool known = find_paths(k, i, &lanes, &paths, cost);
  if (known)
    schedule(k, g, &paths, cost);
  for (uint32_t n = 0; n < g->block_count; n++)
    cost->instructions += sr_count_instructions(k->after.m, &g->blocks[n]);
  sr_arena_free(&scratch);
  return known;
}
