/* SPDX-License-Identifier: Apache-2.0 */
/* check_expand: functions that the side after lacks.
 *
 * A transform may move a function's blocks to its only call. Walks compare one function of each
 * side, so the side before is written again with such functions at their calls: a call becomes a
 * branch to the function's first block, each return a branch to a new block with what followed the
 * call, and the result of the call a phi. Parameters are replaced by arguments. A variable with an
 * initializer gets a store where it was. The new block has the function's id, so that no id is new.
 *
 * It is not the transform's code: a mistake would have to be made twice. */
#ifndef SR_CHECK_EXPAND_H
#define SR_CHECK_EXPAND_H

#include "ir/module.h"

typedef struct SrCheckWords {
  uint32_t *at;
  size_t count;
} SrCheckWords;

/* Writes the module `before` with all functions that `after` lacks at their calls. False if there
 * is none, or if one of them is not called exactly once by what stays, has another use, also by an
 * instruction outside of functions, or has a parameter whose decoration may matter. Linear. */
bool sr_check_expand(SrArena *arena, SrModule *before, const SrModule *after, SrCheckWords *out);

#endif
