/* SPDX-License-Identifier: Apache-2.0 */
/* lane_paths: the paths of a subgroup's lanes, reduced as far as possible for the search for the
 * cheapest schedule of all of them (optimum.h).
 *
 * Every step preserves the cost of a cheapest schedule, except for issues that it returns:
 *
 * - of equal paths one is kept
 * - a path that is a subsequence of a longer one is dropped, since every schedule that lets lanes
 *   run the longer one lets them run the other too
 * - a prefix or suffix that all paths have in common is in every cheapest schedule; it is cut off
 * - two blocks, each of which only occurs next to the other on all paths, become one: a schedule
 *   that runs them separately remains valid if the block that it runs more often runs only where
 *   the other does
 * - paths that pass through several cycles of the graph are cut between the cycles. A schedule's
 *   cost is the sum over cycles of the cost of its blocks in the cycle, and these blocks are a
 *   schedule of the paths' parts in that cycle. Conversely, schedules of the parts, one after the
 *   other, are a schedule of the whole. So the cheapest costs add up. */
#ifndef EMU_LANE_PATHS_H
#define EMU_LANE_PATHS_H

#include "passes/base/vec.h"
#include "spv-emu/policy/optimum/optimum.h"

typedef struct EmuLanePaths {
  SrArena *arena;
  SR_VEC(EmuPath) at; /* paths of blocks 0 … blocks - 1 */
  uint32_t blocks;
  const uint32_t *issues; /* by block */
  uint64_t work;          /* what is left: comparisons of blocks, cells of tables */
} EmuLanePaths;

typedef SR_VEC(EmuLanePaths) EmuLaneParts;

/* Copies the paths, only one of equal ones, with dense block numbers. Blocks without issues, which
 * a schedule can run at any time, are left out. */
void emu_lane_paths_init(SrArena *arena, const EmuPath *paths, uint32_t count,
                         const uint32_t *issues, EmuLanePaths *p);
/* Cuts the paths between cycles into *parts. Returns the issues of the blocks outside of cycles. */
uint64_t emu_lane_paths_split(const EmuLanePaths *p, EmuLaneParts *parts);
/* Reduces the paths; returns the issues that all of them have in common. Of a single path nothing
 * remains. */
uint64_t emu_lane_paths_reduce(EmuLanePaths *p);
uint64_t emu_lane_paths_cost(const EmuLanePaths *p, const EmuPath *path);

#endif
