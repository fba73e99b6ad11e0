/* SPDX-License-Identifier: Apache-2.0 */
/* walk_passed: variables through which a function passes arguments, where the side after has one
 * instead of several.
 *
 * A *parameter variable* for parameter k of function f is a variable without an initializer whose
 * uses are, in each block that has some, and in this order: stores of the whole variable, one call
 * of f that passes it as argument k, loads of the whole variable; perhaps the same again. Between
 * these uses no other parameter variable for this parameter is used. The stores may be missing if
 * all uses are in one block, which is in no cycle. A *passed variable* is only stored and loaded as
 * a whole, and passed to calls of f as argument k, wherever.
 *
 * The side after may have a variable q that a transform added and that is a passed variable for a
 * parameter. Then q, and the parameter variables of the side before whose place it took, have the
 * same address on a walk. If there are several such q, a guess says which of them took the place of
 * a variable that is gone: the one to which the block with its store stores now, or else the one
 * for calls from the same function, if functions have become parts of this one (check_expand.h). A
 * wrong guess makes a false difference, and no error pass: in what follows, a variable's place may
 * be taken by any q.
 *
 * That is sound. On the side after only q has this address, so the stores, calls and loads with it
 * act on one variable: a call finds what the last store or call left, a load what the last call
 * left. If the traces are equal, the same stores and calls with this address are in the same order
 * on the side before. There, the last store to the address before a call is to the variable that
 * the call passes, and the last call before a load is that of the variable that is loaded, since no
 * other variable of this address is used in between. So each call finds the same value on both
 * sides, and each load that sees the same effects before it, as equal values require. A call
 * without a store runs once, and finds an undefined value on the side before, for which any other
 * will do.
 */
#ifndef SR_WALK_PASSED_H
#define SR_WALK_PASSED_H

#include "passes/base/map.h"
#include "passes/ir/module.h"

/* Where an instruction came from, before functions became parts of others (check_expand.h). */
typedef struct SrWalkOrigin {
  uint32_t id; /* of what it is a copy of, or its own */
  uint32_t function;
  bool cycle; /* it was in a cycle of that function */
} SrWalkOrigin;

typedef struct SrWalkPassed {
  const SrModule *before, *after;
  const SrFunction *f, *g;    /* of the sides before and after */
  uint32_t own_from;          /* ids from here on were added by transforms */
  const SrWalkOrigin *origin; /* by id of the side before, if functions have become parts of
                               * others; NULL: they have not */
  /* For walks that prove nothing, and have to be the same whatever a transform did: all parameter
   * variables of a parameter have one address, whether or not they are gone. */
  bool alike;
} SrWalkPassed;

/* Maps the variables that have such an address, on either side, to one of them. `place` may map
 * copies of variables (check_expand.h) already. Linear, except that where a parameter has many
 * variables on the side after, these are searched. */
void sr_walk_passed(SrArena *arena, const SrWalkPassed *sides, SrMap *place);

#endif
