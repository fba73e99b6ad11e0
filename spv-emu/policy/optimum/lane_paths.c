/* SPDX-License-Identifier: Apache-2.0 */
/* lane_paths: see lane_paths.h. */
#include "spv-emu/policy/optimum/lane_paths.h"

#include "passes/analysis/graph/cycle.h"
#include "passes/base/map.h"

#include <stdlib.h>
#include <xxhash.h>

/* ---- equal paths ----------------------------------------------------------------------------- */

static bool same(const EmuPath *a, const EmuPath *b) {
  return a->count == b->count && (a->blocks == b->blocks ||
                                  memcmp(a->blocks, b->blocks, a->count * sizeof *a->blocks) == 0);
}

/* Keeps one of equal paths, and none that is empty. */
static void collapse(EmuLanePaths *p, const EmuPath *paths, uint32_t count) {
  SrMark mark = sr_arena_mark(p->arena);
  uint64_t *hashes = SR_NEW_RAW(p->arena, uint64_t, count);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!paths[i].count)
      continue;
    uint64_t hash = XXH3_64bits(paths[i].blocks, paths[i].count * sizeof *paths[i].blocks);
    uint32_t k = 0;
    while (k < kept && !(hashes[k] == hash && same(&p->at.at[k], &paths[i])))
      k++;
    if (k < kept)
      continue;
    hashes[k] = hash;
    p->at.at[kept++] = paths[i];
  }
  p->at.count = kept;
  sr_arena_reset(p->arena, mark);
}

void emu_lane_paths_init(SrArena *arena, const EmuPath *paths, uint32_t count,
                         const uint32_t *issues, EmuLanePaths *p) {
  SrMap map = {.arena = arena};
  SR_VEC(uint32_t) costs = {0};
  *p = (EmuLanePaths){.arena = arena};
  SR_RESERVE(arena, &p->at, count);
  collapse(p, paths, count);
  for (uint32_t i = 0; i < p->at.count; i++) {
    EmuPath *path = &p->at.at[i];
    uint32_t *blocks = SR_NEW_RAW(arena, uint32_t, path->count), kept = 0;
    for (uint32_t k = 0; k < path->count; k++) {
      if (!issues[path->blocks[k]])
        continue;
      uint32_t x = sr_map_get(&map, path->blocks[k]);
      if (x == SR_NONE) {
        sr_map_set(&map, path->blocks[k], x = costs.count);
        SR_PUSH(arena, &costs, issues[path->blocks[k]]);
      }
      blocks[kept++] = x;
    }
    *path = (EmuPath){blocks, kept};
  }
  p->blocks = costs.count;
  p->issues = costs.at;
}

/* ---- subsequences ---------------------------------------------------------------------------- */

static int longer_first(const void *a, const void *b) {
  const EmuPath *x = a, *y = b;
  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  return x->count ? memcmp(x->blocks, y->blocks, x->count * sizeof *x->blocks) : 0;
}

static bool is_subsequence(EmuLanePaths *p, const EmuPath *a, const EmuPath *of) {
  uint32_t i = 0, k = 0;
  for (; i < a->count && a->count - i <= of->count - k; k++)
    i += a->blocks[i] == of->blocks[k];
  p->work -= k < p->work ? k : p->work;
  return i == a->count;
}

/* Drops paths that are subsequences of longer ones, while work is left. */
static void drop_subsequences(EmuLanePaths *p) {
  uint32_t kept = 0;
  qsort(p->at.at, p->at.count, sizeof *p->at.at, longer_first);
  for (uint32_t i = 0; i < p->at.count; i++) {
    bool served = false;
    for (uint32_t k = 0; k < kept && !served && p->work; k++)
      served = is_subsequence(p, &p->at.at[i], &p->at.at[k]);
    if (!served)
      p->at.at[kept++] = p->at.at[i];
  }
  p->at.count = kept;
}

/* ---- common ends ----------------------------------------------------------------------------- */

/* Strips blocks that all paths start or end with; returns their issues. */
static uint64_t strip(EmuLanePaths *p) {
  uint64_t issues = 0;
  uint32_t shortest = p->at.count ? SR_NONE : 0;
  for (uint32_t i = 0; i < p->at.count; i++)
    shortest = p->at.at[i].count < shortest ? p->at.at[i].count : shortest;
  for (int back = 0; back < 2; back++)
    for (; shortest; shortest--) {
      const EmuPath *a = &p->at.at[0];
      uint32_t block = back ? a->blocks[a->count - 1] : a->blocks[0];
      uint32_t i = 1;
      while (i < p->at.count && p->at.at[i].blocks[back ? p->at.at[i].count - 1 : 0] == block)
        i++;
      if (i < p->at.count)
        break;
      issues += p->issues[block];
      for (i = 0; i < p->at.count; i++) {
        p->at.at[i].blocks += !back;
        p->at.at[i].count--;
      }
    }
  return issues;
}

/* ---- blocks that are always neighbours ------------------------------------------------------- */

/* The only block that follows, or precedes, a block on all paths; `several`: there is more than
 * one, or a path ends there. */
typedef struct Neighbours {
  uint32_t before, after;
} Neighbours;

static void meet(uint32_t *known, uint32_t block, uint32_t several) {
  *known = *known == SR_NONE || *known == block ? block : several;
}

static Neighbours *find_neighbours(const EmuLanePaths *p) {
  Neighbours *of = SR_NEW_RAW(p->arena, Neighbours, p->blocks);
  memset(of, 0xff, p->blocks * sizeof *of);
  for (uint32_t i = 0; i < p->at.count; i++) {
    const EmuPath *path = &p->at.at[i];
    uint32_t last = p->blocks;
    for (uint32_t k = 0; k < path->count; k++) {
      uint32_t block = path->blocks[k];
      meet(&of[block].before, last, p->blocks);
      meet(&of[block].after, k + 1 < path->count ? path->blocks[k + 1] : p->blocks, p->blocks);
      last = block;
    }
  }
  return of;
}

/* Merges runs of neighbours into their first block, and leaves the other blocks out of the paths,
 * which are copied. */
static void contract(EmuLanePaths *p) {
  const Neighbours *of = find_neighbours(p);
  uint32_t *issues = SR_NEW(p->arena, uint32_t, p->blocks),
           *name = sr_new_none(p->arena, p->blocks);
  uint32_t count = 0;
  for (uint32_t i = 0; i < p->at.count; i++) {
    EmuPath *path = &p->at.at[i];
    uint32_t *blocks = SR_NEW_RAW(p->arena, uint32_t, path->count), kept = 0;
    for (uint32_t k = 0; k < path->count; k++) {
      uint32_t block = path->blocks[k], before = of[block].before;
      bool follows = before < p->blocks && of[before].after == block;
      if (name[block] == SR_NONE) {
        name[block] = follows ? name[before] : count++;
        issues[name[block]] += p->issues[block];
      }
      if (!follows)
        blocks[kept++] = name[block];
    }
    *path = (EmuPath){blocks, kept};
  }
  p->issues = issues;
  p->blocks = count;
}

uint64_t emu_lane_paths_cost(const EmuLanePaths *p, const EmuPath *path) {
  uint64_t issues = 0;
  for (uint32_t k = 0; k < path->count; k++)
    issues += p->issues[path->blocks[k]];
  return issues;
}

uint64_t emu_lane_paths_reduce(EmuLanePaths *p) {
  collapse(p, p->at.at, p->at.count);
  if (p->at.count > 1)
    drop_subsequences(p);
  uint64_t issues = strip(p);
  if (p->at.count > 1)
    contract(p);
  else
    p->at.count = 0;
  return issues;
}

/* ---- cycles ---------------------------------------------------------------------------------- */

/* The graph of all steps of the paths; block b is node b + 1, node 0 leads to the first blocks. */
static const SrNest *nest_of(const EmuLanePaths *p) {
  SR_VEC(SrEdge) edges = {0};
  uint32_t *last = sr_new_none(p->arena, (size_t)p->blocks + 1); /* a filter of repeated edges */
  for (uint32_t i = 0; i < p->at.count; i++) {
    const EmuPath *path = &p->at.at[i];
    for (uint32_t k = 0, from = 0; k < path->count; k++) {
      uint32_t to = path->blocks[k] + 1;
      if (last[from] != to)
        SR_PUSH(p->arena, &edges, (SrEdge){from, to});
      last[from] = to;
      from = to;
    }
  }
  return sr_nest_build(p->arena, sr_graph_new(p->arena, p->blocks + 1, edges.at, edges.count));
}

/* Adds the paths' slices of consecutive blocks in part `to`, by block. */
static void cut_paths(const EmuLanePaths *p, const uint32_t *to, EmuLaneParts *parts) {
  for (uint32_t i = 0; i < p->at.count; i++) {
    const EmuPath *path = &p->at.at[i];
    for (uint32_t k = 0, end; k < path->count; k = end) {
      uint32_t part = to[path->blocks[k]];
      for (end = k + 1; end < path->count && to[path->blocks[end]] == part;)
        end++;
      if (part != SR_NONE)
        SR_PUSH(p->arena, &parts->at[part].at, (EmuPath){path->blocks + k, end - k});
    }
  }
}

uint64_t emu_lane_paths_split(const EmuLanePaths *p, EmuLaneParts *parts) {
  const SrNest *nest = nest_of(p);
  uint32_t *part = sr_new_none(p->arena, p->blocks); /* by block */
  uint64_t issues = 0;
  parts->count = 0;
  for (uint32_t c = 0; c < nest->cycle_count; c++) {
    if (nest->cycles[c].parent != SR_NONE)
      continue;
    for (uint32_t r = nest->cycles[c].first; r <= nest->cycles[c].last; r++)
      part[nest->order[r] - 1] = parts->count;
    SR_PUSH(p->arena, parts, *p);
    SR_LAST(parts).at.at = NULL;
    SR_LAST(parts).at.count = SR_LAST(parts).at.room = 0;
  }
  for (uint32_t b = 0; b < p->blocks; b++)
    issues += part[b] == SR_NONE ? p->issues[b] : 0;
  cut_paths(p, part, parts);
  return issues;
}
