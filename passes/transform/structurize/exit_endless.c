/* SPDX-License-Identifier: Apache-2.0 */
/* exit_endless: see exit_endless.h.
 *
 * WGSL refuses a loop without an exit. So if nothing leads to the merge block of a loop, the branch
 * of the back edge becomes one with the condition `true`, whose other edge leads there. The merge
 * block ends in OpUnreachable, so it has no phis and the edge makes nothing else reachable. */
#include "passes/transform/structurize/exit_endless.h"

#include "passes/analysis/graph/cfg.h"
#include "passes/ir/constants.h"
#include "passes/ir/edit.h"

/* The source of the back edge to loop header h. In a module's order it does not come before h, and the
 * one other block that leads to h does. */
static uint32_t latch_of(const SrGraph *g, uint32_t h) {
  for (SR_PREDS(p, g, h))
    if (*p >= h)
      return *p;
  return SR_NONE;
}

static void put_exit(SrModule *m, SrBlock *latch, uint32_t merge) {
  SrRef end = sr_terminator(latch);
  if (sr_inst(m, end)->op != SpvOpBranch)
    return;
  uint32_t header = sr_words(m, end)[1], yes = sr_const_bool(m, true);
  sr_remove(m, &latch->list, end);
  sr_begin(m, SpvOpBranchConditional, 0, 0);
  sr_put_id(m, yes);
  sr_put_id(m, header);
  sr_put_id(m, merge);
  sr_append(m, &latch->list, sr_end(m));
}

/* May nothing lead to the merge block of this block's loop? */
static bool may_be_endless(const SrModule *m, const SrFunction *f, const SrBlock *b) {
  SrRef merge = sr_merge_inst(m, b);
  if (merge == SR_NONE || sr_inst(m, merge)->op != SpvOpLoopMerge)
    return false;
  const SrBlock *end = &f->blocks[sr_block_of(m, sr_words(m, merge)[1])];
  return sr_inst(m, sr_terminator(end))->op == SpvOpUnreachable;
}

void sr_exit_endless(SrModule *m, SrFunction *f) {
  SrArena arena = sr_arena_new(m->arena->heap);
  const SrGraph *g = NULL; /* few functions need it */
  for (uint32_t h = 0; h < f->block_count; h++) {
    if (!may_be_endless(m, f, &f->blocks[h]))
      continue;
    g = g ? g : sr_cfg_build(&arena, m, f);
    uint32_t end = sr_words(m, sr_merge_inst(m, &f->blocks[h]))[1], latch = latch_of(g, h);
    if (latch != SR_NONE && sr_pred_count(g, sr_block_of(m, end)) == 0)
      put_exit(m, &f->blocks[latch], end);
  }
  sr_arena_free(&arena);
}
