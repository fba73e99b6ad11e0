/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_blocks: the blocks of a kernel's function while some are divided and others are added. A
 * block that is divided keeps its label. Its terminator moves to a new block, which phis then name
 * instead. */
#ifndef SR_KERNEL_BLOCKS_H
#define SR_KERNEL_BLOCKS_H

#include "passes/transform/kernel/kernel_state.h"

typedef struct SrKernelBlocks {
  SrKernels *k;
  SrIdTable *moved;        /* by id of a label: the label of the block with its terminator */
  SR_VEC(SrBlock) done;    /* the blocks of the new function */
  SR_VEC(SrBlock) waiting; /* those that are still to be visited, from the last */
} SrKernelBlocks;

SrKernelBlocks sr_kernel_blocks_begin(SrKernels *k);
/* A block with a label alone; `part`: of a divided block. */
SrBlock sr_kernel_blocks_new(SrKernelBlocks *b, bool part);
/* Ends a block with a branch. */
void sr_kernel_blocks_branch(SrKernelBlocks *b, SrBlock *from, uint32_t to);
/* Ends a block with a branch by a condition. */
void sr_kernel_blocks_branch_if(SrKernelBlocks *b, SrBlock *from, uint32_t condition, uint32_t yes,
                                uint32_t no);
/* Moves what follows `r` in block `from`, with the terminator, to block `to`. */
void sr_kernel_blocks_move(SrKernelBlocks *b, SrBlock *from, SrRef r, SrBlock *to);
/* Visits each block of the function, and those that the visits leave waiting, until one fails. */
SR_MUST_USE SrStatus sr_kernel_blocks_visit(SrKernelBlocks *b, void *user,
                                            SrStatus (*visit)(void *user, SrBlock *block));
/* Gives the function its blocks. If some were divided, it loses its merge instructions. */
void sr_kernel_blocks_end(SrKernelBlocks *b);

#endif
