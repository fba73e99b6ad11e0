/* SPDX-License-Identifier: Apache-2.0 */
/* submission: finds out when submissions with shots are complete.
 *
 * After such a submission the capture submits its own fence to the same queue. The fence waits only
 * for what was submitted before it. The hooks of functions that wait poll these fences, so the
 * capture never waits for work that the application has not yet started. */
#ifndef CP_SUBMISSION_H
#define CP_SUBMISSION_H

#include "harness/capture/record.h"

/* A submission that may not be complete. Command buffers are kept by handle, because the application may
 * free them. */
typedef struct CpPending {
  struct CpPending *next;
  VkFence fence, own; /* the application's, or VK_NULL_HANDLE; the capture's */
  VkCommandBuffer *commands;
  uint32_t count;
} CpPending;

/* A submission that is about to begin; NULL: out of memory. */
CpPending *cp_submission_new(VkFence fence);
/* Adds a command buffer, and the secondary ones that it executes; settles their earlier submissions. */
void cp_submission_add(CpDevice *device, CpPending *pending, VkCommandBuffer commands);
/* To be called after the submission, with its result. Follows the submission if it succeeded;
 * otherwise frees it. */
void cp_submission_follow(CpDevice *device, CpPending *pending, VkQueue queue, VkResult result);

/* Writes the cases of the submissions that are complete. If the application submitted with `fence`
 * and has seen it signalled, waits for the capture's own fence of that submission. */
void cp_submission_poll(CpDevice *device, VkFence fence);
/* To be called when the application is about to change the command buffer, so that its submissions
 * must be complete. */
void cp_submission_settle(CpDevice *device, const CpCommands *commands);

#endif
