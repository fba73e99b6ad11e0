/* SPDX-License-Identifier: Apache-2.0 */
/* nesting: how deep constructs nest, and the cost of that nest to SPIRV-Tools' validator. */
#ifndef SR_NESTING_H
#define SR_NESTING_H

#include "passes/analysis/graph/cfg.h"

typedef struct SrNesting {
  uint32_t deepest; /* the most constructs around a block */
  /* The sum over all blocks of the number of constructs around a block times the number of blocks
   * above it in the tree of structural dominators (SPIR-V 1.6, 2.11.1). The validator's time grows
   * with this sum: it climbs the tree from each block of each construct, to check whether the merge
   * block dominates the block. */
  uint64_t cost;
} SrNesting;

/* Adds function f to the figures. Cost: that of a dominator tree. */
void sr_nesting_add(SrNesting *nesting, SrArena *scratch, const SrModule *m, const SrFunction *f);

#endif
