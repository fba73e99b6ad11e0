/* SPDX-License-Identifier: Apache-2.0 */
/* fit_times: what a divergent branch costs on a device.
 *
 * The lanes of one subgroup run a loop with bounds that differ in the last M of them: 0 lanes leave
 * early, then one, then two. The longest bound stays the same, so what is added is the cost of
 * lanes that leave alone (Białas and Strzelecki 2015). Each loop runs many times in a dispatch. */
#ifndef FT_FIT_TIMES_H
#define FT_FIT_TIMES_H

#include "harness/backend/backend_policy.h"
#include "harness/converge/device.h"
#include "harness/fit/fit_line.h"

typedef struct FtTimes {
  bool measured;
  char why[160];      /* otherwise: why not, in one line */
  const char *unit;   /* "cycles" or "ns", of `at` and `line` */
  uint32_t count;     /* of `at`: the subgroup's size */
  double at[FT_MOST]; /* by M: the time of one loop */
  FtLine line;
} FtTimes;

/* Measures in a process of its own. Device emu counts cycles of the cost model kepler. */
void ft_times_measure(const CvDevice *device, FtTimes *times);

#endif
