/* SPDX-License-Identifier: Apache-2.0 */
/* Colours through all formats and back, over all values of components of up to 16 bits; blending
 * compared with the table of factors and equations of the Vulkan specification; logic operations
 * with C's operators; write masks, samples, clears and resolves. */
#include "spv-emu/raster/color.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 13;

static uint32_t below(uint32_t n) {
  return unit_below(&seed, n);
}

static uint32_t float_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* A target of a single pixel. */
typedef struct Pixel {
  uint8_t bytes[4 * 32];
  EmuColorTarget target;
} Pixel;

static void pixel_make(Pixel *p, const char *format, uint32_t samples) {
  *p = (Pixel){.target = {.write_mask = 15}};
  p->target.attachment = (EmuAttachment){emu_format_find(format), p->bytes, 1, 1, samples};
  assert_non_null(p->target.attachment.format);
}

/* Writes colours as words, red to alpha, to lane 0. */
static void write_words(Pixel *p, uint16_t mask, const uint32_t words[4], const uint32_t *second) {
  const EmuQuad quad = {0, 0, {0}};
  const uint16_t masks[1][4] = {{mask, 0, 0, 0}};
  uint32_t rows[8][4] = {{0}};
  EmuColors colors = {{rows[0], rows[1], rows[2], rows[3]}, {rows[4], rows[5], rows[6], rows[7]}};
  for (uint32_t c = 0; c < 4; c++) {
    rows[c][0] = words[c];
    rows[4 + c][0] = second ? second[c] : 0;
  }
  emu_color_write(&p->target, &quad, masks, 1, &colors);
}

static void write_reals(Pixel *p, const float real[4], const float *second) {
  uint32_t words[4], more[4] = {0};
  memcpy(words, real, sizeof words);
  if (second)
    memcpy(more, second, sizeof more);
  write_words(p, 1, words, more);
}

/* ---- formats --------------------------------------------------------------------------------- */

static uint32_t place_of(const EmuField *f) {
  return f->channel == 'G' ? 1 : f->channel == 'B' ? 2 : f->channel == 'A' ? 3 : 0;
}

static bool is_integer(const EmuFormat *format) {
  return format->fields[0].kind == EMU_FORMAT_UINT || format->fields[0].kind == EMU_FORMAT_SINT;
}

/* What a shader would write to get the texel. */
static void words_of(const EmuFormat *format, const uint8_t *texel, uint32_t words[4]) {
  double rgba[4];
  emu_pixel_unpack(format, texel, rgba);
  for (uint32_t c = 0; c < 4; c++)
    words[c] = float_bits((float)rgba[c]);
  for (uint32_t i = 0; is_integer(format) && i < format->field_count; i++)
    words[place_of(&format->fields[i])] = (uint32_t)emu_field_get(&format->fields[i], texel).u;
}

/* Two texels may mean one number: the two least of SNORM, and all NaN. */
static bool same(const EmuFormat *format, const uint8_t *a, const uint8_t *b) {
  double x[4], y[4];
  emu_pixel_unpack(format, a, x);
  emu_pixel_unpack(format, b, y);
  bool equal = true;
  for (uint32_t c = 0; c < 4; c++)
    equal &= x[c] == y[c] || (isnan(x[c]) && isnan(y[c]));
  return equal;
}

static void check_round_trip(Pixel *p, const uint8_t *texel) {
  const EmuFormat *format = p->target.attachment.format;
  uint32_t words[4];
  words_of(format, texel, words);
  write_words(p, 1, words, NULL);
  if (!same(format, p->bytes, texel))
    fail_msg("%s: %02x %02x … is written as %02x %02x …", format->name, texel[0], texel[1],
             p->bytes[0], p->bytes[1]);
}

static void all_formats_round_trip(void **state) {
  (void)state;
  for (uint32_t vk = 1; vk <= 122; vk++) {
    const EmuFormat *format = emu_format_numbered(vk);
    uint32_t bits = format->fields[0].bits;
    if (bits == 64)
      continue; /* refused, below */
    Pixel p;
    pixel_make(&p, format->name, 1);
    uint32_t tries = bits <= 8 ? 256 : bits <= 16 ? 65536 : 1000;
    for (uint32_t value = 0; value < tries; value++) {
      uint8_t texel[16];
      for (uint32_t b = 0; b < sizeof texel; b++)
        texel[b] = (uint8_t)below(256);
      for (uint32_t i = 0; tries != 1000 && i < format->field_count; i++) {
        EmuField field = format->fields[i];
        field.kind = EMU_FORMAT_UINT;
        emu_field_set(&field, (EmuNumber){.u = value * (2 * i + 1)}, texel);
      }
      check_round_trip(&p, texel);
    }
  }
}

/* The short way of 8-bit UNORM gives what the long one gives. */
static void bytes_are_rounded_to_nearest(void **state) {
  (void)state;
  Pixel p;
  pixel_make(&p, "B8G8R8A8_UNORM", 1);
  for (uint32_t i = 0; i < 200000; i++) {
    float real[4];
    double rgba[4];
    uint8_t texel[4];
    for (uint32_t c = 0; c < 4; c++) {
      float step = ((float)below(256) + 0.5f) / 255; /* near a tie */
      real[c] = i % 2 ? step + ((float)below(5) - 2) * 3e-8f : (float)below(3000) / 1000 - 1;
      rgba[c] = (double)real[c];
    }
    emu_pixel_pack(p.target.attachment.format, rgba, texel);
    write_reals(&p, real, NULL);
    assert_memory_equal(p.bytes, texel, 4);
  }
  write_reals(&p, (float[4]){NAN, INFINITY, -INFINITY, 0.5f}, NULL);
  assert_memory_equal(p.bytes, ((uint8_t[4]){0, 255, 0, 128}), 4);
}

static void integers_are_clamped(void **state) {
  (void)state;
  static const struct {
    const char *format;
    uint32_t word;
    uint8_t bytes[4];
  } cases[] = {{"R8_UINT", 256, {255}},
               {"R8_UINT", UINT32_MAX, {255}},
               {"R8_SINT", 128, {127}},
               {"R8_SINT", (uint32_t)-129, {0x80}},
               {"R16_SINT", (uint32_t)-2, {0xfe, 0xff}},
               {"R16_UINT", 70000, {0xff, 0xff}},
               {"R32_UINT", UINT32_MAX, {0xff, 0xff, 0xff, 0xff}},
               {"R32_SINT", 0x80000000, {0, 0, 0, 0x80}}};
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Pixel p;
    pixel_make(&p, cases[i].format, 1);
    write_words(&p, 1, (uint32_t[4]){cases[i].word}, NULL);
    assert_memory_equal(p.bytes, cases[i].bytes, 4);
  }
}

/* ---- blending -------------------------------------------------------------------------------- */

enum { FACTORS = 19, OPS = 5 };

/* Row f has factor f: Vulkan, table "Blend Factors". */
static void all_factors(const float s[4], const float t[4], const float s1[4], const float k[4],
                        float f[FACTORS][4]) {
  float saturate = s[3] < 1 - t[3] ? s[3] : 1 - t[3];
  for (uint32_t c = 0; c < 4; c++) {
    const float column[FACTORS] = {0,        1,         s[c],     1 - s[c], t[c],
                                   1 - t[c], s[3],      1 - s[3], t[3],     1 - t[3],
                                   k[c],     1 - k[c],  k[3],     1 - k[3], c == 3 ? 1 : saturate,
                                   s1[c],    1 - s1[c], s1[3],    1 - s1[3]};
    for (uint32_t n = 0; n < FACTORS; n++)
      f[n][c] = column[n];
  }
}

static float combined(uint32_t op, float s, float sf, float t, float tf) {
  const float results[OPS] = {s * sf + t * tf, s * sf - t * tf, t * tf - s * sf, s < t ? s : t,
                              s > t ? s : t};
  return results[op];
}

static void random_color(float color[4]) {
  for (uint32_t c = 0; c < 4; c++)
    color[c] = (float)below(256) / 255;
}

static void check_blend(const char *format, double tolerance) {
  Pixel p;
  float source[4], second[4], start[4], factors[FACTORS][4];
  double rgba[4];
  pixel_make(&p, format, 1);
  EmuBlendState b = {true,           below(FACTORS), below(FACTORS), below(OPS),
                     below(FACTORS), below(FACTORS), below(OPS)};
  random_color(source);
  random_color(second);
  random_color(start);
  random_color(p.target.constants);
  write_reals(&p, start, NULL);
  p.target.blend = b;
  write_reals(&p, source, second);
  emu_pixel_unpack(p.target.attachment.format, p.bytes, rgba);
  all_factors(source, start, second, p.target.constants, factors);
  for (uint32_t c = 0; c < 4; c++) {
    float by = factors[c < 3 ? b.src_color_factor : b.src_alpha_factor][c];
    float target_by = factors[c < 3 ? b.dst_color_factor : b.dst_alpha_factor][c];
    float value = combined(c < 3 ? b.color_op : b.alpha_op, source[c], by, start[c], target_by);
    if (tolerance > 1e-3)
      value = value < 0 ? 0 : value > 1 ? 1 : value;
    if (!(fabs(rgba[c] - (double)value) <= tolerance))
      fail_msg("%s: component %u is %g, not %g (factors %u, %u, operation %u)", format, c, rgba[c],
               (double)value, b.src_color_factor, b.dst_color_factor, b.color_op);
  }
}

static void blending_follows_the_table(void **state) {
  (void)state;
  for (uint32_t i = 0; i < 50000; i++) {
    check_blend("R32G32B32A32_SFLOAT", 1e-6);
    check_blend("R8G8B8A8_UNORM", 0.51 / 255);
    check_blend("R16G16B16A16_UNORM", 1e-4 + 1e-3); /* clamped, as all UNORM */
  }
}

static void inputs_of_blending_are_clamped(void **state) {
  (void)state;
  Pixel p;
  pixel_make(&p, "R8G8B8A8_UNORM", 1);
  p.target.blend = (EmuBlendState){true, 1, 1, 1, 1, 1, 1}; /* source - target */
  write_reals(&p, (float[4]){2, 2, 2, 2}, NULL);
  write_reals(&p, (float[4]){2, 2, 2, 2}, NULL); /* 1 - 1 */
  assert_memory_equal(p.bytes, ((uint8_t[4]){0}), 4);
}

static void srgb_is_blended_linearly(void **state) {
  (void)state;
  Pixel p;
  pixel_make(&p, "R8G8B8A8_SRGB", 1);
  write_reals(&p, (float[4]){1, 1, 1, 1}, NULL);
  p.target.blend = (EmuBlendState){true, 6, 7, 0, 1, 0, 0}; /* source alpha over */
  write_reals(&p, (float[4]){0, 0, 0, 0.5f}, NULL);
  assert_memory_equal(p.bytes, ((uint8_t[4]){188, 188, 188, 128}), 4);
}

/* ---- logic operations, masks ----------------------------------------------------------------- */

static uint32_t logic(uint32_t op, uint32_t s, uint32_t d) {
  const uint32_t results[16] = {0,        s & d,    s & ~d, s,      ~s & d, d,      s ^ d,    s | d,
                                ~(s | d), ~(s ^ d), ~d,     s | ~d, ~s,     ~s | d, ~(s & d), ~0u};
  return results[op];
}

static void check_bits(const char *name, uint32_t op, uint32_t write_mask) {
  Pixel p;
  pixel_make(&p, name, 1);
  const EmuFormat *format = p.target.attachment.format;
  uint8_t start[4], source[4], expected[4];
  uint32_t words[4];
  for (uint32_t b = 0; b < 4; b++) {
    start[b] = p.bytes[b] = (uint8_t)below(256);
    source[b] = (uint8_t)(1 + below(254));
  }
  p.target.logic_op_enabled = op < 16;
  p.target.logic_op = op;
  p.target.write_mask = write_mask;
  words_of(format, source, words);
  write_words(&p, 1, words, NULL);
  memcpy(expected, start, sizeof expected);
  for (uint32_t i = 0; i < format->field_count; i++) {
    EmuField f = format->fields[i];
    f.kind = EMU_FORMAT_UINT;
    uint32_t s = (uint32_t)emu_field_get(&f, source).u, d = (uint32_t)emu_field_get(&f, start).u;
    bool floats = format->fields[i].kind == EMU_FORMAT_SRGB; /* no logic operations on these */
    uint32_t bits = write_mask >> place_of(&f) & 1 ? floats || op >= 16 ? s : logic(op, s, d) : d;
    emu_field_set(&f, (EmuNumber){.u = bits}, expected);
  }
  assert_memory_equal(p.bytes, expected, 4);
}

static void bits_are_combined_and_masked(void **state) {
  (void)state;
  static const char *const names[] = {"R8G8B8A8_UINT",
                                      "B8G8R8A8_UNORM",
                                      "A2B10G10R10_UINT_PACK32",
                                      "A2R10G10B10_UNORM_PACK32",
                                      "R8G8B8A8_SINT",
                                      "R8G8B8A8_SRGB",
                                      "R16G16_UNORM"};
  for (uint32_t i = 0; i < 7 * 17 * 16 * 20; i++)
    check_bits(names[i % 7], i / 7 % 17, i / 7 / 17 % 16);
}

static void samples_are_written_by_mask(void **state) {
  (void)state;
  for (uint32_t mask = 0; mask < 16; mask++) {
    Pixel p;
    pixel_make(&p, "R32_UINT", 4);
    write_words(&p, (uint16_t)mask, (uint32_t[4]){77}, NULL);
    for (uint32_t s = 0; s < 4; s++)
      assert_int_equal(*emu_attachment_at(&p.target.attachment, 0, 0, s), mask >> s & 1 ? 77 : 0);
  }
}

static void what_is_not_modelled_is_named(void **state) {
  (void)state;
  Pixel p;
  char text[200];
  pixel_make(&p, "R64_UINT", 1);
  assert_false(emu_color_check(&p.target, text, sizeof text));
  assert_string_equal(text, "a colour attachment of format R64_UINT is not modelled");
  pixel_make(&p, "R8_UNORM", 1);
  assert_true(emu_color_check(&p.target, text, sizeof text));
}

/* ---- clears, resolves, sizes ----------------------------------------------------------------- */

static void clears_fill(void **state) {
  (void)state;
  static const struct {
    const char *format;
    uint8_t bytes[4];
  } cases[] = {{"R8G8B8A8_UNORM", {255, 128, 0, 51}},
               {"R8G8B8A8_UINT", {255, 128, 0, 51}},
               {"B8G8R8A8_UNORM", {0, 128, 255, 51}},
               {"R16_SFLOAT", {0, 0x3c}}};
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint8_t bytes[3 * 5 * 2 * 4];
    EmuAttachment a = {emu_format_find(cases[i].format), bytes, 3, 5, 2};
    emu_clear_color(&a, (float[4]){1, 0.5f, 0, 0.2f});
    for (uint32_t n = 0; n < 3 * 5 * 2; n++)
      assert_memory_equal(bytes + n * a.format->bytes, cases[i].bytes, a.format->bytes);
  }
}

static void resolves_average(void **state) {
  (void)state;
  uint8_t samples[2 * 4] = {0, 100, 200, 100, 1, 2, 3, 4}, texels[2];
  static const char *const names[] = {"R8_UNORM", "R8_UINT"};
  for (uint32_t i = 0; i < 2; i++) {
    EmuAttachment from = {emu_format_find(names[i]), samples, 2, 1, 4}, to = from;
    to.samples = 1;
    to.bytes = texels;
    emu_resolve(&from, &to);
    assert_int_equal(texels[0], i ? 0 : 100);
    assert_int_equal(texels[1], i ? 1 : 2); /* 2.5 to even */
  }
}

static void attachments_must_fit_the_framebuffer(void **state) {
  (void)state;
  EmuRaster raster = {.width = 8, .height = 4, .samples = 1};
  EmuAttachment a = {emu_format_find("R8_UNORM"), NULL, 9, 4, 1};
  char text[200];
  assert_true(emu_attachment_check(&a, &raster, text, sizeof text));
  a.width = 7;
  assert_false(emu_attachment_check(&a, &raster, text, sizeof text));
  assert_string_equal(text, "an attachment of 7x4 pixels in a framebuffer of 8x4");
  a = (EmuAttachment){a.format, NULL, 8, 4, 4};
  assert_false(emu_attachment_check(&a, &raster, text, sizeof text));
  assert_string_equal(text, "an attachment of 4 samples a pixel where others have 1");
  a.format = NULL;
  assert_true(emu_attachment_check(&a, &raster, text, sizeof text));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_formats_round_trip),
      cmocka_unit_test(bytes_are_rounded_to_nearest),
      cmocka_unit_test(integers_are_clamped),
      cmocka_unit_test(blending_follows_the_table),
      cmocka_unit_test(inputs_of_blending_are_clamped),
      cmocka_unit_test(srgb_is_blended_linearly),
      cmocka_unit_test(bits_are_combined_and_masked),
      cmocka_unit_test(samples_are_written_by_mask),
      cmocka_unit_test(what_is_not_modelled_is_named),
      cmocka_unit_test(clears_fill),
      cmocka_unit_test(resolves_average),
      cmocka_unit_test(attachments_must_fit_the_framebuffer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
