/* SPDX-License-Identifier: Apache-2.0 */
/* clock: seconds that only move forward, for deadlines and durations. */
#ifndef SR_CLOCK_H
#define SR_CLOCK_H

#include <time.h>

static inline double sr_now(void) {
  struct timespec t;
#ifdef _MSC_VER
  timespec_get(&t, TIME_UTC); /* its C library has no monotonic clock */
#else
  clock_gettime(CLOCK_MONOTONIC, &t);
#endif
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
