/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_argument: how the host passes a kernel's arguments, as in clspv. Buffers, images and
 * samplers are descriptors of set 0, with bindings in the order of the arguments. Values are in one
 * struct of push constants, or in a uniform buffer (the last binding) if they take more than 128
 * bytes. For workgroup memory the host passes the number of elements, as a specialization constant.
 *
 * The struct of values contains only words and vectors of words, so it needs no capability. A value
 * of less than 32 bits is in the low bits of a word, and a value of 64 bits takes two words. */
#ifndef SR_KERNEL_ARGUMENT_H
#define SR_KERNEL_ARGUMENT_H

#include "passes/transform/kernel/kernel_state.h"

/* Reads the parameters of kernel `i`, and adds the bases of those that are pointers. */
SR_MUST_USE SrStatus sr_kernel_argument_read(SrKernels *k, SrKernel *kernel);
/* Declares the variables of the current kernel's arguments, and writes the loads at its entry that
 * replace the parameters. */
SR_MUST_USE SrStatus sr_kernel_argument_write(SrKernels *k, SrKernel *kernel);
/* Drops the parameters; to be called when nothing needs their types any more. */
void sr_kernel_argument_drop(SrKernels *k);

#endif
