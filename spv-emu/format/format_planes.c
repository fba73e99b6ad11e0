/* SPDX-License-Identifier: Apache-2.0 */
/* format_planes: see format_planes.h. */
#include "spv-emu/format/format_planes.h"

#include <string.h>

bool emu_planes_needed(const EmuFormat *format) {
  const EmuField *depth = emu_format_field(format, 'D');
  return depth && (emu_format_has(format, 'S') || depth->bits == 24);
}

/* Bytes of one depth value in a copy. */
static size_t depth_bytes(const EmuFormat *format) {
  const EmuField *depth = emu_format_field(format, 'D');
  return depth->bits == 24 ? 4 : depth->bits / 8u;
}

size_t emu_planes_stencil(const EmuFormat *format, uint32_t texels) {
  if (!emu_format_has(format, 'D'))
    return 0;
  return (depth_bytes(format) * texels + 3) & ~(size_t)3; /* because copies start at multiples of
                                                             four */
}

size_t emu_planes_size(const EmuFormat *format, uint32_t texels) {
  return emu_planes_stencil(format, texels) + (emu_format_has(format, 'S') ? texels : 0);
}

void emu_planes_split(const EmuFormat *format, const uint8_t *bytes, uint32_t texels,
                      uint8_t *planes) {
  const EmuField *depth = emu_format_field(format, 'D'), *stencil = emu_format_field(format, 'S');
  uint8_t *stencils = planes + emu_planes_stencil(format, texels);
  size_t size = depth_bytes(format);
  for (uint32_t i = 0; i < texels; i++) {
    const uint8_t *texel = bytes + (size_t)i * format->bytes;
    uint64_t word = emu_field_get(depth, texel).u;
    if (depth->bits == 32) /* a float, whose bits are unchanged */
      memcpy(&word, texel + depth->offset, size);
    memcpy(planes + i * size, &word, size);
    if (stencil)
      stencils[i] = (uint8_t)emu_field_get(stencil, texel).u;
  }
}

void emu_planes_join(const EmuFormat *format, const uint8_t *planes, uint32_t texels,
                     uint8_t *bytes) {
  const EmuField *depth = emu_format_field(format, 'D'), *stencil = emu_format_field(format, 'S');
  const uint8_t *stencils = planes + emu_planes_stencil(format, texels);
  size_t size = depth_bytes(format);
  memset(bytes, 0, (size_t)texels * format->bytes);
  for (uint32_t i = 0; i < texels; i++) {
    uint8_t *texel = bytes + (size_t)i * format->bytes;
    EmuNumber word = {.u = 0};
    memcpy(&word.u, planes + i * size, size);
    if (depth->bits == 32)
      memcpy(texel + depth->offset, &word.u, size);
    else
      emu_field_set(depth, (EmuNumber){.u = word.u & 0xffffff}, texel);
    if (stencil)
      emu_field_set(stencil, (EmuNumber){.u = stencils[i]}, texel);
  }
}
