/* SPDX-License-Identifier: Apache-2.0 */
/* artifact_picture: see artifact_picture.h. */
#include "harness/artifacts/artifact_picture.h"

#include "harness/backend/compare.h"

#include <errno.h>
#include <math.h>
#include <png.h>
#include <stdlib.h>

typedef struct Texel {
  double channels[4];
} Texel;

bool hn_picture_is(const AmberBuffer *buffer) {
  return (buffer->uses & AMBER_USES_AS_IMAGE) && buffer->format && buffer->width &&
         buffer->height && buffer->depth <= 1 && buffer->dimensions <= 2 &&
         (uint64_t)buffer->width * buffer->height * buffer->layout.stride <= buffer->size;
}

/* Red, green and blue are equal if there is one channel. */
static Texel texel_at(const AmberBuffer *buffer, const void *bytes, uint64_t at) {
  Texel t;
  emu_pixel_unpack(buffer->format, (const char *)bytes + at * buffer->layout.stride, t.channels);
  if (buffer->format->fields[0].kind == EMU_FORMAT_SRGB)
    for (int i = 0; i < 3; i++)
      t.channels[i] = emu_pixel_encode(t.channels[i]);
  if (!emu_format_has(buffer->format, 'G') && !emu_format_has(buffer->format, 'B'))
    t.channels[1] = t.channels[2] = t.channels[0];
  return t;
}

static uint64_t texels_of(const HnPictures *p) {
  return (uint64_t)p->width * p->height;
}

static void widen(HnPictures *p, const void *bytes) {
  for (uint64_t i = 0; i < texels_of(p); i++) {
    Texel t = texel_at(p->buffer, bytes, i);
    for (int c = 0; c < 3; c++)
      if (isfinite(t.channels[c])) {
        p->low = fmin(p->low, t.channels[c]);
        p->high = fmax(p->high, t.channels[c]);
      }
  }
}

static uint32_t extent(uint32_t whole, uint32_t level) {
  return whole >> level ? whole >> level : 1;
}

HnPictures hn_pictures_of(const AmberBuffer *buffer, const void *actual, const void *expected,
                          size_t size) {
  const char *a = actual, *e = expected;
  size_t at = 0;
  while (at < size && a[at] == e[at])
    at++;
  at = at < size ? at : 0;
  size_t within = at;
  uint32_t level = hn_level_of(buffer, &within);
  HnPictures p = {.buffer = buffer,
                  .actual = a + (at - within),
                  .expected = e + (at - within),
                  .level = level,
                  .width = extent(buffer->width, level),
                  .height = extent(buffer->height, level),
                  .high = 1};
  widen(&p, p.actual);
  widen(&p, p.expected);
  return p;
}

/* ---- texels to bytes ------------------------------------------------------------------------- */

static double scaled(const HnPictures *p, double value) {
  double share = (value - p->low) / (p->high - p->low);
  return share > 0 ? fmin(share, 1) : 0; /* NaN is black */
}

static void put(double red, double green, double blue, png_byte rgb[3]) {
  rgb[0] = (png_byte)lround(255 * red);
  rgb[1] = (png_byte)lround(255 * green);
  rgb[2] = (png_byte)lround(255 * blue);
}

static void put_plain(const HnPictures *p, const void *bytes, uint64_t at, png_byte rgb[3]) {
  Texel t = texel_at(p->buffer, bytes, at);
  put(scaled(p, t.channels[0]), scaled(p, t.channels[1]), scaled(p, t.channels[2]), rgb);
}

static bool same(const HnPictures *p, uint64_t at) {
  const EmuFormat *format = p->buffer->format;
  const char *a = (const char *)p->actual + at * p->buffer->layout.stride;
  const char *e = (const char *)p->expected + at * p->buffer->layout.stride;
  for (uint32_t i = 0; i < format->field_count; i++)
    if (emu_field_get(&format->fields[i], a).u != emu_field_get(&format->fields[i], e).u)
      return false;
  return true;
}

static void put_difference(const HnPictures *p, uint64_t at, png_byte rgb[3]) {
  Texel a = texel_at(p->buffer, p->actual, at), e = texel_at(p->buffer, p->expected, at);
  if (same(p, at)) {
    double grey = 0;
    for (int c = 0; c < 3; c++)
      grey += scaled(p, a.channels[c]) / 12;
    put(grey, grey, grey, rgb);
    return;
  }
  double error = 0;
  for (int c = 0; c < 4; c++)
    error = fmax(error, fabs(scaled(p, a.channels[c]) - scaled(p, e.channels[c])));
  double light = fmin(1, sqrt(error));
  put(1, light * 0.9, light * light * 0.8, rgb);
}

static void put_texel(const HnPictures *p, HnPictureKind kind, uint64_t at, png_byte rgb[3]) {
  switch (kind) {
  case HN_PICTURE_EXPECTED:
    put_plain(p, p->expected, at, rgb);
    break;
  case HN_PICTURE_ACTUAL:
    put_plain(p, p->actual, at, rgb);
    break;
  case HN_PICTURE_DIFFERENCE:
    put_difference(p, at, rgb);
    break;
  }
}

bool hn_picture_write(const HnPictures *pictures, HnPictureKind kind, const char *path) {
  uint64_t texels = texels_of(pictures);
  png_image image = {.version = PNG_IMAGE_VERSION,
                     .width = pictures->width,
                     .height = pictures->height,
                     .format = PNG_FORMAT_RGB};
  png_byte *rgb = malloc(3 * texels + 1);
  if (!rgb)
    return false;
  for (uint64_t i = 0; i < texels; i++)
    put_texel(pictures, kind, i, rgb + 3 * i);
  errno = 0;
  bool good = png_image_write_to_file(&image, path, 0, rgb, 0, NULL);
  if (!good && !errno)
    errno = EIO;
  free(rgb);
  return good;
}
