/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_loop: see kernel_loop.h. */
#include "passes/transform/kernel/kernel_loop.h"

#include "passes/ir/edit.h"
#include "passes/transform/kernel/kernel_emit.h"

SrKernelLoop sr_kernel_loop_begin(SrKernelBlocks *b, SrBlock *block, SrRef r, uint32_t type) {
  SrKernelLoop l = {.blocks = b,
                    .before = sr_kernel_blocks_new(b, false),
                    .head = sr_kernel_blocks_new(b, false),
                    .body = sr_kernel_blocks_new(b, false),
                    .rest = sr_kernel_blocks_new(b, true),
                    .type = type,
                    .index = sr_fresh_id(b->k->m)};
  sr_kernel_blocks_move(b, block, r, &l.rest);
  sr_kernel_blocks_branch(b, block, l.before.id);
  return l;
}

void sr_kernel_loop_end(SrKernelLoop *l, uint32_t first, uint32_t most, uint32_t step) {
  SrKernelBlocks *b = l->blocks;
  SrKernels *k = b->k;
  SrEmit e = {k, &l->body.list, SR_NONE, 0, 0};
  uint32_t next = sr_emit(&e, SpvOpIAdd, l->type, SR_IDS(l->index, step));
  e.list = &l->head.list;
  e.result = l->index;
  (void)sr_emit_last(&e, SpvOpPhi, l->type, SR_IDS(first, l->before.id, next, l->body.id));
  uint32_t more = sr_emit(&e, SpvOpULessThan, sr_kernel_bool(k), SR_IDS(l->index, most));
  sr_kernel_blocks_branch(b, &l->before, l->head.id);
  sr_kernel_blocks_branch_if(b, &l->head, more, l->body.id, l->rest.id);
  sr_kernel_blocks_branch(b, &l->body, l->head.id);
  SR_PUSH(k->arena, &b->waiting, l->rest);
  SR_PUSH(k->arena, &b->waiting, l->body);
  SR_PUSH(k->arena, &b->waiting, l->head);
  SR_PUSH(k->arena, &b->waiting, l->before);
}
