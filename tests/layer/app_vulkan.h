/* SPDX-License-Identifier: Apache-2.0 */
/* app_vulkan: the little that a program of the tests needs to dispatch on Vulkan. The process ends with a
 * message if a call fails. */
#ifndef APP_VULKAN_H
#define APP_VULKAN_H

#include <stdbool.h>
#include <vulkan/vulkan.h>

typedef struct AppVulkan {
  VkInstance instance;
  VkPhysicalDevice physical;
  VkDevice device;
  VkQueue queue;
  VkCommandPool pool;
  VkPhysicalDeviceMemoryProperties memory;
  bool pushes; /* VK_KHR_push_descriptor is there */
} AppVulkan;

typedef struct AppBuffer {
  VkBuffer handle;
  VkDeviceMemory memory;
  void *mapped;
} AppBuffer;

typedef struct AppImage {
  VkImage handle;
  VkDeviceMemory memory;
  VkImageView view;
} AppImage;

typedef struct AppImageKind {
  VkImageType type;
  VkImageViewType view;
  VkFormat format;
  VkExtent3D extent;
  uint32_t levels, layers;
  VkImageUsageFlags usage;
  VkImageLayout layout; /* that it gets after it is filled */
  VkComponentMapping components;
} AppImageKind;

void app_check(VkResult result, const char *what);
AppVulkan app_vulkan_open(void);
/* The same with Vulkan 1.3, these structures of features and these extensions. */
AppVulkan app_vulkan_open_newer(const void *features, const char *const *extensions,
                                uint32_t extension_count);
void app_vulkan_close(AppVulkan *vulkan);
VkShaderModule app_module(const AppVulkan *vulkan, const uint32_t *words, size_t count);
VkCommandBuffer app_begin(const AppVulkan *vulkan, VkCommandPool pool);
/* Submits and waits. */
void app_finish(const AppVulkan *vulkan, VkCommandBuffer commands);
AppBuffer app_buffer(const AppVulkan *vulkan, VkDeviceSize size, VkBufferUsageFlags usage);
void app_buffer_free(const AppVulkan *vulkan, AppBuffer *buffer);
/* An image with undefined contents. */
AppImage app_target(const AppVulkan *vulkan, const AppImageKind *kind, VkImageAspectFlags aspects);
/* An image whose bytes, of all levels and layers, follow from `seed`. */
AppImage app_image(const AppVulkan *vulkan, const AppImageKind *kind, uint32_t texel_bytes,
                   uint32_t seed);
void app_image_free(const AppVulkan *vulkan, AppImage *image);

#endif
