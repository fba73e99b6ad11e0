/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_copy: copies of memory (OpCopyMemorySized, OpCopyMemory) whose length is not constant, or that are
 * long, become loops over elements. After it, every copy is short enough to be unrolled.
 *
 * An element has the type of number that the pointers' object has, if the alignment and the length are
 * multiples of its size; else it is an integer of the largest size, up to 4 bytes, that divides both. The length
 * is known as a multiple by the constants by which it is multiplied or shifted. Linear. */
#ifndef SR_KERNEL_COPY_H
#define SR_KERNEL_COPY_H

#include "passes/transform/kernel/kernel_state.h"

/* Rewrites the current kernel. */
SR_MUST_USE SrStatus sr_kernel_copy(SrKernels *k);

#endif
