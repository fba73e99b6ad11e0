/* SPDX-License-Identifier: Apache-2.0 */
/* attachment: see attachment.h. */
#include "spv-emu/raster/attachment.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool emu_attachment_check(const EmuAttachment *a, const EmuRaster *raster, char *text,
                          size_t text_size) {
  if (!a->format)
    return true;
  if (a->width < raster->width || a->height < raster->height)
    snprintf(text, text_size, "an attachment of %ux%u pixels in a framebuffer of %ux%u", a->width,
             a->height, raster->width, raster->height);
  else if (a->samples != raster->samples)
    snprintf(text, text_size, "an attachment of %u samples a pixel where others have %u",
             a->samples, raster->samples);
  else
    return true;
  return false;
}

/* ---- clears ---------------------------------------------------------------------------------- */

static bool is_integer(const EmuFormat *format) {
  return format->fields[0].kind == EMU_FORMAT_UINT || format->fields[0].kind == EMU_FORMAT_SINT;
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
  emu_pixel_pack(attachment->format, real, texel);
  fill(attachment, texel);
}

void emu_clear_depth_stencil(const EmuAttachment *attachment, float depth, uint32_t stencil) {
  uint8_t texel[32];
  emu_pixel_pack(attachment->format, (double[4]){(double)depth, stencil & 255u}, texel);
  fill(attachment, texel);
}

/* ---- resolve --------------------------------------------------------------------------------- */

static void average(const EmuAttachment *from, const uint8_t *samples, uint8_t *texel) {
  double sum[4] = {0};
  for (uint32_t s = 0; s < from->samples; s++) {
    double rgba[4];
    emu_pixel_unpack(from->format, samples + (size_t)s * from->format->bytes, rgba);
    for (uint32_t c = 0; c < 4; c++)
      sum[c] += rgba[c] / from->samples;
  }
  emu_pixel_pack(from->format, sum, texel);
}

void emu_resolve(const EmuAttachment *from, const EmuAttachment *to) {
  size_t bytes = from->format->bytes;
  uint32_t width = to->width < from->width ? to->width : from->width;
  uint32_t height = to->height < from->height ? to->height : from->height;
  for (uint32_t y = 0; y < height; y++)
    for (uint32_t x = 0; x < width; x++) {
      const uint8_t *samples = emu_attachment_at(from, x, y, 0);
      if (is_integer(from->format))
        memcpy(emu_attachment_at(to, x, y, 0), samples, bytes);
      else
        average(from, samples, emu_attachment_at(to, x, y, 0));
    }
}
