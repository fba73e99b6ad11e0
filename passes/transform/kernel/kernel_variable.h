/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_variable: variables of the shader, with their decorations. */
#ifndef SR_KERNEL_VARIABLE_H
#define SR_KERNEL_VARIABLE_H

#include "passes/transform/kernel/kernel_emit.h"

/* Declares a variable of the module; `initializer` may be 0. */
uint32_t sr_kernel_variable_new(SrKernels *k, SpvStorageClass storage, uint32_t type,
                                uint32_t initializer);
/* A decoration with one literal, or none (SR_NONE). */
void sr_kernel_variable_decorate(SrKernels *k, uint32_t id, SpvDecoration decoration,
                                 uint32_t literal);
void sr_kernel_variable_offset(SrKernels *k, uint32_t type, uint32_t member, uint32_t offset);
void sr_kernel_variable_bind(SrKernels *k, uint32_t id, uint32_t set, uint32_t binding);

/* Declares the workgroup's variables and the tables of the module. A variable that cannot be
 * converted gets a reason, and kernels that use it are refused for that reason. */
void sr_kernel_variable_module(SrKernels *k);
/* Refuses the access of a variable with such a reason. `b` may be NULL. */
SR_MUST_USE SrStatus sr_kernel_variable_check(SrKernels *k, const SrKernelBase *b);
/* Replaces the variables of the current kernel's function, and adds those of its structs by
 * value. */
SR_MUST_USE SrStatus sr_kernel_variable_function(SrKernels *k);

#endif
