/* SPDX-License-Identifier: Apache-2.0 */
/* Primitives of random draws compared with the formulas of the Vulkan specification, applied to
 * each run between two restarts; attributes of all formats compared with their definition. */
#include "spv-emu/raster/primitives.h"
#include "spv-emu/raster/vertex_fetch.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 5;

static uint32_t below(uint32_t n) {
  return unit_below(&seed, n);
}

/* ---- primitives ------------------------------------------------------------------------------ */

enum { MOST = 64 };

typedef struct Expected {
  uint32_t count;
  uint32_t corners[MOST * 3]; /* indices as the shader sees them */
} Expected;

static void add(Expected *e, uint32_t shape, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t corner[3] = {a, b, c};
  memcpy(&e->corners[e->count++ * shape], corner, shape * sizeof *corner);
}

/* The primitives of one run: Vulkan, "Primitive Topologies". */
static void expect_run(uint32_t topology, const uint32_t *v, uint32_t n, Expected *e) {
  for (uint32_t i = 0; topology == 0 && i < n; i++)
    add(e, 1, v[i], 0, 0);
  for (uint32_t i = 0; topology == 1 && 2 * i + 1 < n; i++)
    add(e, 2, v[2 * i], v[2 * i + 1], 0);
  for (uint32_t i = 0; topology == 2 && i + 1 < n; i++)
    add(e, 2, v[i], v[i + 1], 0);
  for (uint32_t i = 0; topology == 3 && 3 * i + 2 < n; i++)
    add(e, 3, v[3 * i], v[3 * i + 1], v[3 * i + 2]);
  for (uint32_t i = 0; topology == 4 && i + 2 < n; i++)
    add(e, 3, v[i], v[i + (1 + i % 2)], v[i + (2 - i % 2)]);
  for (uint32_t i = 0; topology == 5 && i + 2 < n; i++)
    add(e, 3, v[i + 1], v[i + 2], v[0]);
}

static uint32_t raw_index(const EmuAssembly *draw, uint32_t i) {
  uint32_t at = draw->first + i, value = 0, bytes = draw->index_bits / 8;
  if ((uint64_t)at * bytes + bytes <= draw->index_size)
    memcpy(&value, draw->indices + (size_t)at * bytes, bytes);
  return value;
}

static void expect_draw(const EmuAssembly *draw, Expected *e) {
  uint32_t run[MOST], length = 0;
  e->count = 0;
  for (uint32_t i = 0; i < draw->count; i++) {
    uint32_t index = draw->indices ? raw_index(draw, i) : draw->first + i;
    bool restarts = draw->indices && draw->restart &&
                    index == (uint32_t)(((uint64_t)1 << draw->index_bits) - 1);
    if (restarts)
      expect_run(draw->topology, run, length, e);
    length = restarts ? 0 : length;
    if (!restarts)
      run[length++] = draw->indices ? index + draw->vertex_offset : index;
  }
  expect_run(draw->topology, run, length, e);
}

static void assert_primitives(const EmuAssembly *draw) {
  Expected e;
  EmuPrimitives made;
  char text[200];
  expect_draw(draw, &e);
  assert_true(emu_primitives_assemble(draw, &made, text, sizeof text));
  assert_int_equal(made.count, e.count);
  for (uint32_t i = 0; i < e.count * made.shape; i++)
    assert_int_equal(made.vertices[made.corners[i]], e.corners[i]);
  for (uint32_t i = 0; i < made.vertex_count; i++) /* each index is one vertex */
    for (uint32_t k = 0; k < i; k++)
      assert_int_not_equal(made.vertices[i], made.vertices[k]);
  emu_primitives_free(&made);
}

static void primitives_follow_the_formulas(void **state) {
  (void)state;
  for (uint32_t i = 0; i < 20000; i++) {
    uint8_t indices[MOST * 4];
    uint32_t bits = 8u << below(3);
    for (uint32_t n = 0; n < MOST; n++) {
      uint32_t index = below(5) ? below(20) : UINT32_MAX;
      memcpy(&indices[n * bits / 8], &index, bits / 8);
    }
    assert_primitives(&(EmuAssembly){.topology = i % 6,
                                     .first = below(9),
                                     .count = below(MOST),
                                     .indices = i % 4 ? indices : NULL,
                                     .index_size = below(4) ? MOST * bits / 8 : below(99),
                                     .index_bits = bits,
                                     .vertex_offset = below(3) ? 0 : below(10) - 5u,
                                     .restart = below(2)});
  }
}

static void what_is_not_modelled_is_named(void **state) {
  (void)state;
  static const uint8_t index;
  static const struct {
    EmuAssembly draw;
    const char *text;
  } cases[] = {
      {{.topology = 9, .count = 3}, "topology triangle_strip_with_adjacency is not modelled"},
      {{.topology = 10, .count = 3}, "topology patch_list is not modelled"},
      {{.topology = 11, .count = 3}, "topology 11 is not one of Vulkan's"},
      {{.topology = 3, .count = (1u << 24) + 1},
       "a draw of 16777217 vertices; at most 16777216 are possible"},
      {{.topology = 3, .count = 3, .indices = &index, .index_bits = 64},
       "indices of 64 bits; 8, 16 or 32 are possible"},
  };
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    EmuPrimitives made;
    char text[200] = "";
    assert_false(emu_primitives_assemble(&cases[i].draw, &made, text, sizeof text));
    assert_string_equal(text, cases[i].text);
    emu_primitives_free(&made);
  }
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* A small float: five bits of exponent with bias 15; a sign if there are 16 bits. */
static double small_float(uint64_t bits, uint32_t width) {
  uint32_t mantissa = width == 16 ? 10 : width - 5, exponent = bits >> mantissa & 31;
  double fraction = (double)(bits & ((1u << mantissa) - 1)) / (1u << mantissa);
  double sign = width == 16 && bits >> 15 ? -1 : 1;
  if (exponent == 31)
    return fraction != 0 ? (double)NAN : sign * (double)INFINITY;
  return sign * (exponent ? (1 + fraction) * pow(2, exponent - 15.0) : fraction * pow(2, -14));
}

/* The bits that a shader's input has, of a number of at most 32 bits. */
static uint32_t expected_word(const EmuField *f, uint64_t raw, bool *any) {
  int64_t whole = (int64_t)(raw << (64 - f->bits)) >> (64 - f->bits);
  double most = (double)(((uint64_t)1 << f->bits) - 1),
         half = (double)(((uint64_t)1 << (f->bits - 1)) - 1);
  float real = 0;
  uint32_t bits;
  *any = false;
  switch (f->kind) {
  case EMU_FORMAT_UINT:
    return (uint32_t)raw;
  case EMU_FORMAT_SINT:
    return (uint32_t)whole;
  case EMU_FORMAT_UNORM:
    real = (float)((double)raw / most);
    break;
  case EMU_FORMAT_SNORM:
    real = (float)fmax((double)whole / half, -1);
    break;
  case EMU_FORMAT_USCALED:
    real = (float)raw;
    break;
  case EMU_FORMAT_SSCALED:
    real = (float)whole;
    break;
  default:
    if (f->bits == 32)
      return (uint32_t)raw;
    real = (float)small_float(raw, f->bits);
    *any = isnan(real);
  }
  memcpy(&bits, &real, sizeof bits);
  return bits;
}

static uint64_t raw_of(const EmuField *f, const uint8_t *texel) {
  uint64_t word = 0;
  memcpy(&word, texel + f->offset, f->unit);
  return word >> f->shift & (f->bits < 64 ? ((uint64_t)1 << f->bits) - 1 : UINT64_MAX);
}

static uint32_t place_of(const EmuField *f) {
  return f->channel == 'G' ? 1 : f->channel == 'B' ? 2 : f->channel == 'A' ? 3 : 0;
}

static void check_texel(const EmuFormat *format, const uint8_t *texel) {
  EmuVertexInput input = {format, texel, format->bytes, 0};
  uint32_t words[8];
  assert_true(emu_vertex_fetch(&input, 0, words));
  for (uint32_t i = 0; i < format->field_count; i++) {
    const EmuField *f = &format->fields[i];
    uint64_t raw = raw_of(f, texel);
    bool any;
    if (f->bits == 64) {
      assert_memory_equal(&words[2 * place_of(f)], &raw, sizeof raw);
      continue;
    }
    uint32_t expected = expected_word(f, raw, &any);
    if (!any && words[place_of(f)] != expected)
      fail_msg("%s: %#llx is read as %#x, not %#x", format->name, (unsigned long long)raw,
               words[place_of(f)], expected);
  }
}

/* All values of components of up to 16 bits, random ones of larger. */
static void attributes_of_all_formats(void **state) {
  (void)state;
  uint32_t formats = 0;
  for (uint32_t vk = 1; vk <= 122; vk++) {
    const EmuFormat *format = emu_format_numbered(vk);
    assert_non_null(format);
    if (format->fields[0].kind == EMU_FORMAT_SRGB)
      continue; /* no vertex format of Vulkan's */
    formats++;
    uint32_t tries = format->fields[0].bits <= 8 ? 256 : format->fields[0].bits <= 16 ? 65536 : 500;
    for (uint32_t value = 0; value < tries; value++) {
      uint8_t texel[32];
      for (uint32_t b = 0; b < sizeof texel; b++)
        texel[b] = (uint8_t)below(256);
      for (uint32_t i = 0; tries > 500 && i < format->field_count; i++)
        emu_field_set(&(EmuField){format->fields[i].offset, format->fields[i].unit,
                                  format->fields[i].shift, format->fields[i].bits, EMU_FORMAT_UINT,
                                  0},
                      (EmuNumber){.u = value}, texel);
      check_texel(format, texel);
    }
  }
  assert_int_equal(formats, 115);
}

static void missing_components_have_defaults(void **state) {
  (void)state;
  static const uint8_t bytes[16] = {1, 0, 0, 0, 0, 0, 0, 0x40};
  static const struct {
    const char *format;
    uint32_t words[8];
  } cases[] = {{"R8_UINT", {1, 0, 0, 1}},
               {"R8G8_UNORM", {0x3b808081, 0, 0, 0x3f800000}},
               {"R32_SINT", {1, 0, 0, 1}},
               {"R64_SFLOAT", {1, 0x40000000, 0, 0, 0, 0, 0, 0x3ff00000}},
               {"R64_UINT", {1, 0x40000000, 0, 0, 0, 0, 1, 0}}};
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t words[8];
    EmuVertexInput input = {emu_format_find(cases[i].format), bytes, sizeof bytes, 1};
    assert_true(emu_vertex_fetch(&input, 0, words));
    assert_memory_equal(words, cases[i].words, emu_vertex_words(input.format) * 16);
  }
}

static void attributes_outside_are_defaults(void **state) {
  (void)state;
  static const uint8_t bytes[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const EmuFormat *format = emu_format_find("R16_UINT");
  uint32_t words[8];
  for (uint64_t index = 0; index < 12; index++) {
    EmuVertexInput input = {format, bytes, sizeof bytes, 3};
    assert_int_equal(emu_vertex_fetch(&input, index, words), index < 3);
    assert_int_equal(words[0], index < 3 ? bytes[3 * index] + 256u * bytes[3 * index + 1] : 0);
    assert_int_equal(words[3], 1);
  }
  assert_false(emu_vertex_fetch(&(EmuVertexInput){format, bytes, 1, 0}, 0, words));
  assert_false(emu_vertex_fetch(&(EmuVertexInput){format, bytes, 10, 8}, UINT64_MAX, words));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(primitives_follow_the_formulas),
      cmocka_unit_test(what_is_not_modelled_is_named),
      cmocka_unit_test(attributes_of_all_formats),
      cmocka_unit_test(missing_components_have_defaults),
      cmocka_unit_test(attributes_outside_are_defaults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
