/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_reflection: says in the module how its kernels take their arguments, as clspv does
 * (NonSemantic.ClspvReflection.5), so that hosts for clspv's modules can run it. */
#ifndef SR_KERNEL_REFLECTION_H
#define SR_KERNEL_REFLECTION_H

#include "passes/transform/kernel/kernel_state.h"

void sr_kernel_reflection_write(SrKernels *k);

#endif
