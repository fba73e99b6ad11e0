/* SPDX-License-Identifier: Apache-2.0 */
/* clock: seconds that only move forward, for deadlines and durations. */
#ifndef HN_CLOCK_H
#define HN_CLOCK_H

#include <time.h>

static inline double hn_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
