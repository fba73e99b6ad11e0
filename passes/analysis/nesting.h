/* nesting: how deep constructs nest, and what that costs SPIRV-Tools' validator. */
#ifndef SR_NESTING_H
#define SR_NESTING_H

#include "analysis/cfg.h"

typedef struct SrNesting {
  uint32_t deepest; /* the most constructs around a block */
  /* The sum over all blocks of the constructs around one times the blocks above it in the tree of
   * structural dominators (SPIR-V 1.6, 2.11.1). The validator's time grows with it: it asks of each
   * block of each construct whether the merge block dominates it, and climbs the tree for that. */
  uint64_t cost;
} SrNesting;

/* Adds function f to what is known. Cost: that of a dominator tree. */
void sr_nesting_add(SrNesting *nesting, SrArena *scratch, const SrModule *m, const SrFunction *f);

#endif
