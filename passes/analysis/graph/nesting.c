/* SPDX-License-Identifier: Apache-2.0 */
/* nesting: see nesting.h. A block is in the constructs of its parent in the dominator tree, and in
 * the construct that the parent heads, unless the block is the merge block of that construct. */
#include "passes/analysis/graph/nesting.h"

#include "passes/analysis/graph/dom.h"

/* The merge block that block b declares, or SR_NONE. */
static uint32_t declared_merge(const SrModule *m, const SrFunction *f, uint32_t b) {
  SrRef merge = sr_merge_inst(m, &f->blocks[b]);
  return merge == SR_NONE ? SR_NONE : sr_block_of(m, sr_words(m, merge)[1]);
}

void sr_nesting_add(SrNesting *nesting, SrArena *scratch, const SrModule *m, const SrFunction *f) {
  SrArena arena = sr_arena_new(scratch->heap);
  SrDom *dom = sr_dom_build(&arena, sr_cfg_structural(&arena, m, f), 0);
  uint32_t *around = SR_NEW(&arena, uint32_t, f->block_count);
  uint32_t *above = SR_NEW(&arena, uint32_t, f->block_count);
  for (uint32_t i = 1; i < dom->reached; i++) {
    uint32_t b = dom->preorder[i], parent = dom->idom[b];
    uint32_t merge = declared_merge(m, f, parent);
    around[b] = around[parent] + (merge != SR_NONE && merge != b);
    above[b] = above[parent] + 1;
    nesting->cost += (uint64_t)around[b] * above[b];
    nesting->deepest = around[b] > nesting->deepest ? around[b] : nesting->deepest;
  }
  sr_arena_free(&arena);
}
