/* SPDX-License-Identifier: Apache-2.0 */
/* walk_passed: variables that pass arguments to functions, where the output has one variable
 * instead of several.
 *
 * A *parameter variable* for parameter k of function f is a variable without an initializer. In
 * each block that uses it, the uses are, in this order: stores of the whole variable, one call of f
 * that passes it as argument k, loads of the whole variable; and perhaps the same again. Between
 * these uses no other parameter variable for this parameter is used. The stores may be missing if
 * all uses are in one block, which is in no cycle. A *passed variable* is only stored and loaded as
 * a whole, and passed to calls of f as argument k, in any order.
 *
 * The output may have a variable q that a transform added and that is a passed variable for a
 * parameter. Then q, and the parameter variables of the input whose place it took, have the
 * same address on a walk. If there are several such q, we guess which one replaced a variable that
 * is gone: the one that the variable's storing block stores to now, or else, if functions have
 * become parts of this one (check_expand.h), the one for calls from the same function. A wrong
 * guess may show a false difference but cannot hide an error: the argument below holds whichever q
 * replaced a variable.
 *
 * That is sound. In the output only q has this address, so the stores, calls and loads with it
 * act on one variable: a call finds what the last store or call left, a load what the last call
 * left. If the traces are equal, the same stores and calls with this address are in the same order
 * in the input. There, the last store to the address before a call is to the variable that
 * the call passes, and the last call before a load passes the variable that is loaded, since no
 * other variable of this address is used in between. So each call finds the same value on both
 * sides, and each load that sees the same effects before it, as equal values require. A call
 * without a store runs once, and finds an undefined value in the input, which any value may
 * replace. */
#ifndef SR_WALK_PASSED_H
#define SR_WALK_PASSED_H

#include "passes/base/map.h"
#include "passes/ir/module.h"

/* Where an instruction came from, before functions became parts of others (check_expand.h). */
typedef struct SrWalkOrigin {
  uint32_t id; /* id of the instruction that it is a copy of, or its own id */
  uint32_t function;
  bool cycle; /* it was in a cycle of that function */
} SrWalkOrigin;

typedef struct SrWalkPassed {
  const SrModule *before, *after;
  const SrFunction *f, *g;    /* of the sides before and after */
  uint32_t own_from;          /* ids from here on were added by transforms */
  const SrWalkOrigin *origin; /* by id of the input, if functions have become parts of
                               * others; NULL: they have not */
  /* For walks that prove nothing, and have to be the same whatever a transform did: all parameter
   * variables of a parameter have one address, whether or not they are gone. */
  bool alike;
} SrWalkPassed;

/* Maps the variables that have such an address, on either side, to one of them. `place` may map
 * copies of variables (check_expand.h) already. Linear, except for a search among the variables of
 * a parameter that has many in the output. */
void sr_walk_passed(SrArena *arena, const SrWalkPassed *sides, SrMap *place);

#endif
