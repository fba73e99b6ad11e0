/* SPDX-License-Identifier: Apache-2.0 */
/* Random tests of random samples, compared with the order of Vulkan's operations on plain numbers:
 * depth bounds, stencil, depth; all formats, comparisons, stencil operations and masks. */
#include "spv-emu/raster/depth_stencil.h"

#include "tests/emu/raster/raster_bed.h"

#include <math.h>
#include <string.h>

static uint64_t seed = 11;

static uint32_t below(uint32_t n) {
  return unit_below(&seed, n);
}

/* ---- the model ------------------------------------------------------------------------------- */

typedef struct Format {
  const char *name;
  double most; /* the greatest depth as it is stored; 0: a float; -1: no depth */
  bool stencil;
  uint32_t depth_bytes, stencil_at; /* in the texel */
} Format;

static const Format formats[] = {
    {"D16_UNORM", 65535, false, 2, 0},        {"X8_D24_UNORM_PACK32", 16777215, false, 3, 0},
    {"D32_SFLOAT", 0, false, 4, 0},           {"S8_UINT", -1, true, 0, 0},
    {"D16_UNORM_S8_UINT", 65535, true, 2, 2}, {"D24_UNORM_S8_UINT", 16777215, true, 3, 3},
    {"D32_SFLOAT_S8_UINT", 0, true, 4, 4},
};

typedef struct Texel {
  double depth; /* as stored */
  uint32_t stencil;
} Texel;

static double stored(const Format *f, EmuDepthRange range, float z) {
  double limited = fmin(fmax((double)z, (double)range.least), (double)range.most);
  return f->most > 0 ? rint(fmin(fmax(limited, 0), 1) * f->most) : limited;
}

static Texel texel_at(const Format *f, const uint8_t *place) {
  Texel t = {0};
  uint32_t word = 0;
  float real;
  memcpy(&word, place, f->depth_bytes);
  memcpy(&real, &word, sizeof real);
  if (f->most >= 0)
    t.depth = f->most > 0 ? (double)word : (double)real;
  if (f->stencil)
    t.stencil = place[f->stencil_at];
  return t;
}

static bool holds(uint32_t op, double a, double b) {
  /* The bits of VkCompareOp: less, equal, greater. */
  return (a < b && op & 1) || (a == b && op & 2) || (a > b && op & 4);
}

static uint32_t operate(uint32_t op, uint32_t value, uint32_t reference) {
  const uint32_t results[8] = {value,
                               0,
                               reference,
                               value == 255 ? 255 : value + 1,
                               value == 0 ? 0 : value - 1,
                               value ^ 255,
                               (value + 1) % 256,
                               (value + 255) % 256};
  return results[op];
}

/* Changes the texel as the operations do. Does the sample pass? */
static bool model(const EmuDepthStencil *s, const Format *f, bool front, float z, Texel *t) {
  const EmuStencilFace *face = front ? &s->front : &s->back;
  bool has_depth = f->most >= 0, stencil = true, depth = true;
  double unit = f->most > 0 ? f->most : 1;
  if (has_depth && s->depth.bounds_test &&
      (t->depth < (double)s->depth.min_bounds * unit ||
       t->depth > (double)s->depth.max_bounds * unit))
    return false;
  if (f->stencil && s->stencil_test)
    stencil = holds(face->compare_op, face->reference & face->compare_mask,
                    t->stencil & face->compare_mask);
  if (has_depth && s->depth.test)
    depth = holds(s->depth.compare_op, stored(f, s->range, z), t->depth);
  if (stencil && depth && has_depth && s->depth.test && s->depth.write)
    t->depth = stored(f, s->range, z);
  if (f->stencil && s->stencil_test) {
    uint32_t op = !stencil ? face->fail_op : !depth ? face->depth_fail_op : face->pass_op;
    uint32_t value = operate(op, t->stencil, face->reference);
    t->stencil = (t->stencil & ~face->write_mask) | (value & face->write_mask);
  }
  return stencil && depth;
}

/* ---- random tests ---------------------------------------------------------------------------- */

static EmuStencilFace random_face(void) {
  return (EmuStencilFace){.fail_op = below(8),
                          .pass_op = below(8),
                          .depth_fail_op = below(8),
                          .compare_op = below(8),
                          .compare_mask = below(3) ? 255 : below(256),
                          .write_mask = below(3) ? 255 : below(256),
                          .reference = below(4)};
}

static EmuDepthStencil random_state(EmuAttachment attachment) {
  static const EmuDepthRange ranges[] = {{0, 1}, {0.25f, 0.75f}, {-INFINITY, INFINITY}};
  return (EmuDepthStencil){
      .attachment = attachment,
      .depth = {.test = below(4),
                .write = below(2),
                .compare_op = below(8),
                .bounds_test = below(3) == 0,
                .min_bounds = (float)below(3) / 4,
                .max_bounds = 0.5f + (float)below(3) / 4},
      .range = ranges[below(3)],
      .stencil_test = below(2),
      .front = random_face(),
      .back = random_face(),
  };
}

enum { SIDE = 4 };

static void check_quad(const EmuDepthStencil *state, const Format *f) {
  const EmuAttachment *a = &state->attachment;
  EmuQuad quad = {(uint16_t)(2 * below(SIDE / 2)), (uint16_t)(2 * below(SIDE / 2)), {0}};
  bool front = below(2), own = below(2), expected[4][4];
  uint32_t references[4];
  float z[16];
  Texel texels[4][4];
  for (uint32_t i = 0; i < 4; i++)
    quad.mask[i] = (uint16_t)below(1u << a->samples), references[i] = below(1024);
  for (uint32_t i = 0; i < 4 * a->samples; i++) {
    uint32_t lane = i / a->samples, s = i % a->samples;
    Texel *t = &texels[lane][s];
    *t = texel_at(f, emu_attachment_at(a, quad.x + lane % 2, quad.y + lane / 2, s));
    z[i] = ((float)below(15) - 3) / 8; /* some before 0, some past 1 */
    EmuDepthStencil here = *state;
    if (own)
      here.front.reference = here.back.reference = references[lane];
    expected[lane][s] = quad.mask[lane] >> s & 1 && model(&here, f, front, z[i], t);
  }
  uint16_t mask[4];
  memcpy(mask, quad.mask, sizeof mask);
  emu_depth_stencil_test(state, &quad, front, z, own ? references : NULL, mask);
  for (uint32_t i = 0; i < 4 * a->samples; i++) {
    uint32_t lane = i / a->samples, s = i % a->samples;
    Texel t = texel_at(f, emu_attachment_at(a, quad.x + lane % 2, quad.y + lane / 2, s));
    assert_int_equal(mask[lane] >> s & 1, expected[lane][s]);
    assert_true(t.depth == texels[lane][s].depth && t.stencil == texels[lane][s].stencil);
  }
}

static void samples_are_tested_in_order(void **state) {
  (void)state;
  for (uint32_t i = 0; i < 700; i++) {
    const Format *f = &formats[i % 7];
    uint8_t bytes[SIDE * SIDE * 4 * 8];
    EmuAttachment a = {emu_format_find(f->name), bytes, SIDE, SIDE, i % 2 ? 1 : 4};
    emu_clear_depth_stencil(&a, (float)below(5) / 4, below(4));
    assert_true(texel_at(f, bytes).stencil < 4);
    for (uint32_t n = 0; n < 300; n++) {
      EmuDepthStencil random = random_state(a);
      check_quad(&random, f);
    }
  }
}

static void nothing_to_test_is_known(void **state) {
  (void)state;
  uint8_t bytes[64] = {0};
  EmuDepthStencil s = {.attachment = {emu_format_find("D16_UNORM"), bytes, 4, 4, 1}};
  assert_false(emu_depth_stencil_needed(&s));
  s.stencil_test = true; /* but there is no stencil */
  assert_false(emu_depth_stencil_needed(&s));
  s.depth.test = true;
  assert_true(emu_depth_stencil_needed(&s));
  s.attachment.format = NULL;
  assert_false(emu_depth_stencil_needed(&s));
}

/* What is not a number must not reach the attachment. */
static void depths_that_are_nan(void **state) {
  (void)state;
  uint8_t bytes[4 * 4 * 4];
  EmuDepthStencil s = {.attachment = {emu_format_find("D32_SFLOAT"), bytes, 4, 4, 1},
                       .depth = {.test = true, .write = true, .compare_op = 7},
                       .range = {0.25f, 0.75f}};
  const EmuQuad quad = {0, 0, {1, 1, 1, 1}};
  const float z[4] = {NAN, 0.5f, -INFINITY, INFINITY};
  static const double expected[4] = {0.25, 0.5, 0.25, 0.75};
  uint16_t mask[4] = {1, 1, 1, 1};
  emu_clear_depth_stencil(&s.attachment, 1, 0);
  emu_depth_stencil_test(&s, &quad, true, z, NULL, mask);
  for (uint32_t lane = 0; lane < 4; lane++)
    assert_true(
        texel_at(&formats[2], emu_attachment_at(&s.attachment, lane % 2, lane / 2, 0)).depth ==
        expected[lane]);
}

/* A draw's range: the viewport's with depth clamp, even if it is reversed. */
static void ranges_of_draws(void **state) {
  (void)state;
  static const struct {
    bool clamp, unrestricted;
    float from, to, least, most;
  } cases[] = {{false, false, 0.25f, 0.75f, 0, 1},
               {true, false, 0.25f, 0.75f, 0.25f, 0.75f},
               {true, false, 0.75f, 0.25f, 0.25f, 0.75f},
               {false, true, 0.25f, 0.75f, -INFINITY, INFINITY},
               {true, true, 3, -2, -2, 3}};
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    RasterBed bed = bed_make(1, 8);
    bed.raster.depth.clamp = cases[i].clamp;
    bed.raster.depth.unrestricted = cases[i].unrestricted;
    bed.raster.viewport.min_depth = cases[i].from;
    bed.raster.viewport.max_depth = cases[i].to;
    EmuDepthRange range = emu_raster_depths(&bed.raster);
    assert_true(range.least == cases[i].least && range.most == cases[i].most);
    char text[200];
    assert_true(emu_raster_check(&bed.raster, text, sizeof text));
    bed.raster.depth.unrestricted = false;
    assert_int_equal(emu_raster_check(&bed.raster, text, sizeof text), cases[i].from <= 1);
  }
}

static void depths_of_samples(void **state) {
  (void)state;
  RasterBed bed = bed_make(4, 8);
  bed_vertex(&bed, 0, 0, 0, 1);
  bed_vertex(&bed, 64, 0, 1, 1);
  bed_vertex(&bed, 0, 64, 0, 1);
  assert_int_equal(bed_draw(&bed, EMU_TRIANGLE, 0), 1);
  EmuQuad quad = {10, 4, {15, 15, 15, 15}};
  float z[16];
  emu_sample_depths(&bed.last, &quad, 4, z);
  static const double spots[4] = {0.375, 0.875, 0.125, 0.625};
  for (uint32_t i = 0; i < 16; i++)
    assert_true(fabs((double)z[i] - (10 + i / 4 % 2 + spots[i % 4]) / 64) < 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(samples_are_tested_in_order), cmocka_unit_test(nothing_to_test_is_known),
      cmocka_unit_test(depths_that_are_nan),         cmocka_unit_test(ranges_of_draws),
      cmocka_unit_test(depths_of_samples),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
