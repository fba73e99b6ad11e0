/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_half: vload_half, vstore_half and their variants become accesses of 16-bit integers and
 * conversions (math/half.def), so that the shader needs no floats of 16 bits:
 *
 *   x = vload_half3(i, p)         x = float_of_half(vload3(0, (ushort *)p + 3 * i))
 *   vstorea_half3_rtz(x, i, p)    vstore3(half_to_zero(x), 0, (ushort *)p + 4 * i)
 *
 * Vectors of 8 and 16 components are accessed four components at a time. Values of 64 bits in
 * memory are refused. */
#ifndef SR_KERNEL_HALF_H
#define SR_KERNEL_HALF_H

#include "passes/transform/kernel/kernel_state.h"

/* Rewrites the current kernel. To be called before pointers get their bases. */
SR_MUST_USE SrStatus sr_kernel_half(SrKernels *k);

#endif
