/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_argument: how the host passes a kernel's arguments, after clspv: buffers, images and
 * samplers as descriptors of set 0, their bindings in the order of the arguments; values in one
 * struct of push constants, or in a uniform buffer (the last binding) if they take more than 128
 * bytes; memory of the workgroup as the number of its elements, a specialization constant.
 *
 * The values' struct has words and vectors of words only, so that it needs no capability: a value
 * of less than 32 bits is in the low bits of a word, one of 64 bits takes two words. */
#ifndef SR_KERNEL_ARGUMENT_H
#define SR_KERNEL_ARGUMENT_H

#include "passes/transform/kernel/kernel_state.h"

/* Reads the parameters of kernel `i`, and adds the bases of those that are pointers. */
SR_MUST_USE SrStatus sr_kernel_argument_read(SrKernels *k, SrKernel *kernel);
/* Declares the variables of the current kernel's arguments, and writes the loads at its entry that
 * replace the parameters. */
SR_MUST_USE SrStatus sr_kernel_argument_write(SrKernels *k, SrKernel *kernel);
/* Drops the parameters, once nothing needs their types any more. */
void sr_kernel_argument_drop(SrKernels *k);

#endif
