/* SPDX-License-Identifier: Apache-2.0 */
/* format_planes: converts texels of depth and stencil formats between the script's bytes and Vulkan's
 * copies.
 *
 * A script has the depth of a texel followed by its stencil byte (see EmuFormat); Vulkan copies
 * depth and stencil separately, each tightly packed, 24-bit depth in words of 32 bits whose top
 * byte is undefined. The staging buffer holds all depths first, then all stencil bytes. */
#ifndef EMU_FORMAT_PLANES_H
#define EMU_FORMAT_PLANES_H

#include "spv-emu/format/format.h"

/* Do the script's bytes differ from Vulkan's copies? */
bool emu_planes_needed(const EmuFormat *format);
/* The offset of the stencil bytes, and the total size. */
size_t emu_planes_stencil(const EmuFormat *format, uint32_t texels);
size_t emu_planes_size(const EmuFormat *format, uint32_t texels);
void emu_planes_split(const EmuFormat *format, const uint8_t *bytes, uint32_t texels,
                      uint8_t *planes);
void emu_planes_join(const EmuFormat *format, const uint8_t *planes, uint32_t texels,
                     uint8_t *bytes);

#endif
