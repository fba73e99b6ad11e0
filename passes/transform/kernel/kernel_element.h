/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_element: each base becomes an array; this chooses the type of its elements.
 *
 * If all accesses of a base have one type, at multiples of its size, the elements have that type.
 * Otherwise they are scalars of the largest size that divides every access and its alignment. If
 * all accesses have one scalar type, the elements have it; otherwise they are integers with the
 * bits of the values. If memory is copied between two bases, their elements have the same size. */
#ifndef SR_KERNEL_ELEMENT_H
#define SR_KERNEL_ELEMENT_H

#include "passes/transform/kernel/kernel_state.h"

/* Sets `element`, `unit` and `grain` of all bases. */
void sr_kernel_element_choose(SrKernels *k);

#endif
