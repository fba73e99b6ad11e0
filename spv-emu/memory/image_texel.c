/* SPDX-License-Identifier: Apache-2.0 */
/* image_texel: the address and the contents of a texel. Formats are those of format/format.c, which
 * converts real numbers; integers keep all their bits. */
#include "spv-emu/memory/image.h"

#include <string.h>

uint8_t *emu_texel_place(const EmuImage *image, EmuTexelAt at) {
  if (at.level < 0 || at.level >= image->levels || at.layer < 0 || at.layer >= image->layers ||
      at.sample < 0 || at.sample >= image->samples)
    return NULL;
  uint64_t index = 0, width = 0, height = 0, depth = 0;
  for (uint32_t level = 0;; level++) {
    width = emu_level_size(image->width, level);
    height = emu_level_size(image->height, level);
    depth = emu_level_size(image->depth, level);
    if (level == at.level)
      break;
    index += width * height * depth * image->layers;
  }
  if (at.x < 0 || (uint64_t)at.x >= width || at.y < 0 || (uint64_t)at.y >= height || at.z < 0 ||
      (uint64_t)at.z >= depth)
    return NULL;
  index += (((uint64_t)at.layer * depth + (uint64_t)at.z) * height + (uint64_t)at.y) * width;
  index = (index + (uint64_t)at.x) * image->samples + (uint64_t)at.sample;
  uint64_t bytes = image->format->bytes;
  /* The caller sets the size, which may be smaller than the image needs. */
  return index < image->size / bytes ? image->bytes + index * bytes : NULL;
}

/* The channel's index in a texel; depth, or stencil alone, comes first. */
static uint32_t place_of(uint8_t channel) {
  return channel == 'G' ? 1 : channel == 'B' ? 2 : channel == 'A' ? 3 : 0;
}

/* The field as an integer with the same bits, signed or not. */
static EmuField as_integer(EmuField field, EmuExtend extend) {
  bool sign = field.kind == EMU_FORMAT_SINT || field.kind == EMU_FORMAT_SNORM ||
              field.kind == EMU_FORMAT_SSCALED;
  if (extend != EMU_EXTEND_AS_FORMAT)
    sign = extend == EMU_EXTEND_SIGN;
  field.kind = sign ? EMU_FORMAT_SINT : EMU_FORMAT_UINT;
  return field;
}

void emu_texel_load(const EmuImage *image, const uint8_t *place, bool whole, EmuExtend extend,
                    EmuNumber texel[4]) {
  const EmuFormat *format = image->format;
  if (whole) {
    memcpy(texel, (EmuNumber[4]){{.u = 0}, {.u = 0}, {.u = 0}, {.u = 1}}, 4 * sizeof *texel);
    for (uint32_t n = format->field_count; n-- > 0;) { /* depth overwrites stencil */
      EmuField field = as_integer(format->fields[n], extend);
      texel[place_of(field.channel)] = emu_field_get(&field, place);
    }
    return;
  }
  double rgba[4];
  emu_pixel_unpack(format, place, rgba);
  if (emu_format_has(format, 'D'))
    rgba[1] = 0; /* not the stencil */
  for (uint32_t n = 0; n < 4; n++)
    texel[n].d = rgba[n];
}

void emu_texel_outside(const EmuImage *image, bool whole, EmuNumber texel[4]) {
  bool one = !emu_format_has(image->format, 'A');
  memset(texel, 0, 4 * sizeof *texel);
  if (whole)
    texel[3].u = one;
  else
    texel[3].d = one;
}

void emu_texel_store(const EmuImage *image, uint8_t *place, bool whole, const EmuNumber texel[4]) {
  const EmuFormat *format = image->format;
  if (!whole) {
    double rgba[4] = {texel[0].d, texel[1].d, texel[2].d, texel[3].d};
    emu_pixel_pack(format, rgba, place);
    return;
  }
  memset(place, 0, format->bytes);
  for (uint32_t n = 0; n < format->field_count; n++) {
    EmuField field = as_integer(format->fields[n], EMU_EXTEND_ZERO);
    emu_field_set(&field, texel[place_of(field.channel)], place);
  }
}

void emu_texel_swizzle(const EmuImage *image, bool whole, EmuNumber texel[4]) {
  enum { IDENTITY, ZERO, ONE, RED }; /* VkComponentSwizzle; green, blue and alpha follow */
  EmuNumber read[4];
  memcpy(read, texel, sizeof read);
  for (uint32_t n = 0; n < 4; n++) {
    uint8_t from = image->swizzle[n];
    if (from == ZERO || from == ONE)
      texel[n] = whole ? (EmuNumber){.u = from == ONE} : (EmuNumber){.d = from == ONE};
    else if (from != IDENTITY)
      texel[n] = read[(from - RED) & 3];
  }
}
