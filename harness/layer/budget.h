/* budget: what one run of the library may take. It sits where the library gets its memory: a run
 * that wants too much, or still wants more when its time is up, gets none and ends as out of
 * memory. The library's algorithms are near-linear and ask for memory all the way, so it ends soon
 * after. */
#ifndef LY_BUDGET_H
#define LY_BUDGET_H

#include <stddef.h>

typedef struct LyBudget {
  size_t left;         /* bytes */
  double deadline;     /* by CLOCK_MONOTONIC, in seconds */
  const char *refused; /* why the run got no more; NULL: it got all it wanted */
} LyBudget;

LyBudget ly_budget_new(size_t bytes, double seconds);
/* For spvreconv_options.resize; `user` is the budget. */
void *ly_budget_resize(void *user, void *old, size_t old_size, size_t new_size);

#endif
