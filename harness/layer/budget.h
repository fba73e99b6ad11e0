/* SPDX-License-Identifier: Apache-2.0 */
/* budget: limits the memory and time of one run of the library. It acts as the library's allocator:
 * once a limit is exceeded it returns no more memory, so the run ends as out of memory. The
 * library's algorithms are near-linear and allocate throughout, so a run that exceeds its time soon
 * ends. */
#ifndef LY_BUDGET_H
#define LY_BUDGET_H

#include "harness/layer/layer_result.h"

#include <stddef.h>

typedef struct LyBudget {
  size_t left;         /* bytes */
  double deadline;     /* by CLOCK_MONOTONIC, in seconds */
  const char *refused; /* why an allocation was refused; NULL: none was */
  LyReason reason;     /* the same, as layer_stats.h counts it */
} LyBudget;

LyBudget ly_budget_new(size_t bytes, double seconds);
/* For spvreconv_options.resize; `user` is the budget. */
void *ly_budget_resize(void *user, void *old, size_t old_size, size_t new_size);

#endif
