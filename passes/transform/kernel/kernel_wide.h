/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_wide: vectors of 8 and 16 components become two and four vectors of four.
 *
 *   c = FAdd %float8 a b        c0 = FAdd %float4 a0 b0, c1 = FAdd %float4 a1 b1
 *   v = Load %float8 p          v0 = Load %float4 p, v1 = Load %float4 p + 1
 *
 * An argument of such a type becomes a pointer to a variable of the invocation, as for structs
 * passed by value. Afterwards no value of the kernel has more than four components. Linear in the
 * code that it writes. */
#ifndef SR_KERNEL_WIDE_H
#define SR_KERNEL_WIDE_H

#include "passes/transform/kernel/kernel_state.h"

/* Rewrites the current kernel, in SSA form. */
SR_MUST_USE SrStatus sr_kernel_wide(SrKernels *k);

#endif
