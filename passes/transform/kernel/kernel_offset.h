/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_offset: pointers become offsets in grains of their base.
 *
 *   q = &p[i].member   q = p + i * (size / grain) + offset / grain
 *
 * The id of the offset replaces the id of the pointer. */
#ifndef SR_KERNEL_OFFSET_H
#define SR_KERNEL_OFFSET_H

#include "passes/transform/kernel/kernel_emit.h"

/* Replaces an instruction whose result is a pointer, or that compares pointers; *done: it is one.
 * *keep: the instruction stays; sr_kernel_offset_finish gives it a type of 32 bits. */
SR_MUST_USE SrStatus sr_kernel_offset_write(SrEmit *e, SrRef r, bool *done, bool *keep);
/* Changes the types of phis and selects of pointers, after all other instructions. */
void sr_kernel_offset_finish(SrKernels *k);

#endif
