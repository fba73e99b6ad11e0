/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_several: a pointer that may point into several objects becomes one pointer into each of
 * them, and a number that selects one. Each access becomes a switch on the number, with an access
 * by one of the pointers in each case:
 *
 *   p = select(c, a, b)        n = select(c, 1, 2), p1 = a, p2 = b
 *   q = p + i                  q1 = p1 + i, q2 = p2 + i
 *   v = load q                 switch n { 1: v1 = load q1; 2: v2 = load q2 }, v = phi(v1, v2)
 *
 * Null is one of the objects; nothing accesses it. After this step, every pointer has one base, and
 * null is only an operand of comparisons. No other step adds control flow. If this one does, the
 * function loses its merge instructions. Needs SSA form. Cost: near-linear in the code that it
 * writes, at most 16 copies of an access of one pointer. */
#ifndef SR_KERNEL_SEVERAL_H
#define SR_KERNEL_SEVERAL_H

#include "passes/transform/kernel/kernel_state.h"

/* Rewrites the current kernel. */
SR_MUST_USE SrStatus sr_kernel_several(SrKernels *k);

#endif
