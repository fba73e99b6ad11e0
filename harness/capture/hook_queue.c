/* SPDX-License-Identifier: Apache-2.0 */
/* hook_queue: submissions, the functions that wait for them, and the end of a device. */
#include "harness/capture/submission.h"

#include <stdlib.h>

/* ---- submissions ----------------------------------------------------------------------------- */

/* The hook of a version of vkQueueSubmit: `count_of` names a submission's number of command buffers, and
 * `commands` command buffer k of submission i. */
#define SUBMIT(name, info, count_of, commands)                                                     \
  VkResult VKAPI_CALL cp_##name(VkQueue queue, uint32_t count, const info *submits,                \
                                VkFence fence) {                                                   \
    CpDevice *d = cp_device_of(queue);                                                             \
    pthread_mutex_lock(&d->lock);                                                                  \
    CpPending *pending = cp_submission_new(fence);                                                 \
    for (uint32_t i = 0; i < count; i++)                                                           \
      for (uint32_t k = 0; k < submits[i].count_of; k++)                                           \
        cp_submission_add(d, pending, submits[i].commands);                                        \
    pthread_mutex_unlock(&d->lock);                                                                \
    VkResult result = d->next.name(queue, count, submits, fence);                                  \
    pthread_mutex_lock(&d->lock);                                                                  \
    cp_submission_follow(d, pending, queue, result);                                               \
    cp_submission_poll(d, VK_NULL_HANDLE);                                                         \
    pthread_mutex_unlock(&d->lock);                                                                \
    return result;                                                                                 \
  }
SUBMIT(QueueSubmit, VkSubmitInfo, commandBufferCount, pCommandBuffers[k])
SUBMIT(QueueSubmit2, VkSubmitInfo2, commandBufferInfoCount, pCommandBufferInfos[k].commandBuffer)

VkResult VKAPI_CALL cp_QueuePresentKHR(VkQueue queue, const VkPresentInfoKHR *info) {
  CpDevice *d = cp_device_of(queue);
  VkResult result = d->next.QueuePresentKHR(queue, info);
  cp_session_present(d->session);
  return result;
}

/* ---- waiting --------------------------------------------------------------------------------- */

static void poll(CpDevice *d, VkFence fence) {
  pthread_mutex_lock(&d->lock);
  cp_submission_poll(d, fence);
  pthread_mutex_unlock(&d->lock);
}

VkResult VKAPI_CALL cp_QueueWaitIdle(VkQueue queue) {
  CpDevice *d = cp_device_of(queue);
  VkResult result = d->next.QueueWaitIdle(queue);
  poll(d, VK_NULL_HANDLE);
  return result;
}

VkResult VKAPI_CALL cp_DeviceWaitIdle(VkDevice handle) {
  CpDevice *d = cp_device_of(handle);
  VkResult result = d->next.DeviceWaitIdle(handle);
  poll(d, VK_NULL_HANDLE);
  return result;
}

VkResult VKAPI_CALL cp_WaitForFences(VkDevice handle, uint32_t count, const VkFence *fences,
                                     VkBool32 all, uint64_t timeout) {
  CpDevice *d = cp_device_of(handle);
  VkResult result = d->next.WaitForFences(handle, count, fences, all, timeout);
  for (uint32_t i = 0; i < count; i++)
    poll(d, result == VK_SUCCESS && (all || count == 1) ? fences[i] : VK_NULL_HANDLE);
  return result;
}

VkResult VKAPI_CALL cp_GetFenceStatus(VkDevice handle, VkFence fence) {
  CpDevice *d = cp_device_of(handle);
  VkResult result = d->next.GetFenceStatus(handle, fence);
  poll(d, result == VK_SUCCESS ? fence : VK_NULL_HANDLE);
  return result;
}

VkResult VKAPI_CALL cp_WaitSemaphores(VkDevice handle, const VkSemaphoreWaitInfo *info,
                                      uint64_t timeout) {
  CpDevice *d = cp_device_of(handle);
  VkResult result = d->next.WaitSemaphores(handle, info, timeout);
  poll(d, VK_NULL_HANDLE);
  return result;
}

/* ---- the end --------------------------------------------------------------------------------- */

static bool any(const void *record, const void *user) {
  (void)user;
  return record != NULL;
}

/* Frees the records of a table, each with `release`. */
#define EMPTY(handles, release, type)                                                              \
  do {                                                                                             \
    for (type * record; (record = cp_handles_take_if(handles, any, NULL));)                        \
      release(record);                                                                             \
    cp_handles_free(handles);                                                                      \
  } while (0)

static void free_template(CpTemplate *record) {
  free(record->entries);
  free(record);
}

static void free_records(CpDevice *d) {
  for (CpCommands *c; (c = cp_handles_take_if(&d->commands, any, NULL));)
    cp_record_free(d, c);
  cp_handles_free(&d->commands);
  EMPTY(&d->pools, free, CpPool);
  EMPTY(&d->pipelines, cp_pipeline_release, CpPipeline);
  EMPTY(&d->pipeline_layouts, cp_pipeline_layout_free, CpPipelineLayout);
  EMPTY(&d->modules, cp_module_release, CpModule);
  EMPTY(&d->sets, cp_set_free, CpSet);
  EMPTY(&d->templates, free_template, CpTemplate);
  EMPTY(&d->layouts, cp_layout_release, CpSetLayout);
  EMPTY(&d->samplers, free, CpSampler);
  EMPTY(&d->views, free, CpView);
  EMPTY(&d->texel_views, free, CpTexelView);
  EMPTY(&d->images, free, CpImage);
  for (CpRenderPass *pass; (pass = cp_handles_take_if(&d->passes, any, NULL));)
    cp_pass_free(d, pass);
  cp_handles_free(&d->passes);
  EMPTY(&d->framebuffers, free, CpFramebuffer);
  EMPTY(&d->swapchains, free, CpImage);
  EMPTY(&d->buffers, free, CpBuffer);
}

/* The application has waited for all its work, so the submissions are complete, or about to be. */
void VKAPI_CALL cp_DestroyDevice(VkDevice handle, const VkAllocationCallbacks *allocator) {
  CpDevice *d = handle ? cp_device_of(handle) : NULL;
  if (!d)
    return;
  d->next.DeviceWaitIdle(handle);
  poll(d, VK_NULL_HANDLE);
  free_records(d);
  cp_session_write(d->session);
  cp_device_forget(d);
  PFN_vkDestroyDevice destroy = d->next.DestroyDevice;
  pthread_mutex_destroy(&d->lock);
  free(d->families);
  free(d);
  destroy(handle, allocator);
}
