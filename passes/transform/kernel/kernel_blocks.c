/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_blocks: see kernel_blocks.h. */
#include "passes/transform/kernel/kernel_blocks.h"

#include "passes/ir/edit.h"

SrKernelBlocks sr_kernel_blocks_begin(SrKernels *k) {
  return (SrKernelBlocks){.k = k, .moved = sr_ids_take(k->m)};
}

SrBlock sr_kernel_blocks_new(SrKernelBlocks *b, bool part) {
  SrBlock block = sr_new_block(b->k->m);
  block.added = !part;
  block.part = part;
  return block;
}

void sr_kernel_blocks_branch(SrKernelBlocks *b, SrBlock *from, uint32_t to) {
  SrModule *m = b->k->m;
  sr_begin(m, SpvOpBranch, 0, 0);
  sr_put_id(m, to);
  sr_append(m, &from->list, sr_end(m));
}

void sr_kernel_blocks_branch_if(SrKernelBlocks *b, SrBlock *from, uint32_t condition, uint32_t yes,
                                uint32_t no) {
  SrModule *m = b->k->m;
  sr_begin(m, SpvOpBranchConditional, 0, 0);
  sr_put_id(m, condition);
  sr_put_id(m, yes);
  sr_put_id(m, no);
  sr_append(m, &from->list, sr_end(m));
}

void sr_kernel_blocks_move(SrKernelBlocks *b, SrBlock *from, SrRef r, SrBlock *to) {
  sr_move_rest(b->k->m, &from->list, r, &to->list);
  sr_ids_set(b->moved, from->id, to->id);
}

/* After a failure the rest of the function is only gathered. */
SrStatus sr_kernel_blocks_visit(SrKernelBlocks *b, void *user,
                                SrStatus (*visit)(void *user, SrBlock *block)) {
  SrFunction *f = b->k->f;
  SrStatus status = SR_OK;
  for (uint32_t i = 0; i < f->block_count; i++) {
    SR_PUSH(b->k->arena, &b->waiting, f->blocks[i]);
    while (b->waiting.count) {
      SrBlock block = SR_POP(&b->waiting);
      if (status == SR_OK)
        status = visit(user, &block);
      SR_PUSH(b->k->m->arena, &b->done, block);
    }
  }
  return status;
}

/* The predecessors that a phi names. */
static void rename_edges(SrKernelBlocks *b, SrRef r) {
  SrModule *m = b->k->m;
  if (sr_inst(m, r)->op != SpvOpPhi)
    return;
  for (uint32_t i = 4; i < sr_word_count(m, r); i += 2)
    for (uint32_t to; (to = sr_ids_get(b->moved, sr_words(m, r)[i])) != SR_NONE;)
      sr_words(m, r)[i] = to;
}

void sr_kernel_blocks_end(SrKernelBlocks *b) {
  SrModule *m = b->k->m;
  SrFunction *f = b->k->f;
  bool divided = b->done.count != f->block_count;
  f->blocks = b->done.at;
  f->block_count = b->done.count;
  for (uint32_t i = 0; i < f->block_count; i++) {
    SrRef merge = sr_merge_inst(m, &f->blocks[i]);
    if (divided && merge != SR_NONE)
      sr_remove(m, &f->blocks[i].list, merge);
    for (SR_EACH(m, r, f->blocks[i].list))
      rename_edges(b, r);
  }
  sr_set_homes(m, f);
  sr_ids_give(m, b->moved);
}
