/* SPDX-License-Identifier: Apache-2.0 */
/* budget: see budget.h. */
#include "harness/layer/budget.h"

#include "passes/base/clock.h"

#include <stdlib.h>

LyBudget ly_budget_new(size_t bytes, double seconds) {
  return (LyBudget){.left = bytes, .deadline = sr_now() + seconds};
}

static void *refuse(LyBudget *budget, LyReason reason, const char *why) {
  budget->reason = reason;
  budget->refused = why;
  return NULL;
}

void *ly_budget_resize(void *user, void *old, size_t old_size, size_t new_size) {
  LyBudget *budget = user;
  if (new_size == 0) {
    free(old);
    budget->left += old_size;
    return NULL;
  }
  if (new_size > old_size && new_size - old_size > budget->left)
    return refuse(budget, LY_MEMORY, "it needs more memory than SPVRECONV_MAX_MIB");
  if (new_size > old_size && sr_now() > budget->deadline)
    return refuse(budget, LY_TIME, "it takes longer than SPVRECONV_MAX_SECONDS");
  void *memory = realloc(old, new_size);
  if (!memory)
    return refuse(budget, LY_EXHAUSTED, "out of memory");
  budget->left += old_size;
  budget->left -= new_size;
  return memory;
}
