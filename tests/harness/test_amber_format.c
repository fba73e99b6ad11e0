/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the format table with Vulkan's header; reads and writes numbers of all widths. */
#include "tests/unit/unit.h"

#include "spv-emu/script/script.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan_core.h>

static const struct {
  const char *name;
  uint32_t vk;
} rows[] = {
#define X(name) {#name, VK_FORMAT_##name},
#include "tests/harness/formats.def"
#undef X
};

enum { ROWS = sizeof rows / sizeof *rows };

static void table(void **state) {
  (void)state;
  for (size_t i = 0; i < ROWS; i++) {
    const EmuFormat *format = emu_format_find(rows[i].name);
    assert_non_null(format);
    assert_int_equal(format->vk, rows[i].vk);
    uint32_t bits = 0;
    for (uint32_t k = 0; k < format->field_count; k++) {
      const EmuField *field = &format->fields[k];
      bits += field->bits;
      assert_true(field->offset + field->unit <= format->bytes);
      assert_true(field->shift + field->bits <= 8 * field->unit);
    }
    bool padded = strstr(rows[i].name, "X8_") != NULL;
    assert_int_equal(bits + 8 * padded, 8 * format->bytes);
  }
  assert_null(emu_format_find("R8_FLOAT"));
  assert_null(emu_format_find(""));
}

/* ---- names ---- */

static EmuFormatKind kind_called(const char *name) {
  static const struct {
    const char *name;
    EmuFormatKind kind;
  } kinds[] = {{"UNORM", EMU_FORMAT_UNORM},     {"SNORM", EMU_FORMAT_SNORM},
               {"USCALED", EMU_FORMAT_USCALED}, {"SSCALED", EMU_FORMAT_SSCALED},
               {"UINT", EMU_FORMAT_UINT},       {"SINT", EMU_FORMAT_SINT},
               {"SRGB", EMU_FORMAT_SRGB},       {"SFLOAT", EMU_FORMAT_FLOAT},
               {"UFLOAT", EMU_FORMAT_FLOAT}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strncmp(name, kinds[i].name, strlen(kinds[i].name)) == 0)
      return kinds[i].kind;
  fail_msg("%s is no kind", name);
  return EMU_FORMAT_UINT;
}

static const EmuField *field_of(const EmuFormat *format, char channel) {
  for (uint32_t i = 0; i < format->field_count; i++)
    if (format->fields[i].channel == (uint8_t)channel)
      return &format->fields[i];
  return NULL;
}

/* Checks letters and numbers of bits, like R5G6B5 or D24, and the kind after them. Bits count from
 * *bit up, in a packed format down. Returns the rest of the name. */
static const char *check_part(const EmuFormat *format, const char *at, bool packed, uint32_t *bit) {
  const char *kind = strchr(at, '_') + 1;
  if (strncmp(kind, "D24", 3) == 0) /* X8_D24 */
    kind = strchr(kind, '_') + 1;
  while (at < kind) {
    char channel = *at, *end;
    uint32_t bits = (uint32_t)strtoul(at + 1, &end, 10);
    const EmuField *field = field_of(format, channel);
    *bit -= packed ? bits : 0;
    if (channel != 'X') {
      assert_non_null(field);
      assert_int_equal(field->bits, bits);
      assert_int_equal(field->kind, kind_called(kind));
      if (8 * field->offset + field->shift != *bit)
        fail_msg("%s: %c begins at bit %u, not %u", format->name, channel,
                 8 * field->offset + field->shift, *bit);
    }
    *bit += packed ? 0 : bits;
    at = *end == '_' ? end + 1 : end;
  }
  const char *suffix = strchr(kind, '_');
  return suffix ? suffix + 1 : "";
}

/* Components are in the order of the name: plain ones from the first byte on, packed ones from the
 * highest bit down. */
static void as_the_name_says(void **state) {
  (void)state;
  for (size_t i = 0; i < ROWS; i++) {
    const EmuFormat *format = emu_format_find(rows[i].name);
    bool packed = strstr(rows[i].name, "_PACK") != NULL;
    uint32_t bit = packed ? 8 * format->bytes : 0;
    const char *rest = check_part(format, rows[i].name, packed, &bit);
    if (*rest && !packed) /* depth, then stencil */
      check_part(format, rest, packed, &bit);
    if (packed)
      assert_int_equal(bit, 0);
  }
}

/* Every bit pattern of a narrow field survives reading and writing its raw number. */
static void raw_round_trip(void **state) {
  (void)state;
  for (size_t i = 0; i < ROWS; i++) {
    const EmuFormat *format = emu_format_find(rows[i].name);
    for (uint32_t k = 0; k < format->field_count; k++) {
      const EmuField *field = &format->fields[k];
      if (field->bits > 16)
        continue;
      for (uint32_t bits = 0; bits < 1u << field->bits; bits++) {
        uint8_t texel[32], again[32];
        uint64_t word = (uint64_t)bits << field->shift;
        memset(texel, 0, sizeof texel);
        memset(again, 0, sizeof again);
        memcpy(texel + field->offset, &word, field->unit);
        EmuNumber value = emu_field_get(field, texel);
        emu_field_set(field, value, again);
        if (field->kind == EMU_FORMAT_FLOAT && isnan(value.d))
          assert_true(isnan(emu_field_get(field, again).d));
        else
          assert_memory_equal(texel, again, sizeof texel);
      }
    }
  }
}

/* Texels survive the conversion to real numbers and back, once SNORM has a single -1. */
static void pixel_round_trip(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (size_t i = 0; i < ROWS; i++) {
    const EmuFormat *format = emu_format_find(rows[i].name);
    for (int n = 0; n < 200; n++) {
      uint8_t texel[32] = {0}, again[32] = {0}, third[32] = {0};
      double rgba[4];
      for (uint32_t b = 0; b < format->bytes; b++)
        texel[b] = (uint8_t)unit_below(&seed, 256);
      emu_pixel_unpack(format, texel, rgba);
      emu_pixel_pack(format, rgba, again);
      emu_pixel_unpack(format, again, rgba);
      emu_pixel_pack(format, rgba, third);
      assert_memory_equal(again, third, sizeof third);
    }
  }
}

static uint16_t half(double value) {
  const EmuFormat *format = emu_format_find("R16_SFLOAT");
  uint16_t bits = 0;
  emu_field_set(format->fields, (EmuNumber){.d = value}, &bits);
  return bits;
}

static void half_rounding(void **state) {
  (void)state;
  assert_int_equal(half(1), 0x3c00);
  assert_int_equal(half(-2), 0xc000);
  assert_int_equal(half(0.1), 0x2e66);
  assert_int_equal(half(65504), 0x7bff);
  assert_int_equal(half(65519.99), 0x7bff);
  assert_int_equal(half(65520), 0x7c00);
  assert_int_equal(half(-1e300), 0xfc00);
  assert_int_equal(half(5.960464477539063e-8), 0x0001);
  assert_int_equal(half(2.98e-8), 0x0000);
  assert_int_equal(half(2.9802322387695313e-8), 0x0000); /* a tie goes to even */
  assert_int_equal(half(6.103515625e-5), 0x0400);
  assert_int_equal(half(6.1e-5), 0x03ff);
  assert_int_equal(half(1.00048828125), 0x3c00); /* tie */
  assert_int_equal(half(1.0004882813), 0x3c01);  /* just above: rounded once, from double */
  assert_int_equal(half(1.00146484375), 0x3c02);
  assert_int_equal(half(-0.0), 0x8000);
  assert_int_equal(half((double)NAN), 0x7e00);
}

static void clamps(void **state) {
  (void)state;
  uint8_t texel[4];
  emu_pixel_pack(emu_format_find("R8G8B8A8_UNORM"), (double[4]){-1, 2, 0.5, (double)NAN}, texel);
  assert_memory_equal(texel, ((uint8_t[]){0, 255, 128, 0}), 4);
  emu_pixel_pack(emu_format_find("B8G8R8A8_SNORM"), (double[4]){-2, 2, 0, 1}, texel);
  assert_memory_equal(texel, ((uint8_t[]){0, 127, 0x81, 127}), 4);
  emu_pixel_pack(emu_format_find("R8G8B8A8_SINT"), (double[4]){-1000, 1000, -3, 4}, texel);
  assert_memory_equal(texel, ((uint8_t[]){0x80, 127, 0xfd, 4}), 4);
  uint64_t wide[2];
  emu_pixel_pack(emu_format_find("R64G64_UINT"), (double[4]){1e30, -5}, wide);
  assert_true(wide[0] == UINT64_MAX && wide[1] == 0);
  emu_pixel_pack(emu_format_find("R64G64_SINT"), (double[4]){1e30, -1e30}, wide);
  assert_true(wide[0] == INT64_MAX && wide[1] == (uint64_t)INT64_MIN);
}

static void channels(void **state) {
  (void)state;
  double rgba[4];
  emu_pixel_unpack(emu_format_find("R5G6B5_UNORM_PACK16"), &(uint16_t){0xf800}, rgba);
  assert_true(rgba[0] == 1 && rgba[1] == 0 && rgba[2] == 0 && rgba[3] == 1);
  emu_pixel_unpack(emu_format_find("A2R10G10B10_UNORM_PACK32"), &(uint32_t){0x400003ff}, rgba);
  assert_true(rgba[0] == 0 && rgba[2] == 1 && fabs(rgba[3] - 1 / 3.0) < 1e-9);
  emu_pixel_unpack(emu_format_find("B10G11R11_UFLOAT_PACK32"),
                   &(uint32_t){0x3c0u | 0x380u << 11 | 0x1c0u << 22}, rgba);
  assert_true(rgba[0] == 1 && rgba[1] == 0.5 && rgba[2] == 0.5);
  emu_pixel_unpack(emu_format_find("R8_SRGB"), &(uint8_t){188}, rgba);
  assert_true(fabs(rgba[0] - 0.5029) < 1e-3);
  uint8_t deep[5] = {0, 0, 0x80, 0x3f, 7};
  emu_pixel_unpack(emu_format_find("D32_SFLOAT_S8_UINT"), deep, rgba);
  assert_true(rgba[0] == 1 && rgba[1] == 7);
  emu_pixel_unpack(emu_format_find("D24_UNORM_S8_UINT"), &(uint32_t){0x05ffffff}, rgba);
  assert_true(rgba[0] == 1 && rgba[1] == 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table),          cmocka_unit_test(as_the_name_says),
      cmocka_unit_test(raw_round_trip), cmocka_unit_test(pixel_round_trip),
      cmocka_unit_test(half_rounding),  cmocka_unit_test(clamps),
      cmocka_unit_test(channels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
