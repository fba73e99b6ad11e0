/* SPDX-License-Identifier: Apache-2.0 */
/* flow_names: see flow_names.h. Blocks are those of the new graph unless they are called flow
 * blocks. */
#include "passes/transform/flow/flow_names.h"

static const SrFlowBlock *flow_at(const SrFlowNames *w, uint32_t b) {
  return &w->flow->block.at[w->flow->order[b]];
}

static bool is_flow(const void *user, uint32_t b) {
  return flow_at(user, b)->role == SR_ROLE_GUARD;
}

static uint32_t step(const void *user, uint32_t at, uint32_t target) {
  const SrFlowNames *w = user;
  uint32_t slot = sr_flow_step(flow_at(w, at), w->rank[target]);
  return w->place[w->flow->slot.at[slot].to];
}

/* A lane's path through flow blocks, up to the block where a name is no longer valid. */
typedef struct Path {
  const SrFlowNames *w;
  uint32_t name, target; /* block; flow block */
  uint32_t floor;        /* depth of the name's block if the path leads through it, else 0 */
} Path;

static Path path_to(const SrFlowNames *w, uint32_t name, uint32_t target) {
  return (Path){w, name, w->flow->order[w->new_of[target]], 0};
}

/* ---- passing the name again ---- */

static bool is_not_below(const void *user, uint32_t x) {
  const Path *path = user;
  return path->w->paths.depth[x] >= path->floor;
}

static bool comes_round(const void *user, uint32_t name, uint32_t at, uint32_t target) {
  const SrFlowNames *w = user;
  if (flow_at(w, at)->role == SR_ROLE_CASE)
    at = step(w, at, target);
  if (!is_flow(w, at) || !is_flow(w, name))
    return false;
  uint32_t x = w->flow->order[at], n = w->flow->order[name];
  Path path = path_to(w, name, target);
  path.floor = w->paths.depth[n];
  return w->paths.depth[x] >= path.floor && sr_flow_path_passes(w->flow, n, path.target) &&
         sr_flow_path_climb(&w->paths, x, is_not_below, &path) == n;
}

/* ---- the next join ---- */

/* Is the name valid in flow block x of the path? Once the path has left the region that the name's
 * block strictly dominates, it can return only through that block. So the answer is no from some
 * block on, as sr_flow_path_climb requires. */
static bool name_holds(const void *user, uint32_t x) {
  const Path *path = user;
  const SrFlowNames *w = path->w;
  return w->paths.depth[x] > path->floor && sr_flow_path_passes(w->flow, x, path->target) &&
         w->place[x] != path->name && sr_dominates(w->dom, path->name, w->place[x]);
}

static SrExit next_join(const void *user, uint32_t name, uint32_t at, uint32_t target) {
  const SrFlowNames *w = user;
  Path path = path_to(w, name, target);
  if (at != name && comes_round(w, name, at, target))
    path.floor = w->paths.depth[w->flow->order[name]];
  if (flow_at(w, at)->role == SR_ROLE_CASE) {
    uint32_t to = step(w, at, target);
    if (!name_holds(&path, w->flow->order[to]))
      return (SrExit){at, to};
    at = to;
  }
  uint32_t top = w->place[sr_flow_path_climb(&w->paths, w->flow->order[at], name_holds, &path)];
  return (SrExit){top, step(w, top, target)};
}

/* ---- the sequence of joins ---- */

static bool reaches(const void *user, uint32_t x, uint32_t y) {
  const SrFlowNames *w = user;
  return sr_dominates(w->dom, w->place[x], w->place[y]);
}

static uint32_t up(const void *user, uint32_t b) {
  const SrFlowNames *w = user;
  uint32_t x = w->names.up[w->flow->order[b]];
  return x == SR_NONE ? SR_NONE : w->place[x];
}

static uint32_t depth(const void *user, uint32_t b) {
  const SrFlowNames *w = user;
  return w->names.depth[w->flow->order[b]];
}

static bool is_on_path(const void *user, uint32_t x) {
  const Path *path = user;
  return sr_flow_path_passes(path->w->flow, x, path->target);
}

static uint32_t last(const void *user, uint32_t b, uint32_t target) {
  const SrFlowNames *w = user;
  Path path = path_to(w, b, target);
  return w->place[sr_flow_path_climb(&w->names, w->flow->order[b], is_on_path, &path)];
}

void sr_flow_names_init(SrFlowNames *w, SrArena *arena) {
  w->paths = sr_flow_path_build(arena, w->flow);
  w->names = sr_flow_path_names(arena, &w->paths, reaches, w);
}

SrSsaPaths sr_flow_names_paths(const SrFlowNames *w) {
  return (SrSsaPaths){.graph = w->graph,
                      .dom = w->dom,
                      .new_of = w->new_of,
                      .next = next_join,
                      .comes_round = comes_round,
                      .is_flow = is_flow,
                      .up = up,
                      .depth = depth,
                      .last = last,
                      .step = step,
                      .user = w};
}
