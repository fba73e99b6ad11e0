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
/* After the submission, with its result: follows it, or frees it. */
void cp_submission_follow(CpDevice *device, CpPending *pending, VkQueue queue, VkResult result);

/* Writes the cases of the submissions that are complete. If `fence` is one with which the application
 * submitted, and has seen signalled, the capture's own fence is waited for. */
void cp_submission_poll(CpDevice *device, VkFence fence);
/* The application is about to change the command buffer: its submissions are complete. */
void cp_submission_settle(CpDevice *device, const CpCommands *commands);

#endif
