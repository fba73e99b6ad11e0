/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_finish: replaces what the module declares for kernels (capabilities, memory model, entry
 * points, execution modes and decorations) by what a shader needs. */
#ifndef SR_KERNEL_FINISH_H
#define SR_KERNEL_FINISH_H

#include "passes/transform/kernel/kernel_state.h"

/* Imports GLSL.std.450, finds OpenCL.std, and declares the workgroup's size if a kernel leaves it
 * open. */
void sr_kernel_finish_begin(SrKernels *k);
/* The id of an OpExtInstImport, which is added if it is missing. */
uint32_t sr_kernel_finish_import(SrKernels *k, const char *name);
/* A new OpString. */
uint32_t sr_kernel_finish_string(SrKernels *k, const char *text);
/* After all kernels are converted. */
void sr_kernel_finish_end(SrKernels *k);

#endif
