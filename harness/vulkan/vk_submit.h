/* SPDX-License-Identifier: Apache-2.0 */
/* vk_submit: recording commands, submitting them and waiting for them.
 *
 * The commands of a script are a sequence, so at most one submission is in flight. Call vh_begin,
 * then vkCmd..., then vh_submit, which waits for the end. Invariant: between two submissions, the
 * device is idle, and its writes are visible to the host and to the next submission. */
#ifndef VH_SUBMIT_H
#define VH_SUBMIT_H

#include "harness/vulkan/vk_device.h"

/* Creates the command buffer, fence and queries of an open device. */
bool vh_submit_create(VhDevice *device) VH_MUST_USE;
void vh_submit_destroy(VhDevice *device);
/* Starts recording into device->commands; discards what an earlier failure left there. */
bool vh_begin(VhDevice *device) VH_MUST_USE;
/* Records a barrier; to be called between two uses of the same memory in one submission. */
void vh_barrier(VhDevice *device);
/* These mark the span of a submission that is timed. */
void vh_time_begin(VhDevice *device);
void vh_time_end(VhDevice *device);
/* Ends recording, submits and waits. */
bool vh_submit(VhDevice *device) VH_MUST_USE;
/* Nanoseconds between the marks of the last submission. */
bool vh_time(VhDevice *device, uint64_t *ns) VH_MUST_USE;

#endif
