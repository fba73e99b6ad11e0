/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_atomic: gives atomic operations and barriers scopes and memory semantics that Vulkan
 * allows: no cross-device scope, acquire and release instead of sequential consistency, and
 * explicit classes of memory. */
#ifndef SR_KERNEL_ATOMIC_H
#define SR_KERNEL_ATOMIC_H

#include "passes/transform/kernel/kernel_access.h"

/* Replaces an atomic operation. */
SR_MUST_USE SrStatus sr_kernel_atomic_write(SrEmit *e, SrRef r, const SrKernelAccess *a);
/* Gives OpControlBarrier or OpMemoryBarrier the scopes and semantics of a shader. */
SR_MUST_USE SrStatus sr_kernel_atomic_barrier(SrEmit *e, SrRef r);

#endif
