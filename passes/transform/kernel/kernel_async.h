/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_async: asynchronous copies of a workgroup become loops, in which each invocation copies every
 * n-th element, n being the size of the workgroup; waiting for events becomes a barrier, and events
 * are gone. Linear. */
#ifndef SR_KERNEL_ASYNC_H
#define SR_KERNEL_ASYNC_H

#include "passes/transform/kernel/kernel_state.h"

/* Rewrites the current kernel. */
SR_MUST_USE SrStatus sr_kernel_async(SrKernels *k);

#endif
