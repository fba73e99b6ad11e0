/* SPDX-License-Identifier: Apache-2.0 */
/* submission: see submission.h. */
#include "harness/capture/submission.h"

#include <stdlib.h>

static const uint64_t patience =
    1000000000; /* nanoseconds: for a fence that is about to be signalled */

CpPending *cp_submission_new(VkFence fence) {
  CpPending *pending = calloc(1, sizeof *pending);
  if (pending)
    pending->fence = fence;
  return pending;
}

static void free_pending(CpDevice *d, CpPending *pending) {
  d->next.DestroyFence(d->handle, pending->own, NULL);
  free(pending->commands);
  free(pending);
}

/* ---- the end of a submission ----------------------------------------------------------------- */

static void finish_shot(CpDevice *d, CpShot *shot, VkResult status) {
  if (!shot->submitted || shot->done)
    return;
  shot->done = true;
  if (status != VK_SUCCESS)
    cp_session_refuse(d->session, shot->pipeline->row, shot->number, "the device is lost");
  else if (!cp_case_write(d, shot))
    cp_session_refuse(d->session, shot->pipeline->row, shot->number, cp_unwritable);
}

static void finish(CpDevice *d, const CpPending *pending, VkResult status) {
  for (uint32_t i = 0; i < pending->count; i++) {
    CpCommands *c = cp_handles_find(&d->commands, CP_HANDLE(pending->commands[i]));
    if (c && status == VK_SUCCESS)
      cp_timing_read(d, c->timings);
    for (CpShot *shot = c ? c->shots : NULL; shot; shot = shot->next)
      finish_shot(d, shot, status);
  }
}

/* Finishes the submission if it is complete, at the latest after `wait` nanoseconds. */
static bool try(CpDevice *d, const CpPending *pending, uint64_t wait) {
  VkResult status = wait ? d->next.WaitForFences(d->handle, 1, &pending->own, VK_TRUE, wait)
                         : d->next.GetFenceStatus(d->handle, pending->own);
  if (status == VK_TIMEOUT || status == VK_NOT_READY)
    return false;
  finish(d, pending, status);
  return true;
}

void cp_submission_poll(CpDevice *d, VkFence fence) {
  for (CpPending **at = &d->pending; *at;) {
    CpPending *pending = *at;
    if (try(d, pending, fence && pending->fence == fence ? patience : 0)) {
      *at = pending->next;
      free_pending(d, pending);
    } else {
      at = &pending->next;
    }
  }
}

static bool concerns(const CpPending *pending, VkCommandBuffer commands) {
  for (uint32_t i = 0; i < pending->count; i++)
    if (pending->commands[i] == commands)
      return true;
  return false;
}

void cp_submission_settle(CpDevice *d, const CpCommands *c) {
  for (CpPending **at = &d->pending; *at;) {
    CpPending *pending = *at;
    if (concerns(pending, c->handle) && try(d, pending, patience)) {
      *at = pending->next;
      free_pending(d, pending);
    } else {
      at = &pending->next;
    }
  }
}

/* ---- the start of a submission --------------------------------------------------------------- */

/* Refuses a shot if its command buffer is submitted again before its contents were read. */
static void check_shot(CpDevice *d, CpShot *shot) {
  if (shot->done)
    return;
  const char *why = NULL;
  if (shot->submitted)
    why = "its command buffer was submitted again before it was complete";
  else if (!cp_shot_is_current(d, shot))
    why = "its descriptors changed after they were bound";
  shot->submitted = true;
  if (!why)
    return;
  shot->done = true;
  cp_session_refuse(d->session, shot->pipeline->row, shot->number, why);
}

static void add_one(CpDevice *d, CpPending *pending, const CpCommands *c) {
  if (!c->shots && !c->timings)
    return;
  cp_submission_settle(d, c);
  for (CpShot *shot = c->shots; shot; shot = shot->next)
    check_shot(d, shot);
  VkCommandBuffer *list =
      realloc(pending->commands, (pending->count + 1u) * sizeof(VkCommandBuffer));
  if (!list)
    return;
  pending->commands = list;
  list[pending->count++] = c->handle;
}

void cp_submission_add(CpDevice *d, CpPending *pending, VkCommandBuffer commands) {
  const CpCommands *c = cp_handles_find(&d->commands, CP_HANDLE(commands));
  if (!c || !pending)
    return;
  add_one(d, pending, c);
  for (uint32_t i = 0; i < c->executed_count; i++) {
    const CpCommands *executed = cp_handles_find(&d->commands, CP_HANDLE(c->executed[i]));
    if (executed)
      add_one(d, pending, executed);
  }
}

static bool submit_fence(CpDevice *d, CpPending *pending, VkQueue queue) {
  const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  return d->next.CreateFence(d->handle, &info, NULL, &pending->own) == VK_SUCCESS &&
         d->next.QueueSubmit(queue, 0, NULL, pending->own) == VK_SUCCESS;
}

void cp_submission_follow(CpDevice *d, CpPending *pending, VkQueue queue, VkResult result) {
  if (!pending)
    return;
  if (!pending->count || result != VK_SUCCESS || !submit_fence(d, pending, queue)) {
    if (pending->count)
      finish(d, pending, VK_ERROR_DEVICE_LOST);
    free_pending(d, pending);
    return;
  }
  CpPending **at = &d->pending;
  while (*at)
    at = &(*at)->next;
  *at = pending;
}
