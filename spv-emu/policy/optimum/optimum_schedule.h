/* SPDX-License-Identifier: Apache-2.0 */
/* optimum_schedule: a cheap schedule of many paths, for an upper bound of the least cost.
 *
 * Beam search (Lowerre 1976): of the schedules of n blocks only the most promising ones are
 * continued. A schedule is promising if its cost so far and a guess of the remaining cost are small
 * together. The guess is the mean of the estimate of path_index.h, which is too low, and of what
 * the remaining paths would cost if lanes met as often as in the schedule that was found last.
 *
 * From the schedule that is found, blocks are left out without which it still has all paths as
 * subsequences: those from which, before it and after it, all lanes get through without it. */
#ifndef EMU_OPTIMUM_SCHEDULE_H
#define EMU_OPTIMUM_SCHEDULE_H

#include "spv-emu/policy/optimum/lane_paths.h"

/* The cost of a schedule. Spends p->work, and no more; UINT64_MAX: it is not enough. */
uint64_t emu_optimum_schedule(EmuLanePaths *p);

#endif
