/* SPDX-License-Identifier: Apache-2.0 */
/* drop_edge_block: see drop_edge_block.h.
 *
 * Some rules of portable structure (docs/structurize.md) are about phis, and these are known only
 * after the program has been written. An edge block is an added block that holds nothing but its
 * branch, is not a merge block, and has one predecessor. If its target has no phis, it is not
 * needed
 *   - after an OpBranchConditional without a merge instruction, if it leads to a continue target
 *   - after an OpSwitch, if it leads to the switch's merge block. */
#include "passes/transform/structurize/drop_edge_block.h"

#include "passes/analysis/graph/cfg.h"
#include "passes/ir/edit.h"

typedef struct Job {
  SrModule *m;
  SrFunction *f;
  const SrGraph *g;
  SrBits *merges, *conts; /* blocks that merge instructions name */
  SrBits *drop;
} Job;

static void find_named(Job *j, SrArena *arena) {
  j->merges = sr_bits_new(arena, j->f->block_count);
  j->conts = sr_bits_new(arena, j->f->block_count);
  for (uint32_t b = 0; b < j->f->block_count; b++) {
    SrRef merge = sr_merge_inst(j->m, &j->f->blocks[b]);
    if (merge == SR_NONE)
      continue;
    sr_bit_set(j->merges, sr_block_of(j->m, sr_words(j->m, merge)[1]));
    if (sr_inst(j->m, merge)->op == SpvOpLoopMerge)
      sr_bit_set(j->conts, sr_block_of(j->m, sr_words(j->m, merge)[2]));
  }
}

static bool is_edge_block(const Job *j, uint32_t b) {
  const SrBlock *block = &j->f->blocks[b];
  SrRef end = sr_terminator(block);
  if (sr_inst(j->m, block->label)->next != end || sr_inst(j->m, end)->op != SpvOpBranch ||
      sr_bit(j->merges, b) || sr_bit(j->conts, b) || sr_pred_count(j->g, b) != 1)
    return false;
  uint32_t to = j->g->succ[j->g->succ_at[b]];
  const SrBlock *from = &j->f->blocks[j->g->pred[j->g->pred_at[b]]];
  SpvOp op = sr_inst(j->m, sr_terminator(from))->op;
  SrRef merge = sr_merge_inst(j->m, from);
  bool to_merge = op == SpvOpSwitch && sr_block_of(j->m, sr_words(j->m, merge)[1]) == to;
  return !sr_has_phis(j->m, &j->f->blocks[to]) &&
         ((op == SpvOpBranchConditional && merge == SR_NONE && sr_bit(j->conts, to)) || to_merge);
}

/* Makes the predecessor of edge block b branch to b's target. False: its other edge leads there
 * already. */
static bool pass_by(Job *j, uint32_t b) {
  SrModule *m = j->m;
  uint32_t old = j->f->blocks[b].id, to = sr_words(m, sr_terminator(&j->f->blocks[b]))[1];
  SrRef end = sr_terminator(&j->f->blocks[j->g->pred[j->g->pred_at[b]]]);
  if (sr_inst(m, end)->op == SpvOpBranchConditional)
    for (uint32_t i = 0; (i = sr_next_target(m, end, i));)
      if (sr_words(m, end)[i] == to)
        return false;
  for (uint32_t i = 0; (i = sr_next_target(m, end, i));)
    if (sr_words(m, end)[i] == old)
      sr_words(m, end)[i] = to;
  return true;
}

static void remove_dropped(Job *j) {
  uint32_t kept = 0;
  for (uint32_t b = 0; b < j->f->block_count; b++)
    if (sr_bit(j->drop, b))
      sr_undefine_block(j->m, &j->f->blocks[b]);
    else
      j->f->blocks[kept++] = j->f->blocks[b];
  j->f->block_count = kept;
  sr_set_homes(j->m, j->f);
}

void sr_drop_edge_blocks(SrModule *m, SrFunction *f, uint32_t first_added,
                         SrTransformCounts *counts) {
  SrArena arena = sr_arena_new(m->arena->heap);
  Job j = {
      .m = m, .f = f, .g = sr_cfg_build(&arena, m, f), .drop = sr_bits_new(&arena, f->block_count)};
  uint32_t dropped = 0;
  find_named(&j, &arena);
  for (uint32_t b = 0; b < f->block_count; b++)
    if (f->blocks[b].id >= first_added && is_edge_block(&j, b) && pass_by(&j, b)) {
      sr_bit_set(j.drop, b);
      dropped++;
    }
  if (dropped)
    remove_dropped(&j);
  counts->added_blocks -= dropped;
  counts->added_instructions -= dropped;
  sr_arena_free(&arena);
}
