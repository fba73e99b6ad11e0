/* SPDX-License-Identifier: Apache-2.0 */
/* png_file: see png_file.h. */
#include "spv-emu/format/png_file.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 4, TOP = 255, MOST_SIDE = 1 << 16 };
#define MOST_PIXELS ((uint64_t)1 << 28)

bool emu_png_is_name(const char *name) {
  size_t length = strlen(name), ending = strlen(".png");
  return length > ending && strcmp(name + length - ending, ".png") == 0;
}

bool emu_png_read(const uint8_t *bytes, size_t size, EmuPng *png, const char **why) {
  png_image image = {.version = PNG_IMAGE_VERSION};
  *png = (EmuPng){0};
  *why = "not a PNG file";
  if (!png_image_begin_read_from_memory(&image, bytes, size))
    return false;
  *why = "the picture is too large";
  image.format = PNG_FORMAT_RGBA;
  image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
  *png = (EmuPng){.width = image.width, .height = image.height};
  if (image.width <= MOST_SIDE && image.height <= MOST_SIDE &&
      (uint64_t)image.width * image.height <= MOST_PIXELS) {
    *why = "out of memory";
    png->rgba = malloc(PNG_IMAGE_SIZE(image));
  }
  if (png->rgba && png_image_finish_read(&image, NULL, png->rgba, 0, NULL))
    return true;
  if (png->rgba)
    *why = "a damaged PNG file";
  png_image_free(&image);
  emu_png_free(png);
  return false;
}

void emu_png_free(EmuPng *png) {
  free(png->rgba);
  *png = (EmuPng){0};
}

static bool is_integer(const EmuFormat *f) {
  uint8_t kind = f->fields[0].kind;
  return kind == EMU_FORMAT_UINT || kind == EMU_FORMAT_SINT || kind == EMU_FORMAT_USCALED ||
         kind == EMU_FORMAT_SSCALED;
}

/* The pixel's number for a channel of an sRGB format, which stores it as it is. */
static void put_srgb(const EmuFormat *format, const uint8_t *pixel, uint8_t *texel) {
  static const char channels[CHANNELS + 1] = "RGBA";
  for (uint32_t i = 0; i < format->field_count; i++) {
    const char *at = strchr(channels, format->fields[i].channel);
    emu_field_set(&format->fields[i], (EmuNumber){.u = pixel[at ? at - channels : 0]}, texel);
  }
}

void emu_png_texels(const EmuPng *png, const EmuFormat *format, uint32_t stride, uint8_t *texels) {
  uint64_t pixels = (uint64_t)png->width * png->height;
  double scale = is_integer(format) ? 1 : TOP;
  for (uint64_t i = 0; i < pixels; i++) {
    const uint8_t *pixel = png->rgba + CHANNELS * i;
    double rgba[CHANNELS];
    for (int c = 0; c < CHANNELS; c++)
      rgba[c] = pixel[c] / scale;
    if (format->fields[0].kind == EMU_FORMAT_SRGB)
      put_srgb(format, pixel, texels + i * stride);
    else
      emu_pixel_pack(format, rgba, texels + i * stride);
  }
}
