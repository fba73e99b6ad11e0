/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_whole: a load of a struct or an array becomes loads of the numbers and vectors in it, and
 * an instruction that constructs the whole from them. A store becomes stores of the parts that are
 * extracted. A struct or an array with more than 1,024 parts, or with parts of other types, is left
 * as it is. Cost: linear in the code that it writes. */
#ifndef SR_KERNEL_WHOLE_H
#define SR_KERNEL_WHOLE_H

#include "passes/transform/kernel/kernel_state.h"

/* Rewrites the current kernel. To be called before pointers get their bases. */
SR_MUST_USE SrStatus sr_kernel_whole(SrKernels *k);

#endif
