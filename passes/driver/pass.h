/* pass: the table of transforms (pass.def) and the checks of what they need and make. */
#ifndef SR_PASS_H
#define SR_PASS_H

#include "ir/module.h"
#include "transform/counts.h"

/* What may hold of a function; a set of bits. */
typedef enum SrProperty {
  SR_SSA = 1,        /* each use is dominated by its definition, phis match predecessors */
  SR_STRUCTURED = 2, /* the rules of structured control flow */
} SrProperty;

typedef struct SrPass {
  const char *name;
  bool (*applies)(const SrModule *m, SrArena *scratch, const SrFunction *f);
  SrStatus (*run)(SrModule *m, SrArena *scratch, SrFunction *f, SrTransformCounts *counts,
                  bool *changed);
  unsigned needs, makes, keeps; /* properties */
  const char *purpose;
} SrPass;

/* The pass at `index` of the table, NULL behind the last. */
const SrPass *sr_pass_at(size_t index);
/* The pass of that name (not terminated), or NULL. */
const SrPass *sr_pass_find(const char *name, size_t length);

/* Fails with the first breach found, as BUG if `ours` (a transform made it), else as BAD_INPUT. */
SR_MUST_USE SrStatus sr_confirm(const SrModule *m, SrArena *scratch, const SrFunction *f,
                                unsigned properties, bool ours);

#endif
