/* SPDX-License-Identifier: Apache-2.0 */
/* call_choice: the groups of calls (call_group.h) that `share-calls` joins, and why it does not
 * join the others. */
#ifndef SR_CALL_CHOICE_H
#define SR_CALL_CHOICE_H

#include "passes/analysis/uniform/uniform.h"
#include "passes/transform/share/call_argument.h"
#include "passes/transform/share/call_group.h"

/* What the choice depends on besides the function. */
typedef struct SrCallChoice {
  const SrUniform *uniform;
  const uint32_t *function_at;   /* by id of OpFunction: its index in the module */
  const uint32_t *function_cost; /* see function_size.h */
  const uint32_t *parameters;    /* see call_group.h */
  const SrBits *talking;         /* see sr_talking_functions */
  const SrBits *chooses;         /* see sr_resource_index_functions */
  bool outs; /* a call may lack a store to its variable: no earlier transform has dropped blocks,
                one of which may have had a call with the same variable */
  bool all;  /* join all groups that can be joined, whether that pays or not */
} SrCallChoice;

/* Finds the groups to join, with a notice for each other group. `variables` is set if there are
 * any. */
SrCallGroups sr_call_choice(SrArena *arena, SrModule *m, const SrFunction *f,
                            const SrCallChoice *choice, SrPassedVariables *variables);

#endif
