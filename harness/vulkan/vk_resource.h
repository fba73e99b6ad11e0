/* vk_resource: what stands on the device for one buffer of a script.
 *
 * A script's buffer is a string of bytes that pipelines may see as a Vulkan buffer, as an image, or
 * as either in turn. So there are up to two copies, and two bits say which are up to date: the
 * bytes (mapped memory of the Vulkan buffer, or plain memory where no pipeline needs one) and the
 * image. A use brings its own copy up to date; a write makes the other stale. At least one is up to
 * date at any time. Bytes are in the script's layout; depth and stencil planes pass through a
 * staging buffer of their own, as Vulkan copies them apart. Level 0 only is kept in bytes; other
 * mip levels start as zeros and live in the image alone. */
#ifndef VH_RESOURCE_H
#define VH_RESOURCE_H

#include "vulkan/vk_memory.h"

typedef struct VhResource {
  const AmberBuffer *declared;
  uint8_t *bytes;  /* declared->size of them */
  bool owns_bytes; /* else they are buffer.mapped */
  VhBuffer buffer; /* none where only the host looks at it */
  VhBuffer planes; /* staging of images whose copies are not the script's bytes */
  VhImage image;   /* none where no pipeline sees an image */
  bool bytes_current, image_current;
  bool levels_current; /* the other mip levels hold what the script made of them */
  bool laid_out;       /* the image is in VK_IMAGE_LAYOUT_GENERAL */
} VhResource;

bool vh_resource_create(VhDevice *device, const AmberBuffer *declared,
                        VhResource *resource) VH_MUST_USE;
void vh_resource_destroy(VhDevice *device, VhResource *resource);
/* Back to the contents at the script's start. */
void vh_resource_reset(VhResource *resource);

/* Brings the bytes up to date, by a submission of its own if need be. */
bool vh_resource_read(VhDevice *device, VhResource *resource) VH_MUST_USE;
/* Records what brings the image up to date; between vh_begin and vh_submit. */
void vh_resource_upload(VhDevice *device, VhResource *resource);
/* The device, or the host, has written to one of the two. */
void vh_resource_image_written(VhResource *resource);
void vh_resource_bytes_written(VhResource *resource);
/* Images of several samples have no bytes. */
bool vh_resource_readable(const VhResource *resource);

/* The copies between a mip level and a buffer, one for each aspect; returns how many. */
uint32_t vh_resource_copies(const VhResource *resource, uint32_t level,
                            VkBufferImageCopy copies[2]);
/* Texels of a mip level. */
uint32_t vh_resource_texels(const VhResource *resource, uint32_t level);

/* ---- vk_contents.c -------------------------------------------------------------------------- */

/* What the resource holds, for comparison: its bytes, behind them those of the other mip levels; of
 * colours with several samples what they resolve to. Depths with several samples cannot be had:
 * the contents stay empty. */
bool vh_contents_read(VhDevice *device, VhResource *resource, HnContents *contents) VH_MUST_USE;

#endif
