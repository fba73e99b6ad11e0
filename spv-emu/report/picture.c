/* SPDX-License-Identifier: Apache-2.0 */
/* picture: see picture.h. */
#include "spv-emu/report/picture.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>

enum { CHANNELS = 3, ALL = 4 };

/* The mean of a pixel's samples. */
static void pixel_of(const EmuDrawn *d, uint64_t at, double rgba[ALL]) {
  const uint8_t *texel = d->bytes + at * d->samples * d->format->bytes;
  double one[ALL];
  for (int c = 0; c < ALL; c++)
    rgba[c] = 0;
  for (uint32_t s = 0; s < d->samples; s++) {
    emu_pixel_unpack(d->format, texel + (size_t)s * d->format->bytes, one);
    for (int c = 0; c < ALL; c++)
      rgba[c] += one[c] / d->samples;
  }
  if (d->format->fields[0].kind == EMU_FORMAT_SRGB)
    for (int c = 0; c < CHANNELS; c++)
      rgba[c] = emu_pixel_encode(rgba[c]);
  if (d->depth || (!emu_format_has(d->format, 'G') && !emu_format_has(d->format, 'B')))
    rgba[1] = rgba[2] = rgba[0];
}

static bool is_integer(const EmuDrawn *d) {
  return !d->depth && (d->format->fields[0].kind == EMU_FORMAT_UINT ||
                       d->format->fields[0].kind == EMU_FORMAT_SINT);
}

typedef struct Range {
  double low, high;
} Range;

static Range range_of(const EmuDrawn *d) {
  Range range = {0, 1};
  uint64_t pixels = is_integer(d) ? (uint64_t)d->width * d->height : 0;
  for (uint64_t i = 0; i < pixels; i++) {
    double rgba[ALL];
    pixel_of(d, i, rgba);
    for (int c = 0; c < CHANNELS; c++) {
      range.low = fmin(range.low, rgba[c]);
      range.high = fmax(range.high, rgba[c]);
    }
  }
  return range;
}

bool emu_picture_make(const EmuDrawn *drawn, EmuPicture *picture) {
  uint64_t pixels = (uint64_t)drawn->width * drawn->height;
  Range range = range_of(drawn);
  *picture = (EmuPicture){.width = drawn->width,
                          .height = drawn->height,
                          .rgb = malloc(CHANNELS * pixels + 1),
                          .location = drawn->location,
                          .depth = drawn->depth};
  for (uint64_t i = 0; picture->rgb && i < pixels; i++) {
    double rgba[ALL];
    pixel_of(drawn, i, rgba);
    for (int c = 0; c < CHANNELS; c++) {
      double share = (rgba[c] - range.low) / (range.high - range.low);
      picture->rgb[CHANNELS * i + c] = (uint8_t)lround(255 * (share > 0 ? fmin(share, 1) : 0));
    }
  }
  return picture->rgb;
}

uint8_t *emu_picture_png(const uint8_t *rgb, uint32_t width, uint32_t height, size_t *size) {
  png_image image = {
      .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGB};
  png_alloc_size_t bytes = 0;
  if (!png_image_write_get_memory_size(image, bytes, 0, rgb, 0, NULL))
    return NULL;
  uint8_t *png = malloc(bytes);
  if (png && !png_image_write_to_memory(&image, png, &bytes, 0, rgb, 0, NULL)) {
    free(png);
    return NULL;
  }
  *size = bytes;
  return png;
}
