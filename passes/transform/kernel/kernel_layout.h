/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_layout: the sizes, alignments and offsets that OpenCL C gives to types: those of C, where
 * a vector of three takes the place of four (OpenCL C 3.0, 6.3.5). */
#ifndef SR_KERNEL_LAYOUT_H
#define SR_KERNEL_LAYOUT_H

#include "passes/transform/kernel/kernel_state.h"

/* Measures all types of the module: they are declared before their use, so in one walk. */
void sr_kernel_layout_begin(SrKernels *k);
/* The size of a type in bytes; 0: it has none, or one of 4 GiB or more. */
uint32_t sr_kernel_size_of(const SrKernels *k, uint32_t type);
/* The alignment of a type, in bytes; at least 1. */
uint32_t sr_kernel_align_of(const SrKernels *k, uint32_t type);
/* The offset of a member of a struct type. */
uint64_t sr_kernel_member_offset(const SrKernels *k, uint32_t type, uint32_t member);

#endif
