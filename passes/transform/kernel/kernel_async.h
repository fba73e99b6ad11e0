/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_async: an asynchronous copy by a workgroup becomes a loop, in which each invocation copies
 * every n-th element; n is the size of the workgroup. Waiting for events becomes a barrier, and the
 * events are dropped. Linear. */
#ifndef SR_KERNEL_ASYNC_H
#define SR_KERNEL_ASYNC_H

#include "passes/transform/kernel/kernel_state.h"

/* Rewrites the current kernel. */
SR_MUST_USE SrStatus sr_kernel_async(SrKernels *k);

#endif
