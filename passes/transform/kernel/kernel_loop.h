/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_loop: a loop that counts, in the place of an instruction.
 *
 *   before: what computes the counter's bounds
 *   head:   i = phi(first, i + step); i < most ? body : rest
 *   body:   what each iteration does
 *   rest:   what followed the instruction */
#ifndef SR_KERNEL_LOOP_H
#define SR_KERNEL_LOOP_H

#include "passes/transform/kernel/kernel_blocks.h"

typedef struct SrKernelLoop {
  SrKernelBlocks *blocks;
  SrBlock before, head, body, rest;
  uint32_t type, index; /* of the counter: its type, its id */
} SrKernelLoop;

/* Divides a block after `r`. The caller then writes into `before` and `body`. */
SrKernelLoop sr_kernel_loop_begin(SrKernelBlocks *b, SrBlock *block, SrRef r, uint32_t type);
/* Writes the rest of the loop: its counter goes from `first` to less than `most`, by `step`. The new blocks
 * wait to be visited. */
void sr_kernel_loop_end(SrKernelLoop *l, uint32_t first, uint32_t most, uint32_t step);

#endif
