/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_narrow: the low 32 bits of integers of 64 bits.
 *
 * Offsets in memory are numbers of 32 bits, but a kernel computes them in 64 (size_t). The low bits
 * of a sum, difference, product, ... depend only on the low bits of its operands. If only the low
 * bits of a value are needed, it is computed a second time in 32 bits, next to its definition.
 * Definitions that are no longer used are dropped later (kernel_dead.h). If a value is known to fit
 * into 32 bits (kernel_range.h), its low bits are enough even for comparisons, divisions and
 * shifts. */
#ifndef SR_KERNEL_NARROW_H
#define SR_KERNEL_NARROW_H

#include "passes/transform/kernel/kernel_state.h"

/* The low 32 bits of an integer, or of each component of a vector of integers; of one of less than
 * 32 bits, it sign-extended. The id may be defined only by sr_kernel_narrow_finish. */
uint32_t sr_kernel_low(SrKernels *k, uint32_t id);
/* Sets the low bits of an id. */
void sr_kernel_low_is(SrKernels *k, uint32_t id, uint32_t low);
/* Writes the instructions that compute the low bits that were asked for. */
void sr_kernel_narrow_finish(SrKernels *k);

#endif
