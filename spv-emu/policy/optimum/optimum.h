/* SPDX-License-Identifier: Apache-2.0 */
/* optimum: `opt`, the least possible number of issues. It models no hardware but is the lower bound
 * of all policies: only `opt` knows the lanes' paths in advance.
 *
 * A schedule is a sequence of blocks that has the path of every lane as a subsequence; a block
 * costs its instructions. The cheapest is a weighted shortest common supersequence of the paths,
 * which is hard to find for many paths. So the search has a budget; when that is spent, the result
 * is a lower bound and an upper bound, the cost of a schedule that was found. */
#ifndef EMU_OPTIMUM_H
#define EMU_OPTIMUM_H

#include "passes/base/arena.h"

#include <stdbool.h>

typedef struct EmuPath { /* the path of a lane: the blocks that it ran */
  const uint32_t *blocks;
  uint32_t count;
} EmuPath;

typedef struct EmuOptimum {
  uint64_t issues;  /* no schedule has fewer */
  uint64_t at_most; /* cost of the best schedule found */
  bool exact;       /* the two are equal */
} EmuOptimum;

/* The least issues for the lanes of one subgroup. `issues`: by block, its instructions that count.
 * `budget`: number of states that the search may visit, fewer if there are many paths; 100,000 take
 * well below a second. All memory is freed. */
EmuOptimum emu_optimum(SrArena *arena, const EmuPath *paths, uint32_t count, const uint32_t *issues,
                       uint32_t budget);

#endif
