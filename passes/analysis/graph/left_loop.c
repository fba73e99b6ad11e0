/* SPDX-License-Identifier: Apache-2.0 */
/* left_loop: see left_loop.h. */
#include "passes/analysis/graph/left_loop.h"

#include "passes/analysis/graph/cfg.h"
#include "passes/analysis/graph/dom.h"

/* By block: the number of loop constructs that hold it. The header is the immediate (structural)
 * dominator of its loop's merge block. */
static uint32_t *construct_depths(SrArena *arena, const SrModule *m, const SrFunction *f) {
  const SrDom *dom = sr_dom_build(arena, sr_cfg_structural(arena, m, f), 0);
  uint32_t *depth = SR_NEW(arena, uint32_t, f->block_count);
  uint32_t *merge_of = sr_new_none(arena, f->block_count); /* by merge block: its loop header */
  SrBits *header = sr_bits_new(arena, f->block_count);
  for (uint32_t b = 0; b < f->block_count; b++) {
    SrRef merge = sr_merge_inst(m, &f->blocks[b]);
    if (merge != SR_NONE && sr_inst(m, merge)->op == SpvOpLoopMerge) {
      merge_of[sr_block_of(m, sr_words(m, merge)[1])] = b;
      sr_bit_set(header, b);
    }
  }
  for (uint32_t i = 0; i < dom->reached; i++) {
    uint32_t b = dom->preorder[i], up = dom->idom[b];
    depth[b] = up == SR_NONE ? 0 : depth[up];
    if (merge_of[b] != SR_NONE && merge_of[b] == up)
      depth[b]--;
    depth[b] += sr_bit(header, b);
  }
  return depth;
}

/* By cycle: how many of the cycle and the cycles around it have a loop construct. */
static uint32_t *cycle_depths(SrArena *arena, const SrModule *m, const SrFunction *f,
                              const SrNest *nest) {
  uint32_t *depth = SR_NEW(arena, uint32_t, nest->cycle_count);
  for (uint32_t c = 0; c < nest->cycle_count; c++) {
    const SrCycle *k = &nest->cycles[c];
    SrRef merge = sr_merge_inst(m, &f->blocks[k->header]);
    depth[c] = (k->parent == SR_NONE ? 0 : depth[k->parent]) +
               (merge != SR_NONE && sr_inst(m, merge)->op == SpvOpLoopMerge);
  }
  return depth;
}

SrBits *sr_left_loop_blocks(SrArena *arena, const SrModule *m, const SrFunction *f,
                            const SrNest *nest) {
  SrBits *left = sr_bits_new(arena, f->block_count);
  const uint32_t *constructs = construct_depths(arena, m, f);
  const uint32_t *cycles = cycle_depths(arena, m, f, nest);
  for (uint32_t b = 0; b < f->block_count; b++) {
    uint32_t held = nest->inner[b] == SR_NONE ? 0 : cycles[nest->inner[b]];
    if (nest->rank[b] != SR_NONE && constructs[b] > held)
      sr_bit_set(left, b);
  }
  return left;
}
