/* SPDX-License-Identifier: Apache-2.0 */
/* capture_copies: the memory of a shot's copies, and the commands that fill it; see shot.h.
 *
 * Barriers order the commands: first all earlier commands, then the copies, then the dispatch; and
 * then copies again. An image is copied from the layout that its descriptor names. For the copy,
 * its layout changes to that of a transfer source, and back. The copies run one after the other, so
 * that views of one image do not interfere. */
#include "harness/capture/shot.h"

#include "harness/base/memory_type.h"
#include "spv-emu/format/format_planes.h"

#include <string.h>

enum { ALIGNMENT = 16 };

/* ---- memory ---------------------------------------------------------------------------------- */

/* Vulkan wants the place of texels to be a multiple of their size and of four. */
static VkDeviceSize alignment_of(const CpPiece *piece) {
  return piece->image ? 4 * (VkDeviceSize)emu_format_numbered(piece->format)->bytes : ALIGNMENT;
}

static VkDeviceSize place(VkDeviceSize *end, VkDeviceSize size, VkDeviceSize alignment) {
  VkDeviceSize at = (*end + alignment - 1) / alignment * alignment;
  *end = at + size;
  return at;
}

static VkDeviceSize lay_out(CpShot *shot) {
  VkDeviceSize end = 0;
  if (shot->indirect.buffer)
    shot->indirect_copy = place(&end, shot->indirect.size, ALIGNMENT);
  for (uint32_t i = 0; i < shot->piece_count; i++) {
    CpPiece *piece = &shot->pieces[i];
    VkDeviceSize size = cp_piece_copied(piece);
    piece->before = place(&end, size, alignment_of(piece));
    if (piece->written)
      piece->after = place(&end, size, alignment_of(piece));
  }
  return end ? end : ALIGNMENT;
}

static bool allocate(CpDevice *d, CpShot *shot) {
  const VkMemoryPropertyFlags needed =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VkMemoryRequirements requirements;
  d->next.GetBufferMemoryRequirements(d->handle, shot->copies, &requirements);
  uint32_t type = hn_memory_type(&d->memory, requirements.memoryTypeBits, needed,
                                 VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
  const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                     .allocationSize = requirements.size,
                                     .memoryTypeIndex = type};
  void *mapped;
  if (type == UINT32_MAX ||
      d->next.AllocateMemory(d->handle, &info, NULL, &shot->memory) != VK_SUCCESS ||
      d->next.BindBufferMemory(d->handle, shot->copies, shot->memory, 0) != VK_SUCCESS ||
      d->next.MapMemory(d->handle, shot->memory, 0, VK_WHOLE_SIZE, 0, &mapped) != VK_SUCCESS)
    return false;
  shot->mapped = mapped;
  return true;
}

bool cp_copies_make(CpDevice *d, CpShot *shot, const char **why) {
  VkDeviceSize size = lay_out(shot);
  *why = "its contents are larger than --max-bytes (SPVRECONV_CAPTURE_MAX_BYTES) allows";
  if (!cp_session_reserve(d->session, size))
    return false;
  shot->size = size;
  const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                   .size = size,
                                   .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  *why = "the device has no memory for the copies";
  return d->next.CreateBuffer(d->handle, &info, NULL, &shot->copies) == VK_SUCCESS &&
         allocate(d, shot);
}

/* ---- commands -------------------------------------------------------------------------------- */

static void barrier(CpDevice *d, VkCommandBuffer commands, VkPipelineStageFlags from,
                    VkPipelineStageFlags to, VkAccessFlags written, VkAccessFlags read) {
  const VkMemoryBarrier memory = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = written, .dstAccessMask = read};
  d->next.CmdPipelineBarrier(commands, from, to, 0, 1, &memory, 0, NULL, 0, NULL);
}

static void change_layout(CpDevice *d, VkCommandBuffer commands, const CpPiece *piece,
                          VkImageLayout from, VkImageLayout to) {
  VkImageMemoryBarrier image = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
      .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
      .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
      .oldLayout = from,
      .newLayout = to,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .image = piece->view.image,
      .subresourceRange = piece->view.range,
  };
  image.subresourceRange.aspectMask = piece->aspect;
  d->next.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                             VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &image);
}

/* Copies an aspect of each level to the place `at` and those that follow. */
static void copy_levels(CpDevice *d, VkCommandBuffer commands, const CpShot *shot,
                        const CpPiece *piece, VkImageAspectFlags aspect, VkImageLayout layout,
                        VkDeviceSize at) {
  for (uint32_t level = 0; level < piece->view.range.levelCount; level++) {
    const VkBufferImageCopy copy = {
        .bufferOffset = at,
        .imageSubresource = {aspect, piece->view.range.baseMipLevel + level,
                             piece->view.range.baseArrayLayer, piece->view.range.layerCount},
        .imageExtent = cp_piece_extent(piece, level),
    };
    d->next.CmdCopyImageToBuffer(commands, piece->view.image, layout, shot->copies, 1, &copy);
    at += cp_piece_level_bytes(piece, level);
  }
}

/* Depth first, then stencil. */
static void copy_aspects(CpDevice *d, VkCommandBuffer commands, const CpShot *shot,
                         const CpPiece *piece, VkImageLayout layout, VkDeviceSize at) {
  const EmuFormat *format = emu_format_numbered(piece->format);
  const VkImageAspectFlags stencil = piece->aspect & VK_IMAGE_ASPECT_STENCIL_BIT;
  if (piece->aspect & ~stencil)
    copy_levels(d, commands, shot, piece, piece->aspect & ~stencil, layout, at);
  if (stencil)
    copy_levels(d, commands, shot, piece, stencil, layout,
                at + emu_planes_stencil(format, (uint32_t)(piece->size / format->bytes)));
}

static void copy_image(CpDevice *d, VkCommandBuffer commands, const CpShot *shot,
                       const CpPiece *piece, VkDeviceSize at) {
  bool direct = piece->layout == VK_IMAGE_LAYOUT_GENERAL ||
                piece->layout == VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  VkImageLayout layout = direct ? piece->layout : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  if (!direct)
    change_layout(d, commands, piece, piece->layout, layout);
  copy_aspects(d, commands, shot, piece, layout, at);
  if (!direct)
    change_layout(d, commands, piece, layout, piece->layout);
}

/* Copies the bytes of each descriptor of the piece, since no buffer may hold all of them. */
static void copy_memory(CpDevice *d, VkCommandBuffer commands, const CpShot *shot, uint32_t index,
                        VkDeviceSize at) {
  for (uint32_t i = 0; i < shot->use_count; i++) {
    const CpUse *use = &shot->uses[i];
    if (use->piece != index)
      continue;
    const VkBufferCopy copy = {.srcOffset = use->from,
                               .dstOffset = at + use->low - shot->pieces[index].low,
                               .size = use->high - use->low};
    d->next.CmdCopyBuffer(commands, use->buffer, shot->copies, 1, &copy);
  }
}

static void copy_piece(CpDevice *d, VkCommandBuffer commands, const CpShot *shot, uint32_t index,
                       VkDeviceSize at) {
  if (shot->pieces[index].image)
    copy_image(d, commands, shot, &shot->pieces[index], at);
  else
    copy_memory(d, commands, shot, index, at);
}

static const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
static const VkPipelineStageFlags transfer = VK_PIPELINE_STAGE_TRANSFER_BIT;

void cp_copies_before(CpDevice *d, VkCommandBuffer commands, const CpShot *shot) {
  barrier(d, commands, all, transfer, VK_ACCESS_MEMORY_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  if (shot->indirect.buffer) {
    const VkBufferCopy copy = {shot->indirect.at, shot->indirect_copy, shot->indirect.size};
    d->next.CmdCopyBuffer(commands, shot->indirect.buffer, shot->copies, 1, &copy);
  }
  for (uint32_t i = 0; i < shot->piece_count; i++)
    copy_piece(d, commands, shot, i, shot->pieces[i].before);
  barrier(d, commands, transfer, all, VK_ACCESS_TRANSFER_WRITE_BIT,
          VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
}

void cp_copies_after(CpDevice *d, VkCommandBuffer commands, const CpShot *shot) {
  barrier(d, commands, all, transfer, VK_ACCESS_MEMORY_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  for (uint32_t i = 0; i < shot->piece_count; i++)
    if (shot->pieces[i].written)
      copy_piece(d, commands, shot, i, shot->pieces[i].after);
  barrier(d, commands, transfer, all | VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
          VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT);
}
