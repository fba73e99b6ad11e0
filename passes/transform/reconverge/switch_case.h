/* SPDX-License-Identifier: Apache-2.0 */
/* switch_case: the cases of an OpSwitch, for passes that split it. */
#ifndef SR_SWITCH_CASE_H
#define SR_SWITCH_CASE_H

#include "passes/ir/module.h"

/* A case: the position in the OpSwitch and the number of its literal's words, and the target's
 * id. */
typedef struct SrSwitchCase {
  uint32_t at, words, target;
  uint32_t place; /* of the target, in the caller's numbering */
} SrSwitchCase;

/* Writes the cases of OpSwitch `end` to `cases`, which has room for as many as `end` has words.
 * Leaves out cases that lead to the default; sorts the others by place, then in their order.
 * `place_of`: by block. Returns how many were written. */
uint32_t sr_switch_cases(SrArena *scratch, const SrModule *m, SrRef end, const uint32_t *place_of,
                         SrSwitchCase *cases);
/* Makes an OpSwitch on the selector of `end`: the cases lead to block `target` (0: each to its own
 * target), all other numbers to `rest`. The caller puts it into a block. */
SrRef sr_switch_make(SrModule *m, SrRef end, const SrSwitchCase *cases, uint32_t count,
                     uint32_t target, uint32_t rest);

#endif
