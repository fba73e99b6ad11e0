/* SPDX-License-Identifier: Apache-2.0 */
/* walk_module: one side of the comparison: a module, and the values of its ids. */
#ifndef SR_WALK_MODULE_H
#define SR_WALK_MODULE_H

#include "passes/ir/module.h"
#include "passes/walk/walk_value.h"

typedef struct SrWalkModule {
  const SrModule *m;
  SrWalkValue *value;   /* by id */
  uint64_t *decoration; /* by id: a hash of its decorations, in any order */
  SrBits *nonuniform;   /* by id: decorated NonUniform */
  SrBits *is_volatile;  /* by id: decorated Volatile */
  uint32_t *drawn_in;   /* by id: for a numeric specialization constant (each walk draws its number)
                         * the last function found to use it, or 0; for other ids SR_NONE */
} SrWalkModule;

/* Computes the values of the module's ids. Values of types and constants are equal if their
 * contents are; values of everything else at module level are equal if the ids are. */
void sr_walk_module_init(SrArena *arena, const SrModule *m, SrWalkModule *c);

/* Compares everything outside of function bodies. A transform may only add to it: types, constants,
 * decorations and names of new ids, which begin at `own_from`. Sets *what to a line on the first
 * difference, or to NULL. */
void sr_walk_globals(SrArena *arena, const SrModule *before, const SrModule *after,
                     uint32_t own_from, const char **what);

#endif
