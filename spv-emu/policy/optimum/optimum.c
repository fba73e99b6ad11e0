/* SPDX-License-Identifier: Apache-2.0 */
/* optimum: see optimum.h.
 *
 * The paths are cut where they pass from one cycle of their graph to the next, and reduced
 * (lane_paths.h). For each part: two paths have an exact cost, by the classic table; more are
 * scheduled by beam search (optimum_schedule.h), for an upper bound, and then by A*
 * (optimum_search.h), which is exact if it ends. If it does not, its lower bound is compared with
 * that of classes of blocks (optimum_bound.h). */
#include "spv-emu/policy/optimum/optimum.h"

#include "spv-emu/policy/optimum/optimum_bound.h"
#include "spv-emu/policy/optimum/optimum_schedule.h"
#include "spv-emu/policy/optimum/optimum_search.h"

/* The budget is a number of states. Each state of it allows this much work: in either search, this
 * many looks at a path in a step (with many paths, fewer states are visited); outside of the
 * searches, this many table cells and comparisons of blocks, which are fast. */
enum { LOOKS_A_STATE = 64, CELLS_A_STATE = 512 };

typedef struct Work { /* work that is left */
  uint64_t search, schedule, cells;
} Work;

/* The schedule that runs the lanes one after the other. */
static uint64_t one_by_one(const EmuLanePaths *p) {
  uint64_t issues = 0;
  for (uint32_t i = 0; i < p->at.count; i++)
    issues += emu_lane_paths_cost(p, &p->at.at[i]);
  return issues;
}

static EmuOptimum schedule_many(EmuLanePaths *p, Work *work) {
  EmuOptimum best = {.at_most = one_by_one(p)};
  p->work = work->schedule;
  uint64_t found = emu_optimum_schedule(p), bound = 0;
  best.at_most = found < best.at_most ? found : best.at_most;
  EmuFound least = emu_optimum_search(p, best.at_most, &work->search);
  if (!least.exact) {
    p->work = work->cells;
    bound = emu_optimum_bound(p);
    work->cells = p->work;
  }
  best.issues = bound > least.issues ? bound : least.issues;
  best.at_most = least.exact ? best.issues : best.at_most;
  return best;
}

static EmuOptimum schedule_part(EmuLanePaths *p, Work *work) {
  p->work = work->cells;
  uint64_t common = emu_lane_paths_reduce(p), cells = 0;
  work->cells = p->work;
  EmuOptimum best = {0};
  if (p->at.count == 2)
    cells = ((uint64_t)p->at.at[0].count + 1) * (p->at.at[1].count + 1);
  if (cells && cells <= work->cells) {
    work->cells -= cells;
    best.issues = best.at_most = emu_optimum_bound_pair(p, &p->at.at[0], &p->at.at[1]);
  } else if (p->at.count)
    best = schedule_many(p, work);
  best.issues += common;
  best.at_most += common;
  return best;
}

/* The work that one of several parts may use; what it does not use is left to the others. */
static Work share_of(Work *all, uint32_t parts) {
  Work share = {all->search / parts, all->schedule / parts, all->cells / parts};
  all->search -= share.search;
  all->schedule -= share.schedule;
  all->cells -= share.cells;
  return share;
}

static void give_back(Work *all, const Work *left) {
  all->search += left->search;
  all->schedule += left->schedule;
  all->cells += left->cells;
}

EmuOptimum emu_optimum(SrArena *arena, const EmuPath *paths, uint32_t count, const uint32_t *issues,
                       uint32_t budget) {
  SrArena scratch = sr_arena_new(arena->heap);
  EmuLanePaths p;
  EmuLaneParts parts = {0};
  Work work = {.search = (uint64_t)budget * LOOKS_A_STATE,
               .schedule = (uint64_t)budget * LOOKS_A_STATE,
               .cells = (uint64_t)budget * CELLS_A_STATE};
  emu_lane_paths_init(&scratch, paths, count, issues, &p);
  uint64_t once = emu_lane_paths_split(&p, &parts);
  EmuOptimum sum = {.issues = once, .at_most = once};
  for (uint32_t i = 0; i < parts.count; i++) {
    Work share = share_of(&work, parts.count - i);
    EmuOptimum part = schedule_part(&parts.at[i], &share);
    give_back(&work, &share);
    sum.issues += part.issues;
    sum.at_most += part.at_most;
  }
  sum.exact = sum.issues == sum.at_most;
  sr_arena_free(&scratch);
  return sum;
}
