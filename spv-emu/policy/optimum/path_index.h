/* SPDX-License-Identifier: Apache-2.0 */
/* path_index: where blocks occur on the paths of lanes, for searches that schedule the paths block
 * by block. A position says, by path, how many of the path's blocks have been run. */
#ifndef EMU_PATH_INDEX_H
#define EMU_PATH_INDEX_H

#include "spv-emu/policy/optimum/lane_paths.h"

typedef struct EmuCarrier { /* a path that holds a block */
  uint32_t path;
  uint32_t first, count; /* its positions on the path, ascending, in `where` */
} EmuCarrier;

typedef struct EmuHolders { /* of a block */
  uint32_t first, count;    /* the paths that hold the block, in `carriers` */
} EmuHolders;

typedef struct EmuPathIndex {
  uint32_t paths, blocks;
  const EmuPath *path;
  const uint32_t *issues; /* by block */
  EmuHolders *holders;    /* by block */
  EmuCarrier *carriers;
  uint32_t *where;
  uint64_t work; /* what is left: one unit for each path visited in a step */
} EmuPathIndex;

typedef struct EmuPathStep {
  uint32_t lowers; /* number of occurrences by which the step lowers the estimate: 0 or 1 */
  bool forced;     /* every path that needs the block later needs it now */
} EmuPathStep;

void emu_path_index_init(SrArena *arena, const EmuLanePaths *p, uint64_t work, EmuPathIndex *s);
/* Is the block next on the path? */
static inline bool emu_path_index_next(const EmuPathIndex *s, const uint32_t *at, uint32_t path,
                                       uint32_t block) {
  return at[path] < s->path[path].count && s->path[path].blocks[at[path]] == block;
}
/* Is this the first path with that next block? */
bool emu_path_index_first(const EmuPathIndex *s, const uint32_t *at, uint32_t path);
/* The effect of running the block at the position. */
EmuPathStep emu_path_index_look(EmuPathIndex *s, const uint32_t *at, uint32_t block);
/* Runs the block for all paths whose next block it is. */
void emu_path_index_run(const EmuPathIndex *s, uint32_t *at, uint32_t block);
/* The sum over blocks of the issues for the path that holds the block most often: no schedule costs
 * less. */
uint64_t emu_path_index_estimate(const EmuPathIndex *s);

#endif
