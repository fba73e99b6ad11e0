/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_builtin: built-in variables. Those of a shader have 32 bits; what a shader lacks is
 * computed from them. */
#ifndef SR_KERNEL_BUILTIN_H
#define SR_KERNEL_BUILTIN_H

#include "passes/transform/kernel/kernel_emit.h"

/* Replaces a load of a built-in variable, or of a component of one. */
SR_MUST_USE SrStatus sr_kernel_builtin_load(SrEmit *e, SrRef r, const SrKernelBase *b);
/* The variable of this type that is the built-in; it is made if there is none. */
uint32_t sr_kernel_builtin_variable(SrKernels *k, SpvBuiltIn builtin, uint32_t type);

#endif
