/* SPDX-License-Identifier: Apache-2.0 */
/* vk_memory: see vk_memory.h. */
#include "harness/vulkan/vk_memory.h"

#include "harness/base/memory_type.h"

/* Allocates memory with the required properties, and with the preferred ones if possible; `next`: a
 * structure that extends the call, or NULL. */
static bool allocate(VhDevice *device, const VkMemoryRequirements *needed,
                     VkMemoryPropertyFlags required, VkMemoryPropertyFlags preferred,
                     const void *next, VkDeviceMemory *memory) {
  uint32_t type = hn_memory_type(&device->memory, needed->memoryTypeBits, required, preferred);
  if (type == UINT32_MAX)
    return vh_fail(&device->error, HN_FAIL, "the device has no memory of the right type");
  VkMemoryAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .pNext = next,
      .allocationSize = needed->size,
      .memoryTypeIndex = type,
  };
  return VH_CALL(device, AllocateMemory, device->handle, &info, NULL, memory);
}

/* ---- buffers -------------------------------------------------------------------------------- */

/* The function is of Vulkan 1.2, or of an extension before that. */
static bool find_address(VhDevice *device, VhBuffer *buffer) {
  PFN_vkGetBufferDeviceAddress get = (PFN_vkGetBufferDeviceAddress)device->vk.GetDeviceProcAddr(
      device->handle, "vkGetBufferDeviceAddress");
  if (!get)
    get = (PFN_vkGetBufferDeviceAddress)device->vk.GetDeviceProcAddr(device->handle,
                                                                     "vkGetBufferDeviceAddressKHR");
  if (!get)
    return vh_fail(&device->error, HN_SKIP, "the device has no addresses of buffers");
  const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                          .buffer = buffer->handle};
  buffer->address = get(device->handle, &info);
  return true;
}

bool vh_buffer_create(VhDevice *device, VkDeviceSize size, VkBufferUsageFlags usage,
                      VhBuffer *buffer) {
  VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = size ? size : 4, /* Vulkan has no empty buffers */
      .usage = usage,
  };
  if (!VH_CALL(device, CreateBuffer, device->handle, &info, NULL, &buffer->handle))
    return false;
  VkMemoryRequirements needed;
  device->vk.GetBufferMemoryRequirements(device->handle, buffer->handle, &needed);
  void *mapped;
  bool addressed = usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                           .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
  if (!allocate(device, &needed,
                VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                VK_MEMORY_PROPERTY_HOST_CACHED_BIT, addressed ? &flags : NULL, &buffer->memory) ||
      !VH_CALL(device, BindBufferMemory, device->handle, buffer->handle, buffer->memory, 0) ||
      !VH_CALL(device, MapMemory, device->handle, buffer->memory, 0, VK_WHOLE_SIZE, 0, &mapped))
    return false;
  buffer->mapped = mapped;
  return !addressed || find_address(device, buffer);
}

void vh_buffer_destroy(VhDevice *device, VhBuffer *buffer) {
  device->vk.DestroyBuffer(device->handle, buffer->handle, NULL);
  device->vk.FreeMemory(device->handle, buffer->memory, NULL); /* also unmaps it */
  *buffer = (VhBuffer){0};
}

/* ---- images --------------------------------------------------------------------------------- */

static bool is_offered(VhDevice *device, const VkImageCreateInfo *info, const char *what) {
  VkImageFormatProperties limits;
  VkResult result = device->vk.GetPhysicalDeviceImageFormatProperties(
      device->physical, info->format, info->imageType, info->tiling, info->usage, info->flags,
      &limits);
  if (result == VK_ERROR_FORMAT_NOT_SUPPORTED)
    return vh_fail(&device->error, HN_SKIP, "%s: the device lacks the image format", what);
  if (!vh_check(&device->error, result, "vkGetPhysicalDeviceImageFormatProperties"))
    return false;
  if (info->extent.width > limits.maxExtent.width ||
      info->extent.height > limits.maxExtent.height ||
      info->extent.depth > limits.maxExtent.depth || info->mipLevels > limits.maxMipLevels ||
      info->arrayLayers > limits.maxArrayLayers)
    return vh_fail(&device->error, HN_SKIP, "%s: too large an image for the device", what);
  return (limits.sampleCounts & info->samples) ||
         vh_fail(&device->error, HN_SKIP, "%s: the device lacks images of %u samples", what,
                 (unsigned)info->samples);
}

static bool is_cube(const VhImage *image) {
  return image->view_type == VK_IMAGE_VIEW_TYPE_CUBE ||
         image->view_type == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
}

bool vh_image_create(VhDevice *device, VkImageUsageFlags usage, const char *what, VhImage *image) {
  VkImageCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .flags = is_cube(image) ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
      .imageType = image->type,
      .format = image->format,
      .extent = image->extent,
      .mipLevels = image->mip_levels,
      .arrayLayers = image->layers,
      .samples = image->samples,
      .tiling = VK_IMAGE_TILING_OPTIMAL,
      .usage = usage,
  };
  if (!is_offered(device, &info, what) ||
      !VH_CALL(device, CreateImage, device->handle, &info, NULL, &image->handle))
    return false;
  VkMemoryRequirements needed;
  device->vk.GetImageMemoryRequirements(device->handle, image->handle, &needed);
  return allocate(device, &needed, 0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, NULL, &image->memory) &&
         VH_CALL(device, BindImageMemory, device->handle, image->handle, image->memory, 0);
}

void vh_image_destroy(VhDevice *device, VhImage *image) {
  device->vk.DestroyImage(device->handle, image->handle, NULL);
  device->vk.FreeMemory(device->handle, image->memory, NULL);
  *image = (VhImage){0};
}

void vh_image_lay_out(VhDevice *device, const VhImage *image) {
  VkImageMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
      .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
      .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
      .newLayout = VK_IMAGE_LAYOUT_GENERAL,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .image = image->handle,
      .subresourceRange = {image->aspects, 0, VK_REMAINING_MIP_LEVELS, 0,
                           VK_REMAINING_ARRAY_LAYERS},
  };
  device->vk.CmdPipelineBarrier(device->commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                                VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1,
                                &barrier);
}

static uint32_t halved(uint32_t size, uint32_t times) {
  uint32_t left = times < 32 ? size >> times : 0;
  return left ? left : 1;
}

VkExtent3D vh_image_level(const VhImage *image, uint32_t level) {
  return (VkExtent3D){halved(image->extent.width, level), halved(image->extent.height, level),
                      halved(image->extent.depth, level)};
}

bool vh_image_view(VhDevice *device, const VhImage *image, VkImageAspectFlags aspects,
                   uint32_t base, uint32_t levels, const uint8_t *swizzle, VkImageView *view) {
  VkImageViewCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
      .image = image->handle,
      .viewType = image->view_type,
      .format = image->format,
      .subresourceRange = {aspects, base, levels, 0, image->layers},
  };
  if (swizzle)
    info.components =
        (VkComponentMapping){(VkComponentSwizzle)swizzle[0], (VkComponentSwizzle)swizzle[1],
                             (VkComponentSwizzle)swizzle[2], (VkComponentSwizzle)swizzle[3]};
  return VH_CALL(device, CreateImageView, device->handle, &info, NULL, view);
}
