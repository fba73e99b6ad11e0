/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_range: which integers of 64 bits are known to lie within 32 bits.
 *
 * Method: intervals. They begin with conversions from 32 bits, built-in variables and constants,
 * and continue through sums, products, and so on. When the interval of a phi grows a third time, it
 * becomes unbounded (widening). If a phi counts from a known value to a known bound
 * (kernel_counter.h), its interval lies between the two. This covers the counters that LLVM widens
 * to 64 bits. */
#ifndef SR_KERNEL_RANGE_H
#define SR_KERNEL_RANGE_H

#include "passes/transform/kernel/kernel_state.h"

/* Finds the ranges of the current kernel's integers. */
void sr_kernel_range_find(SrKernels *k);
/* Does the integer lie within 32 bits as a number without sign, with sign? */
bool sr_kernel_range_unsigned(const SrKernels *k, uint32_t id);
bool sr_kernel_range_signed(const SrKernels *k, uint32_t id);
/* Do the operands of a division or shift right and its result
 * lie within 32 bits, so that it may be done on their low bits? */
bool sr_kernel_range_narrows(const SrKernels *k, SrRef r);

#endif
