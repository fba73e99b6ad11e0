/* SPDX-License-Identifier: Apache-2.0 */
/* attachment: see attachment.h. */
#include "stages/attachment.h"

#include "memory/image.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool emu_attachment_of(const EmuImage *image, uint32_t level, uint32_t layer,
                       EmuAttachment *attachment, char *text, size_t text_size) {
  bool deep = image->depth > 1;
  EmuTexelAt first = {.level = level, .layer = deep ? 0 : layer, .z = deep ? layer : 0};
  EmuTexelAt last = first;
  last.x = emu_level_size(image->width, level) - 1;
  last.y = emu_level_size(image->height, level) - 1;
  last.sample = image->samples - 1;
  bool there = image->format && image->bytes && level < image->levels &&
               emu_texel_place(image, first) && emu_texel_place(image, last);
  if (!there)
    snprintf(text, text_size, "an attachment's image has no level %u, layer %u", level, layer);
  else
    *attachment = (EmuAttachment){.format = image->format,
                                  .bytes = emu_texel_place(image, first),
                                  .width = (uint32_t)last.x + 1,
                                  .height = (uint32_t)last.y + 1,
                                  .samples = image->samples};
  return there;
}

/* ---- clears ---------------------------------------------------------------------------------- */

static bool is_integer(const AmberFormat *format) {
  return format->fields[0].kind == AMBER_UINT || format->fields[0].kind == AMBER_SINT;
}

static size_t sample_count(const EmuAttachment *a) {
  return (size_t)a->width * a->height * a->samples;
}

static void fill(const EmuAttachment *a, const uint8_t *texel) {
  size_t bytes = a->format->bytes;
  for (size_t i = 0; i < sample_count(a); i++)
    memcpy(a->bytes + i * bytes, texel, bytes);
}

void emu_clear_color(const EmuAttachment *attachment, const float rgba[4]) {
  uint8_t texel[32];
  double real[4];
  for (uint32_t c = 0; c < 4; c++)
    real[c] = is_integer(attachment->format) ? round((double)rgba[c] * 255) : (double)rgba[c];
  amber_pixel_pack(attachment->format, real, texel);
  fill(attachment, texel);
}

void emu_clear_depth_stencil(const EmuAttachment *attachment, float depth, uint32_t stencil) {
  uint8_t texel[32];
  amber_pixel_pack(attachment->format, (double[4]){(double)depth, stencil & 255u}, texel);
  fill(attachment, texel);
}

/* ---- resolve --------------------------------------------------------------------------------- */

static void average(const EmuAttachment *from, const uint8_t *samples, uint8_t *texel) {
  double sum[4] = {0};
  for (uint32_t s = 0; s < from->samples; s++) {
    double rgba[4];
    amber_pixel_unpack(from->format, samples + (size_t)s * from->format->bytes, rgba);
    for (uint32_t c = 0; c < 4; c++)
      sum[c] += rgba[c] / from->samples;
  }
  amber_pixel_pack(from->format, sum, texel);
}

void emu_resolve(const EmuAttachment *from, const EmuAttachment *to) {
  size_t bytes = from->format->bytes;
  for (uint32_t y = 0; y < to->height; y++)
    for (uint32_t x = 0; x < to->width; x++) {
      const uint8_t *samples = emu_attachment_at(from, x, y, 0);
      if (is_integer(from->format))
        memcpy(emu_attachment_at(to, x, y, 0), samples, bytes);
      else
        average(from, samples, emu_attachment_at(to, x, y, 0));
    }
}
