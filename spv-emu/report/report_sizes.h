/* SPDX-License-Identifier: Apache-2.0 */
/* report_sizes: which of several subgroup sizes is best for each module, list of transforms and
 * policy.
 *
 * Issues of subgroups of different sizes are not comparable: an issue of 64 lanes takes the ALUs
 * twice the time of one of 32. Lane slots (issues times lanes, idle ones included) are comparable.
 * The best size has the fewest lane slots over all values that are swept. If several sizes are
 * equal, the largest is best, since it issues least. A size is left out if the policy does not
 * apply, or if a run failed. A policy is left out if its subgroups have a fixed size (scalar), or
 * if only a bound is known (opt). */
#ifndef EMU_REPORT_SIZES_H
#define EMU_REPORT_SIZES_H

#include "spv-emu/report/report.h"

typedef struct EmuBestSize {
  const char *module, *transform; /* NULL: there is only one */
  const char *policy;
  uint32_t size, worst_size;
  uint64_t slots, worst_slots;
} EmuBestSize;

/* The best sizes by the order of the rows; returns how many there are, at most `room`. */
uint32_t emu_best_sizes(const EmuReport *report, EmuBestSize *best, uint32_t room);
/* Prints a line for each. */
void emu_best_sizes_print(const EmuReport *report, FILE *out);
/* The same for JSON; NULL: no sizes are compared. */
json_t *emu_best_sizes_array(const EmuReport *report);

#endif
