/* SPDX-License-Identifier: Apache-2.0 */
/* optimum_schedule: a cheap schedule of many paths, for an upper bound of the least cost.
 *
 * Beam search (Lowerre 1976): of the schedules of n blocks only the most promising ones are
 * continued. A schedule is promising if the sum of its cost so far and a guess of the remaining
 * cost is small. The guess is the mean of the estimate of path_index.h, which is too low, and of
 * the cost of the remaining paths if lanes met as often as in the schedule found last.
 *
 * Blocks are then removed from the schedule found if it has all paths as subsequences without them:
 * if all lanes get through what comes before and after such a block without it. */
#ifndef EMU_OPTIMUM_SCHEDULE_H
#define EMU_OPTIMUM_SCHEDULE_H

#include "spv-emu/policy/optimum/lane_paths.h"

/* The cost of a schedule. Uses at most p->work; UINT64_MAX: that is not enough. */
uint64_t emu_optimum_schedule(EmuLanePaths *p);

#endif
