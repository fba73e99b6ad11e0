/* SPDX-License-Identifier: Apache-2.0 */
/* capture_layer: a Vulkan layer that writes every image that a program presents, for tests: the
 * pixels as they are in memory are appended to the file SPV_TEST_CAPTURE.
 *
 * The copy waits for what the presentation waits for, and the presentation waits for nothing more.
 * One instance, one device and one swapchain at a time, on a device with one family of queues, with
 * images of 4 bytes a pixel, as vkcube has them. */
#include "tests/harness/plain_layer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIXEL_BYTES = 4, MOST_IMAGES = 16 };

#define EACH_FUNCTION(X)                                                                           \
  X(CreateSwapchainKHR)                                                                            \
  X(GetSwapchainImagesKHR)                                                                         \
  X(QueuePresentKHR)                                                                               \
  X(QueueSubmit)                                                                                   \
  X(QueueWaitIdle)                                                                                 \
  X(CreateCommandPool)                                                                             \
  X(DestroyCommandPool)                                                                            \
  X(AllocateCommandBuffers)                                                                        \
  X(BeginCommandBuffer)                                                                            \
  X(EndCommandBuffer)                                                                              \
  X(CmdPipelineBarrier)                                                                            \
  X(CmdCopyImageToBuffer)                                                                          \
  X(CreateBuffer)                                                                                  \
  X(DestroyBuffer)                                                                                 \
  X(GetBufferMemoryRequirements)                                                                   \
  X(AllocateMemory)                                                                                \
  X(FreeMemory)                                                                                    \
  X(BindBufferMemory)                                                                              \
  X(MapMemory)

static VkDevice device;
static VkPhysicalDeviceMemoryProperties memories;
#define X(name) static PFN_vk##name name;
EACH_FUNCTION(X)
#undef X

static VkExtent2D extent; /* of the swapchain */
static VkImage images[MOST_IMAGES];

static void check(int good, const char *what) {
  if (good)
    return;
  fprintf(stderr, "capture_layer: %s failed\n", what);
  abort();
}

/* ---- a copy of an image ---- */

typedef struct Copy {
  VkBuffer buffer;
  VkDeviceMemory memory;
  void *bytes;
  VkCommandPool pool;
  VkCommandBuffer commands;
} Copy;

static uint32_t find_memory(uint32_t types) {
  const VkMemoryPropertyFlags wanted =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  uint32_t i = 0;
  while (i < memories.memoryTypeCount &&
         (!(types >> i & 1) || (memories.memoryTypes[i].propertyFlags & wanted) != wanted))
    i++;
  check(i < memories.memoryTypeCount, "finding memory");
  return i;
}

static void make_buffer(Copy *copy, VkDeviceSize size) {
  VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                             .size = size,
                             .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  check(CreateBuffer(device, &info, NULL, &copy->buffer) == VK_SUCCESS, "vkCreateBuffer");
  VkMemoryRequirements needs;
  GetBufferMemoryRequirements(device, copy->buffer, &needs);
  VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                   .allocationSize = needs.size,
                                   .memoryTypeIndex = find_memory(needs.memoryTypeBits)};
  check(AllocateMemory(device, &allocate, NULL, &copy->memory) == VK_SUCCESS &&
            BindBufferMemory(device, copy->buffer, copy->memory, 0) == VK_SUCCESS &&
            MapMemory(device, copy->memory, 0, VK_WHOLE_SIZE, 0, &copy->bytes) == VK_SUCCESS,
        "allocating memory");
}

static void make_commands(Copy *copy) {
  VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  check(CreateCommandPool(device, &pool, NULL, &copy->pool) == VK_SUCCESS, "vkCreateCommandPool");
  VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                          .commandPool = copy->pool,
                                          .commandBufferCount = 1};
  check(AllocateCommandBuffers(device, &allocate, &copy->commands) == VK_SUCCESS,
        "vkAllocateCommandBuffers");
  /* The dispatch key, by which the next layer finds the device; the loader would set it. */
  *(void **)copy->commands = *(void **)device;
}

static void change_layout(VkCommandBuffer commands, VkImage image, VkImageLayout from,
                          VkImageLayout to) {
  VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                  .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                  .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT,
                                  .oldLayout = from,
                                  .newLayout = to,
                                  .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                  .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                  .image = image,
                                  .subresourceRange = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
                                                       .levelCount = 1,
                                                       .layerCount = 1}};
  CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                     VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static void record(const Copy *copy, VkImage image) {
  VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  VkBufferImageCopy region = {
      .imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1},
      .imageExtent = {extent.width, extent.height, 1}};
  check(BeginCommandBuffer(copy->commands, &begin) == VK_SUCCESS, "vkBeginCommandBuffer");
  change_layout(copy->commands, image, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
                VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  CmdCopyImageToBuffer(copy->commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, copy->buffer, 1,
                       &region);
  change_layout(copy->commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
  check(EndCommandBuffer(copy->commands) == VK_SUCCESS, "vkEndCommandBuffer");
}

static void submit(VkQueue queue, const Copy *copy, const VkPresentInfoKHR *present) {
  VkPipelineStageFlags stages[MOST_IMAGES];
  for (int i = 0; i < MOST_IMAGES; i++)
    stages[i] = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  check(present->waitSemaphoreCount <= MOST_IMAGES, "presenting after so many semaphores");
  VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                       .waitSemaphoreCount = present->waitSemaphoreCount,
                       .pWaitSemaphores = present->pWaitSemaphores,
                       .pWaitDstStageMask = stages,
                       .commandBufferCount = 1,
                       .pCommandBuffers = &copy->commands};
  check(QueueSubmit(queue, 1, &info, VK_NULL_HANDLE) == VK_SUCCESS &&
            QueueWaitIdle(queue) == VK_SUCCESS,
        "vkQueueSubmit");
}

static void append(const void *bytes, size_t size) {
  const char *path = getenv("SPV_TEST_CAPTURE");
  FILE *out = path ? fopen(path, "a") : NULL;
  check(out && fwrite(bytes, 1, size, out) == size && fclose(out) == 0, "writing SPV_TEST_CAPTURE");
}

/* ---- the hooks ---- */

static VKAPI_ATTR VkResult VKAPI_CALL create_swapchain(VkDevice handle,
                                                       const VkSwapchainCreateInfoKHR *info,
                                                       const VkAllocationCallbacks *allocator,
                                                       VkSwapchainKHR *swapchain) {
  VkSwapchainCreateInfoKHR more = *info;
  more.imageUsage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  VkResult result = CreateSwapchainKHR(handle, &more, allocator, swapchain);
  if (result != VK_SUCCESS)
    return result;
  uint32_t count = MOST_IMAGES;
  extent = info->imageExtent;
  check(GetSwapchainImagesKHR(handle, *swapchain, &count, images) == VK_SUCCESS,
        "vkGetSwapchainImagesKHR");
  return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL present(VkQueue queue, const VkPresentInfoKHR *info) {
  Copy copy;
  size_t size = (size_t)extent.width * extent.height * PIXEL_BYTES;
  check(info->swapchainCount == 1, "presenting to several swapchains");
  make_buffer(&copy, size);
  make_commands(&copy);
  record(&copy, images[info->pImageIndices[0]]);
  submit(queue, &copy, info);
  append(copy.bytes, size);
  DestroyCommandPool(device, copy.pool, NULL);
  DestroyBuffer(device, copy.buffer, NULL);
  FreeMemory(device, copy.memory, NULL);
  VkPresentInfoKHR waited = *info;
  waited.waitSemaphoreCount = 0;
  return QueuePresentKHR(queue, &waited);
}

void plain_created(VkInstance instance, VkPhysicalDevice physical, VkDevice created) {
  PFN_vkGetPhysicalDeviceMemoryProperties properties =
      (PFN_vkGetPhysicalDeviceMemoryProperties)plain_next_instance(
          instance, "vkGetPhysicalDeviceMemoryProperties");
  device = created;
  properties(physical, &memories);
#define X(name) name = (PFN_vk##name)plain_next_device(device, "vk" #name);
  EACH_FUNCTION(X)
#undef X
}

PFN_vkVoidFunction plain_hook(const char *name) {
  if (strcmp(name, "vkCreateSwapchainKHR") == 0)
    return (PFN_vkVoidFunction)create_swapchain;
  if (strcmp(name, "vkQueuePresentKHR") == 0)
    return (PFN_vkVoidFunction)present;
  return NULL;
}
