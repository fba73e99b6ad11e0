/* SPDX-License-Identifier: Apache-2.0 */
/* resource: images and samplers, as image instructions see them.
 *
 * Decoded programs name an image or sampler by its index in a table, in which a binding's
 * descriptors are consecutive (EmuBinding.first). If the index is past the table, or nothing is
 * bound to the entry, reads give zeros and writes are dropped; both count as out of bounds. */
#ifndef EMU_RESOURCE_H
#define EMU_RESOURCE_H

#include "spv-emu/engine/engine.h"
#include "spv-emu/format/raster_state.h"

/* Texels are tightly packed: level by level; within a level, layer by layer (a cube's faces are
 * layers); within a layer, slice by slice, row by row; the samples of a texel are consecutive. A
 * texel buffer is an image of one row. Level n has max(1, size >> n) texels along each side. */
typedef struct EmuImage {
  const EmuFormat *format; /* NULL: nothing is bound */
  uint8_t *bytes;
  uint64_t size;
  uint32_t width, height, depth; /* of level 0 */
  uint32_t layers, levels, samples;
  uint8_t swizzle[4]; /* VkComponentSwizzle of each component that is read */
} EmuImage;

typedef struct EmuSampler {
  const EmuSamplerState *as; /* NULL: nothing is bound */
  bool linear_levels;        /* VK_SAMPLER_MIPMAP_MODE_LINEAR, else nearest */
  float lod_bias;
  bool inside; /* OpenCL's CLK_ADDRESS_NONE: coordinates outside of the image are undefined */
} EmuSampler;

typedef struct EmuImages {
  EmuImage *images;
  uint32_t image_count;
  EmuSampler *samplers;
  uint32_t sampler_count;
} EmuImages;

#endif
