/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of attachments: ranges, channels, samples, sRGB; and that the PNG file holds them. */
#include "spv-emu/report/picture.h"
#include "tests/unit/unit.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

enum { PIXELS = 2, BYTES = 3 * PIXELS };

/* The picture of two pixels in a row, read back from its PNG file. */
static void shows(EmuDrawn drawn, const uint8_t wanted[BYTES]) {
  EmuPicture picture;
  uint8_t rgb[BYTES];
  size_t size;
  drawn.width = PIXELS;
  drawn.height = 1;
  drawn.samples = drawn.samples ? drawn.samples : 1;
  assert_true(emu_picture_make(&drawn, &picture));
  uint8_t *png = emu_picture_png(picture.rgb, picture.width, picture.height, &size);
  png_image in = {.version = PNG_IMAGE_VERSION};
  assert_true(png_image_begin_read_from_memory(&in, png, size));
  assert_int_equal(in.width, PIXELS);
  assert_int_equal(in.height, 1);
  in.format = PNG_FORMAT_RGB;
  assert_true(png_image_finish_read(&in, NULL, rgb, 0, NULL));
  assert_memory_equal(rgb, wanted, BYTES);
  free(png);
  free(picture.rgb);
}

static EmuDrawn of(const char *format, const void *bytes) {
  return (EmuDrawn){.format = emu_format_find(format), .bytes = bytes};
}

static void normalised_numbers_are_shown_as_they_are(void **state) {
  (void)state;
  shows(of("R8G8B8A8_UNORM", (const uint8_t[]){1, 2, 3, 0, 200, 100, 255, 9}),
        (const uint8_t[]){1, 2, 3, 200, 100, 255});
  shows(of("B8G8R8A8_UNORM", (const uint8_t[]){1, 2, 3, 0, 200, 100, 255, 9}),
        (const uint8_t[]){3, 2, 1, 255, 100, 200});
  shows(of("R8G8B8A8_SRGB", (const uint8_t[]){1, 2, 3, 0, 200, 100, 255, 9}),
        (const uint8_t[]){1, 2, 3, 200, 100, 255});
  shows(of("R8_UNORM", (const uint8_t[]){7, 250}), (const uint8_t[]){7, 7, 7, 250, 250, 250});
}

static void floats_are_cut_to_0_and_1(void **state) {
  (void)state;
  const float numbers[] = {-1, 0.2f, 7, 1, __builtin_nanf(""), 1, 0, 1};
  shows(of("R32G32B32A32_SFLOAT", numbers), (const uint8_t[]){0, 51, 255, 0, 255, 0});
}

static void integers_are_shown_up_to_the_largest(void **state) {
  (void)state;
  shows(of("R32_UINT", (const uint32_t[]){10, 20}),
        (const uint8_t[]){128, 128, 128, 255, 255, 255});
  shows(of("R32_SINT", (const int32_t[]){-10, 10}), (const uint8_t[]){0, 0, 0, 255, 255, 255});
}

static void depth_is_grey(void **state) {
  (void)state;
  EmuDrawn depth = of("D32_SFLOAT", (const float[]){0.2f, 1});
  depth.depth = true;
  shows(depth, (const uint8_t[]){51, 51, 51, 255, 255, 255});
}

static void samples_are_averaged(void **state) {
  (void)state;
  EmuDrawn drawn = of("R8_UNORM", (const uint8_t[]){0, 100, 20, 20});
  drawn.samples = 2;
  shows(drawn, (const uint8_t[]){50, 50, 50, 20, 20, 20});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(normalised_numbers_are_shown_as_they_are),
      cmocka_unit_test(floats_are_cut_to_0_and_1),
      cmocka_unit_test(integers_are_shown_up_to_the_largest),
      cmocka_unit_test(depth_is_grey),
      cmocka_unit_test(samples_are_averaged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
