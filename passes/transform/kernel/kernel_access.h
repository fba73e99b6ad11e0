/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_access: what replaces an access of memory: loads and stores of elements of the base, which
 * are joined or split where the access is wider than an element. */
#ifndef SR_KERNEL_ACCESS_H
#define SR_KERNEL_ACCESS_H

#include "passes/transform/kernel/kernel_emit.h"
#include "passes/transform/kernel/kernel_memory.h"

/* Writes the instructions that replace an access. */
void sr_kernel_access_write(SrEmit *e, const SrKernelAccess *a);
/* Stores a value at an offset, in bytes, of a base. */
void sr_kernel_access_store_at(SrEmit *e, const SrKernelBase *b, uint32_t bytes, uint32_t value);
/* A pointer to the element at `offset`, in grains, plus `more` elements. */
uint32_t sr_kernel_access_pointer(SrEmit *e, const SrKernelBase *b, uint32_t offset, uint32_t more);

#endif
