/* SPDX-License-Identifier: Apache-2.0 */
/* hook_resource: follows buffers, images, views and samplers. Buffers and images get one more usage: a
 * source of transfers. */
#include "harness/capture/capture_device.h"
#include "harness/layer/support/in_chain.h"

#include <stdlib.h>

/* ---- buffers --------------------------------------------------------------------------------- */

static const char *buffer_refusal(const VkBufferCreateInfo *info) {
  if (info->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT)
    return "a sparse buffer";
  if (info->flags & VK_BUFFER_CREATE_PROTECTED_BIT)
    return "a protected buffer";
  return NULL;
}

static VkBufferCreateInfo copied_buffer(const VkBufferCreateInfo *info) {
  VkBufferCreateInfo changed = *info;
  changed.usage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
  return changed;
}

VkResult VKAPI_CALL cp_CreateBuffer(VkDevice handle, const VkBufferCreateInfo *info,
                                    const VkAllocationCallbacks *allocator, VkBuffer *buffer) {
  CpDevice *d = cp_device_of(handle);
  const VkBufferCreateInfo changed = copied_buffer(info);
  VkResult result = d->next.CreateBuffer(handle, &changed, allocator, buffer);
  if (result != VK_SUCCESS)
    return result;
  const CpBuffer record = {.handle = *buffer, .size = info->size, .refusal = buffer_refusal(info)};
  cp_device_keep(d, &d->buffers, CP_HANDLE(*buffer), &record, sizeof record);
  return result;
}

CP_DESTROY(Buffer, buffers, free)

static void place(CpDevice *d, VkBuffer handle, VkDeviceMemory memory, VkDeviceSize at) {
  pthread_mutex_lock(&d->lock);
  CpBuffer *buffer = cp_handles_find(&d->buffers, CP_HANDLE(handle));
  if (buffer) {
    buffer->memory = memory;
    buffer->at = at;
  }
  pthread_mutex_unlock(&d->lock);
}

VkResult VKAPI_CALL cp_BindBufferMemory(VkDevice handle, VkBuffer buffer, VkDeviceMemory memory,
                                        VkDeviceSize at) {
  CpDevice *d = cp_device_of(handle);
  place(d, buffer, memory, at);
  return d->next.BindBufferMemory(handle, buffer, memory, at);
}

VkResult VKAPI_CALL cp_BindBufferMemory2(VkDevice handle, uint32_t count,
                                         const VkBindBufferMemoryInfo *infos) {
  CpDevice *d = cp_device_of(handle);
  for (uint32_t i = 0; i < count; i++)
    place(d, infos[i].buffer, infos[i].memory, infos[i].memoryOffset);
  return d->next.BindBufferMemory2(handle, count, infos);
}

void VKAPI_CALL cp_GetDeviceBufferMemoryRequirements(VkDevice handle,
                                                     const VkDeviceBufferMemoryRequirements *info,
                                                     VkMemoryRequirements2 *requirements) {
  CpDevice *d = cp_device_of(handle);
  const VkBufferCreateInfo changed = copied_buffer(info->pCreateInfo);
  VkDeviceBufferMemoryRequirements asked = *info;
  asked.pCreateInfo = &changed;
  d->next.GetDeviceBufferMemoryRequirements(handle, &asked, requirements);
}

/* ---- images ---------------------------------------------------------------------------------- */

/* Images that other programs share keep their usage, on which their layout may depend. */
static bool is_shared(const VkImageCreateInfo *info) {
  return ly_in_chain(info->pNext, VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO) ||
         ly_in_chain(info->pNext, VK_STRUCTURE_TYPE_IMAGE_SWAPCHAIN_CREATE_INFO_KHR) ||
         info->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
}

static const char *image_refusal(const VkImageCreateInfo *info) {
  bool readable = info->usage & VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  if (info->flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT)
    return "a sparse image";
  if (info->flags & VK_IMAGE_CREATE_PROTECTED_BIT)
    return "a protected image";
  if (info->samples != VK_SAMPLE_COUNT_1_BIT)
    return "a multisampled image";
  if (!readable && is_shared(info))
    return "an image that is shared with other programs";
  if (info->usage & VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT)
    return "a transient image";
  return NULL;
}

static VkImageCreateInfo copied_image(const VkImageCreateInfo *info) {
  VkImageCreateInfo changed = *info;
  if (!is_shared(info) && !(info->usage & VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT))
    changed.usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  return changed;
}

VkResult VKAPI_CALL cp_CreateImage(VkDevice handle, const VkImageCreateInfo *info,
                                   const VkAllocationCallbacks *allocator, VkImage *image) {
  CpDevice *d = cp_device_of(handle);
  const VkImageCreateInfo changed = copied_image(info);
  VkResult result = d->next.CreateImage(handle, &changed, allocator, image);
  if (result != VK_SUCCESS)
    return result;
  const CpImage record = {.handle = *image,
                          .type = info->imageType,
                          .format = info->format,
                          .extent = info->extent,
                          .levels = info->mipLevels,
                          .layers = info->arrayLayers,
                          .refusal = image_refusal(info)};
  cp_device_keep(d, &d->images, CP_HANDLE(*image), &record, sizeof record);
  return result;
}

CP_DESTROY(Image, images, free)

void VKAPI_CALL cp_GetDeviceImageMemoryRequirements(VkDevice handle,
                                                    const VkDeviceImageMemoryRequirements *info,
                                                    VkMemoryRequirements2 *requirements) {
  CpDevice *d = cp_device_of(handle);
  const VkImageCreateInfo changed = copied_image(info->pCreateInfo);
  VkDeviceImageMemoryRequirements asked = *info;
  asked.pCreateInfo = &changed;
  d->next.GetDeviceImageMemoryRequirements(handle, &asked, requirements);
}

/* ---- views ----------------------------------------------------------------------------------- */

static const char *view_refusal(const VkImageViewCreateInfo *info) {
  if (ly_in_chain(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO))
    return "an image view with a YCbCr conversion";
  return NULL;
}

VkResult VKAPI_CALL cp_CreateImageView(VkDevice handle, const VkImageViewCreateInfo *info,
                                       const VkAllocationCallbacks *allocator, VkImageView *view) {
  CpDevice *d = cp_device_of(handle);
  VkResult result = d->next.CreateImageView(handle, info, allocator, view);
  if (result != VK_SUCCESS)
    return result;
  CpView record = {.image = info->image,
                   .type = info->viewType,
                   .format = info->format,
                   .components = info->components,
                   .range = info->subresourceRange,
                   .refusal = view_refusal(info)};
  pthread_mutex_lock(&d->lock);
  const CpImage *image = cp_handles_find(&d->images, CP_HANDLE(info->image));
  if (image && record.range.levelCount == VK_REMAINING_MIP_LEVELS)
    record.range.levelCount = image->levels - record.range.baseMipLevel;
  if (image && record.range.layerCount == VK_REMAINING_ARRAY_LAYERS)
    record.range.layerCount = image->layers - record.range.baseArrayLayer;
  pthread_mutex_unlock(&d->lock);
  cp_device_keep(d, &d->views, CP_HANDLE(*view), &record, sizeof record);
  return result;
}

CP_DESTROY(ImageView, views, free)

VkResult VKAPI_CALL cp_CreateBufferView(VkDevice handle, const VkBufferViewCreateInfo *info,
                                        const VkAllocationCallbacks *allocator,
                                        VkBufferView *view) {
  CpDevice *d = cp_device_of(handle);
  VkResult result = d->next.CreateBufferView(handle, info, allocator, view);
  if (result != VK_SUCCESS)
    return result;
  const CpTexelView record = {info->buffer, info->format, info->offset, info->range};
  cp_device_keep(d, &d->texel_views, CP_HANDLE(*view), &record, sizeof record);
  return result;
}

CP_DESTROY(BufferView, texel_views, free)

/* ---- samplers -------------------------------------------------------------------------------- */

static const char *sampler_refusal(const VkSamplerCreateInfo *info) {
  if (ly_in_chain(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO))
    return "a sampler with a reduction mode";
  if (ly_in_chain(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO))
    return "a sampler with a YCbCr conversion";
  if (ly_in_chain(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT))
    return "a sampler with a border colour of its own";
  if (info->magFilter > VK_FILTER_LINEAR || info->minFilter > VK_FILTER_LINEAR)
    return "a sampler with a cubic filter";
  return NULL;
}

VkResult VKAPI_CALL cp_CreateSampler(VkDevice handle, const VkSamplerCreateInfo *info,
                                     const VkAllocationCallbacks *allocator, VkSampler *sampler) {
  CpDevice *d = cp_device_of(handle);
  VkResult result = d->next.CreateSampler(handle, info, allocator, sampler);
  if (result != VK_SUCCESS)
    return result;
  CpSampler record = {*info, sampler_refusal(info)};
  record.info.pNext = NULL;
  cp_device_keep(d, &d->samplers, CP_HANDLE(*sampler), &record, sizeof record);
  return result;
}

CP_DESTROY(Sampler, samplers, free)
