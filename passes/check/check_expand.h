/* SPDX-License-Identifier: Apache-2.0 */
/* check_expand: functions that the side after lacks.
 *
 * A transform may move a function's blocks to its only call, after it joined several calls, or
 * dropped some. Walks compare one function of each side, so the side before is written again with
 * such functions at their calls: a call becomes a branch to the function's first block, each return
 * a branch to a new block with what followed the call, and the result of the call a phi. Parameters
 * are replaced by arguments. A variable with an initializer gets a store where it was.
 *
 * At the function's first call ids stay, and the new block has the function's id. At further calls
 * everything gets new ids, which neither side has. On the side after, one variable serves where
 * there are several now. Only one of them is in use at any time, and a call finds its variables
 * undefined, so that all of them may have the address of the first: `copy` says which these are.
 *
 * It is not the transform's code: a mistake would have to be made twice. */
#ifndef SR_CHECK_EXPAND_H
#define SR_CHECK_EXPAND_H

#include "passes/walk/walk_passed.h"

/* A variable of a function that is at several calls now, and the one at the first call. */
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

/* Writes the module `before` with all functions that `after` lacks at their calls. False if there
 * is none, or if one of them is not called by what stays, has another use, also by an instruction
 * outside of functions, or has a parameter whose decoration may matter; or if the module would grow
 * too large. Then *out is empty. Linear in the words written. */
bool sr_check_expand(SrArena *arena, SrModule *before, const SrModule *after, SrCheckExpanded *out);

#endif
