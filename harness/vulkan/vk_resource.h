/* SPDX-License-Identifier: Apache-2.0 */
/* vk_resource: the Vulkan buffer and image of one buffer of a script.
 *
 * A script's buffer is a sequence of bytes that pipelines may see as a Vulkan buffer, as an image,
 * or as both in turn. So there are up to two copies, and two bits say which of them are up to date:
 * the bytes (mapped memory of the Vulkan buffer, or plain memory if no pipeline needs one) and the
 * image. A use first updates the copy that it needs; a write makes the other copy stale. At least
 * one is up to date at any time. Bytes are in the script's layout; depth and stencil go through a
 * staging buffer, because Vulkan copies them separately. The bytes hold level 0 only; the other mip
 * levels, which start as the script says or as zeros, exist in the image only. */
#ifndef VH_RESOURCE_H
#define VH_RESOURCE_H

#include "harness/vulkan/vk_memory.h"

typedef struct VhResource {
  const AmberBuffer *declared;
  uint8_t *bytes;  /* declared->size bytes */
  bool owns_bytes; /* else they are buffer.mapped */
  VhBuffer buffer; /* none if only the host uses it */
  VhBuffer planes; /* staging for images whose copies differ from the script's bytes */
  VhBuffer levels; /* initial contents of the other mip levels, if the script gives them */
  VhImage image;   /* none if no pipeline sees an image */
  bool bytes_current, image_current;
  bool levels_current; /* the other mip levels hold results of the script */
  bool laid_out;       /* the image is in VK_IMAGE_LAYOUT_GENERAL */
} VhResource;

bool vh_resource_create(VhDevice *device, const AmberBuffer *declared,
                        VhResource *resource) VH_MUST_USE;
void vh_resource_destroy(VhDevice *device, VhResource *resource);
/* Restores the initial contents. */
void vh_resource_reset(VhResource *resource);

/* Updates the bytes, in a separate submission if needed. */
bool vh_resource_read(VhDevice *device, VhResource *resource) VH_MUST_USE;
/* Records the update of the image; to be called between vh_begin and vh_submit. */
void vh_resource_upload(VhDevice *device, VhResource *resource);
/* The device or the host has written to the image (first function), or to the bytes (second
 * function). */
void vh_resource_image_written(VhResource *resource);
void vh_resource_bytes_written(VhResource *resource);
/* False if only the image is up to date and is multisampled: its texels cannot be copied to the
 * bytes. */
bool vh_resource_readable(const VhResource *resource);

/* Fills in the copies between a mip level and a buffer, one for each aspect; returns their
 * number. */
uint32_t vh_resource_copies(const VhResource *resource, uint32_t level,
                            VkBufferImageCopy copies[2]);
/* Texels of a mip level. */
uint32_t vh_resource_texels(const VhResource *resource, uint32_t level);

/* ---- vk_contents.c -------------------------------------------------------------------------- */

/* Reads the contents for comparison: the bytes, followed by those of the other mip levels;
 * multisampled colours are resolved. Multisampled depths cannot be read, so their contents stay
 * empty. */
bool vh_contents_read(VhDevice *device, VhResource *resource, HnContents *contents) VH_MUST_USE;

#endif
