/* optimum: `opt`, the least possible number of issues. Not hardware, but the yardstick of every
 * policy: the only one that knows the lanes' paths.
 *
 * A schedule is a sequence of blocks of which every lane's path is a subsequence; a block costs its
 * instructions. The cheapest is a weighted shortest common supersequence of the paths, which is
 * hard to find for many paths: so the search has a budget, and beyond it there is a lower bound. */
#ifndef EMU_OPTIMUM_H
#define EMU_OPTIMUM_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct EmuPath { /* of a lane: the blocks it ran */
  const uint32_t *blocks;
  uint32_t count;
} EmuPath;

typedef struct EmuOptimum {
  uint64_t issues;
  bool exact; /* else `issues` is a lower bound */
} EmuOptimum;

/* The least issues for the lanes of one subgroup. `issues`: by block, what it counts. `budget`: how
 * many states the search may look at, fewer where there are many paths; 100,000 take well below a
 * second. Equal paths cost nothing
 * but to be read. All memory is given back. */
EmuOptimum emu_optimum(SrArena *arena, const EmuPath *paths, uint32_t count, const uint32_t *issues,
                       uint32_t budget);

#endif
