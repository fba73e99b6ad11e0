/* SPDX-License-Identifier: Apache-2.0 */
/* check_expand: functions that the output lacks.
 *
 * A transform may move a function's blocks to its only call, perhaps after it joined several calls
 * or dropped some. Walks compare one function of each side, so the input is written again
 * with such functions expanded at their calls: a call becomes a branch to the function's first
 * block, each return a branch to a new block with what followed the call, and the result of the
 * call a phi. Parameters are replaced by arguments. A variable with an initializer gets a store
 * where it was.
 *
 * At the function's first call the ids stay, and the new block has the function's id. At further
 * calls all ids are new, and neither side has them. So a variable of the function now has several
 * copies, while the output has one variable. Only one copy is in use at any time, and each call
 * begins with undefined variables. So all copies may have the address of the first; `copy` lists
 * them.
 *
 * The transform's own code is not used here, so a mistake would have to be made twice to go
 * unnoticed. */
#ifndef SR_CHECK_EXPAND_H
#define SR_CHECK_EXPAND_H

#include "passes/walk/walk_passed.h"

/* A copy of a variable, in a function that is expanded at several calls, and the variable at the
 * first call. */
typedef struct SrCheckCopy {
  uint32_t function; /* index of the function that it belongs to now, among those that stay */
  uint32_t copy, first;
} SrCheckCopy;

typedef struct SrCheckExpanded {
  uint32_t *words;
  size_t count;
  SR_VEC(SrCheckCopy) copy;    /* in the order of functions */
  SR_VEC(SrWalkOrigin) origin; /* by id */
} SrCheckExpanded;

/* Writes the module `before` with all functions that `after` lacks expanded at their calls. False
 * if there are none; if one of them is not called by a function that stays, has a use that is not a
 * call (even outside of functions), or has a parameter whose decoration may matter; or if the
 * module would grow too large. Then *out is empty. Linear in the words written. */
bool sr_check_expand(SrArena *arena, SrModule *before, const SrModule *after, SrCheckExpanded *out);

#endif
