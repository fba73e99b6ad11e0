/* SPDX-License-Identifier: Apache-2.0 */
/* strip_merges: see strip_merges.h.
 *
 * Lanes that leave a loop early still run the break and return blocks of the loop construct
 * separately, iteration by iteration; without the merge instruction those blocks belong to no
 * cycle, and the lanes would meet there. So a function with a cross-lane operation in such a block
 * is not changed. A block is of this kind if it is in more loop constructs than in cycles that have
 * a loop construct. Linear. */
#include "transform/strip_merges.h"
#include "analysis/cross_lane.h"
#include "analysis/cycle.h"
#include "analysis/dom.h"
#include "ir/edit.h"

/* By block: how many loop constructs hold it. The header is the immediate (structural) dominator of
 * its loop's merge block. */
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

/* By cycle: how many have a loop construct, of the cycle itself and the cycles around it. */
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

uint32_t sr_needs_merges(const SrModule *m, SrArena *scratch, const SrFunction *f,
                         const SrBits *cross_lane) {
  const SrNest *nest = sr_nest_build(scratch, sr_cfg_build(scratch, m, f));
  const uint32_t *constructs = construct_depths(scratch, m, f);
  const uint32_t *cycles = cycle_depths(scratch, m, f, nest);
  for (uint32_t b = 0; b < f->block_count; b++) {
    if (nest->rank[b] == SR_NONE)
      continue;
    uint32_t held = nest->inner[b] == SR_NONE ? 0 : cycles[nest->inner[b]];
    if (constructs[b] > held && sr_has_cross_lane(m, cross_lane, &f->blocks[b]))
      return b;
  }
  return SR_NONE;
}

SrStatus sr_strip_merges(SrModule *m, SrArena *scratch, SrFunction *f, const SrBits *cross_lane,
                         bool *changed) {
  uint32_t b = sr_needs_merges(m, scratch, f, cross_lane);
  if (b != SR_NONE) {
    SrWhere where = {
        .function = sr_function_name(m, scratch, f), .block = f->blocks[b].id, .word = SR_NONE};
    sr_notice(m->diag, where,
              "strip-merges leaves the function alone: a cross-lane operation in a break or return "
              "block would run with different lanes");
    return SR_OK;
  }
  for (b = 0; b < f->block_count; b++) {
    SrRef merge = sr_merge_inst(m, &f->blocks[b]);
    if (merge != SR_NONE) {
      sr_remove(m, &f->blocks[b].list, merge);
      *changed = true;
    }
  }
  return SR_OK;
}
