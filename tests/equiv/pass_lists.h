/* SPDX-License-Identifier: Apache-2.0 */
/* pass_lists: the transforms of pass.def as tests run them: one list for each word in a row's
 * column `tests`, in the order of the table. tests/pass_lists.sh prints the same for scripts. */
#ifndef PASS_LISTS_H
#define PASS_LISTS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct PassList {
  char alone[32];      /* the transform and its argument */
  char structured[64]; /* with structurize before it if it keeps structure, and after it if it may
                        * leave some out */
  bool calls, once;    /* as in GenOptions: the modules that it needs */
} PassList;

/* The list at `index`, or NULL after the last. */
const PassList *pass_lists_at(uint32_t index);
uint32_t pass_lists_count(void);
/* The list at `index` of all that are `structured`, and of `more` after them, which NULL ends; NULL
 * after the last. */
const char *pass_lists_structured(uint32_t index, const char *const *more);

#endif
