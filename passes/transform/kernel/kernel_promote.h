/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_promote: variables of the invocation become values, as in LLVM's mem2reg. Unoptimized code
 * needs this, because it keeps each variable of the source, each argument, and so each pointer in
 * memory.
 *
 *   v = OpVariable; store v p; q = load v; … q …       … p …
 *
 * A variable is promoted if it is a number, a vector, a pointer, an image or a sampler that is only
 * loaded and stored as a whole. Cost: near-linear (ssa_value.h). Source: Cytron et al., Efficiently
 * Computing Static Single Assignment Form (1991). */
#ifndef SR_KERNEL_PROMOTE_H
#define SR_KERNEL_PROMOTE_H

#include "passes/transform/kernel/kernel_state.h"

/* Promotes the variables of the current kernel. */
SR_MUST_USE SrStatus sr_kernel_promote(SrKernels *k);

#endif
