/* SPDX-License-Identifier: Apache-2.0 */
/* shot_piece: sizes of the levels of an image's piece; see shot.h. */
#include "harness/capture/shot.h"

#include "spv-emu/format/format_planes.h"

static uint32_t at_level(uint32_t extent, uint32_t level) {
  return extent >> level ? extent >> level : 1;
}

VkExtent3D cp_piece_extent(const CpPiece *piece, uint32_t level) {
  uint32_t at = piece->view.range.baseMipLevel + level;
  return (VkExtent3D){at_level(piece->of.extent.width, at), at_level(piece->of.extent.height, at),
                      at_level(piece->of.extent.depth, at)};
}

VkDeviceSize cp_piece_level_bytes(const CpPiece *piece, uint32_t level) {
  VkExtent3D extent = cp_piece_extent(piece, level);
  return (VkDeviceSize)extent.width * extent.height * extent.depth * piece->view.range.layerCount *
         emu_format_numbered(piece->format)->bytes;
}

VkDeviceSize cp_piece_copied(const CpPiece *piece) {
  const EmuFormat *format = piece->image ? emu_format_numbered(piece->format) : NULL;
  return format && emu_planes_needed(format)
             ? emu_planes_size(format, (uint32_t)(piece->size / format->bytes))
             : piece->size;
}
