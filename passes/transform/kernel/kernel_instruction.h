/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_instruction: what becomes of each instruction of a kernel. */
#ifndef SR_KERNEL_INSTRUCTION_H
#define SR_KERNEL_INSTRUCTION_H

#include "passes/transform/kernel/kernel_emit.h"

/* Converts the instructions of the current kernel; in its first block, only those from `first` to
 * the end. */
SR_MUST_USE SrStatus sr_kernel_instruction_all(SrKernels *k, SrRef first);

#endif
