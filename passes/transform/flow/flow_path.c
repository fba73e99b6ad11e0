/* SPDX-License-Identifier: Apache-2.0 */
/* flow_path: see flow_path.h. */
#include "passes/transform/flow/flow_path.h"

#include "passes/base/sort.h"

static int later_first(const void *a, const void *b, void *flow) {
  const SrFlowBlock *at = ((const SrFlowGraph *)flow)->block.at;
  uint32_t x = at[*(const uint32_t *)a].stamp, y = at[*(const uint32_t *)b].stamp;
  return (x < y) - (x > y);
}

/* The flow block to which the last slot leads, or SR_NONE. */
static uint32_t next_of(const SrFlowGraph *f, uint32_t x) {
  const SrFlowBlock *b = &f->block.at[x];
  uint32_t to = f->slot.at[b->slot + b->slot_count - 1].to;
  return f->block.at[to].role == SR_ROLE_GUARD ? to : SR_NONE;
}

static void link_up(SrFlowPaths *r, uint32_t x, uint32_t up) {
  r->up[x] = r->skip[x] = up;
  r->depth[x] = 1;
  if (up == SR_NONE)
    return;
  r->depth[x] = r->depth[up] + 1;
  uint32_t skip = r->skip[up];
  if (skip != SR_NONE && r->skip[skip] != SR_NONE &&
      r->depth[up] - r->depth[skip] == r->depth[skip] - r->depth[r->skip[skip]])
    r->skip[x] = r->skip[skip];
}

static SrFlowPaths new_forest(SrArena *arena, const SrFlowGraph *flow) {
  uint32_t n = flow->block.count;
  return (SrFlowPaths){.flow = flow,
                       .up = sr_new_none(arena, n),
                       .skip = sr_new_none(arena, n),
                       .depth = SR_NEW(arena, uint32_t, n)};
}

SrFlowPaths sr_flow_path_build(SrArena *arena, const SrFlowGraph *flow) {
  uint32_t n = flow->block.count;
  SrFlowPaths r = new_forest(arena, flow);
  r.made = SR_NEW_RAW(arena, uint32_t, n);
  for (uint32_t b = 0; b < n; b++)
    if (flow->block.at[b].role == SR_ROLE_GUARD)
      r.made[r.count++] = b;
  sr_sort_by(arena, r.made, r.count, sizeof *r.made, later_first, (void *)flow);
  for (uint32_t i = 0; i < r.count; i++)
    link_up(&r, r.made[i], next_of(flow, r.made[i]));
  return r;
}

typedef struct Reach {
  bool (*reaches)(const void *user, uint32_t x, uint32_t y);
  const void *user;
  uint32_t name;
} Reach;

static bool is_reached(const void *user, uint32_t y) {
  const Reach *r = user;
  return r->reaches(r->user, r->name, y);
}

SrFlowPaths sr_flow_path_names(SrArena *arena, const SrFlowPaths *paths,
                               bool (*reaches)(const void *user, uint32_t x, uint32_t y),
                               const void *user) {
  SrFlowPaths r = new_forest(arena, paths->flow);
  r.made = paths->made;
  r.count = paths->count;
  for (uint32_t i = 0; i < r.count; i++) {
    Reach reach = {reaches, user, r.made[i]};
    link_up(&r, r.made[i], paths->up[sr_flow_path_climb(paths, r.made[i], is_reached, &reach)]);
  }
  return r;
}

uint32_t sr_flow_path_climb(const SrFlowPaths *r, uint32_t x,
                            bool (*holds)(const void *user, uint32_t x), const void *user) {
  while (r->up[x] != SR_NONE && holds(user, r->up[x]))
    x = holds(user, r->skip[x]) ? r->skip[x] : r->up[x];
  return x;
}
