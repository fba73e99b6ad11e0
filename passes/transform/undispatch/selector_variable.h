/* SPDX-License-Identifier: Apache-2.0 */
/* selector_variable: turns local variables that flattening has made into values in SSA form again.
 * All are only loaded and stored as a whole. There are two kinds:
 *
 *   - selectors: a branch or switch depends on a load; and a constant, or a choice of constants, is
 *     stored in the innermost cycle around that load. (A loop's counter gets its constant outside
 *     the loop, so it stays a variable.)
 *   - those set on edges: some block does nothing but store to them. Flattening makes variables
 *     from phis, and such blocks from the edges to them. */
#ifndef SR_SELECTOR_VARIABLE_H
#define SR_SELECTOR_VARIABLE_H

#include "passes/analysis/graph/cfg.h"
#include "passes/transform/counts.h"

/* A load or store of a variable; or the variable itself, if it has an initializer. */
typedef struct SrSelectorAccess {
  uint32_t variable, block; /* a number; index in the function */
  SrRef inst;
} SrSelectorAccess;

typedef struct SrSelectorVariables {
  SrArena *arena;
  const SrGraph *graph;
  SR_VEC(SrSelectorAccess) access; /* by variable, in the order of the function's blocks */
} SrSelectorVariables;

typedef enum SrSelectorKind { SR_SELECTORS, SR_SET_ON_EDGES } SrSelectorKind;

/* Finds the variables of one kind; near-linear. Changes nothing. */
SrSelectorVariables sr_selector_variables(SrArena *arena, SrModule *m, const SrFunction *f,
                                          SrSelectorKind kind);
/* Replaces their loads by the values stored, and removes the variables. Stops when the blocks where
 * they are live add up to many times the function's blocks; *changed is set if there was a
 * variable. */
void sr_selector_variables_promote(SrSelectorVariables *v, SrModule *m, SrFunction *f,
                                   SrTransformCounts *counts, bool *changed);

#endif
