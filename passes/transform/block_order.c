/* SPDX-License-Identifier: Apache-2.0 */
/* block_order: see block_order.h. Blocks are placed in the old order, each preceded by those of its
 * dominators that are not placed yet. */
#include "passes/transform/block_order.h"
#include "passes/analysis/graph/dom.h"
#include "passes/analysis/uniform/reconverging.h"
#include "passes/analysis/verify_ssa.h"
#include "passes/ir/edit.h"

/* The new order, as old indices. */
static uint32_t *find_order(SrArena *arena, const SrModule *m, const SrFunction *f) {
  const SrDom *dom = sr_dom_build(arena, sr_cfg_build(arena, m, f), 0);
  uint32_t *order = SR_NEW_RAW(arena, uint32_t, f->block_count), count = 0;
  uint32_t *chain = SR_NEW_RAW(arena, uint32_t, f->block_count);
  SrBits *placed = sr_bits_new(arena, f->block_count);
  for (uint32_t b = 0; b < f->block_count; b++) {
    uint32_t length = 0;
    for (uint32_t d = b; d != SR_NONE && !sr_bit(placed, d); d = dom->idom[d])
      chain[length++] = d;
    while (length > 0) {
      order[count++] = chain[--length];
      sr_bit_set(placed, chain[length]);
    }
  }
  return order;
}

bool sr_order_blocks(SrModule *m, SrArena *scratch, SrFunction *f) {
  if (sr_blocks_in_order(m, scratch, f))
    return false;
  SrMark mark = sr_arena_mark(scratch);
  const uint32_t *order = find_order(scratch, m, f);
  SrBlock *blocks = SR_NEW_RAW(m->arena, SrBlock, f->block_count);
  for (uint32_t b = 0; b < f->block_count; b++)
    blocks[b] = f->blocks[order[b]];
  f->blocks = blocks;
  sr_set_homes(m, f);
  sr_arena_reset(scratch, mark);
  return true;
}

bool sr_is_laid_out(const SrModule *m, SrArena *scratch, const SrFunction *f) {
  return sr_is_structured(scratch, m, f) && sr_blocks_in_order(m, scratch, f);
}
