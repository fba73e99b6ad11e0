/* SPDX-License-Identifier: Apache-2.0 */
/* vk_submit: see vk_submit.h. */
#include "harness/vulkan/vk_submit.h"

bool vh_submit_create(VhDevice *device) {
  VkCommandPoolCreateInfo pool = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
      .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
      .queueFamilyIndex = device->queue_family,
  };
  if (!VH_CALL(device, CreateCommandPool, device->handle, &pool, NULL, &device->pool))
    return false;
  VkCommandBufferAllocateInfo commands = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = device->pool,
      .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
      .commandBufferCount = 1,
  };
  VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  if (!VH_CALL(device, AllocateCommandBuffers, device->handle, &commands, &device->commands) ||
      !VH_CALL(device, CreateFence, device->handle, &fence, NULL, &device->fence))
    return false;
  VkQueryPoolCreateInfo queries = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
      .queryType = VK_QUERY_TYPE_TIMESTAMP,
      .queryCount = 2,
  };
  return !device->timestamp_bits ||
         VH_CALL(device, CreateQueryPool, device->handle, &queries, NULL, &device->timestamps);
}

void vh_submit_destroy(VhDevice *device) {
  device->vk.DestroyQueryPool(device->handle, device->timestamps, NULL);
  device->vk.DestroyFence(device->handle, device->fence, NULL);
  device->vk.DestroyCommandPool(device->handle, device->pool, NULL);
}

static void barrier_to(VhDevice *device, VkPipelineStageFlags stages, VkAccessFlags access) {
  VkMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
      .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
      .dstAccessMask = access,
  };
  device->vk.CmdPipelineBarrier(device->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, stages, 0, 1,
                                &barrier, 0, NULL, 0, NULL);
}

void vh_barrier(VhDevice *device) {
  barrier_to(device, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
             VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
}

bool vh_begin(VhDevice *device) {
  VkCommandBufferBeginInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
  };
  if (device->recording && !VH_CALL(device, ResetCommandBuffer, device->commands, 0))
    return false;
  device->recording = true;
  if (!VH_CALL(device, BeginCommandBuffer, device->commands, &info))
    return false;
  vh_barrier(device);
  return true;
}

void vh_time_begin(VhDevice *device) {
  if (!device->timestamps)
    return;
  device->vk.CmdResetQueryPool(device->commands, device->timestamps, 0, 2);
  device->vk.CmdWriteTimestamp(device->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                               device->timestamps, 0);
}

void vh_time_end(VhDevice *device) {
  if (device->timestamps)
    device->vk.CmdWriteTimestamp(device->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                 device->timestamps, 1);
}

/* A device that is lost, or does not finish in time, cannot be used again. */
static bool wait(VhDevice *device) {
  VkResult result = device->vk.WaitForFences(device->handle, 1, &device->fence, VK_TRUE,
                                             device->fence_timeout_ns);
  if (result == VK_SUCCESS)
    return VH_CALL(device, ResetFences, device->handle, 1, &device->fence);
  device->gone = true;
  device->hung = result == VK_TIMEOUT;
  if (device->hung)
    return vh_fail(&device->error, HN_TIMEOUT, "vkWaitForFences: VK_TIMEOUT after %llu ms",
                   (unsigned long long)(device->fence_timeout_ns / 1000000));
  return vh_check(&device->error, result, "vkWaitForFences");
}

bool vh_submit(VhDevice *device) {
  barrier_to(device, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
  if (!VH_CALL(device, EndCommandBuffer, device->commands))
    return false;
  device->recording = false;
  VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .commandBufferCount = 1,
      .pCommandBuffers = &device->commands,
  };
  VkResult result = device->vk.QueueSubmit(device->queue, 1, &info, device->fence);
  device->gone = result == VK_ERROR_DEVICE_LOST;
  return vh_check(&device->error, result, "vkQueueSubmit") && wait(device);
}

bool vh_time(VhDevice *device, uint64_t *ns) {
  uint64_t marks[2];
  *ns = 0;
  if (!device->timestamps)
    return true;
  if (!VH_CALL(device, GetQueryPoolResults, device->handle, device->timestamps, 0, 2, sizeof marks,
               marks, sizeof *marks, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT))
    return false;
  uint64_t ticks = marks[1] - marks[0];
  if (device->timestamp_bits < 64)
    ticks &= ((uint64_t)1 << device->timestamp_bits) - 1;
  *ns = (uint64_t)((double)ticks * (double)device->properties.limits.timestampPeriod);
  return true;
}
