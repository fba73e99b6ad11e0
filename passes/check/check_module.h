/* check_module: one side of the comparison: a module, and what its ids hold. */
#ifndef SR_CHECK_MODULE_H
#define SR_CHECK_MODULE_H

#include "check/check_value.h"
#include "ir/module.h"

typedef struct SrCheckModule {
  const SrModule *m;
  SrCheckValue *value;  /* by id */
  uint64_t *decoration; /* by id: a hash of its decorations, in any order */
  SrBits *nonuniform;   /* by id: decorated NonUniform */
  SrBits *is_volatile;  /* by id: decorated Volatile */
  uint32_t *drawn_in;   /* by id: of a specialization constant that is a number, which each walk
                           draws, the last function found to use it, or 0; else SR_NONE */
} SrCheckModule;

/* Values of types and constants are equal where their contents are; of all else at module level,
 * where the ids are. */
void sr_check_module_init(SrArena *arena, const SrModule *m, SrCheckModule *c);

/* Compares what is outside of function bodies, which a transform only adds to: types, constants,
 * decorations and names of new ids. Sets *what to a line on the first difference, or to NULL. */
void sr_check_globals(SrArena *arena, const SrModule *before, const SrModule *after,
                      const char **what);

#endif
