/* SPDX-License-Identifier: Apache-2.0 */
/* vk_resource: see vk_resource.h. */
#include "harness/vulkan/vk_resource.h"

#include "harness/vulkan/vk_submit.h"
#include "spv-emu/format/format_planes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- creation ------------------------------------------------------------------------------- */

static VkBufferUsageFlags buffer_usage(uint32_t uses) {
  static const struct {
    uint32_t use;
    VkBufferUsageFlags usage;
  } table[] = {
      {AMBER_USE_STORAGE, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT},
      {AMBER_USE_UNIFORM, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT},
      {AMBER_USE_UNIFORM_TEXEL, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT},
      {AMBER_USE_STORAGE_TEXEL, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT},
      {AMBER_USE_VERTEX, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT},
      {AMBER_USE_INDEX, VK_BUFFER_USAGE_INDEX_BUFFER_BIT},
      {AMBER_USE_ADDRESS, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT},
  };
  VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (uses & table[i].use)
      usage |= table[i].usage;
  return usage;
}

static VkImageUsageFlags image_usage(uint32_t uses) {
  static const struct {
    uint32_t use;
    VkImageUsageFlags usage;
  } table[] = {
      {AMBER_USE_SAMPLED_IMAGE, VK_IMAGE_USAGE_SAMPLED_BIT},
      {AMBER_USE_STORAGE_IMAGE, VK_IMAGE_USAGE_STORAGE_BIT},
      {AMBER_USE_COLOR | AMBER_USE_RESOLVE, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT},
      {AMBER_USE_DEPTH_STENCIL, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT},
  };
  VkImageUsageFlags usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (uses & table[i].use)
      usage |= table[i].usage;
  return usage;
}

static VkImageAspectFlags aspects_of(const EmuFormat *format) {
  bool depth = emu_format_has(format, 'D'), stencil = emu_format_has(format, 'S');
  if (!depth && !stencil)
    return VK_IMAGE_ASPECT_COLOR_BIT;
  return (depth ? VK_IMAGE_ASPECT_DEPTH_BIT : 0u) | (stencil ? VK_IMAGE_ASPECT_STENCIL_BIT : 0u);
}

static VkImageViewType view_type(const AmberBuffer *declared) {
  static const VkImageViewType types[][3] = {
      [AMBER_PLAIN] = {VK_IMAGE_VIEW_TYPE_1D, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_3D},
      [AMBER_LAYERED] = {VK_IMAGE_VIEW_TYPE_1D_ARRAY, VK_IMAGE_VIEW_TYPE_2D_ARRAY},
      [AMBER_CUBE] = {[1] = VK_IMAGE_VIEW_TYPE_CUBE},
      [AMBER_CUBE_ARRAY] = {[1] = VK_IMAGE_VIEW_TYPE_CUBE_ARRAY},
  };
  return types[declared->array][declared->dimensions - 1];
}

static bool create_image(VhDevice *device, VhResource *resource) {
  const AmberBuffer *declared = resource->declared;
  if (!amber_buffer_is_texels(declared))
    return vh_fail(&device->error, HN_SKIP, "buffer %s cannot be an image", declared->name);
  static const VkImageType types[] = {VK_IMAGE_TYPE_1D, VK_IMAGE_TYPE_2D, VK_IMAGE_TYPE_3D};
  resource->image = (VhImage){
      .type = types[declared->dimensions - 1],
      .view_type = view_type(declared),
      .layers = amber_buffer_layers(declared),
      .format = (VkFormat)declared->format->vk,
      .extent = {declared->width, declared->height, declared->depth},
      .mip_levels = declared->mip_levels,
      .samples = (VkSampleCountFlagBits)declared->samples,
      .aspects = aspects_of(declared->format),
  };
  char *what = NULL;
  if (asprintf(&what, "image %s (%s)", declared->name, declared->format->name) < 0)
    return vh_out_of_memory(&device->error);
  bool created =
      vh_image_create(device, image_usage(declared->uses), what, &resource->image) &&
      (!emu_planes_needed(declared->format) ||
       vh_buffer_create(device, emu_planes_size(declared->format, declared->element_count),
                        buffer_usage(0), &resource->planes));
  free(what);
  return created;
}

/* The contents of the other mip levels that the script gives. */
static bool create_levels(VhDevice *device, VhResource *resource) {
  const AmberBuffer *declared = resource->declared;
  size_t size = 0;
  for (uint32_t level = 1; declared->levels && level < declared->mip_levels; level++)
    size += (size_t)amber_buffer_level_bytes(declared, level);
  if (!size || emu_planes_needed(declared->format))
    return true;
  if (!vh_buffer_create(device, size, buffer_usage(0), &resource->levels))
    return false;
  memcpy(resource->levels.mapped, declared->levels, size);
  return true;
}

/* Must a Vulkan buffer hold the bytes? Yes if a pipeline sees a buffer, or if they are copied to
 * the image without staging. */
static bool needs_buffer(const AmberBuffer *declared) {
  if (declared->uses & AMBER_USES_AS_BUFFER)
    return true;
  return declared->uses & AMBER_USES_AS_IMAGE && declared->format &&
         !emu_planes_needed(declared->format);
}

bool vh_resource_create(VhDevice *device, const AmberBuffer *declared, VhResource *resource) {
  *resource = (VhResource){.declared = declared};
  if (needs_buffer(declared)) {
    if (!vh_buffer_create(device, declared->size, buffer_usage(declared->uses), &resource->buffer))
      return false;
    resource->bytes = resource->buffer.mapped;
  } else {
    resource->owns_bytes = true;
    resource->bytes = malloc(declared->size + 1);
    if (!resource->bytes)
      return vh_out_of_memory(&device->error);
  }
  return !(declared->uses & AMBER_USES_AS_IMAGE) ||
         (create_image(device, resource) && create_levels(device, resource));
}

void vh_resource_destroy(VhDevice *device, VhResource *resource) {
  vh_image_destroy(device, &resource->image);
  vh_buffer_destroy(device, &resource->planes);
  vh_buffer_destroy(device, &resource->levels);
  vh_buffer_destroy(device, &resource->buffer);
  if (resource->owns_bytes)
    free(resource->bytes);
}

void vh_resource_reset(VhResource *resource) {
  if (resource->declared->size)
    memcpy(resource->bytes, resource->declared->bytes, resource->declared->size);
  resource->bytes_current = true;
  resource->image_current = resource->levels_current = false;
}

/* ---- which copy is up to date --------------------------------------------------------------- */

void vh_resource_image_written(VhResource *resource) {
  resource->image_current = true;
  resource->bytes_current = false;
}

void vh_resource_bytes_written(VhResource *resource) {
  resource->bytes_current = true;
  resource->image_current = false;
}

bool vh_resource_readable(const VhResource *resource) {
  return resource->bytes_current || resource->image.samples == VK_SAMPLE_COUNT_1_BIT;
}

/* ---- copies between bytes and image --------------------------------------------------------- */

static void lay_out(VhDevice *device, VhResource *resource) {
  if (resource->laid_out)
    return;
  vh_image_lay_out(device, &resource->image);
  resource->laid_out = true;
}

/* Fills all mip levels from `base` on with zeros. */
static void clear_levels(VhDevice *device, const VhImage *image, uint32_t base) {
  VkImageSubresourceRange range = {image->aspects, base, VK_REMAINING_MIP_LEVELS, 0,
                                   VK_REMAINING_ARRAY_LAYERS};
  VkClearColorValue color = {{0}};
  VkClearDepthStencilValue depth = {0};
  if (image->aspects == VK_IMAGE_ASPECT_COLOR_BIT)
    device->vk.CmdClearColorImage(device->commands, image->handle, VK_IMAGE_LAYOUT_GENERAL, &color,
                                  1, &range);
  else
    device->vk.CmdClearDepthStencilImage(device->commands, image->handle, VK_IMAGE_LAYOUT_GENERAL,
                                         &depth, 1, &range);
}

uint32_t vh_resource_texels(const VhResource *resource, uint32_t level) {
  VkExtent3D extent = vh_image_level(&resource->image, level);
  return extent.width * extent.height * extent.depth * resource->image.layers;
}

uint32_t vh_resource_copies(const VhResource *resource, uint32_t level,
                            VkBufferImageCopy copies[2]) {
  const EmuFormat *format = resource->declared->format;
  uint32_t count = 0;
  VkDeviceSize offset = 0;
  for (VkImageAspectFlags aspect = 1; aspect <= resource->image.aspects; aspect <<= 1) {
    if (!(resource->image.aspects & aspect))
      continue;
    copies[count++] = (VkBufferImageCopy){
        .bufferOffset = offset,
        .imageSubresource = {aspect, level, 0, resource->image.layers},
        .imageExtent = vh_image_level(&resource->image, level),
    };
    offset = emu_planes_stencil(format, vh_resource_texels(resource, level));
  }
  return count;
}

static void upload_levels(VhDevice *device, const VhResource *resource) {
  VkDeviceSize at = 0;
  for (uint32_t level = 1; level < resource->image.mip_levels; level++) {
    VkBufferImageCopy copies[2];
    uint32_t count = vh_resource_copies(resource, level, copies);
    copies->bufferOffset = at;
    device->vk.CmdCopyBufferToImage(device->commands, resource->levels.handle,
                                    resource->image.handle, VK_IMAGE_LAYOUT_GENERAL, count, copies);
    at += amber_buffer_level_bytes(resource->declared, level);
  }
}

static VkBuffer staging(const VhResource *resource) {
  return resource->planes.handle ? resource->planes.handle : resource->buffer.handle;
}

void vh_resource_upload(VhDevice *device, VhResource *resource) {
  if (resource->image_current)
    return;
  lay_out(device, resource);
  resource->image_current = true;
  bool single = resource->image.samples == VK_SAMPLE_COUNT_1_BIT;
  if (resource->levels.handle && !resource->levels_current)
    upload_levels(device, resource);
  else if (!single || (resource->image.mip_levels > 1 && !resource->levels_current))
    clear_levels(device, &resource->image, single);
  resource->levels_current = true;
  if (!single) {
    resource->bytes_current = false;
    return;
  }
  if (resource->planes.handle)
    emu_planes_split(resource->declared->format, resource->bytes, resource->declared->element_count,
                     resource->planes.mapped);
  VkBufferImageCopy copies[2];
  uint32_t count = vh_resource_copies(resource, 0, copies);
  device->vk.CmdCopyBufferToImage(device->commands, staging(resource), resource->image.handle,
                                  VK_IMAGE_LAYOUT_GENERAL, count, copies);
}

bool vh_resource_read(VhDevice *device, VhResource *resource) {
  if (resource->bytes_current)
    return true;
  if (!vh_begin(device))
    return false;
  VkBufferImageCopy copies[2];
  uint32_t count = vh_resource_copies(resource, 0, copies);
  device->vk.CmdCopyImageToBuffer(device->commands, resource->image.handle, VK_IMAGE_LAYOUT_GENERAL,
                                  staging(resource), count, copies);
  if (!vh_submit(device))
    return false;
  if (resource->planes.handle)
    emu_planes_join(resource->declared->format, resource->planes.mapped,
                    resource->declared->element_count, resource->bytes);
  resource->bytes_current = true;
  return true;
}
