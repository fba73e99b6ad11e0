/* SPDX-License-Identifier: Apache-2.0 */
/* app_vulkan: see app_vulkan.h. */
#include "tests/layer/app_vulkan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void app_check(VkResult result, const char *what) {
  if (result == VK_SUCCESS)
    return;
  fprintf(stderr, "%s: VkResult %d\n", what, (int)result);
  exit(1);
}

#define CHECK(call) app_check(call, #call)

static bool has_pushes(VkPhysicalDevice physical) {
  uint32_t count = 0;
  vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL);
  VkExtensionProperties *all = calloc(count + 1u, sizeof *all);
  vkEnumerateDeviceExtensionProperties(physical, NULL, &count, all);
  bool found = false;
  for (uint32_t i = 0; i < count; i++)
    found = found || strcmp(all[i].extensionName, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME) == 0;
  free(all);
  return found;
}

static void open_device(AppVulkan *v, const void *features, const char *const *extensions,
                        uint32_t extension_count) {
  const float priority = 1;
  const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                         .queueCount = 1,
                                         .pQueuePriorities = &priority};
  const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                   .pNext = features,
                                   .queueCreateInfoCount = 1,
                                   .pQueueCreateInfos = &queue,
                                   .enabledExtensionCount = extension_count,
                                   .ppEnabledExtensionNames = extensions};
  CHECK(vkCreateDevice(v->physical, &info, NULL, &v->device));
  vkGetDeviceQueue(v->device, 0, 0, &v->queue);
  const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  CHECK(vkCreateCommandPool(v->device, &pool, NULL, &v->pool));
}

static AppVulkan open_instance(uint32_t api) {
  AppVulkan v = {0};
  const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                         .apiVersion = api};
  const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                     .pApplicationInfo = &application};
  uint32_t count = 1;
  CHECK(vkCreateInstance(&info, NULL, &v.instance));
  vkEnumeratePhysicalDevices(v.instance, &count, &v.physical);
  if (!count)
    app_check(VK_ERROR_INITIALIZATION_FAILED, "no device");
  vkGetPhysicalDeviceMemoryProperties(v.physical, &v.memory);
  return v;
}

AppVulkan app_vulkan_open(void) {
  const char *extension = VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME;
  AppVulkan v = open_instance(VK_API_VERSION_1_1);
  v.pushes = has_pushes(v.physical);
  open_device(&v, NULL, &extension, v.pushes);
  return v;
}

AppVulkan app_vulkan_open_newer(const void *features, const char *const *extensions,
                                uint32_t extension_count) {
  AppVulkan v = open_instance(VK_API_VERSION_1_3);
  open_device(&v, features, extensions, extension_count);
  return v;
}

void app_vulkan_close(AppVulkan *v) {
  vkDestroyCommandPool(v->device, v->pool, NULL);
  vkDestroyDevice(v->device, NULL);
  vkDestroyInstance(v->instance, NULL);
}

VkShaderModule app_module(const AppVulkan *v, const uint32_t *words, size_t count) {
  VkShaderModule module;
  const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                         .codeSize = count * sizeof *words,
                                         .pCode = words};
  CHECK(vkCreateShaderModule(v->device, &info, NULL, &module));
  return module;
}

VkCommandBuffer app_begin(const AppVulkan *v, VkCommandPool pool) {
  VkCommandBuffer commands;
  const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = pool,
                                            .commandBufferCount = 1};
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  CHECK(vkAllocateCommandBuffers(v->device, &info, &commands));
  CHECK(vkBeginCommandBuffer(commands, &begin));
  return commands;
}

void app_finish(const AppVulkan *v, VkCommandBuffer commands) {
  const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &commands};
  CHECK(vkEndCommandBuffer(commands));
  CHECK(vkQueueSubmit(v->queue, 1, &submit, VK_NULL_HANDLE));
  CHECK(vkQueueWaitIdle(v->queue));
}

/* ---- buffers --------------------------------------------------------------------------------- */

static VkDeviceMemory allocate(const AppVulkan *v, const VkMemoryRequirements *needed,
                               VkMemoryPropertyFlags properties) {
  VkDeviceMemory memory;
  VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                               .allocationSize = needed->size};
  while (info.memoryTypeIndex < v->memory.memoryTypeCount &&
         (!(needed->memoryTypeBits >> info.memoryTypeIndex & 1) ||
          (v->memory.memoryTypes[info.memoryTypeIndex].propertyFlags & properties) != properties))
    info.memoryTypeIndex++;
  CHECK(vkAllocateMemory(v->device, &info, NULL, &memory));
  return memory;
}

AppBuffer app_buffer(const AppVulkan *v, VkDeviceSize size, VkBufferUsageFlags usage) {
  AppBuffer buffer;
  VkMemoryRequirements needed;
  const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
  CHECK(vkCreateBuffer(v->device, &info, NULL, &buffer.handle));
  vkGetBufferMemoryRequirements(v->device, buffer.handle, &needed);
  buffer.memory = allocate(
      v, &needed, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  CHECK(vkBindBufferMemory(v->device, buffer.handle, buffer.memory, 0));
  CHECK(vkMapMemory(v->device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &buffer.mapped));
  memset(buffer.mapped, 0, size);
  return buffer;
}

void app_buffer_free(const AppVulkan *v, AppBuffer *buffer) {
  vkDestroyBuffer(v->device, buffer->handle, NULL);
  vkFreeMemory(v->device, buffer->memory, NULL);
}

/* ---- images ---------------------------------------------------------------------------------- */

static uint32_t at_level(uint32_t extent, uint32_t level) {
  return extent >> level ? extent >> level : 1;
}

static void change_layout(VkCommandBuffer commands, VkImage image, VkImageLayout from,
                          VkImageLayout to) {
  const VkImageMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
      .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
      .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
      .oldLayout = from,
      .newLayout = to,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .image = image,
      .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0,
                           VK_REMAINING_ARRAY_LAYERS}};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static void fill(const AppVulkan *v, const AppImageKind *kind, VkImage image, uint32_t texel,
                 uint32_t seed) {
  VkDeviceSize all = 2 * (VkDeviceSize)kind->extent.width * kind->extent.height *
                     kind->extent.depth * kind->layers * texel;
  AppBuffer staging = app_buffer(v, all, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  for (VkDeviceSize i = 0; i < all; i++) { /* finite as floats */
    seed = seed * 1664525u + 1013904223u;
    ((uint8_t *)staging.mapped)[i] = (uint8_t)(i % 4 == 3 && texel >= 4 ? 0x3f : seed >> 24);
  }
  VkCommandBuffer commands = app_begin(v, v->pool);
  change_layout(commands, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  VkDeviceSize at = 0;
  for (uint32_t level = 0; level < kind->levels; level++) {
    const VkExtent3D extent = {at_level(kind->extent.width, level),
                               at_level(kind->extent.height, level),
                               at_level(kind->extent.depth, level)};
    const VkBufferImageCopy copy = {
        .bufferOffset = at,
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, kind->layers},
        .imageExtent = extent};
    vkCmdCopyBufferToImage(commands, staging.handle, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1,
                           &copy);
    at += (VkDeviceSize)extent.width * extent.height * extent.depth * kind->layers * texel;
  }
  change_layout(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kind->layout);
  app_finish(v, commands);
  app_buffer_free(v, &staging);
}

AppImage app_target(const AppVulkan *v, const AppImageKind *kind, VkImageAspectFlags aspects) {
  AppImage image;
  VkMemoryRequirements needed;
  bool cube = kind->view == VK_IMAGE_VIEW_TYPE_CUBE;
  const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                  .flags = cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
                                  .imageType = kind->type,
                                  .format = kind->format,
                                  .extent = kind->extent,
                                  .mipLevels = kind->levels,
                                  .arrayLayers = kind->layers,
                                  .samples = VK_SAMPLE_COUNT_1_BIT,
                                  .usage = kind->usage};
  CHECK(vkCreateImage(v->device, &info, NULL, &image.handle));
  vkGetImageMemoryRequirements(v->device, image.handle, &needed);
  image.memory = allocate(v, &needed, 0);
  CHECK(vkBindImageMemory(v->device, image.handle, image.memory, 0));
  const VkImageViewCreateInfo view = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
      .image = image.handle,
      .viewType = kind->view,
      .format = kind->format,
      .components = kind->components,
      .subresourceRange = {aspects, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
  CHECK(vkCreateImageView(v->device, &view, NULL, &image.view));
  return image;
}

AppImage app_image(const AppVulkan *v, const AppImageKind *kind, uint32_t texel_bytes,
                   uint32_t seed) {
  AppImageKind filled = *kind;
  filled.usage |= VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  AppImage image = app_target(v, &filled, VK_IMAGE_ASPECT_COLOR_BIT);
  fill(v, kind, image.handle, texel_bytes, seed);
  return image;
}

void app_image_free(const AppVulkan *v, AppImage *image) {
  vkDestroyImageView(v->device, image->view, NULL);
  vkDestroyImage(v->device, image->handle, NULL);
  vkFreeMemory(v->device, image->memory, NULL);
}
