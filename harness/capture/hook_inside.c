/* SPDX-License-Identifier: Apache-2.0 */
/* hook_inside: follows what must end in the render pass in which it began: such a render pass cannot be split meanwhile.
 * Under a condition, a draw may not run at all. */
#include "harness/capture/record.h"

/* Counts what begins (1) or ends (-1) in a render pass. */
static void count(CpDevice *d, VkCommandBuffer commands, int change, bool condition) {
  pthread_mutex_lock(&d->lock);
  CpCommands *c = cp_handles_find(&d->commands, CP_HANDLE(commands));
  if (c && condition)
    c->conditional = change > 0;
  if (c && c->pass.active && (change > 0 || c->pass.open))
    c->pass.open += (uint32_t)change;
  pthread_mutex_unlock(&d->lock);
}

void VKAPI_CALL cp_CmdBeginQuery(VkCommandBuffer commands, VkQueryPool pool, uint32_t query,
                                 VkQueryControlFlags flags) {
  CpDevice *d = cp_device_of(commands);
  count(d, commands, 1, false);
  d->next.CmdBeginQuery(commands, pool, query, flags);
}

void VKAPI_CALL cp_CmdEndQuery(VkCommandBuffer commands, VkQueryPool pool, uint32_t query) {
  CpDevice *d = cp_device_of(commands);
  count(d, commands, -1, false);
  d->next.CmdEndQuery(commands, pool, query);
}

void VKAPI_CALL cp_CmdBeginQueryIndexedEXT(VkCommandBuffer commands, VkQueryPool pool,
                                           uint32_t query, VkQueryControlFlags flags,
                                           uint32_t index) {
  CpDevice *d = cp_device_of(commands);
  count(d, commands, 1, false);
  d->next.CmdBeginQueryIndexedEXT(commands, pool, query, flags, index);
}

void VKAPI_CALL cp_CmdEndQueryIndexedEXT(VkCommandBuffer commands, VkQueryPool pool, uint32_t query,
                                         uint32_t index) {
  CpDevice *d = cp_device_of(commands);
  count(d, commands, -1, false);
  d->next.CmdEndQueryIndexedEXT(commands, pool, query, index);
}

void VKAPI_CALL cp_CmdBeginTransformFeedbackEXT(VkCommandBuffer commands, uint32_t first,
                                                uint32_t number, const VkBuffer *buffers,
                                                const VkDeviceSize *offsets) {
  CpDevice *d = cp_device_of(commands);
  count(d, commands, 1, false);
  d->next.CmdBeginTransformFeedbackEXT(commands, first, number, buffers, offsets);
}

void VKAPI_CALL cp_CmdEndTransformFeedbackEXT(VkCommandBuffer commands, uint32_t first,
                                              uint32_t number, const VkBuffer *buffers,
                                              const VkDeviceSize *offsets) {
  CpDevice *d = cp_device_of(commands);
  count(d, commands, -1, false);
  d->next.CmdEndTransformFeedbackEXT(commands, first, number, buffers, offsets);
}

void VKAPI_CALL cp_CmdBeginConditionalRenderingEXT(VkCommandBuffer commands,
                                                   const VkConditionalRenderingBeginInfoEXT *info) {
  CpDevice *d = cp_device_of(commands);
  count(d, commands, 1, true);
  d->next.CmdBeginConditionalRenderingEXT(commands, info);
}

void VKAPI_CALL cp_CmdEndConditionalRenderingEXT(VkCommandBuffer commands) {
  CpDevice *d = cp_device_of(commands);
  count(d, commands, -1, true);
  d->next.CmdEndConditionalRenderingEXT(commands);
}
