/* SPDX-License-Identifier: Apache-2.0 */
/* optimum_search: the cheapest schedule of several paths, by A* (Hart, Nilsson and Raphael 1968).
 *
 * A state is a position on each path. A step runs a block, with all paths whose next block it is:
 * leaving a path out never helps. The estimate of the remaining cost is the sum over blocks of the
 * block's issues times the largest number of times that any one path still needs the block. It
 * never overestimates, and a step lowers it by no more than the step's cost, so the least sum of
 * cost and estimate among the open states never decreases, and is a lower bound at any time. Among
 * states with equal sums the one with the highest cost is visited first, so that an exact estimate
 * leads straight to the end.
 *
 * A block that is next on some paths and does not occur again on any other can be run immediately:
 * waiting gains nothing. Such forced steps are taken without alternatives; with them the search is
 * short for most programs. */
#ifndef EMU_OPTIMUM_SEARCH_H
#define EMU_OPTIMUM_SEARCH_H

#include "spv-emu/policy/optimum/path_index.h"

typedef struct EmuFound {
  uint64_t issues;
  bool exact; /* else `issues` is a lower bound */
} EmuFound;

/* `most`: the cost of a schedule that is already known, as an upper bound; UINT64_MAX: none is
 * known. *work: the search's budget, one unit for each path that is visited in a step. It is
 * reduced by what the search used. */
EmuFound emu_optimum_search(const EmuLanePaths *p, uint64_t most, uint64_t *work);

#endif
