/* SPDX-License-Identifier: Apache-2.0 */
/* vk_contents: the contents of a resource at the end of a run, so that variants can be compared;
 * see vk_resource.h. */
#include "harness/vulkan/vk_resource.h"
#include "harness/vulkan/vk_submit.h"
#include "spv-emu/format/format_planes.h"

#include <stdlib.h>
#include <string.h>

/* ---- one mip level --------------------------------------------------------------------------- */

static size_t level_bytes(const VhResource *resource, uint32_t level) {
  return (size_t)vh_resource_texels(resource, level) * resource->declared->format->bytes;
}

/* Copies texels from staging memory to the script's layout. */
static void unstage(const VhResource *resource, uint32_t level, const uint8_t *staged,
                    uint8_t *bytes) {
  if (resource->planes.handle)
    emu_planes_join(resource->declared->format, staged, vh_resource_texels(resource, level), bytes);
  else
    memcpy(bytes, staged, level_bytes(resource, level));
}

static bool create_staging(VhDevice *device, const VhResource *resource, uint32_t level,
                           VhBuffer *staging) {
  size_t size = resource->planes.handle ? emu_planes_size(resource->declared->format,
                                                          vh_resource_texels(resource, level))
                                        : level_bytes(resource, level);
  return vh_buffer_create(device, size, VK_BUFFER_USAGE_TRANSFER_DST_BIT, staging);
}

static bool read_level(VhDevice *device, const VhResource *resource, uint32_t level,
                       uint8_t *bytes) {
  VhBuffer staging = {0};
  bool done = create_staging(device, resource, level, &staging) && vh_begin(device);
  if (done) {
    VkBufferImageCopy copies[2];
    uint32_t count = vh_resource_copies(resource, level, copies);
    device->vk.CmdCopyImageToBuffer(device->commands, resource->image.handle,
                                    VK_IMAGE_LAYOUT_GENERAL, staging.handle, count, copies);
    done = vh_submit(device);
  }
  if (done)
    unstage(resource, level, staging.mapped, bytes);
  if (!device->hung)
    vh_buffer_destroy(device, &staging);
  return done;
}

static bool read_levels(VhDevice *device, const VhResource *resource, uint8_t *bytes) {
  for (uint32_t level = 1; resource->levels_current && level < resource->image.mip_levels;
       level++) {
    if (!read_level(device, resource, level, bytes))
      return false;
    bytes += level_bytes(resource, level);
  }
  return true;
}

/* ---- multisampled images --------------------------------------------------------------------- */

static void record_resolve(VhDevice *device, const VhResource *resource, const VhImage *single,
                           const VhBuffer *staging) {
  const VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  VkImageResolve resolve = {
      .srcSubresource = layers, .dstSubresource = layers, .extent = single->extent};
  VkBufferImageCopy copies[2];
  uint32_t count = vh_resource_copies(resource, 0, copies);
  vh_image_lay_out(device, single);
  device->vk.CmdResolveImage(device->commands, resource->image.handle, VK_IMAGE_LAYOUT_GENERAL,
                             single->handle, VK_IMAGE_LAYOUT_GENERAL, 1, &resolve);
  vh_barrier(device);
  device->vk.CmdCopyImageToBuffer(device->commands, single->handle, VK_IMAGE_LAYOUT_GENERAL,
                                  staging->handle, count, copies);
}

static bool read_resolved(VhDevice *device, const VhResource *resource, uint8_t *bytes) {
  const VkImageUsageFlags usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                  VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                  VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  VhImage single = resource->image;
  single.handle = VK_NULL_HANDLE;
  single.memory = VK_NULL_HANDLE;
  single.samples = VK_SAMPLE_COUNT_1_BIT;
  VhBuffer staging = {0};
  bool done = vh_image_create(device, usage, resource->declared->name, &single) &&
              create_staging(device, resource, 0, &staging) && vh_begin(device);
  if (done) {
    record_resolve(device, resource, &single, &staging);
    done = vh_submit(device);
  }
  if (done)
    unstage(resource, 0, staging.mapped, bytes);
  if (!device->hung) {
    vh_buffer_destroy(device, &staging);
    vh_image_destroy(device, &single);
  }
  return done;
}

/* ---- all contents of a buffer ---------------------------------------------------------------- */

static size_t size_of(const VhResource *resource) {
  size_t size = resource->declared->size;
  for (uint32_t level = 1; resource->image.handle && level < resource->image.mip_levels; level++)
    size += level_bytes(resource, level);
  return size;
}

static bool read_bytes(VhDevice *device, VhResource *resource, uint8_t *bytes) {
  if (!vh_resource_read(device, resource))
    return false;
  if (resource->declared->size)
    memcpy(bytes, resource->bytes, resource->declared->size);
  return !resource->image.handle || read_levels(device, resource, bytes + resource->declared->size);
}

bool vh_contents_read(VhDevice *device, VhResource *resource, HnContents *contents) {
  bool readable = vh_resource_readable(resource);
  if (!readable && resource->image.aspects != VK_IMAGE_ASPECT_COLOR_BIT)
    return true;
  contents->size = size_of(resource);
  contents->bytes = calloc(1, contents->size + 1);
  if (!contents->bytes)
    return vh_out_of_memory(&device->error);
  return readable ? read_bytes(device, resource, contents->bytes)
                  : read_resolved(device, resource, contents->bytes);
}
