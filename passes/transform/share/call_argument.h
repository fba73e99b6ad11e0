/* SPDX-License-Identifier: Apache-2.0 */
/* call_argument: how a joined call gets its arguments.
 *
 * Values that differ become phis. Pointers to variables may not become phis; but compilers of GLSL
 * and HLSL pass each argument in a variable of its own, a *parameter variable*: it has no
 * initializer, and all of its uses are, in one block and in this order
 *
 *   - OpStore of the whole variable, at least once; in a block outside all cycles perhaps never,
 *     as for `out` parameters
 *   - the call
 *   - OpLoad of the whole variable, any number of times
 *
 * and no other variable that is passed for the same parameter of the same function is used between
 * them. So at each of its stores the variable holds nothing that is still needed, and one variable
 * serves all calls: a lane loads what a call left before it can reach the store for another call.
 * Without a store, the call finds an undefined value, so any other value will do; in a cycle it
 * would find what the call left in the previous iteration.
 *
 * The variable that serves them is new, one for each parameter, so that the checker recognizes it
 * (walk_passed.h). A parameter that has one from an earlier run of the pass gets no second one. */
#ifndef SR_CALL_ARGUMENT_H
#define SR_CALL_ARGUMENT_H

#include "passes/base/map.h"
#include "passes/transform/share/call_group.h"

/* A variable that is passed to one parameter of one function. */
typedef struct SrPassed {
  uint32_t id, parameter; /* parameter: in SrPassedVariables.shared */
  uint32_t block, count;
  uint32_t first, last; /* its first and last use, numbered among the uses of this parameter's
                           variables */
  uint8_t stage;
  bool fits; /* it is a parameter variable */
} SrPassed;

/* The variable that serves the calls of a function for one parameter. */
typedef struct SrSharedVariable {
  uint32_t like; /* the variable that it copies in type and decorations; 0: there is none */
  uint32_t id;   /* 0: not made yet */
  bool closed;   /* an earlier run has made one */
} SrSharedVariable;

/* All such variables of a function. */
typedef struct SrPassedVariables {
  SrMap variable;  /* by id: its index in `at` */
  SrMap parameter; /* by callee: index of its first parameter in `shared` */
  SR_VEC(SrPassed) at;
  SR_VEC(SrSharedVariable) shared; /* by parameter */
} SrPassedVariables;

typedef enum SrArgument {
  SR_ARGUMENT_SAME,     /* all calls pass the same id */
  SR_ARGUMENT_PHI,      /* a phi */
  SR_ARGUMENT_VARIABLE, /* one parameter variable */
  SR_ARGUMENT_NONE,     /* it cannot be joined */
} SrArgument;

/* Finds the parameter variables of a function; `parameters` as in call_group.h. `nest`: its cycles;
 * NULL: each variable needs a store. Linear. */
SrPassedVariables sr_passed_variables(SrArena *arena, const SrModule *m, const SrFunction *f,
                                      const SrNest *nest, const uint32_t *parameters);
/* How the calls of a group get argument `index`, from 0. */
SrArgument sr_call_argument(SrModule *m, const SrPassedVariables *v, const SrCallSite *sites,
                            uint32_t count, uint32_t index);
/* Decides that one variable serves the argument; the argument's other calls need a variable with
 * the same decorations. */
void sr_choose_variable(const SrModule *m, SrPassedVariables *v, const SrCallSite *first,
                        uint32_t index);
/* Returns that variable; makes it at the first call. */
uint32_t sr_shared_variable(SrModule *m, const SrFunction *f, SrPassedVariables *v,
                            const SrCallSite *first, uint32_t index);

#endif
