/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_address: with kernel-to-shader:address, pointers to global memory are addresses, numbers of
 * 64 bits:
 *
 *   q = p + i           q = p + 4 * i
 *   x = load q          x = load (PhysicalStorageBuffer pointer) q
 *   r = load pp         r = load (pointer to ulong) pp
 *
 * An argument that points to global or constant memory is a number that the host passes, the
 * address of its buffer. So pointers may be in memory, be made from numbers, and point into any
 * number of buffers. A pointer to constant or generic memory is an address if it comes from one; a
 * variable of the program has no address. After this step the only pointers to global memory are
 * those of class PhysicalStorageBuffer, each of which is made for one access. Cost: linear, except
 * for pointers that phis pass around cycles. */
#ifndef SR_KERNEL_ADDRESS_H
#define SR_KERNEL_ADDRESS_H

#include "passes/transform/kernel/kernel_emit.h"

/* Rewrites the current kernel, and notes which of its arguments are addresses. */
SR_MUST_USE SrStatus sr_kernel_address(SrKernels *k);
/* Stores a scalar or a vector through a pointer that is made from an address. */
void sr_kernel_address_store(SrEmit *e, uint32_t pointer, uint32_t value, uint32_t align);

#endif
