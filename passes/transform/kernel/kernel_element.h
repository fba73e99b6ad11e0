/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_element: the type of the elements of which each base becomes an array.
 *
 * If all accesses of a base are of one type, at multiples of its size, the elements have that type.
 * Otherwise they are scalars of the largest size that divides every access and its alignment: of
 * the type that all accesses have, or else integers, whose bits are those of the value. Bases
 * between which memory is copied get elements of one size. */
#ifndef SR_KERNEL_ELEMENT_H
#define SR_KERNEL_ELEMENT_H

#include "passes/transform/kernel/kernel_state.h"

/* Sets `element`, `unit` and `grain` of all bases. */
void sr_kernel_element_choose(SrKernels *k);

#endif
