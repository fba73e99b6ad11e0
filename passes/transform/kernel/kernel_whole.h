/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_whole: a load of a struct or an array becomes loads of the numbers and vectors in it, from which it
 * is constructed; a store becomes stores of what is extracted. Others are left as they are: those with more than
 * 1,024 parts, or with parts of other types. Cost: linear in the code that it writes. */
#ifndef SR_KERNEL_WHOLE_H
#define SR_KERNEL_WHOLE_H

#include "passes/transform/kernel/kernel_state.h"

/* Rewrites the current kernel; before pointers get their bases. */
SR_MUST_USE SrStatus sr_kernel_whole(SrKernels *k);

#endif
