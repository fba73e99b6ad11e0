/* SPDX-License-Identifier: Apache-2.0 */
/* vk_memory: buffers and images with memory of their own.
 *
 * Buffers live in host-visible, coherent memory and stay mapped: a script's buffers are small and
 * read back in full, so staging would only add copies. Images live in memory that the driver
 * prefers, and are filled and read through a buffer. All images stay in VK_IMAGE_LAYOUT_GENERAL,
 * which is valid for every use that a script makes of them. */
#ifndef VH_MEMORY_H
#define VH_MEMORY_H

#include "harness/vulkan/vk_device.h"

typedef struct VhBuffer {
  VkBuffer handle;
  VkDeviceMemory memory;
  uint8_t *mapped;
  VkDeviceAddress address; /* with usage SHADER_DEVICE_ADDRESS */
} VhBuffer;

bool vh_buffer_create(VhDevice *device, VkDeviceSize size, VkBufferUsageFlags usage,
                      VhBuffer *buffer) VH_MUST_USE;
void vh_buffer_destroy(VhDevice *device, VhBuffer *buffer);

typedef struct VhImage {
  VkImage handle;
  VkDeviceMemory memory;
  VkImageType type;
  VkImageViewType view_type;
  uint32_t layers;
  VkFormat format;
  VkExtent3D extent;
  uint32_t mip_levels;
  VkSampleCountFlagBits samples;
  VkImageAspectFlags aspects;
} VhImage;

/* Creates the image that the fields after `memory` describe. If the device lacks the format, size
 * or number of samples, fails with a skip; `what` says in its message what the image is for. */
bool vh_image_create(VhDevice *device, VkImageUsageFlags usage, const char *what,
                     VhImage *image) VH_MUST_USE;
void vh_image_destroy(VhDevice *device, VhImage *image);
/* Records the change to VK_IMAGE_LAYOUT_GENERAL; to be called once for each image. */
void vh_image_lay_out(VhDevice *device, const VhImage *image);
VkExtent3D vh_image_level(const VhImage *image, uint32_t level);
/* A view of `levels` mip levels, the first of which is `base`. swizzle: four numbers of
 * VkComponentSwizzle, or NULL. */
bool vh_image_view(VhDevice *device, const VhImage *image, VkImageAspectFlags aspects,
                   uint32_t base, uint32_t levels, const uint8_t *swizzle,
                   VkImageView *view) VH_MUST_USE;

#endif
